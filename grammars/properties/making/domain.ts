import { exactly, show, toFraction, toNumber } from '../../formulas/index.ts'
import { FormulaError, LimitError } from '../../formulas/numbers/formula-error.ts'
import type { Frame } from '../../formulas/running/frame.ts'
import type { Exact, Value } from '../../formulas/index.ts'
import { floor, minus, order } from '../../formulas/numbers/exact.ts'
import type { Json } from '../../json.ts'
import { canonical } from '../canonical.ts'
import type { Valid } from '../canonical.ts'
import type { Chooser } from './chooser.ts'
import { DeadEnd } from './dead-end.ts'
import { differentBelow, differentBelowBig } from '../different.ts'
import type { Language } from '../expressions/language.ts'
import { furthest } from '../plan.ts'
import type { LexicalPlan, Limit } from '../plan.ts'
import { testOf } from '../test-lexical.ts'

/** The non-empty set of allowed values of a lexical class. `free`: no rules. */
export type Domain =
  | { readonly kind: 'whole' | 'decimal'; readonly low: number; readonly high: number }
  | { readonly kind: 'listed'; readonly values: readonly Json[] }
  | { readonly kind: 'language'; readonly language: Language }
  | { readonly kind: 'free'; readonly of: 'int' | 'number' }

/** The languages of texts without rules. */
export type Defaults = Readonly<Record<'ident' | 'string' | 'char' | 'verbatim', Language>>

/** Numbers without rules have at most this absolute value. */
const FREE = 100
const LARGEST = Number.MAX_SAFE_INTEGER

/** Cache of candidate lists, which are needed again for each element of a list. */
const candidates = new WeakMap<LexicalPlan, WeakMap<readonly Value[], readonly Json[]>>()

/** The values that the rules of a lexical class allow, given the value so far. A dead end if there are none. */
export function domainOf(plan: LexicalPlan, frame: Frame, defaults: Defaults, valid: Valid): Domain | DeadEnd {
  const { lexical, limits } = plan
  const [first] = limits
  if (!first) {
    if (lexical === 'boolean') return { kind: 'listed', values: [false, true] }
    return lexical === 'int' || lexical === 'number'
      ? { kind: 'free', of: lexical }
      : { kind: 'language', language: defaults[lexical] }
  }
  try {
    const listed = limits.find((limit) => limit.kind === 'listed')
    if (listed) return listedDomain(plan, listed.list(frame) as readonly Value[], frame, valid)
    if (first.kind === 'language') return { kind: 'language', language: first.language }
    return numberDomain(plan, frame)
  } catch (error) {
    return deadEndOf(error, frame, first.at, furthest(limits))
  }
}

/** The dead end for an error of a formula about a value. Other errors are thrown again. */
export function deadEndOf(error: unknown, frame: Frame, at: number, reach: DeadEnd['reach']): DeadEnd {
  if (!(error instanceof FormulaError)) throw error
  const isLimit = error instanceof LimitError
  return new DeadEnd(error.at ?? at, error.message, frame.steps < 0 ? 'end' : reach, [], isLimit)
}

function listedDomain(plan: LexicalPlan, list: readonly Value[], frame: Frame, valid: Valid): Domain | DeadEnd {
  const { limits, lexical } = plan
  let known = candidates.get(plan)
  if (!known) candidates.set(plan, (known = new WeakMap()))
  let values = known.get(list)
  if (!values) {
    frame.steps -= list.length
    const all = list.map((value) => canonical(value, { kind: lexical }, valid))
    values = [...new Set(all.filter((value) => value !== undefined))]
    known.set(list, values)
  }
  if (limits.length > 1) {
    const test = testOf(limits, frame)
    values = values.filter((value) => test(value) === null)
  }
  const [first] = limits as readonly [Limit]
  if (values.length > 0) return { kind: 'listed', values }
  const message =
    list.length === 0 ? 'There is nothing to choose from.' : `No ${lexical} of ${show(list)} meets all rules.`
  return new DeadEnd(first.at, message, furthest(limits))
}

function numberDomain(plan: LexicalPlan, frame: Frame): Domain | DeadEnd {
  const { limits, lexical } = plan
  let low: Exact | null = null
  let high: Exact | null = null
  for (const limit of limits) {
    if (limit.kind !== 'range') continue
    const from = limit.low(frame) as Exact
    const to = limit.high(frame) as Exact
    if (low === null || order(from, low) > 0) low = from
    if (high === null || order(to, high) < 0) high = to
  }
  const [first, last] = [low ?? 0, high ?? 0]
  const ends =
    lexical === 'int' ? [leastWhole(first), greatestWhole(last)] : [leastDecimal(first), greatestDecimal(last)]
  const [from, to] = ends as [number, number]
  if (from <= to) return { kind: lexical === 'int' ? 'whole' : 'decimal', low: from, high: to }
  const what = lexical === 'int' ? 'whole number' : 'number'
  return new DeadEnd((limits[0] as Limit).at, `No ${what} is from ${show(first)} to ${show(last)}.`, furthest(limits))
}

