import { spend } from '../../formulas/running/frame.ts'
import type { Frame } from '../../formulas/running/frame.ts'
import type { Json } from '../../json.ts'
import { inOrder, keyOf } from '../canonical.ts'
import type { Valid } from '../canonical.ts'
import { EveryWay, TooMany } from './chooser.ts'
import type { Chooser } from './chooser.ts'
import { DeadEnd } from './dead-end.ts'
import { domainOf, pick, pickDistinct, sizeOf } from './domain.ts'
import type { Defaults } from './domain.ts'
import { furthest, isNumbered } from '../plan.ts'
import type { LexicalPlan, ListPlan, Places, Plan } from '../plan.ts'

/** Consecutive draws without a new value before all values are enumerated, and before the search ends. */
const PATIENCE = 100
const LAST_PATIENCE = 5000
/** Maximum number of an element's values that are enumerated. */
const COUNTED = 20_000

/** The common state of one run of `generate`. */
export interface MakerContext {
  readonly frame: Frame
  readonly places: Places
  readonly defaults: Defaults
  readonly valid: Valid
}

/** Generates the elements of a list. */
export interface ElementMaker {
  readonly surroundings: MakerContext
  readonly chooser: Chooser
  /** True if the list should end soon. */
  readonly crowded: boolean
  make(plan: Plan): Json | DeadEnd
  /** A maker like this that follows the given choices and never retries. */
  trying(chooser: Chooser): ElementMaker
}

/**
 * Generates a list: first its length, all equally likely, then its elements. Lists without a rule for the length are
 * short.
 */
export function makeList(plan: ListPlan, maker: ElementMaker): Json | DeadEnd {
  const lengths = lengthsOf(plan, maker)
  if (lengths instanceof DeadEnd) return lengths
  const made =
    plan.of.kind === 'lexical' && !isNumbered(plan.of)
      ? lexicalElements(plan, plan.of, lengths, maker)
      : elements(plan, lengths, maker)
  if (made instanceof DeadEnd || plan.sorted === null) return made
  return inOrder(made, plan.shape, plan.sorted)
}

/** The lengths that the rules allow, sorted or as a range. */
type Lengths =
  | { readonly kind: 'whole'; readonly low: number; readonly high: number }
  | { readonly kind: 'listed'; readonly values: readonly number[] }
  | { readonly kind: 'free' }

function lengthsOf(plan: ListPlan, maker: ElementMaker): Lengths | DeadEnd {
  if (plan.lengths.length === 0) return { kind: 'free' }
  const { frame, defaults, valid } = maker.surroundings
  const numbers = {
    kind: 'lexical',
    lexical: 'int',
    limits: plan.lengths,
    rank: 0,
    ruled: true,
    reach: 'given',
  } as const
  const domain = domainOf(numbers, frame, defaults, valid)
  if (domain instanceof DeadEnd) return domain
  const lengths: Lengths =
    domain.kind === 'whole'
      ? { kind: 'whole', low: Math.max(0, domain.low), high: domain.high }
      : { kind: 'listed', values: domain.kind === 'listed' ? domain.values.map(Number).filter((one) => one >= 0) : [] }
  return shortest(lengths) === null
    ? new DeadEnd(plan.lengths[0]?.at ?? null, 'A list cannot have a negative length.', furthest(plan.lengths))
    : lengths
}

function shortest(lengths: Lengths): number | null {
  if (lengths.kind === 'free') return 0
  if (lengths.kind === 'whole') return lengths.low <= lengths.high ? lengths.low : null
  return lengths.values.length === 0 ? null : Math.min(...lengths.values)
}

/** A length of at most `most`; null: none. */
function lengthBelow(lengths: Lengths, most: number, maker: ElementMaker): number | null {
  const { chooser } = maker
  const least = shortest(lengths)
  if (least === null || least > most) return null
  if (maker.crowded) return least
  if (lengths.kind === 'whole') return least + chooser.below(Math.min(lengths.high, most) - least + 1)
  if (lengths.kind === 'listed') {
    const possible = lengths.values.filter((length) => length <= most)
    return possible[chooser.below(possible.length)] ?? null
  }
  chooser.unbounded()
  let length = 0
  while (length < most && chooser.below(3) > 0) length++
  return length
}

function lexicalElements(
  plan: ListPlan,
  of: LexicalPlan,
  lengths: Lengths,
  maker: ElementMaker,
): readonly Json[] | DeadEnd {
  const { frame, defaults, valid } = maker.surroundings
  const { chooser } = maker
  const different = plan.distinct !== null || plan.sorted !== null
  const domain = domainOf(of, frame, defaults, valid)
  if (domain instanceof DeadEnd) return orEmpty(domain, lengths)
  const size = different ? sizeOf(domain) : null
  const length = lengthBelow(lengths, size ?? Infinity, maker)
  if (length === null) return tooFew(plan, size ?? 0, lengths)
  spend(frame, length)
  if (!different) return Array.from({ length }, () => pick(domain, chooser))
  return pickDistinct(domain, length, chooser) ?? tooFew(plan, null, lengths)
}

