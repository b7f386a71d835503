import { stepsOf, type Ptype, type Town } from './town.ts'

/** The part of a world that a cop is told. */
export interface World {
  readonly world: number
  /** The robber's loot. */
  readonly loot: number
  readonly banks: readonly { readonly loc: string; readonly value: number }[]
  readonly evidence: readonly { readonly loc: string; readonly world: number }[]
  readonly smell: number
  readonly players: readonly Player[]
  /** Only in the second rule set: the dirty cops as far as they may be known, and robots that others have taken over. */
  readonly twist?: {
    readonly dirty: readonly string[]
    readonly control: readonly { readonly brain: string; readonly bot: string }[]
  }
}

export interface Player {
  readonly bot: string
  readonly loc: string
  readonly ptype: Ptype
}

/** A claim of a cop about somebody; certainties are from -100 to 100. */
export interface Claim extends Player {
  readonly world: number
  readonly certainty: number
}

/** How much of what other cops claim is believed: they may be wrong. */
const TRUST = 0.9

/** How far a nose reaches: two corners on foot, one by car. */
const REACH = { 'cop-foot': 2, 'cop-car': 1, robber: 0 } as const

/**
 * The robber's place: a probability for each corner. The robber moves once between an even world and the odd one after
 * it, so a belief belongs to an odd world. Everything learnt is kept by world, because evidence and claims may be about
 * worlds that have passed.
 */
export class Belief {
  readonly town: Town
  /** By half the world: what has been observed, and what others have claimed. */
  readonly #seen: Float64Array[] = []
  readonly #told: Float64Array[] = []

  constructor(town: Town) {
    this.town = town
  }

  /** Takes in what a cop sees in an odd world. `robber`: its name. */
  see({ world, evidence, smell, players }: World, me: string, robber: string): void {
    const { town } = this
    const seen = this.#factors(this.#seen, world)
    const visible = players.find(({ bot }) => bot === robber)
    // Nobody has caught it, and on a bank everybody sees it.
    for (const { bot, loc } of players) if (bot !== robber) seen[town.numbers.get(loc)!] = 0
    if (visible === undefined) for (const bank of town.banks) seen[bank] = 0
    else keepOnly(seen, (corner) => corner === town.numbers.get(visible.loc))
    const own = players.find(({ bot }) => bot === me)
    if (own !== undefined) {
      const [from, reach] = [town.numbers.get(own.loc)!, REACH[own.ptype]]
      keepOnly(seen, (corner) => {
        const steps = stepsOf(town, own.ptype, from, corner)
        return smell === 0 ? steps > reach : steps === smell
      })
    }
    for (const { loc, world: when } of evidence) {
      const at = town.numbers.get(loc)
      if (when >= 8) keepOnly(this.#factors(this.#seen, when), (corner) => corner === at)
    }
  }

  /** Takes in what others claim about the robber. */
  hear(claims: readonly Claim[], robber: string): void {
    const positive = new Map<number, Map<number, number>>()
    for (const { bot, loc, world, certainty } of claims) {
      const corner = this.town.numbers.get(loc)
      if (bot !== robber || corner === undefined) continue
      const told = this.#factors(this.#told, world)
      const share = (TRUST * certainty) / 100
      if (certainty < 0) told[corner]! *= 1 + share
      else {
        const of = positive.get(half(world)) ?? new Map<number, number>()
        of.set(corner, Math.max(of.get(corner) ?? 0, share))
        positive.set(half(world), of)
      }
    }
    for (const [at, corners] of positive) {
      const most = Math.max(...corners.values())
      const told = this.#told[at]!
      for (let corner = 0; corner < told.length; corner++) told[corner]! *= Math.max(1 - most, corners.get(corner) ?? 0)
    }
  }

  /** Probabilities of the robber's corners in an odd world. */
  at(world: number): Float64Array {
    // If claims contradict what has been seen, only the latter counts.
    return this.#run(world, true) ?? this.#run(world, false) ?? uniform(this.town.names.length)
  }

  /** Probabilities one move of the robber after a belief. */
  spread(belief: Float64Array): Float64Array {
    const { foot } = this.town.ways
    const next = new Float64Array(belief.length)
    for (let corner = 0; corner < belief.length; corner++) {
      if (belief[corner] === 0) continue
      const ways = foot[corner]!
      const part = belief[corner]! / (ways.length + 1)
      next[corner]! += part
      for (const to of ways) next[to]! += part
    }
    return next
  }

  #run(world: number, withClaims: boolean): Float64Array | null {
    let belief: Float64Array = new Float64Array(this.town.names.length)
    belief[this.town.start] = 1
    for (let at = 0; at <= half(world); at++) {
      belief = this.spread(belief)
      const [seen, told] = [this.#seen[at], withClaims ? this.#told[at] : undefined]
      let sum = 0
      for (let corner = 0; corner < belief.length; corner++) {
        belief[corner]! *= (seen?.[corner] ?? 1) * (told?.[corner] ?? 1)
        sum += belief[corner]!
      }
      if (!(sum > 1e-12)) return null
      for (let corner = 0; corner < belief.length; corner++) belief[corner]! /= sum
    }
    return belief
  }

  #factors(list: Float64Array[], world: number): Float64Array {
    return (list[half(world)] ??= new Float64Array(this.town.names.length).fill(1))
  }
}

/** The robber stands at the same corner in an odd world and in the even one after it. */
const half = (world: number): number => Math.max(0, Math.ceil(world / 2) - 1)

function keepOnly(factors: Float64Array, keeps: (corner: number) => boolean): void {
  for (let corner = 0; corner < factors.length; corner++) if (!keeps(corner)) factors[corner] = 0
}

const uniform = (size: number): Float64Array => new Float64Array(size).fill(1 / size)
