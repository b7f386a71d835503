import { fraction, toText } from '../../../../grammars/formulas/numbers/fraction.ts'
import { finiteBreakEven, limitBreakEven } from '../../../../agents/specker/mathematics/break-even.ts'
import { clauseKind, relationKind, type Kind } from '../../../../agents/specker/mathematics/kinds.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'

/** A part of a predicate: one relation of rank 3 by its number, or one clause type (length, positives). */
export type PredicatePart =
  { readonly relation: number } | { readonly clause: readonly [length: number, positives: number] }

/**
 * The break-even price of a predicate (section 4.1): for a given number of variables exactly, as "p/q"; in the limit as
 * doubles.
 */
export interface Price<Amount extends string | number> {
  /** A good buyer reaches at least this quality for any raw material, and no more for the worst. */
  readonly value: Amount
  /** The share of each part in the total weight of the worst raw material; the shares add up to 1. */
  readonly mixture: readonly (PredicatePart & { readonly weight: Amount })[]
  /** The least bias (the share of variables that are true) at which the buyer reaches the value against the mixture. */
  readonly bias: Amount
}

/** Exact arithmetic slows down with the number of variables; this many take less than a second. */
const VARIABLES_MAX = 1_000
const LENGTH_MAX = 100
const CLAUSES_MAX = 256

/** V_n, for n variables. Throws ExpectedError 'usage' if n is smaller than a constraint. */
export function finitePrice(
  items: readonly PredicatePart[],
  variables: number,
): Price<string> & { readonly variables: number } {
  if (variables > VARIABLES_MAX)
    throw new ExpectedError('usage', 'option-out-of-range', `--vars goes up to ${VARIABLES_MAX}, not ${variables}.`)
  const found = finiteBreakEven(items.map(kindOf), variables)
  if (found === undefined) {
    const least = Math.min(...items.map((item) => kindOf(item).arity))
    throw new ExpectedError(
      'usage',
      'option-out-of-range',
      `--vars must be at least ${least}, as many as a constraint has, not ${variables}.`,
    )
  }
  return {
    value: toText(found.value),
    mixture: items.map((item, at) => ({ ...item, weight: toText(found.mixture[at]!) })),
    bias: toText(fraction(found.trueCount, variables)),
    variables,
  }
}

/** V, the limit of V_n as n grows. */
export function limitPrice(items: readonly PredicatePart[]): Price<number> {
  const { value, mixture, bias } = limitBreakEven(items.map(kindOf))!
  return { value, mixture: items.map((item, at) => ({ ...item, weight: mixture[at]! })), bias }
}

/** Parses relations such as `2,6,22`; duplicates count once. Throws ExpectedError 'usage'. */
export function readRelations(text: string): PredicatePart[] {
  const numbers = text.split(',').map((word) => {
    const relation = wholeNumber(word)
    if (relation !== null && relation <= 255) return relation
    throw new ExpectedError(
      'usage',
      'option-out-of-range',
      `--relations takes numbers from 0 to 255 separated by commas; "${word}" is not one.`,
    )
  })
  return [...new Set(numbers)].map((relation) => ({ relation }))
}

/** Parses clause types such as `1,1;2,0`; duplicates count once. Throws ExpectedError 'usage'. */
export function readClauses(text: string): PredicatePart[] {
  const types = new Map<string, PredicatePart>()
  for (const word of text.split(';')) {
    const [length = null, positives = null, ...more] = word.split(',').map(wholeNumber)
    if (length === null || positives === null || more.length > 0) {
      const wanted = 'clause types as "length,positives" separated by semicolons'
      throw new ExpectedError('usage', 'option-out-of-range', `--clauses takes ${wanted}; "${word}" is not one.`)
    }
    if (length < 1 || length > LENGTH_MAX) {
      throw new ExpectedError(
        'usage',
        'option-out-of-range',
        `--clauses: the length of a clause is 1 to ${LENGTH_MAX}, not ${length}.`,
      )
    }
    if (positives > length) {
      const most = `a clause of ${length} literals has at most ${length} positive ones`
      throw new ExpectedError('usage', 'option-out-of-range', `--clauses: ${most}, not ${positives}.`)
    }
    types.set(`${length},${positives}`, { clause: [length, positives] })
  }
  if (types.size > CLAUSES_MAX)
    throw new ExpectedError('usage', 'option-out-of-range', `--clauses takes at most ${CLAUSES_MAX} clause types.`)
  return [...types.values()]
}

function wholeNumber(word: string): number | null {
  return /^\s*\d{1,9}\s*$/.test(word) ? Number(word) : null
}

function kindOf(item: PredicatePart): Kind {
  return 'relation' in item ? relationKind(item.relation) : clauseKind(...item.clause)
}
