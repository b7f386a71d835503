import { hash } from 'node:crypto'
import { DEFAULT_SAMPLE, type ContestDescription } from '../../../contract/contests/contests.ts'
import type { FinishedMatch } from '../../../contract/contests/finished-match.ts'
import type { MatchNumber } from '../../../contract/ids.ts'
import { drawBelow, randomStream } from '../../../contract/random.ts'
import { hashOf } from '../../../histories/canonical.ts'

/**
 * From this number of matches on, at least one is played again; in fewer, an agent could hardly profit from kept state.
 */
const matchesMin = 20
/** Maximum number of different matches reported; the schema of `class.json` allows no more. */
export const DIFFERENT_MAX = 10_000

/** The result of playing a sample again. */
export interface PlayedAgain {
  readonly matches: number
  /** The matches that went differently, in schedule order, at most the first ten thousand. */
  readonly different: readonly MatchNumber[]
}

/**
 * Selects the matches that are played again in fresh processes. An agent that keeps state from one match to the next,
 * because a realm is not a strict boundary, then plays differently. Returns ascending indices of the schedule, one from
 * each of equally long parts. A pure function of the description; its seed is secret while the contest runs, so agents
 * cannot know the sample. `fits`: which matches can be compared; if none of the selected ones fits, the next one that
 * does is selected instead.
 */
export function sampleOf(
  { seed, sample = DEFAULT_SAMPLE }: Pick<ContestDescription, 'seed' | 'sample'>,
  length: number,
  fits: (index: number) => boolean = () => true,
): Uint32Array {
  const least = sample > 0 && length >= matchesMin ? 1 : 0
  const count = Math.max(least, Math.round(length * sample))
  const next = randomStream(hash('sha256', `sample:${seed}`))
  const chosen = Uint32Array.from({ length: count }, (_, part) => {
    const [from, to] = [Math.floor((part * length) / count), Math.floor(((part + 1) * length) / count)]
    return from + drawBelow(next, to - from)
  })
  const fitting = chosen.filter(fits)
  if (fitting.length > 0 || count === 0) return fitting
  const begin = chosen[0]!
  for (let step = 1; step < length; step++) {
    const index = (begin + step) % length
    if (fits(index)) return Uint32Array.of(index)
  }
  return fitting
}

/** The result of a match, for comparison. */
type Played = Pick<FinishedMatch, 'outcome' | 'state'>

/** The results of the replayed matches of a sample, in 12 bytes each. */
export interface Comparison {
  /** Adds matches that will be played again, in ascending order; none of them may be expected already. */
  expect(matches: Uint32Array): void
  /** True for a match that was added, played again or not. */
  expects(match: MatchNumber): boolean
  add(match: MatchNumber, played: Played): void
  /** The number of matches not yet played again. */
  readonly open: number
  /** The number of all expected matches. */
  readonly size: number
  /** Compares them with the recorded matches. `first` null: the match is void and is left out. */
  result(first: (match: MatchNumber) => Promise<Played | null>): Promise<PlayedAgain>
}

export function createComparison(): Comparison {
  const stages: { readonly matches: Uint32Array; readonly digests: BigUint64Array }[] = []
  let size = 0
  let open = 0
  return {
    expect(matches) {
      stages.push({ matches, digests: new BigUint64Array(matches.length) })
      size += matches.length
      open += matches.length
    },
    expects: (match) => stages.some(({ matches }) => indexIn(matches, match) !== -1),
    add(match, played) {
      for (const { matches, digests } of stages) {
        const at = indexIn(matches, match)
        if (at === -1) continue
        digests[at] = digestOf(played)
        open -= 1
      }
    },
    get open() {
      return open
    },
    get size() {
      return size
    },
    async result(first) {
      const different: MatchNumber[] = []
      let compared = 0
      for (const { matches, digests } of stages) {
        for (const [at, match] of matches.entries()) {
          const played = digests[at] === 0n ? null : await first(match)
          if (played === null) continue
          compared += 1
          if (digestOf(played) !== digests[at]) different.push(match)
        }
      }
      return { matches: compared, different: different.sort((a, b) => a - b).slice(0, DIFFERENT_MAX) }
    },
  }
}

/** True if two playings of a match went the same way. */
export const isSameMatch = (one: Played, other: Played): boolean => digestOf(one) === digestOf(other)

/** A 64-bit digest, never 0. */
function digestOf({ state, outcome }: Played): bigint {
  return BigInt(`0x${hash('sha256', `${state}${hashOf(outcome)}`).slice(0, 16)}`) | 1n
}

/** The index of a number in an ascending list; -1: none. */
function indexIn(numbers: Uint32Array, number: number): number {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (numbers[middle]! < number) from = middle + 1
    else to = middle
  }
  return numbers[from] === number ? from : -1
}

/** A message for the educator. */
export function differenceSentence(match: MatchNumber): string {
  return `Match ${match} went differently when it was played again in fresh processes: an agent in it may have kept something from an earlier match, or answered close to a limit.`
}
