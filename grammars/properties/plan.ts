import type { Code } from '../formulas/running/frame.ts'
import type { ClassShape, Shape } from '../values/index.ts'
import type { Language } from './expressions/language.ts'

/** The type of a value with its rules, for checking and generating. Cyclic like shapes. */
export type Plan = LexicalPlan | ListPlan | OptionPlan | ClassPlan | ChoicePlan | GivenPlan

interface Common {
  /** Orders plans so that each has a finite value using only plans of lower rank; -1: none. Set by `rankPlans`. */
  rank: number
  /** True if there are rules here or below. Set by `rankPlans`. */
  ruled: boolean
  /** The values outside this plan on which the rules here and below depend. Set by `rankPlans`. */
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
  /** The shape of the elements. */
  readonly shape: Shape
  readonly sorted: 'set' | 'map' | null
  readonly lengths: readonly Limit[]
  /** The offset of the rule "distinct", if any. */
  readonly distinct: number | null
  /** False: constant rules exclude the empty list. */
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

/** A non-lexical value that must be in given lists, in addition to the rules of `of`. */
export interface GivenPlan extends Common {
  readonly kind: 'given'
  readonly of: Plan
  readonly shape: Shape
  readonly limits: readonly ListedLimit[]
}

/** The requirement of a rule on a value. `at`: its offset in the text; `numbered`: it depends on `index()`. */
export type Limit = RangeLimit | ListedLimit | LanguageLimit

export interface RangeLimit {
  readonly kind: 'range'
  readonly at: number
  readonly low: Code
  readonly high: Code
  readonly reach: Reach
  readonly numbered: boolean
}

/** `list` evaluates to the list of allowed values, which has one element for a single value. */
export interface ListedLimit {
  readonly kind: 'listed'
  readonly at: number
  readonly list: Code
  readonly reach: Reach
  readonly numbered: boolean
}

export interface LanguageLimit {
  readonly kind: 'language'
  readonly at: number
  readonly language: Language
  /** As written. */
  readonly source: string
  readonly reach: Reach
  readonly numbered: boolean
}

/** A condition on a whole object. */
export interface Condition {
  readonly at: number
  readonly code: Code
  readonly reach: Reach
}

/**
 * The values on which a rule depends, and which are therefore generated again if it cannot be met: nothing of the value,
 * fields of the root, or fields of the enclosing object.
 */
export type Reach = 'given' | 'root' | 'this'

/** The slots of the root so far, of the object that encloses a field, and of `index()`: the number of the current element. */
export interface Places {
  readonly root: number
  readonly object: number
  readonly index: number
  /** True once a rule depends on `index()`. */
  numbered: boolean
}

/** Does a rule for the elements themselves depend on their number? */
export function isNumbered(of: Plan): boolean {
  return of.kind === 'lexical' && of.limits.some((limit) => limit.numbered)
}

const ORDER: readonly Reach[] = ['given', 'root', 'this']

/** The furthest reach of several. */
export function furthest(all: readonly { readonly reach: Reach }[]): Reach {
  return ORDER[Math.max(0, ...all.map(({ reach }) => ORDER.indexOf(reach)))] ?? 'given'
}
