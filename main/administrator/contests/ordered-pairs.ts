import type { OrderedPairs } from '../../contract/contests.ts'
import { mersenneOf } from '../../contract/mersenne.ts'
import type { ScheduledMatch } from './scheduled-match.ts'

/** Matches of the first stage: they have the numbers below this one, those of the final the numbers from it on. */
export function firstStageCount(format: OrderedPairs, entrants: number): number {
  return entrants * (entrants - 1) * countOf(format.seeds)
}

/** Matches of the final. Who plays them is open; how many they are is not. */
export function finalCount(format: OrderedPairs, entrants: number): number {
  const finalists = finalistCount(format, entrants)
  return finalists * (finalists - 1) * countOf(format.finalSeeds)
}

/** Finalists that there will be; 0: there is no final. */
export function finalistCount({ finalists }: OrderedPairs, entrants: number): number {
  return Math.min(finalists, entrants)
}

/** Every ordered pair of entrants on each of the first stage's seeds, pair by pair. */
export function firstStage(format: OrderedPairs, entrants: number, seed: string): readonly ScheduledMatch[] {
  const everybody = Array.from({ length: entrants }, (_, at) => at)
  return stageOf(everybody, seedsOf(format, seed).first, 0)
}

/** Every ordered pair of finalists on each of the final's seeds; `finalists`: indices into the description's entrants. */
export function finalStage(
  format: OrderedPairs,
  entrants: number,
  seed: string,
  finalists: readonly number[],
): readonly ScheduledMatch[] {
  return stageOf(finalists, seedsOf(format, seed).final, firstStageCount(format, entrants))
}

/**
 * The numbers of both stages' scenarios. Those of a phrase are drawn as in 2018: the Mersenne Twister begins with the bytes of
 * its UTF-8 text; the first, third, fifth ... number it gives is the final's, the others are the first stage's.
 */
function seedsOf(
  { seeds, finalSeeds, phrase }: OrderedPairs,
  contestSeed: string,
): { readonly first: readonly number[]; readonly final: readonly number[] } {
  const draw = mersenneOf(new TextEncoder().encode(phrase ?? contestSeed))
  const rounds = Math.max(countOf(seeds), countOf(finalSeeds))
  const drawn = Array.from({ length: rounds }, () => ({ final: seedOf(draw()), first: seedOf(draw()) }))
  const listed = (given: number | readonly number[], from: readonly number[]): readonly number[] =>
    typeof given === 'number' ? from.slice(0, given) : given
  return {
    first: listed(
      seeds,
      drawn.map(({ first }) => first),
    ),
    final: listed(
      finalSeeds,
      drawn.map(({ final }) => final),
    ),
  }
}

/** 0 meant "any" to the original. */
const seedOf = (number: number): number => (number === 0 ? 1 : number)

const countOf = (seeds: number | readonly number[]): number => (typeof seeds === 'number' ? seeds : seeds.length)

function stageOf(players: readonly number[], scenarios: readonly number[], from: number): readonly ScheduledMatch[] {
  const matches: ScheduledMatch[] = []
  for (const first of players) {
    for (const second of players) {
      if (first === second) continue
      for (const scenario of scenarios) {
        matches.push({ match: from + matches.length, entrants: [first, second], scenario })
      }
    }
  }
  return matches
}
