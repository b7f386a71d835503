import type { OrderedPairs } from '../../contract/contests.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import { mersenneOf } from '../../contract/mersenne.ts'
import { scheduleFrom, type Schedule } from './scheduled-match.ts'

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
export function firstStage(format: OrderedPairs, entrants: number, seed: string): Schedule {
  const everybody = Array.from({ length: entrants }, (_, at) => at)
  return stageOf(everybody, scenariosOf(format, seed, 'seeds'), 0)
}

/** Every ordered pair of finalists on each of the final's seeds; `finalists`: indices into the description's entrants. */
export function finalStage(
  format: OrderedPairs,
  entrants: number,
  seed: string,
  finalists: readonly number[],
): Schedule {
  return stageOf(finalists, scenariosOf(format, seed, 'finalSeeds'), firstStageCount(format, entrants))
}

/** Numbers of scenarios. */
interface Scenarios {
  readonly count: number
  at(index: number): number
}

/** Those of one stage. */
function scenariosOf(format: OrderedPairs, contestSeed: string, which: 'seeds' | 'finalSeeds'): Scenarios {
  const given = format[which]
  if (typeof given !== 'number') return { count: given.length, at: (index) => given[index]! }
  return drawnScenarios(given, format.phrase ?? contestSeed, which)
}

/** Drawn scenarios are kept in pieces of so many. */
const PIECE = 65_536

/**
 * Scenarios that follow from a phrase, as in 2018: the Mersenne Twister begins with the bytes of its UTF-8 text; the first,
 * third, fifth ... number it gives is the final's, the others are the first stage's. They are drawn as far as they are asked
 * for, and take 4 bytes each from then on.
 */
function drawnScenarios(count: number, phrase: string, which: 'seeds' | 'finalSeeds'): Scenarios {
  const pieces: Uint32Array[] = []
  let draw: (() => number) | null = null
  return {
    count,
    at(index) {
      draw ??= mersenneOf(new TextEncoder().encode(phrase))
      while (pieces.length * PIECE <= index) {
        const piece = new Uint32Array(Math.min(PIECE, count - pieces.length * PIECE))
        for (let i = 0; i < piece.length; i++) {
          const [final, first] = [draw(), draw()]
          // 0 meant "any" to the original.
          piece[i] = (which === 'seeds' ? first : final) || 1
        }
        pieces.push(piece)
      }
      return pieces[Math.floor(index / PIECE)]![index % PIECE]!
    },
  }
}

const countOf = (seeds: number | readonly number[]): number => (typeof seeds === 'number' ? seeds : seeds.length)

/** Each player, as the first, meets each other one on every scenario. */
function stageOf(players: readonly number[], scenarios: Scenarios, from: MatchNumber): Schedule {
  const others = Math.max(0, players.length - 1)
  return scheduleFrom(from, players.length * others * scenarios.count, (index) => {
    const pair = Math.floor(index / scenarios.count)
    const [first, other] = [Math.floor(pair / others), pair % others]
    const second = other < first ? other : other + 1
    return { entrants: [players[first]!, players[second]!], scenario: scenarios.at(index % scenarios.count) }
  })
}
