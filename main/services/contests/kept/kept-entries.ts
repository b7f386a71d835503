import { storedAgentKind } from '../../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { StoredAttempt } from '../../../administrator/people/attempts.ts'
import { createRecord, type ContestRecord } from '../standings/contest-record.ts'
import { seedReveal, withMixedSeed } from '../../../histories/seed-commitment.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { PlacedDecision } from '../../../contract/contests/decisions.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { scanContest } from '../../../histories/segments/contest-scan.ts'
import { completeConfig, completeVariants } from '../descriptions/contest-file.ts'
import { gameContests } from '../descriptions/new-contest.ts'
import { textsOf, withFormatTexts } from '../../texts/named-texts.ts'
import { contestFolder } from '../../machine/data-folder.ts'
import { componentsOfEntrants } from '../results/contest-shares.ts'
import { createRecords, type Records } from '../results/contest-records.ts'

/** A hand-in of a team whose trial is not over. */
export type UntriedHandIn = Pick<StoredAttempt, 'team' | 'contest' | 'game' | 'at' | 'receipt'>

/** The contests of a data folder while it is open. */
export interface KeptContests {
  readonly home: ClassFolder
  /** By the clock of the class, ms since the epoch. */
  readonly now: () => number
  readonly records: Records
  /** The hand-ins whose trials are not over: received, being built, or waiting. */
  readonly untried: () => readonly UntriedHandIn[]
  /** Contests about which something is being decided; settled when it is in their histories. */
  readonly deciding: Map<ContestId, Promise<unknown>>
}

/** Opens the contests of a class, none of whose records is read yet. */
export function openKept(home: ClassFolder, now: () => number, untried: KeptContests['untried']): KeptContests {
  /** `decisions`: of those that the class keeps. */
  const read = async (id: ContestId, decisions = entryOf(kept, id).decisions ?? []): Promise<ContestRecord> => {
    const { description, phrase, rebuilt } = entryOf(kept, id)
    const mixed = withMixedSeed(description, phrase)
    const record = createRecord(mixed, gameContests(description), decisions, rebuilt === undefined)
    const scan = await scanContest({ dir: folderOf(kept, id), contest: id, key: home.key.publicKey, keeper: record })
    if (!scan.ok) throw new ExpectedError('verdict', 'history-damaged', scan.damage.message)
    if (record.unknown.length > 0) {
      const found = [...record.decisions, ...record.unknown]
      const components = await componentsIn(kept, describedWith(entryOf(kept, id), found))
      // The process that has the class open has made them meanwhile.
      if (home.isReadOnly) setDecisions(entryOf(kept, id), found, components)
      else await keepDecisions(kept, id, found, components)
      return read(id)
    }
    // A reader that only looks counts the rulings that are signed.
    const unsigned = home.isReadOnly ? record.pending().filter(({ decision }) => decision.type === 'ruling') : []
    if (unsigned.length > 0)
      return read(
        id,
        decisions.filter((each) => !unsigned.includes(each)),
      )
    // The class keeps a decision before it is written to the histories; nothing was played in between.
    for (let next = dueDecision(record); next !== undefined; next = dueDecision(record)) record.decide(next)
    return record
  }
  const kept: KeptContests = { home, now, untried, records: createRecords((id) => read(id)), deciding: new Map() }
  return kept
}

/** The next decision that is not in the histories, if its place is reached. */
function dueDecision(record: ContestRecord): PlacedDecision | undefined {
  const [next] = record.pending()
  return next?.stage === record.begun && next.matches === record.finished.size ? next : undefined
}

/** The description with which a contest began, without entrants that entered late. */
export function withoutLateEntries({ description, decisions = [] }: ContestEntry): ContestDescription {
  const late = decisions.filter(({ decision }) => decision.type === 'enter').length
  return { ...description, entrants: description.entrants.slice(0, description.entrants.length - late) }
}

/** The description of a contest about which this is decided: those who enter late are its last entrants. */
export function describedWith(entry: ContestEntry, decisions: readonly PlacedDecision[]): ContestDescription {
  const { entrants, ...description } = withoutLateEntries(entry)
  const late = decisions.flatMap(({ decision }) => (decision.type === 'enter' ? decision.entrant : []))
  return { ...description, entrants: [...entrants, ...late] }
}

