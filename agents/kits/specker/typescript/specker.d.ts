/**
 * The messages and answers of a Specker agent. Amounts are whole numbers of 10^-9 energy: 1_000_000_000 is one energy.
 */

/** Sent once before the first turn: the constructor's argument. */
export interface Start {
  /** Your seat, from 0. */
  readonly me: number
  /** The number of players. */
  readonly players: number
  readonly challenge: {
    readonly name: string
    /** The full .challenge file. */
    readonly source: string
    /** The challenge's own settings; for max-csp: `Limits`. */
    readonly config: unknown
  }
  readonly config: {
    /** Every account at the beginning. */
    readonly init: number
    /** After this round nothing can be offered, bought or reoffered (rule 10). */
    readonly maxTurns: number
    /** A reoffer must lower the price by at least this. */
    readonly mindec: number
    /** A player that buys nothing must lower all offers of others, or one of them (rule 2). */
    readonly acceptOrReoffer: 'all' | 'one'
    /**
     * The number of new predicates to offer in a turn (rule 3); asynchronous: at most `offersMax` for sale at a time.
     */
    readonly offersMin: number
    readonly offersMax: number
    /** When players act; absent: turn by turn. */
    readonly mode?: 'synchronous' | 'asynchronous' | 'mega-moves'
    /** The kind of challenges that are sold; absent: classic ones. */
    readonly variant?: 'classic' | 'belief' | 'secret' | 'base-ball'
    /** The league that predicates must belong to, and its number k; absent or null: none. */
    readonly league?: string | null
    readonly leagueParameter?: number | null
  }
}

/** Limits of raw material of max-csp: the maximum number of variables and constraints, and the maximum weight. */
export interface Limits {
  readonly maxVars: number
  readonly maxConstraints: number
  readonly maxWeight: number
}

/** Sent in each of your turns: the argument of `turn`. */
export interface Turn {
  /** From 1. */
  readonly round: number
  /** True while trading goes on. */
  readonly trading: boolean
  /** With mega-moves: the only kind of action that is possible now. */
  readonly step?: 'offer' | 'decide' | 'deliver' | 'solve' | 'reveal'
  /** Your account. It must stay above 0 (rule 7). */
  readonly account: number
  readonly players: readonly { readonly seat: number; readonly account: number; readonly removed: boolean }[]
  /** All offers, oldest first, including your own. */
  readonly store: readonly Offer[]
  /** Sold by you: raw material is due now (rule 4). */
  readonly toDeliver: readonly Offer[]
  /** Delivered to you: a solution is due now (rule 4). */
  readonly toSolve: readonly (Offer & { readonly instance: unknown })[]
  /** Secret challenges that were solved: their secrets are due now. Only in markets with such challenges. */
  readonly toReveal?: readonly Offer[]
}

/** A predicate for sale at a price. */
export interface Offer {
  /** Its number; a reoffer gets a new one. */
  readonly challenge: number
  readonly seller: number
  /** For max-csp: a `Predicate`. */
  readonly predicate: unknown
  readonly price: number
  /** Its claim; absent: none (classic). */
  readonly kind?: 'classic' | 'belief' | 'secret'
  /** The quality that a belief claims to be unreachable. */
  readonly f?: number
}

/** For max-csp: raw material with these relations only. */
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
  /** 0 to 255: bit 4x + 2y + z is 1 if the constraint is satisfied when its three variables are x, y and z. */
  readonly relation: number
  /** Three different variables. */
  readonly variables: readonly number[]
}

/** Your answer to a turn. The actions are done in order; if one breaks a rule you are removed. */
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

/** Accompanies the raw material of a secret challenge. */
export interface Secret {
  /** The quality of your own solution, "p/q". */
  readonly quality: string
  /** The SHA-256 of `[solution, nonce]` as JSON; `reveal` shows both. */
  readonly commitment: string
}

declare global {
  /** The steps that are left for this answer; every call uses one. Only in a match: a test defines its own. */
  function remaining(): number
}
