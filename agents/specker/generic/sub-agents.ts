import { compare, fraction, toNumber, type Fraction } from '../../../grammars/formulas/numbers/fraction.ts'
import { drawPredicate, type Admission } from '../../../grammars/challenges/draw.ts'
import type { Challenge, Sampled } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../main/contract/json.ts'

/** Replaces "until timeout" of section 9 by counts, because a script's clock may be frozen. */
export interface Patience {
  /** The number of pieces of random raw material that it examines before it states a price or delivers one. */
  readonly instances: number
  /** The number of random solutions that it tries on each. */
  readonly solutions: number
  /** The maximum length of raw material in characters; longer pieces are not delivered. */
  readonly longest: number
}

/**
 * The four sub-agents, one for each decision of the game. They know only the challenge's file: how to make random
 * objects, what is legal, and how to rate a solution.
 */
export interface SubAgents {
  /** A predicate that may be offered, with the quality that its raw material seems to permit, 0 to 1. */
  offer(): { readonly predicate: Json; readonly price: number } | undefined
  /** True if the claimed quality is at most what the predicate's raw material seems to permit. */
  accept(predicate: Json, claim: number): boolean
  /** Returns the piece of raw material with the worst quality. */
  createRM(predicate: Json, longest?: number): Json | undefined
  /**
   * Raw material of the challenge's generator with its planted solution, which the seller of a secret challenge keeps: the piece on
   * which the planted solution is furthest ahead of trials. undefined: the challenge plants none, or its generator fails.
   */
  plantedRM(predicate: Json, longest?: number): (Finished & { readonly instance: Json }) | undefined
  /** The best of several solutions. */
  finish(instance: Json): Finished | undefined
}

export interface Finished {
  readonly solution: Json
  readonly quality: Fraction
  /** The file gives it no quality. */
  readonly unrated?: true
}

/** The number of random predicates that it tries before it concludes that none has raw material. */
const PREDICATES = 10
/** The number of attempts for each piece of raw material, because pieces may be too long. */
const PIECES = 5

/** `admission`: the league of the match. `random`: uniform 32-bit numbers. */
export function subAgents(
  challenge: Challenge,
  config: Json,
  admission: Admission | null,
  patience: Patience,
  random: () => number,
): SubAgents {
  const { material, planted, finish } = trialsOf(challenge, config, patience.solutions, random)
  /** The raw material with the worst quality, and the mean quality; any raw material if none has a quality. */
  const tryOut = (predicate: Json, longest: number): { worst: Json; mean: number } | undefined => {
    let worst: { instance: Json; quality: Fraction } | undefined
    let spare: Json | undefined
    let sum = 0
    let looked = 0
    for (let made = 0; looked < patience.instances && made < PIECES * patience.instances; made++) {
      const sampled = material(predicate)
      if (!sampled.ok) break
      if (JSON.stringify(sampled.value).length > longest) continue
      const finished = finish(sampled.value)
      if (finished === undefined) continue
      if (finished.unrated === true) {
        spare ??= sampled.value
        continue
      }
      looked += 1
      sum += toNumber(finished.quality)
      if (worst === undefined || compare(finished.quality, worst.quality) < 0) {
        worst = { instance: sampled.value, quality: finished.quality }
      }
    }
    if (worst !== undefined) return { worst: worst.instance, mean: sum / looked }
    return spare === undefined ? undefined : { worst: spare, mean: 0 }
  }
  return {
    offer() {
      for (let tried = 0; tried < PREDICATES; tried++) {
        const predicate = drawPredicate(challenge, config, admission, random)
        if (predicate === undefined) return undefined
        const trial = tryOut(predicate, patience.longest)
        if (trial !== undefined) return { predicate, price: trial.mean }
      }
      return undefined
    },
    accept(predicate, claim) {
      const trial = tryOut(predicate, patience.longest)
      return trial !== undefined && trial.mean >= claim
    },
    createRM: (predicate, longest = patience.longest) => tryOut(predicate, longest)?.worst,
    plantedRM(predicate, longest = patience.longest) {
      let best: (Finished & { instance: Json; ahead: number }) | undefined
      for (let made = 0; made < patience.instances; made++) {
        const found = planted(predicate)
        if (found === undefined) return best
        if (JSON.stringify(found.instance).length > longest) continue
        const tried = finish(found.instance)
        const ahead = toNumber(found.quality) - (tried === undefined ? 0 : toNumber(tried.quality))
        if (best === undefined || ahead > best.ahead) best = { ...found, ahead }
      }
      return best
    },
    finish,
  }
}

/** Sub-agents that need only the challenge's file: random raw material and random solutions. */
export interface Trials {
  /** Raw material of a modest size, if there is any. */
  material(predicate: Json): Sampled
  /** Raw material of a modest size with the solution that the challenge's generator plants; undefined: none is planted. */
  planted(predicate: Json): (Finished & { readonly instance: Json }) | undefined
  /** The best of several solutions. */
  finish(instance: Json): Finished | undefined
}

/** `solutions`: the number to try on each piece of raw material. `random`: uniform 32-bit numbers. */
export function trialsOf(challenge: Challenge, config: Json, solutions: number, random: () => number): Trials {
  const small = modest(challenge, config)
  const material = (predicate: Json): Sampled => {
    const made = challenge.sampler.instance(small, predicate, random)
    const fits = made.ok && challenge.legal(config, predicate, made.value) === null
    return fits ? made : challenge.sampler.instance(config, predicate, random)
  }
  const planted: Trials['planted'] = (predicate) => {
    const settings = challenge.generator?.settings({})
    if (challenge.generator === null || settings?.ok !== true) return undefined
    for (const size of [small, config]) {
      // Smaller settings may not have the predicate.
      if (!challenge.predicate(size, predicate).ok) continue
      const made = challenge.generator.make(size, predicate, settings.value, random)
      if (!made.ok || made.planted === null) continue
      const { solution } = made.planted
      if (challenge.legal(config, predicate, made.instance) !== null) continue
      if (challenge.feasible(config, made.instance, solution) !== null) continue
      const quality = challenge.quality(config, made.instance, solution)
      if (typeof quality !== 'string') return { instance: made.instance, solution, quality }
    }
    return undefined
  }
  const finish = (instance: Json): Finished | undefined => {
    let best: Finished | undefined
    for (let tried = 0; tried < solutions; tried++) {
      const made = challenge.sampler.solution(config, instance, random)
      if (!made.ok) break
      const quality = challenge.quality(config, instance, made.value)
      // A solution that the file cannot rate is owed too: then the sale is void, and nobody is at fault.
      if (typeof quality === 'string') best ??= { solution: made.value, quality: fraction(0), unrated: true }
      else if (best === undefined || best.unrated === true || compare(quality, best.quality) > 0)
        best = { solution: made.value, quality }
    }
    return best
  }
  return { material, planted, finish }
}

/** Settings up to this are not reduced. */
const MODEST = 30

/**
 * Reduces all large settings as far as their ranges permit: raw material within them is usually within the original
 * ones too, and a contest that permits 100,000 constraints does not need a baby that makes as many.
 */
function modest(challenge: Challenge, config: Json): Json {
  let settings = config
  for (const [name, value] of Object.entries(config as object)) {
    if (typeof value !== 'number' || value <= MODEST) continue
    const smaller = challenge.config({ ...(settings as { readonly [key: string]: Json }), [name]: MODEST })
    if (smaller.ok) settings = smaller.value
  }
  return settings
}
