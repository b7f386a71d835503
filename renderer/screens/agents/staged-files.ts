import { freeName, nameFrom, nameKey, whyNoNewName } from '../../../main/contract/names.ts'
import { isKitName, ownName } from '../../../main/contract/players/kit-names.ts'
import type { AgentSummary, Becomes, LookedAt } from '../../../main/contract/procedures/procedures.ts'
import { gameTitle } from '../../games.ts'

/** A file that could be handed in, with the user's entries for it. */
export interface Staged {
  readonly id: number
  readonly file: File
  readonly path: string
  /** The handle of the uploaded file. */
  readonly uploaded: string
  readonly looked: LookedAt
  /** The content of its name field. */
  readonly name: string
  /** The person has marked it as a new version of the agent with this name. */
  readonly isVersion: boolean
}

/** An agent of the class, with the fields that matter here. */
export type KnownAgent = Pick<AgentSummary, 'name' | 'game' | 'versions'>

/** The state of a staged file. */
export type StagedState =
  | { readonly state: 'ready'; readonly becomes: Becomes }
  /** The person must say whether it is a new version of this agent. */
  | { readonly state: 'asks'; readonly known: KnownAgent }
  | { readonly state: 'wrong'; readonly problem: string }

/**
 * A name for each file: the name that the file itself states, if unique; else the name of the first folder, from the file
 * upwards, by which the files differ; else a name with a number. A name that every kit has does not count: then it is the
 * name of a folder, or empty, and the person types one. `taken`: names of files that are already staged.
 */
export function namesFor(
  files: readonly Pick<Staged, 'path' | 'looked'>[],
  taken: readonly string[],
): readonly string[] {
  const used = new Set(taken.map(nameKey))
  const equal = Map.groupBy(files, ({ looked }) => nameKey(looked.name))
  const proposals = new Map(
    [...equal.values()].flatMap((group) => {
      const names = group.length === 1 ? null : folderNames(group.map(({ path }) => path))
      return group.map((file, at) => {
        const folder = names?.[at]
        return [file, folder === undefined || isKitName(folder) ? givenName(file) : folder] as const
      })
    }),
  )
  return files.map((file) => {
    if (proposals.get(file) === '') return ''
    const name = freeName(proposals.get(file)!, (each) => used.has(nameKey(each)))
    used.add(nameKey(name))
    return name
  })
}

/** '': neither the file nor a folder has a name that is not the kit's. */
function givenName({ path, looked }: Pick<Staged, 'path' | 'looked'>): string {
  if (!isKitName(looked.name)) return looked.name
  return ownName(null, path.split('/').slice(0, -1).toReversed()) ?? ''
}

/** null: they differ in no folder. */
function folderNames(paths: readonly string[]): readonly string[] | null {
  const folders = paths.map((path) => path.split('/').slice(0, -1).toReversed())
  const depth = Math.min(...folders.map((each) => each.length))
  for (let up = 0; up < depth; up++) {
    const names = folders.map((each) => nameFrom(each[up]!))
    if (new Set(names.map(nameKey)).size === names.length) return names
  }
  return null
}

export const typedName = ({ name }: Pick<Staged, 'name'>): string => name.trim().normalize('NFC')

/** `agents`: the agents of the class. */
export function standingOf(
  one: Staged,
  all: readonly Staged[],
  agents: readonly KnownAgent[],
  game: string,
): StagedState {
  const name = typedName(one)
  if (name === '') return { state: 'wrong', problem: 'Type a name for this agent. Its file has none of its own.' }
  const problem = whyNoNewName(name)
  if (problem !== null) return { state: 'wrong', problem: `This name is not allowed: ${problem}.` }
  const key = nameKey(name)
  if (all.some((other) => other.id !== one.id && nameKey(typedName(other)) === key))
    return { state: 'wrong', problem: 'Another file here has this name.' }
  const known = agents.find((agent) => nameKey(agent.name) === key)
  if (known === undefined && isKitName(name))
    return { state: 'wrong', problem: 'Everybody’s kit has this name. Choose another one.' }
  if (known === undefined) return { state: 'ready', becomes: { what: 'agent', name } }
  if (known.game !== game)
    return {
      state: 'wrong',
      problem: `There already is an agent ${known.name}, for ${gameTitle(known.game)}. Choose another name.`,
    }
  return one.isVersion ? { state: 'ready', becomes: { what: 'version', of: known.name } } : { state: 'asks', known }
}

/** The agents with exactly the same content; '' if none. */
export function sameAs({ id, looked }: Staged, all: readonly Staged[]): string {
  const files = all.filter((other) => other.id !== id && looked.agent !== null && other.looked.agent === looked.agent)
  const others = [...looked.same, ...files.map(({ path }) => path)]
  if (others.length === 0) return ''
  const [shown, more] = [others.slice(0, 3).join(', '), others.length - 3]
  return `Identical to ${shown}${more > 0 ? ` and ${more} more` : ''}.`
}
