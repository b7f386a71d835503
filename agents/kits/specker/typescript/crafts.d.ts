import type { Offer } from './specker.d.ts'

// The types of the part of the agent that plays each challenge: `maxCsp` and `builtInCrafts`.

/** How to play a challenge. The challenge's file defines its predicates, raw material and solutions. */
export interface Craft {
  isWorth(offer: Offer): boolean
  /** A predicate to sell, of this many parts that do not imply each other; undefined if there is none. */
  idea(parts: number): { readonly predicate: unknown; readonly price: number } | undefined
  /** Raw material, a solution of it, and a lower bound of that solution's quality. */
  rawMaterial(predicate: never): { readonly instance: unknown; readonly solution: unknown; readonly quality: string }
  solve(instance: never): unknown
}

/** The settings of the other challenges; each has some of them. */
export interface Settings {
  readonly maxVars: number
  readonly maxClauseLength: number
  readonly maxWeight: number
  readonly maxTerms: number
  readonly maxCoefficient: number
  readonly maxDistance: number
  readonly colours: number
  readonly maxVertices: number
  readonly longest: number
  readonly maxLetters: number
  readonly largest: number
  readonly maxSize: number
  readonly maxMember: number
}

/** A craft without decisions; `predicate`: one of this many parts, undefined if there is none. */
export type BuiltInCraft = Omit<Craft, 'isWorth' | 'idea'> & { predicate(parts: number): unknown }

/** A cubic equation of the challenge cubic-equations. */
export interface Question {
  readonly kind: { readonly $: string }
  readonly a: number
  readonly b: number
}

/** The shape of a constraint of the challenge pseudo-boolean. */
export interface Shape {
  readonly coefficients: readonly number[]
  readonly comparison: { readonly $: string }
  readonly bound: number
}
