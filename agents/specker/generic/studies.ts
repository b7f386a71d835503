import type { Challenge } from '../../../grammars/challenges/index.ts'
import { compare, toNumber, type Fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { Craft } from '../crafts/craft.ts'
import { climb } from '../solvers/climb.ts'
import { ENERGY } from '../trade/desk.ts'
import type { Estimate } from '../trade/valuer.ts'
import { inEnergy } from '../trade/worth.ts'
import { trialsOf, type Finished } from './sub-agents.ts'

/** The number of pieces of random raw material on which each predicate is tried. */
const PIECES = 3
/** The number of pieces that it draws for them at most: those without a bound are illegal if others have one. */
const DRAWN = 12
/** The number of random solutions of each: what a player without knowledge gets. */
const TOSSES = 2
/** The maximum length of raw material in characters, so that several fit into a bundle. */
const LONGEST = 60_000
/**
 * The number of characters of random raw material after which a study, and a turn, makes no more: some challenges make
 * it slowly.
 */
export const ENOUGH = 15_000
/** Steps of a craft, and characters of raw material judged, that certainly fit into a millisecond. */
const STEPS_A_MS = 5_000
const CHARACTERS_A_MS = 2_000

/** The findings about a predicate. Amounts in 10^-9 energy. */
export interface Study extends Estimate {
  /** The yield of its random raw material for a player that only tries at random. */
  readonly naive: number
  /** The yield of my raw material for the buyer. */
  readonly tossed: number
  /** The hardest raw material that I have, with the best solution found. */
  readonly instance: Json
  readonly best: Finished
}

/** Measures predicates: random raw material and the craft's hard raw material, both solved as well as possible. */
export interface Studies {
  /** undefined: no raw material was found. `ms`: the time that it may take. */
  study(predicate: Json, ms: number): Study | undefined
  /** The number of characters of random raw material made so far. */
  made(): number
  /** The best solution found. */
  solve(instance: Json, ms: number): Finished | undefined
}

/** `craft`: special knowledge besides the file. `random`: [0, 1). */
export function studiesOf(challenge: Challenge, config: Json, craft: Craft | undefined, random: () => number): Studies {
  let characters = 0
  const words = (): number => Math.floor(random() * 2 ** 32)
  const trials = trialsOf(challenge, config, TOSSES, words)

  const crafted = (instance: Json, ms: number): Finished | undefined => {
    if (craft === undefined) return undefined
    try {
      const solution = craft.solve(instance, ms * STEPS_A_MS, random)
      if (challenge.feasible(config, instance, solution) !== null) return undefined
      const quality = challenge.quality(config, instance, solution)
      return typeof quality === 'string' ? undefined : { solution, quality }
    } catch {
      // Another challenge of the same name: its raw material has not the form that the craft expects.
      return undefined
    }
  }
  const solve = (instance: Json, ms: number): Finished | undefined => {
    const found = crafted(instance, ms)
    if (found !== undefined) return found
    const judged = (ms * CHARACTERS_A_MS) / JSON.stringify(instance).length
    let asked = 0
    const climbed = climb(challenge, config, instance, words, () => ++asked > judged)
    return typeof climbed === 'string' ? trials.finish(instance) : climbed
  }
  const hard = (predicate: Json): readonly Json[] => {
    try {
      return (craft?.hard(predicate) ?? []).filter((instance) => challenge.legal(config, predicate, instance) === null)
    } catch {
      return []
    }
  }

  return {
    solve,
    made: () => characters,
    study(predicate, ms) {
      const sampled: Json[] = []
      const unbounded: Json[] = []
      const before = characters
      for (let drawn = 0, pieces = 0; pieces < PIECES && drawn < DRAWN && characters - before < ENOUGH; drawn++) {
        const made = trials.material(predicate)
        if (!made.ok) break
        const { length } = JSON.stringify(made.value)
        characters += length
        const isBounded = challenge.unratable(config, made.value) === null
        if (isBounded) pieces++
        if (length <= LONGEST) (isBounded ? sampled : unbounded).push(made.value)
      }
      if (sampled.length === 0) sampled.push(...unbounded.slice(0, PIECES))
      const known = hard(predicate).filter((instance) => JSON.stringify(instance).length <= LONGEST)
      const share = ms / Math.max(1, sampled.length + known.length)
      const solved = (instance: Json): readonly Solved[] => {
        const best = solve(instance, share)
        return best === undefined ? [] : [{ instance, best }]
      }
      const all = sampled.flatMap(solved)
      const rated = all.filter(({ best }) => best.unrated !== true)
      const usual = rated.length > 0 ? rated : all
      const worst = hardest([...known.flatMap(solved), ...usual])
      if (worst === undefined) return undefined
      const tosses = usual.map(({ instance, best }) => trials.finish(instance) ?? best)
      const ask = inEnergy(worst.best.quality)
      const lowest = inEnergy((hardest(usual) ?? worst).best.quality)
      return {
        ...worst,
        ask,
        // Even odds: the seller knows what I know, or makes its raw material at random.
        floor: Math.floor((ask + lowest) / 2),
        naive: tosses.length === 0 ? ask : mean(tosses.map(({ quality }) => quality)),
        tossed: inEnergy((trials.finish(worst.instance) ?? worst.best).quality),
      }
    },
  }
}

interface Solved {
  readonly instance: Json
  readonly best: Finished
}

function hardest(pieces: readonly Solved[]): Solved | undefined {
  return pieces.reduce<Solved | undefined>(
    (a, b) => (a === undefined || compare(b.best.quality, a.best.quality) < 0 ? b : a),
    undefined,
  )
}

function mean(qualities: readonly Fraction[]): number {
  return Math.round((qualities.reduce((sum, quality) => sum + toNumber(quality), 0) / qualities.length) * ENERGY)
}
