import type { Code } from '../formulas/frame.ts'
import type { ClassShape, Shape } from '../values/index.ts'
import type { Language } from './language.ts'

/** The type of a value with its rules: what is checked and made. As cyclic as shapes are. */
export type Plan = LexicalPlan | ListPlan | OptionPlan | ClassPlan | ChoicePlan | GivenPlan

interface Common {
  /** Plans in an order in which each has a way to end that uses only earlier ones; -1: it has none. Set by `rankPlans`. */
  rank: number
  /** Is there a rule here or anywhere below? Set by `rankPlans`. */
  ruled: boolean
  /** What the rules here and below depend on, as seen from outside. Set by `rankPlans`. */
  reach: Reach
}

export interface LexicalPlan extends Common {
  readonly kind: 'lexical'
  readonly lexical: Lexical
  readonly limits: readonly Limit[]
}

export type Lexical = Exclude<Shape['kind'], 'list' | 'option' | 'class' | 'choice'>

export interface ListPlan extends Common {
  readonly kind: 'list'
  readonly of: Plan
  /** Of the elements. */
  readonly shape: Shape
  readonly sorted: 'set' | 'map' | null
  readonly lengths: readonly Limit[]
  /** The place of the rule that elements differ, if there is one. */
  readonly distinct: number | null
  /** False: constant rules leave no empty list. */
  readonly mayBeEmpty: boolean
}

export interface OptionPlan extends Common {
  readonly kind: 'option'
  readonly of: Plan
  readonly some: number
  readonly none: number
}

export interface ClassPlan extends Common {
  readonly kind: 'class'
  readonly shape: ClassShape
  readonly fields: readonly { readonly label: string; readonly plan: Plan }[]
  readonly conditions: readonly Condition[]
}

export interface ChoicePlan extends Common {
  readonly kind: 'choice'
  readonly name: string
  readonly alternatives: readonly { readonly plan: ClassPlan; readonly weight: number }[]
}

/** A value that must be in lists besides what `of` says; not lexical. */
export interface GivenPlan extends Common {
  readonly kind: 'given'
  readonly of: Plan
  readonly shape: Shape
  readonly limits: readonly ListedLimit[]
}

/** What a rule asks of a value. `at`: its place in the text that was read. */
export type Limit = RangeLimit | ListedLimit | LanguageLimit

export interface RangeLimit {
  readonly kind: 'range'
  readonly at: number
  readonly low: Code
  readonly high: Code
  readonly reach: Reach
}

/** `list` gives a list; for a single value, of that one. */
export interface ListedLimit {
  readonly kind: 'listed'
  readonly at: number
  readonly list: Code
  readonly reach: Reach
}

export interface LanguageLimit {
  readonly kind: 'language'
  readonly at: number
  readonly language: Language
  /** As it was written. */
  readonly source: string
  readonly reach: Reach
}

/** What must hold of a whole object. */
export interface Condition {
  readonly at: number
  readonly code: Code
  readonly reach: Reach
}

/**
 * What a rule depends on, and so what to make anew where it cannot be met: nothing of the value, the fields of the root,
 * those of the object around it.
 */
export type Reach = 'given' | 'root' | 'this'

/** The slots of the root as far as it is made, and of the object around a field. */
export interface Places {
  readonly root: number
  readonly object: number
}

const ORDER: readonly Reach[] = ['given', 'root', 'this']

/** The furthest of several. */
export function furthest(all: readonly { readonly reach: Reach }[]): Reach {
  return ORDER[Math.max(0, ...all.map(({ reach }) => ORDER.indexOf(reach)))] ?? 'given'
}
