import { hash } from 'node:crypto'
import { USUAL_SAMPLE, type ContestDescription } from '../../contract/contests.ts'
import type { FinishedMatch } from '../../contract/finished-match.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import { drawBelow, randomStream } from '../../contract/random.ts'
import { hashOf } from '../../histories/canonical.ts'

/** From so many matches on at least one is: below, an agent has hardly anything to keep for the next. */
const matchesMin = 20
/** Numbers of matches that are told; the class's file has room for no more. */
const DIFFERENT_MAX = 10_000

/** What the sample has found. */
export interface PlayedAgain {
  readonly matches: number
  /** Those that were not played alike, in the order of the schedule, the first ten thousand. */
  readonly different: readonly MatchNumber[]
}

/**
 * Matches that are played once more, in processes that have never played: agents whose realm was no boundary keep something
 * from one match to the next, and then play otherwise. Indices of the schedule in their order, one of each of as many equal
 * parts. A pure function of the description; its seed is secret while the contest runs, so no agent knows which they are.
 * `fits`: which ones can be compared; where some are to be and no part has one that fits, there is one all the same, if any does.
 */
export function sampleOf(
  { seed, sample = USUAL_SAMPLE }: Pick<ContestDescription, 'seed' | 'sample'>,
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

/** What a match came to, for comparing. */
type Played = Pick<FinishedMatch, 'outcome' | 'state'>

/** What matches of a sample came to the second time, in 12 bytes each. */
export interface Comparison {
  /** Matches that will be played again, in ascending order, all after those before. */
  expect(matches: Uint32Array): void
  add(match: MatchNumber, played: Played): void
  /** How many have not been played again. */
  readonly open: number
  /** How many are expected in all. */
  readonly size: number
  /** Compares them with those that count. `first` null: it has no result, through the host's fault, and is left out. */
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
    add(match, played) {
      for (const { matches, digests } of stages) {
        const at = placeOf(matches, match)
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
          if (digestOf(played) !== digests[at] && different.length < DIFFERENT_MAX) different.push(match)
        }
      }
      return { matches: compared, different }
    },
  }
}

/** Never 0. */
function digestOf({ state, outcome }: Played): bigint {
  return BigInt(`0x${hash('sha256', `${state}${hashOf(outcome)}`).slice(0, 16)}`) | 1n
}

/** The place of a number in an ascending list; -1: it is not there. */
function placeOf(numbers: Uint32Array, number: number): number {
  let [from, to] = [0, numbers.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (numbers[middle]! < number) from = middle + 1
    else to = middle
  }
  return numbers[from] === number ? from : -1
}

/** For the educator. */
export function differenceSentence(match: MatchNumber): string {
  return `Match ${match} went differently when it was played again in fresh processes: an agent in it may have kept something from an earlier match, or answered close to a limit.`
}
