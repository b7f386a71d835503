/** What a Specker agent is told and what it answers. Amounts are whole numbers of 10^-9 energy: 1_000_000_000 is one energy. */

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
    /** The challenge's own settings; those of max-csp are `Limits`. */
    readonly config: unknown
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
    /** How many new predicates you offer in a turn (rule 3); asynchronous: at most `offersMax` for sale at a time. */
    readonly offersMin: number
    readonly offersMax: number
    /** Who acts when; absent: turn by turn. */
    readonly mode?: 'synchronous' | 'asynchronous' | 'mega-moves'
    /** What is sold; absent: classic challenges. */
    readonly variant?: 'classic' | 'belief' | 'secret' | 'base-ball'
    /** The league that predicates must be in, and its number k; absent or null: none. */
    readonly league?: string | null
    readonly leagueParameter?: number | null
  }
}

/** Bounds of raw material of max-csp: the most variables and constraints, and the largest weight. */
export interface Limits {
  readonly maxVars: number
  readonly maxConstraints: number
  readonly maxWeight: number
}

/** Comes in each of your turns; the argument of `turn`. */
export interface Turn {
  /** From 1. */
  readonly round: number
  /** Whether there is still trade. */
  readonly trading: boolean
  /** With mega-moves: the only thing that can be done now. */
  readonly step?: 'offer' | 'decide' | 'deliver' | 'solve' | 'reveal'
  /** Yours. It must stay above 0 (rule 7). */
  readonly account: number
  readonly players: readonly { readonly seat: number; readonly account: number; readonly removed: boolean }[]
  /** All that is on offer, the oldest first, your own among it. */
  readonly store: readonly Offer[]
  /** Bought from you: raw material is due now (rule 4). */
  readonly toDeliver: readonly Offer[]
  /** Delivered to you: a solution is due now (rule 4). */
  readonly toSolve: readonly (Offer & { readonly instance: unknown })[]
  /** Secret challenges that were solved: their secrets are due now. Only where such challenges are sold. */
  readonly toReveal?: readonly Offer[]
}

/** A predicate that somebody sells at a price. */
export interface Offer {
  /** Its number; a reoffer gets a new one. */
  readonly challenge: number
  readonly seller: number
  /** Of max-csp: a `Predicate`. */
  readonly predicate: unknown
  readonly price: number
  /** What it claims; absent: nothing, it is classic. */
  readonly kind?: 'classic' | 'belief' | 'secret'
  /** Of a belief: the quality that it says cannot be reached. */
  readonly f?: number
}

/** Of max-csp: raw material of these relations alone. */
export interface Predicate {
  readonly relations: readonly number[]
}

/** Raw material of max-csp. */
export interface Instance {
  /** Variables are numbered from 1 to this. */
  readonly variables: number
  readonly constraints: readonly Constraint[]
}

export interface Constraint {
  readonly weight: number
  /** 0 to 255: bit 4x + 2y + z says whether it is met when its three variables are x, y and z. */
  readonly relation: number
  /** Three different ones. */
  readonly variables: readonly number[]
}

/** Your answer to a turn: done in this order, all of it or, where a rule is broken, you are out. */
export interface Answer {
  readonly actions: readonly Action[]
}

export type Action =
  | { readonly type: 'offer'; readonly predicate: unknown; readonly price: number }
  | { readonly type: 'accept'; readonly challenge: number }
  | { readonly type: 'reoffer'; readonly challenge: number; readonly price: number }
  | { readonly type: 'deliver'; readonly challenge: number; readonly instance: unknown; readonly secret?: Secret }
  | { readonly type: 'solve'; readonly challenge: number; readonly solution: unknown }
  | { readonly type: 'reveal'; readonly challenge: number; readonly solution: unknown; readonly nonce: string }

/** Comes with the raw material of a secret challenge. */
export interface Secret {
  /** How good your own solution is, "p/q". */
  readonly quality: string
  /** The SHA-256 of `[solution, nonce]` as JSON; in `reveal` you show both. */
  readonly commitment: string
}
