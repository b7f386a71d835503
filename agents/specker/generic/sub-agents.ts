import { compare, toNumber, type Fraction } from '../../../grammars/formulas/fraction.ts'
import { drawPredicate, type Admission } from '../../../grammars/challenges/draw.ts'
import type { Challenge, Sampled } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../main/contract/json.ts'

/** Where section 9 says "until timeout": counts, as a script's clock may stand still. */
export interface Patience {
  /** Pieces of random raw material that it looks at before it names a price or delivers one. */
  readonly instances: number
  /** Random solutions that it tries on each. */
  readonly solutions: number
  /** Characters of raw material; what is longer is not delivered. */
  readonly longest: number
}

/**
 * The four sub-agents of section 9 of the specification. They know of a challenge what its file says: how to make random
 * objects, what is legal, and how good a solution is.
 */
export interface SubAgents {
  /** A predicate that may be offered, at the quality that its raw material seems to allow, 0 to 1. */
  offer(): { readonly predicate: Json; readonly price: number } | undefined
  /** Whether somebody who asks for this quality of a predicate's raw material asks for no more than it seems to allow. */
  accept(predicate: Json, claim: number): boolean
  /** The raw material, of some, that went worst. */
  createRM(predicate: Json, longest?: number): Json | undefined
  /** The best of some solutions. */
  finish(instance: Json): Finished | undefined
}

export interface Finished {
  readonly solution: Json
  readonly quality: Fraction
}

/** Random predicates that it makes before it finds none that has raw material. */
const PREDICATES = 10
/** Random raw material, for each piece wanted, that may be too long. */
const PIECES = 5

/** `admission`: the league that the match is played in. `random`: uniform 32-bit numbers. */
export function subAgents(
  challenge: Challenge,
  config: Json,
  admission: Admission | null,
  patience: Patience,
  random: () => number,
): SubAgents {
  const { material, finish } = trialsOf(challenge, config, patience.solutions, random)
  /** The raw material that went worst, and the mean of what was met. */
  const tryOut = (predicate: Json, longest: number): { worst: Json; mean: number } | undefined => {
    let worst: { instance: Json; quality: Fraction } | undefined
    let sum = 0
    let looked = 0
    for (let made = 0; looked < patience.instances && made < PIECES * patience.instances; made++) {
      const sampled = material(predicate)
      if (!sampled.ok) break
      if (JSON.stringify(sampled.value).length > longest) continue
      const finished = finish(sampled.value)
      if (finished === undefined) continue
      looked += 1
      sum += toNumber(finished.quality)
      if (worst === undefined || compare(finished.quality, worst.quality) < 0) {
        worst = { instance: sampled.value, quality: finished.quality }
      }
    }
    return worst && { worst: worst.instance, mean: sum / looked }
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
    finish,
  }
}

/** What everybody can do who has the challenge's file: make random raw material and random solutions. */
export interface Trials {
  /** Raw material of a modest size where there is such. */
  material(predicate: Json): Sampled
  /** The best of some solutions. */
  finish(instance: Json): Finished | undefined
}

/** `solutions`: how many are tried on each piece of raw material. `random`: uniform 32-bit numbers. */
export function trialsOf(challenge: Challenge, config: Json, solutions: number, random: () => number): Trials {
  const small = modest(challenge, config)
  const material = (predicate: Json): Sampled => {
    const made = challenge.sampler.instance(small, predicate, random)
    const fits = made.ok && challenge.legal(config, predicate, made.value) === null
    return fits ? made : challenge.sampler.instance(config, predicate, random)
  }
  const finish = (instance: Json): Finished | undefined => {
    let best: Finished | undefined
    for (let tried = 0; tried < solutions; tried++) {
      const made = challenge.sampler.solution(config, instance, random)
      if (!made.ok) break
      const quality = challenge.quality(config, instance, made.value)
      if (typeof quality === 'string') continue
      if (best === undefined || compare(quality, best.quality) > 0) best = { solution: made.value, quality }
    }
    return best
  }
  return { material, finish }
}

/** Settings up to this are taken as they are. */
const MODEST = 30

/**
 * The settings with all that are large made small, as far as their ranges allow: what is within them is within the true ones
 * as a rule, and a contest that allows 100,000 constraints does not want a baby that makes as many.
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
