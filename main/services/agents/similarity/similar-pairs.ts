import * as z from 'zod'
import { readAgent } from '../../../administrator/classroom/agents.ts'
import type { EntrantId, Sha256 } from '../../../contract/ids.ts'
import type { SimilarAgent, SimilarPair } from '../../../contract/procedures/procedures.ts'
import { readingJob } from '../../machine/reading.ts'
import { fingerprintsOf } from './fingerprints.ts'
import { without, type ShippedPrints } from './shipped-prints.ts'
import { COMMON_MIN, SIMILAR } from './similar-agents.ts'
import { codeOf, type CodeFile } from './source-code.ts'

/**
 * The fingerprints of an agent's own code, ascending, without what all have from kits. Long code keeps the least ones
 * alone, so that any two agents are compared in bounded time.
 */
export interface OwnCode {
  readonly prints: Uint32Array
  /** False: there were more. */
  readonly whole: boolean
}

/** An agent that is compared with others. */
export interface ComparedAgent {
  readonly name: EntrantId
  /** The key of its team. Members of a team may share code. */
  readonly team: string
  /** The hash of its package. */
  readonly agent: string
  readonly code: OwnCode
}

/** The number of fingerprints that remain: the share of common ones is then off by some three percent. */
const PRINTS_MAX = 2_048
/** Equal code as a whole needs fewer fingerprints than a common passage to be more than chance. */
const EQUAL_MIN = 5
const PAIRS_MAX = 200

interface OwnCodeOrder extends Pick<ShippedPrints, 'common'> {
  /** The data folder that has the agent. */
  readonly data: string
  readonly agent: Sha256
}

/** `ownCode` of a stored agent. Rejects with ExpectedError 'host' like `readAgent`. */
export const ownCodeJob = readingJob<OwnCodeOrder, OwnCode>({
  name: 'own-code',
  what: 'the code of an agent',
  result: z.strictObject({ prints: z.instanceof(Uint32Array), whole: z.boolean() }),
  read: async ({ data, agent, common }) => ownCode(await codeOf(await readAgent(data, agent)), common),
})

/** The fingerprints of an agent's own code, which leave out the common ones. */
export async function ownCode(files: readonly CodeFile[], common: Uint32Array): Promise<OwnCode> {
  const all = new Set<number>()
  for (const { text, comments } of files) for (const print of await fingerprintsOf(text, comments)) all.add(print)
  const prints = Uint32Array.from(without(all, new Set(common))).sort()
  return { prints: prints.slice(0, PRINTS_MAX), whole: prints.length <= PRINTS_MAX }
}

/** `similarPairs` for many agents. */
export const similarPairsJob = readingJob<readonly ComparedAgent[], readonly SimilarPair[]>({
  name: 'similar-pairs',
  what: 'the code of the agents',
  result: z.array(z.strictObject({ names: z.tuple([z.string(), z.string()]), share: z.number(), same: z.boolean() })),
  read: similarPairs,
})

interface EarlierOrder {
  readonly agents: readonly ComparedAgent[]
  /** Those of a class of an earlier year, and its name. */
  readonly earlier: readonly ComparedAgent[]
  readonly name: string
}

/** The pairs of an agent of the class and one of an earlier class, the most similar first; whatever their teams are called. */
export const earlierPairsJob = readingJob<EarlierOrder, readonly SimilarPair[]>({
  name: 'earlier-pairs',
  what: 'the code of the agents',
  result: z.array(
    z.strictObject({
      names: z.tuple([z.string(), z.string()]),
      earlier: z.string(),
      share: z.number(),
      same: z.boolean(),
    }),
  ),
  read: ({ agents, earlier, name }) => {
    const others = earlier.map((each) => ({ ...each, team: '' }))
    const pairs = agents.flatMap((one) =>
      similarTo(one, others).map(({ name: other, share, same }) => ({
        ...{ names: [one.name, other] as [EntrantId, EntrantId], earlier: name, share, same },
      })),
    )
    return pairs.sort((a, b) => b.share - a.share).slice(0, PAIRS_MAX)
  },
})

/** The pairs of agents of different teams that have much of their own code in common, the most similar first. */
export function similarPairs(agents: readonly ComparedAgent[]): readonly SimilarPair[] {
  const pairs = agents.flatMap((one, at) =>
    similarTo(one, agents.slice(at + 1)).map(({ name, share, same }): SimilarPair => ({
      names: [one.name, name],
      share,
      same,
    })),
  )
  return pairs.sort((a, b) => b.share - a.share).slice(0, PAIRS_MAX)
}

/** The agents of other teams to which one is similar, the most similar first. */
export function similarTo(
  one: ComparedAgent,
  others: readonly ComparedAgent[],
): readonly (SimilarAgent & { readonly same: boolean })[] {
  return others
    .filter(({ team }) => team !== one.team)
    .map(({ name, agent, code }) => {
      const same = agent === one.agent && code.prints.length > 0
      return { name, same, share: same ? 1 : commonShare(one.code, code) }
    })
    .filter(({ share }) => share >= SIMILAR)
    .sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1))
}

/** The larger one of two shares: of either agent's own code that is in the other one; 0 where that may be chance. */
export function commonShare(one: OwnCode, other: OwnCode): number {
  // Beyond the last fingerprint that remains of either, nothing is known of what is in common.
  const last = Math.min(lastKnown(one), lastKnown(other))
  let at = 0
  let to = 0
  let both = 0
  while (at < one.prints.length && to < other.prints.length) {
    const left = one.prints[at]!
    const right = other.prints[to]!
    if (left > last || right > last) break
    if (left === right) both += 1
    if (left <= right) at += 1
    if (right <= left) to += 1
  }
  const [ours, theirs] = [upTo(one, last), upTo(other, last)]
  const isEqual = both === ours && both === theirs
  return both < (isEqual ? EQUAL_MIN : COMMON_MIN) ? 0 : both / Math.min(ours, theirs)
}

const lastKnown = ({ prints, whole }: OwnCode): number => (whole ? Infinity : prints.at(-1)!)

/** The number of fingerprints up to one. */
function upTo({ prints }: OwnCode, last: number): number {
  let [low, high] = [0, prints.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (prints[middle]! <= last) low = middle + 1
    else high = middle
  }
  return low
}