/** The dead end of a list that cannot have enough different elements. `found` null: their number is not known. */
function tooFew(plan: ListPlan, found: number | null, lengths: Lengths): DeadEnd {
  const least = shortest(lengths) ?? 0
  const there = found === null ? 'not enough were found' : `there are only ${found}`
  const message = `The list needs at least ${least} different elements, but ${there}.`
  return new DeadEnd(plan.distinct ?? plan.lengths[0]?.at ?? null, message, furthest([...plan.lengths, plan.of]))
}

/** Generates elements that are lists or objects, or depend on their number. */
function elements(plan: ListPlan, lengths: Lengths, maker: ElementMaker): readonly Json[] | DeadEnd {
  const { frame, places } = maker.surroundings
  const outer = frame.slots[places.index] ?? 0
  const made = numberedElements(plan, lengths, maker)
  frame.slots[places.index] = outer
  return made
}

/** Generates an element as the one with this number, from 1. */
function makeElement(plan: ListPlan, number: number, maker: ElementMaker): Json | DeadEnd {
  const { frame, places } = maker.surroundings
  frame.slots[places.index] = number
  return maker.make(plan.of)
}

function numberedElements(plan: ListPlan, lengths: Lengths, maker: ElementMaker): readonly Json[] | DeadEnd {
  const length = lengthBelow(lengths, Infinity, maker)
  if (length === null) return tooFew(plan, 0, lengths)
  const different = plan.distinct !== null || plan.sorted !== null
  if (different) return differentElements(plan, length, lengths, maker)
  const list: Json[] = []
  for (let i = 0; i < length; i++) {
    const made = makeElement(plan, i + 1, maker)
    if (made instanceof DeadEnd) return i === 0 ? orEmpty(made, lengths) : made.within(i)
    list.push(made)
  }
  return list
}

/** The empty list, if it is allowed; otherwise the dead end of its element. */
function orEmpty(dead: DeadEnd, lengths: Lengths): readonly Json[] | DeadEnd {
  return shortest(lengths) === 0 && dead.reach !== 'end' ? [] : dead.within(0)
}

function differentElements(
  plan: ListPlan,
  length: number,
  lengths: Lengths,
  maker: ElementMaker,
): readonly Json[] | DeadEnd {
  const list: Json[] = []
  const seen = new Set<unknown>()
  const keep = (made: Json): boolean => {
    const key = elementKey(made, plan)
    if (seen.has(key)) return false
    seen.add(key)
    list.push(made)
    return true
  }
  // Elements that depend on their number are not drawn from one set of values.
  let counted = maker.surroundings.places.numbered
  for (let idle = 0; list.length < length;) {
    const made = makeElement(plan, list.length + 1, maker)
    if (made instanceof DeadEnd) return list.length === 0 ? orEmpty(made, lengths) : made.within(list.length)
    if (keep(made)) idle = 0
    else if (++idle === PATIENCE && !counted) {
      counted = true
      const all = everyElement(plan, maker)
      if (all === null) continue
      // All values are known: the rest of the list is drawn from the unused ones.
      const left = all.filter((one) => !seen.has(elementKey(one, plan)))
      while (list.length < length && left.length > 0) keep(left.splice(maker.chooser.below(left.length), 1)[0] as Json)
      if (list.length === length) return list
      const shorter = lengthBelow(lengths, list.length, maker)
      return shorter === null ? tooFew(plan, list.length, lengths) : list.slice(0, shorter)
    } else if (idle > LAST_PATIENCE) return tooFew(plan, null, lengths)
  }
  return list
}

/** The key by which two elements of a set, or two entries of a map, are the same. */
function elementKey(element: Json, plan: ListPlan): unknown {
  const key = plan.sorted === 'map' && plan.shape.kind === 'class' ? plan.shape.fields[0] : undefined
  if (!key) return keyOf(element, plan.shape)
  return keyOf((element as { readonly [label: string]: Json })[key.label] as Json, key.type)
}

/** All values that an element can have; null: too many. */
function everyElement(plan: ListPlan, maker: ElementMaker): readonly Json[] | null {
  const ways = new EveryWay(COUNTED)
  const found = new Map<unknown, Json>()
  try {
    while (ways.next()) {
      const made = maker.trying(ways).make(plan.of)
      if (!(made instanceof DeadEnd)) found.set(keyOf(made, plan.shape), made)
      else if (made.reach === 'end') return null
    }
  } catch (error) {
    if (error instanceof TooMany) return null
    throw error
  }
  return [...found.values()]
}