/** The smallest safe integer that is not below; infinite if there is none. */
function leastWhole(end: Exact): number {
  const up = minus(0, floor(minus(0, end)))
  if (order(up, -LARGEST) < 0) return -LARGEST
  return typeof up === 'number' ? up : Infinity
}

function greatestWhole(end: Exact): number {
  const down = floor(end)
  if (order(down, LARGEST) > 0) return LARGEST
  return typeof down === 'number' ? down : -Infinity
}

/** The smallest JSON number that is not below; infinite if there is none. */
function leastDecimal(end: Exact): number {
  const nearest = toNumber(toFraction(end))
  if (!Number.isFinite(nearest)) return nearest < 0 ? -Number.MAX_VALUE : Infinity
  return order(exactly(nearest), end) >= 0 ? nearest + 0 : above(nearest)
}

function greatestDecimal(end: Exact): number {
  return -leastDecimal(minus(0, end)) + 0
}

/** The next larger JSON number. */
function above(value: number): number {
  if (value === 0) return Number.MIN_VALUE
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigInt64(0, view.getBigInt64(0) + (value > 0 ? 1n : -1n))
  return view.getFloat64(0) + 0
}

/** The number of values; null: unbounded, or too large to matter. */
export function sizeOf(domain: Domain): number | null {
  switch (domain.kind) {
    case 'whole':
      return domain.high - domain.low + 1
    case 'listed':
      return domain.values.length
    case 'language':
      return domain.language.size === null ? null : Number(domain.language.size)
    case 'decimal':
      return domain.low === domain.high ? 1 : null
    case 'free':
      return null
  }
}

/** Draws one value, uniformly if they are finitely many; a decimal is uniform within its range. */
export function pick(domain: Domain, chooser: Chooser): Json {
  switch (domain.kind) {
    case 'whole':
      return wholeBetween(domain.low, domain.high, chooser)
    case 'listed':
      return domain.values[chooser.below(domain.values.length)] as Json
    case 'language':
      return domain.language.draw(chooser)
    case 'decimal': {
      if (domain.low === domain.high) return domain.low
      chooser.unbounded()
      const share = chooser.below(2 ** 53) / (2 ** 53 - 1)
      // Each term of the sum stays within the range of numbers.
      const value = domain.low * (1 - share) + domain.high * share
      return Math.min(Math.max(value, domain.low), domain.high) + 0
    }
    case 'free':
      chooser.unbounded()
      return freeBetween(domain.of, FREE, chooser)
  }
}

/** Draws `count` different values, all arrangements equally likely; null: there are too few, or they were not found. */
export function pickDistinct(domain: Domain, count: number, chooser: Chooser): readonly Json[] | null {
  switch (domain.kind) {
    case 'whole': {
      const { low, high } = domain
      const size = high - low + 1
      if (size < count) return null
      if (size <= 2 ** 53) return differentBelow(size, count, chooser).map((index) => low + index + 0)
      const all = BigInt(high) - BigInt(low) + 1n
      return differentBelowBig(all, count, chooser).map((index) => Number(BigInt(low) + index))
    }
    case 'listed': {
      const { values } = domain
      if (values.length < count) return null
      return differentBelow(values.length, count, chooser).map((index) => values[index] as Json)
    }
    case 'language':
      return domain.language.drawDistinct(count, chooser)
    case 'decimal':
      return until(count, () => pick(domain, chooser))
    case 'free':
      return until(count, () => freeBetween(domain.of, Math.max(FREE, count), chooser))
  }
}

function until(count: number, draw: () => Json): readonly Json[] | null {
  const found = new Set<Json>()
  for (let tries = 0; found.size < count && tries < 100 * (count + 10); tries++) found.add(draw())
  return found.size === count ? [...found] : null
}

function wholeBetween(low: number, high: number, chooser: Chooser): number {
  const size = high - low + 1
  if (size <= 2 ** 53) return low + chooser.below(size) + 0
  return Number(BigInt(low) + chooser.belowBig(BigInt(high) - BigInt(low) + 1n))
}

/** Fractions are quarters. */
function freeBetween(of: 'int' | 'number', most: number, chooser: Chooser): number {
  return of === 'int' ? wholeBetween(-most, most, chooser) : wholeBetween(-4 * most, 4 * most, chooser) / 4 + 0
}
