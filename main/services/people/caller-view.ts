import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { openReveals } from '../../administrator/classroom/revealed.ts'
import type { CaseId } from '../../contract/cases/cases.ts'
import type { DossierId } from '../../contract/evidence/dossiers.ts'
import type { ContestId, Sha256 } from '../../contract/ids.ts'
import { HUMAN } from '../../contract/players/agents.ts'
import { isPublic } from '../../contract/players/sources.ts'
import type { Caller } from '../../contract/people/caller.ts'
import { settingsOfTrust, type CallerView, type ObjectRef } from '../../contract/people/objects.ts'
import type { ContestEntry } from '../../contract/procedures/classroom.ts'
import { contestFolder } from '../machine/data-folder.ts'
import { referencePrefix } from '../texts/kept-texts.ts'
import { configTexts, textsIn } from '../texts/text-fields.ts'
import { ownerOfAgent } from './ownership.ts'

/** Makes the views of callers on a class. */
export interface CallerViews {
  /** A view holds for one call: what a caller may see changes with the class. `caller` has a role. */
  of(caller: Caller): CallerView
}

/** Objects that are kept on a higher floor. */
interface HigherObjects {
  /** True if a caller may do this with a dossier. */
  reachesDossier(reach: 'own' | 'public', dossier: DossierId, caller: Caller): boolean
  /** The contest of a case; null: the case is unknown. */
  contestOfCase(id: CaseId): ContestId | null
}

export function openCallerViews(
  home: Pick<ClassFolder, 'content' | 'folder'>,
  { reachesDossier, contestOfCase }: HigherObjects,
): CallerViews {
  const reveals = openReveals(home)
  const hasBegun = (id: ContestId): boolean => existsSync(contestFolder(home.folder, id))

  const of = (caller: Caller): CallerView => {
    const { role, team, person } = caller
    const { content } = home
    if (role === null) throw new Error('somebody without a role sees nothing')
    const isStaff = role === 'educator' || role === 'assistant'
    const ownsAgent = (name: string): boolean => team !== null && ownerOfAgent(content, name) === team
    const ownsComponent = (wanted: Sha256): boolean =>
      team !== null && content.components.some((each) => each.hash === wanted && each.owner === team)
    const sees = (entry: ContestEntry): boolean =>
      entry.practiceOf === undefined ? isAnnounced(entry, hasBegun) : entry.practiceOf === team
    const seesContest = (id: ContestId): boolean => {
      const entry = content.contests.find((each) => each.id === id)
      return entry !== undefined && (isStaff || sees(entry))
    }
    let challenges: ReadonlySet<Sha256> | null = null
    const seesChallenge = (version: Sha256): boolean =>
      isStaff || (challenges ??= new Set(content.contests.filter(sees).flatMap(textHashes))).has(version)
    const reaches = (reach: 'own' | 'public', ref: Exclude<ObjectRef, { readonly file: string }>): boolean => {
      if ('agent' in ref) return ownsAgent(ref.agent)
      if ('version' in ref) return ownsAgent(ref.version.name) && findVersion(content, ref.version) !== undefined
      if ('source' in ref) {
        const version = findVersion(content, ref.source)
        return version !== undefined && isPublic(reveals.of().get(version))
      }
      if ('contest' in ref) return seesContest(ref.contest)
      if ('component' in ref)
        return reach === 'own'
          ? ownsComponent(ref.component)
          : content.components.some((each) => each.hash === ref.component)
      if ('challenge' in ref) return true
      if ('setting' in ref) return isStaff && !settingsOfTrust.has(ref.setting)
      if ('team' in ref) return ref.team === team
      if ('dossier' in ref) return reachesDossier(reach, ref.dossier, caller)
      if ('case' in ref) {
        const contest = contestOfCase(ref.case)
        return contest !== null && seesContest(contest)
      }
      return ref.person === person
    }
    return { role, ownsAgent, ownsComponent, seesContest, seesChallenge, reaches }
  }
  return { of }
}

/**
 * True if the class knows of a contest: it has begun or ended, or asks for entries, or is one that recurs. A contest that nobody has
 * started yet is the educator's draft, and a match with a person is theirs.
 */
function isAnnounced(entry: ContestEntry, hasBegun: (id: ContestId) => boolean): boolean {
  const { state, goesOn, entriesUntil, recurring, description, id } = entry
  if (description.entrants.some(({ agent }) => agent === HUMAN)) return false
  if (state === 'ended' || goesOn === true || recurring !== undefined) return true
  return (state === 'open' && entriesUntil !== undefined) || hasBegun(id)
}

function findVersion(
  { agents }: ClassFolder['content'],
  { name, agent }: { readonly name: string; readonly agent: Sha256 },
): ClassFolder['content']['agents'][number] | undefined {
  return agents.find(({ hash: each, manifest }) => each === agent && manifest.name === name)
}

/** The hashes of the texts of a contest's config, such as its challenge. Large texts are kept by their hashes. */
function textHashes({ description: { game, config } }: ContestEntry): readonly Sha256[] {
  return textsIn(config, configTexts(game)).map(({ text }) =>
    text.startsWith(referencePrefix) ? text.slice(referencePrefix.length) : hash('sha256', text),
  )
}