/** Makes these the decisions about a contest. `components`: those of its entrants with them; absent: as before. */
export function keepDecisions(
  kept: KeptContests,
  id: ContestId,
  decisions: readonly PlacedDecision[],
  components?: ContestEntry['components'],
): Promise<void> {
  return editEntry(kept, id, (found) => setDecisions(found, decisions, components))
}

function setDecisions(
  found: ContestEntry,
  decisions: readonly PlacedDecision[],
  components: ContestEntry['components'],
): void {
  found.description = describedWith(found, decisions)
  found.decisions = [...decisions]
  if (components !== undefined) found.components = components
}

/** The folder of a contest's segments. */
export function folderOf(kept: KeptContests, id: ContestId): string {
  return contestFolder(kept.home.folder, id)
}

/** Throws ExpectedError 'usage' if there is no such contest. */
export function entryOf(kept: KeptContests, id: ContestId): ContestEntry {
  const found = kept.home.content.contests.find((each) => each.id === id)
  if (found === undefined)
    throw new ExpectedError('usage', 'contest-unknown', `There is no contest "${id}" in ${kept.home.folder}.`)
  return found
}

/** Changes a contest of the class. */
export function editEntry(kept: KeptContests, id: ContestId, how: (entry: ContestEntry) => void): Promise<void> {
  return kept.home.change(({ contests }) => {
    const found = contests.find((each) => each.id === id)
    if (found === undefined)
      throw new ExpectedError('usage', 'contest-unknown', `There is no contest "${id}" in ${kept.home.folder}.`)
    how(found)
  })
}

/** Keeps which components the entrants' packages contain, in a contest with a share for their authors. */
export async function noteComponents(kept: KeptContests, id: ContestId): Promise<void> {
  const components = await componentsIn(kept, entryOf(kept, id).description)
  if (components !== undefined) await editEntry(kept, id, (found) => void (found.components = components))
}

/** The components in the entrants' packages; undefined: the contest has no share for their authors. */
export async function componentsIn(
  { home }: KeptContests,
  description: ContestDescription,
): Promise<ContestEntry['components']> {
  return description.componentShare === undefined ? undefined : componentsOfEntrants(home.folder, description)
}

/** The description with its large texts. Throws ExpectedError if one is missing. */
export function completeEntry(kept: KeptContests, id: ContestId): Promise<ContestDescription> {
  return completeDescription(kept.home.folder, entryOf(kept, id).description, id)
}

/** The complete config of a contest and those of its format's variants. */
export interface Configs {
  readonly config: Json
  readonly variants: readonly Json[]
}

/** `description`: absent: the contest's own. Throws like `completeEntry`. */
export async function configsOf(
  kept: KeptContests,
  id: ContestId,
  description: ContestDescription = entryOf(kept, id).description,
): Promise<Configs> {
  const completed = await completeDescription(kept.home.folder, description, id)
  const variants = await completeVariants(completed, null, id, textsOf(kept.home.folder), 'recorded')
  return { config: completed.config, variants }
}

/** True if programs play in a contest. */
export function hasPrograms(kept: KeptContests, id: ContestId): boolean {
  return entryOf(kept, id).description.entrants.some(
    ({ agent }) => storedAgentKind(kept.home.folder, agent) === 'program',
  )
}

/**
 * A stored description with its large texts. `name`: for messages. Throws ExpectedError if a text is missing or the
 * config is not valid any more.
 */
export async function completeDescription(
  data: string,
  description: ContestDescription,
  name: string,
): Promise<ContestDescription> {
  const texts = textsOf(data)
  const format = await withFormatTexts(description.game, description.format, null, name, texts)
  const config = await completeConfig({ ...description, format }, null, name, texts, 'recorded')
  // `Json` is readonly and the schema's type is not; nothing modifies the value.
  return { ...description, format, config: config as ContestDescription['config'] }
}

/** Throws ExpectedError 'usage' if a contest still waits for the phrase of the class. `then`: what is to be done. */
export function checkPhrase(entry: ContestEntry, then = 'it begins when the class has given a phrase'): void {
  if (entry.description.classPhrase !== true || entry.phrase !== undefined) return
  const committed = `The entries of ${entry.id} are closed, and it is committed to ${seedReveal(entry).commitment}`
  throw new ExpectedError('usage', 'phrase-missing', `${committed}: ${then}.`)
}
