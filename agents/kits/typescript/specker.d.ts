/** What a Specker agent is told and what it answers, with the challenge max-csp. Amounts are whole numbers of 10^-9 energy. */

/** One energy. */
export type Energy = 1_000_000_000

/** Comes once, before the first turn; the constructor's argument. */
export interface Start {
  /** Your seat, from 0. */
  readonly me: number
  /** How many play. */
  readonly players: number
  readonly challenge: {
    readonly name: string
    /** The whole .challenge file. */
    readonly source: string
    /** Bounds of raw material: the most variables and constraints, and the largest weight. */
    readonly config: { readonly maxVars: number; readonly maxConstraints: number; readonly maxWeight: number }
  }
  readonly config: {
    /** Every account at the beginning. */
    readonly init: number
    /** In rounds above it nothing is offered, bought or reoffered (rule 10). */
    readonly maxTurns: number
    /** A reoffer is lower by at least this. */
    readonly mindec: number
    /** Whether who buys nothing must lower all that others offer, or one (rule 2). */
    readonly acceptOrReoffer: 'all' | 'one'
    /** How many new predicates you offer in a turn (rule 3). */
    readonly offersMin: number
    readonly offersMax: number
  }
}

/** Comes in each of your turns; the argument of `turn`. */
export interface Turn {
  /** From 1. */
  readonly round: number
  /** Whether there is still trade. */
  readonly trading: boolean
  /** Yours. It must stay above 0 (rule 7). */
  readonly account: number
  readonly players: readonly { readonly seat: number; readonly account: number; readonly removed: boolean }[]
  /** All that is on offer, the oldest first, your own among it. */
  readonly store: readonly Offer[]
  /** Bought from you: raw material is due now (rule 4). */
  readonly toDeliver: readonly Offer[]
  /** Delivered to you: a solution is due now (rule 4). */
  readonly toSolve: readonly (Offer & { readonly instance: Instance })[]
}

/** A predicate that somebody sells at a price. */
export interface Offer {
  /** Its number; a reoffer gets a new one. */
  readonly challenge: number
  readonly seller: number
  readonly predicate: Predicate
  readonly price: number
}

/** Raw material of these relations alone. */
export interface Predicate {
  readonly relations: readonly number[]
}

/** Raw material. */
export interface Instance {
  /** Variables are 1 to this. */
  readonly variables: number
  readonly constraints: readonly Constraint[]
}

export interface Constraint {
  readonly weight: number
  /** 0 to 255: bit 4x + 2y + z says whether it is met when its three variables are x, y and z. */
  readonly relation: number
  /** Three different ones. */
  readonly variables: readonly [number, number, number]
}

/** 0 or 1 for each variable. */
export interface Solution {
  readonly values: readonly number[]
}

/** Your answer to a turn: done in this order, all of it or, where a rule is broken, you are out. */
export interface Answer {
  readonly actions: readonly Action[]
}

export type Action =
  | { readonly type: 'offer'; readonly predicate: Predicate; readonly price: number }
  | { readonly type: 'accept'; readonly challenge: number }
  | { readonly type: 'reoffer'; readonly challenge: number; readonly price: number }
  | { readonly type: 'deliver'; readonly challenge: number; readonly instance: Instance }
  | { readonly type: 'solve'; readonly challenge: number; readonly solution: Solution }
