/**
 * The calls and answers of a Specker agent: the messages of messages.d.ts, and values of max-csp in them. Amounts are
 * whole numbers of 10^-9 energy: 1_000_000_000 is one energy.
 */
export type { Action, Secret, Start, Turn } from './messages.d.ts'
/** A predicate for sale at a price. For max-csp the predicate is a `Predicate`. */
export type { StoreEntry as Offer } from './messages.d.ts'
/** Your answer to a turn. The actions are done in order; if one breaks a rule you are removed. */
export type { Bundle as Answer } from './messages.d.ts'

/** Limits of raw material of max-csp: the maximum number of variables and constraints, and the maximum weight. */
export interface Limits {
  readonly maxVars: number
  readonly maxConstraints: number
  readonly maxWeight: number
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

declare global {
  /** The steps that are left for this answer; every call uses one. Only in a match: a test defines its own. */
  function remaining(): number
}
