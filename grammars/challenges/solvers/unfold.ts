import { exactly, order, show, toFraction } from '../../formulas/index.ts'
import type { Exact, Typed, TypedLoop, Value } from '../../formulas/index.ts'
import * as t from './terms.ts'
import { NoModel, type Term } from './terms.ts'

/**
 * The meaning of a formula if the instance is known and the solution is not. number: a fraction, whose denominator is known. list: each
 * element is there if its condition holds; `places`: elements have known places, so that they can be looked up by number.
 */
export type Unfolded =
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: 'number'; readonly over: Term; readonly under: number }
  | { readonly kind: 'condition'; readonly term: Term }
  | { readonly kind: 'list'; readonly items: readonly Item[]; readonly places: boolean }
  | { readonly kind: 'solution'; readonly fields: ReadonlyMap<string, Unfolded> }

export interface Item {
  readonly value: Unfolded
  readonly when: Term
}

/** The values of the names of formulas, by slot. */
export type Known = ReadonlyMap<number, Unfolded>

/** Maximum length of a range of numbers. */
const LONGEST_RANGE = 100_000

/** Unfolds a checked formula. Throws NoModel with a sentence if it cannot be said without loops. */
export function unfold(tree: Typed, known: Known): Unfolded {
  const part = (one: Typed): Unfolded => unfold(one, known)
  const truth = (one: Typed): Term => conditionOf(part(one))
  switch (tree.kind) {
    case 'constant':
      return { kind: 'known', value: tree.value }
    case 'local': {
      const found = known.get(tree.slot)
      if (found === undefined) throw new NoModel('A formula uses a value that is not known.')
      return found
    }
    case 'field': {
      const of = part(tree.of)
      if (of.kind === 'solution') return of.fields.get(tree.label)!
      if (of.kind !== 'known') throw new NoModel('A formula takes a field of a value that depends on the solution.')
      const value = (of.value as { readonly [label: string]: Value })[tree.label]!
      return { kind: 'known', value: tree.type.kind === 'number' ? exactly(value as Exact) : value }
    }
    case 'element':
      return element(part(tree.of), part(tree.index), tree.type.kind === 'number')
    case 'arithmetic':
      return arithmetic(tree.operator, tree.args.map(part).map(numberOf))
    case 'order': {
      const [a, b] = common(numberOf(part(tree.left)), numberOf(part(tree.right)))
      const strictly = {
        '<': () => t.less(a, b),
        '>': () => t.less(b, a),
        '<=': () => t.not(t.less(b, a)),
        '>=': () => t.not(t.less(a, b)),
      }
      return condition(strictly[tree.operator]())
    }
    case 'equal': {
      const same = equalTo(part(tree.left), part(tree.right))
      return condition(tree.negated ? t.not(same) : same)
    }
    case 'member':
      return condition(memberOf(part(tree.value), itemsOf(part(tree.list), tree.list)))
    case 'between': {
      const value = numberOf(part(tree.value))
      const [a, low] = common(value, numberOf(part(tree.low)))
      const [b, high] = common(value, numberOf(part(tree.high)))
      return condition(t.and([t.not(t.less(a, low)), t.not(t.less(high, b))]))
    }
    case 'subset': {
      const all = itemsOf(part(tree.right), tree.right)
      const each = itemsOf(part(tree.left), tree.left).map(({ value, when }) =>
        t.or([t.not(when), memberOf(value, all)]),
      )
      return condition(t.and(each))
    }
    case 'not':
      return condition(t.not(truth(tree.of)))
    case 'both': {
      const left = truth(tree.left)
      return condition(left.high === 0 ? t.FALSE : t.and([left, truth(tree.right)]))
    }
    case 'either': {
      const left = truth(tree.left)
      return condition(left.low === 1 ? t.TRUE : t.or([left, truth(tree.right)]))
    }
    case 'list':
      return { kind: 'list', items: tree.elements.map((one) => ({ value: part(one), when: t.TRUE })), places: true }
    case 'range':
      return range(part(tree.low), part(tree.high))
    case 'gather':
      return gather(tree, known)
    case 'length':
      return number(t.sum(itemsOf(part(tree.of), tree.of).map(({ when }) => when)))
    case 'distinct':
      return condition(different(itemsOf(part(tree.of), tree.of)))
    case 'bit':
      return bit(part(tree.bits), numberOf(part(tree.row)))
    case 'if': {
      const when = truth(tree.condition)
      if (t.isConstant(when)) return part(when.low === 1 ? tree.yes : tree.no)
      return chosen(when, part(tree.yes), part(tree.no))
    }
    case 'let':
      return unfold(tree.body, new Map(known).set(tree.slot, part(tree.value)))
    case 'match': {
      const subject = part(tree.subject)
      if (subject.kind !== 'known') throw new NoModel('A formula matches a value that depends on the solution.')
      const { alternative, value } = alternativeOf(subject.value)
      const found = tree.cases.find((one) => one.alternative === alternative)
      if (found === undefined) return part(tree.other!)
      const inner = found.slot === null ? known : new Map(known).set(found.slot, { kind: 'known' as const, value })
      return unfold(found.body, inner)
    }
    case 'call': {
      if (tree.own) throw new NoModel('A formula uses a function that calls itself.')
      const inner = new Map(known)
      for (const [index, { slot }] of tree.function.parameters.entries()) inner.set(slot, part(tree.args[index]!))
      return unfold(tree.function.body, inner)
    }
    case 'lookup':
    case 'has':
      return lookup(tree.kind, itemsOf(part(tree.entries), tree.entries), part(tree.key), tree.type.kind === 'number')
    default:
      throw new NoModel('A formula uses a part of the language that no model has.')
  }
}

/** An abstract class's value has its alternative's name in "$"; an option's value is null or itself. */
function alternativeOf(value: Value): { readonly alternative: string; readonly value: Value } {
  if (value === null) return { alternative: 'none', value }
  const name = typeof value === 'object' && '$' in value ? value.$ : undefined
  return { alternative: typeof name === 'string' ? name : 'some', value }
}

/** Calls `visit` for each run through a loop: with its names, and the condition under which it is run. */
export function eachOf(loop: TypedLoop, known: Known, visit: (inner: Known, when: Term) => void): void {
  const source = unfold(loop.source, known)
  const items = itemsOf(source, loop.source)
  if (loop.indexSlot !== null && source.kind === 'list' && !source.places)
    throw new NoModel('A formula numbers the elements of a list whose length is not known.')
  for (const [index, { value, when }] of items.entries()) {
    const inner = new Map(known).set(loop.slot, value)
    if (loop.indexSlot !== null) inner.set(loop.indexSlot, { kind: 'known', value: index + 1 })
    const passes = loop.filter === null ? when : t.and([when, conditionOf(unfold(loop.filter, inner))])
    if (passes.high === 1) visit(inner, passes)
  }
}

function gather({ fold, loops, body }: Extract<Typed, { kind: 'gather' }>, known: Known): Unfolded {
  const items: Item[] = []
  const run = (depth: number, inner: Known, when: Term): void => {
    const loop = loops[depth]
    if (loop === undefined) items.push({ value: fold === 'count' ? TRUTH : unfold(body, inner), when })
    else eachOf(loop, inner, (further, passes) => run(depth + 1, further, t.and([when, passes])))
  }
  run(0, known, t.TRUE)
  switch (fold) {
    case 'list':
      return { kind: 'list', items, places: items.every(({ when }) => when === t.TRUE) }
    case 'count':
      return number(t.sum(items.map(({ when }) => when)))
    case 'all':
      return condition(t.and(items.map(({ value, when }) => t.or([t.not(when), conditionOf(value)]))))
    case 'exists':
      return condition(t.or(items.map(({ value, when }) => t.and([when, conditionOf(value)]))))
    case 'first': {
      const first = items.find(({ when }) => when.high === 1)
      if (first?.when.low !== 1)
        throw new NoModel('A formula looks for the first of elements that depend on the solution.')
      return first.value
    }
    case 'sum': {
      const { terms, under } = alike(items.map(({ value }) => numberOf(value)))
      return { kind: 'number', over: t.sum(terms.map((term, index) => t.product(items[index]!.when, term))), under }
    }
    default: {
      const { terms, under } = alike(items.map(({ value }) => numberOf(value)))
      if (!items.some(({ when }) => when.low === 1))
        throw new NoModel(`A formula takes the ${fold} of elements of which there may be none.`)
      const worst = t.constant(
        fold === 'min' ? Math.max(...terms.map(({ high }) => high)) : Math.min(...terms.map(({ low }) => low)),
      )
      const all = terms.map((term, index) => t.choice(items[index]!.when, term, worst))
      return { kind: 'number', over: t.least(fold, all), under }
    }
  }
}

const TRUTH: Unfolded = { kind: 'condition', term: t.TRUE }

function condition(term: Term): Unfolded {
  return { kind: 'condition', term }
}

function number(over: Term): Unfolded {
  return { kind: 'number', over, under: 1 }
}

export function conditionOf(value: Unfolded): Term {
  if (value.kind === 'condition') return value.term
  if (value.kind === 'known' && typeof value.value === 'boolean') return value.value ? t.TRUE : t.FALSE
  throw new NoModel('A condition has no model.')
}

interface Ratio {
  readonly over: Term
  readonly under: number
}

export function numberOf(value: Unfolded): Ratio {
  if (value.kind === 'number') return value
  if (value.kind !== 'known') throw new NoModel('A number has no model.')
  const { n, d } = toFraction(value.value as Exact)
  return { over: t.constant(Number(n)), under: Number(d) }
}

function common(a: Ratio, b: Ratio): readonly [Term, Term] {
  const { terms } = alike([a, b])
  return [terms[0]!, terms[1]!]
}

/** Numbers with one denominator. */
function alike(ratios: readonly Ratio[]): { readonly terms: readonly Term[]; readonly under: number } {
  const under = ratios.reduce((all, { under: one }) => (all / divisor(all, one)) * one, 1)
  if (!Number.isSafeInteger(under)) throw new NoModel('The fractions of the model are too fine.')
  return { terms: ratios.map(({ over, under: one }) => t.product(t.constant(under / one), over)), under }
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

function arithmetic(operator: string, args: readonly Ratio[]): Unfolded {
  const [first, second] = args
  const { terms, under } = alike(args)
  switch (operator) {
    case '+':
      return { kind: 'number', over: t.sum(terms), under }
    case '-':
      return {
        kind: 'number',
        over: terms.length === 1 ? t.product(t.constant(-1), terms[0]!) : t.minus(terms[0]!, terms[1]!),
        under,
      }
    case '*':
      return { kind: 'number', over: t.product(first!.over, second!.over), under: first!.under * second!.under }
    case 'abs':
      return { kind: 'number', over: t.absolute(terms[0]!), under }
    case 'min':
    case 'max':
      return { kind: 'number', over: t.least(operator, terms), under }
    case '/': {
      const by = second!.over
      if (!t.isConstant(by) || by.low === 0)
        throw new NoModel('A formula divides by a number that depends on the solution.')
      const over = t.product(t.constant(by.low < 0 ? -second!.under : second!.under), first!.over)
      return { kind: 'number', over, under: first!.under * Math.abs(by.low) }
    }
    case 'floor':
      return number(under === 1 ? terms[0]! : t.divided('div', terms[0]!, under))
    case 'div':
    case 'mod': {
      const by = terms[1]!
      if (!t.isConstant(by)) throw new NoModel('A formula divides by a number that depends on the solution.')
      return { kind: 'number', over: t.divided(operator, terms[0]!, by.low), under: operator === 'mod' ? under : 1 }
    }
    default:
      throw new NoModel(`No model has the function ${operator}.`)
  }
}

/** The elements of a list. */
function itemsOf(value: Unfolded, tree: Typed): readonly Item[] {
  if (value.kind === 'list') return value.items
  if (value.kind !== 'known' || !Array.isArray(value.value)) throw new NoModel('A list has no model.')
  const decimal = tree.type.kind === 'list' && tree.type.of.kind === 'number'
  return (value.value as readonly Value[]).map((one) => {
    return { value: { kind: 'known', value: decimal ? exactly(one as Exact) : one }, when: t.TRUE }
  })
}

function element(of: Unfolded, index: Unfolded, decimal: boolean): Unfolded {
  const { over: place } = numberOf(index)
  if (of.kind === 'list' && !of.places)
    throw new NoModel('A formula looks up an element by its number in a list whose length is not known.')
  if (of.kind === 'known' && t.isConstant(place)) {
    const value = (of.value as readonly Value[])[place.low - 1]
    if (value === undefined) throw new NoModel('A formula looks for an element that is not there.')
    return { kind: 'known', value: decimal ? exactly(value as Exact) : value }
  }
  const values =
    of.kind === 'list'
      ? of.items.map(({ value }) => value)
      : (of.kind === 'known' ? (of.value as readonly Value[]) : []).map((value): Unfolded => ({
          kind: 'known',
          value: decimal ? exactly(value as Exact) : value,
        }))
  if (t.isConstant(place)) {
    const found = values[place.low - 1]
    if (found === undefined) throw new NoModel('A formula looks for an element that is not there.')
    return found
  }
  const isNumber = (value: Unfolded): boolean =>
    value.kind === 'number' ||
    (value.kind === 'known' &&
      (typeof value.value === 'number' ||
        (typeof value.value === 'object' && value.value !== null && 'd' in value.value)))
  if (values.every(isNumber)) {
    const { terms, under } = alike(values.map(numberOf))
    return { kind: 'number', over: t.elementAt(terms, place), under }
  }
  throw new NoModel('A formula looks up something other than a number by a number of the solution.')
}

function equalTo(a: Unfolded, b: Unfolded): Term {
  if (a.kind === 'known' && b.kind === 'known') {
    const [x, y] = [a.value, b.value]
    if (typeof x === 'string' || typeof x === 'boolean' || x === null || y === null) return x === y ? t.TRUE : t.FALSE
    if (typeof x === 'number' || 'd' in x) return order(x as Exact, y as Exact) === 0 ? t.TRUE : t.FALSE
    return JSON.stringify(x) === JSON.stringify(y) ? t.TRUE : t.FALSE
  }
  if (a.kind === 'condition' || b.kind === 'condition') {
    const [x, y] = [conditionOf(a), conditionOf(b)]
    return t.or([t.and([x, y]), t.and([t.not(x), t.not(y)])])
  }
  return t.equal(...common(numberOf(a), numberOf(b)))
}

function memberOf(value: Unfolded, items: readonly Item[]): Term {
  return t.or(items.map(({ value: one, when }) => t.and([when, equalTo(value, one)])))
}

function different(items: readonly Item[]): Term {
  const pairs = items.flatMap((a, at) =>
    items.slice(at + 1).map((b) => t.not(t.and([a.when, b.when, equalTo(a.value, b.value)]))),
  )
  return t.and(pairs)
}

function range(low: Unfolded, high: Unfolded): Unfolded {
  const [from, to] = [numberOf(low).over, numberOf(high).over]
  if (!t.isConstant(from) || !t.isConstant(to))
    throw new NoModel('A range of numbers has ends that depend on the solution.')
  const length = Math.max(0, to.low - from.low + 1)
  if (length > LONGEST_RANGE) throw new NoModel(`A range of ${show(length)} numbers is too long for a model.`)
  const items = Array.from({ length }, (_, at): Item => ({
    value: { kind: 'known', value: from.low + at },
    when: t.TRUE,
  }))
  return { kind: 'list', items, places: true }
}

function bit(bits: Unfolded, { over: row, under }: Ratio): Unfolded {
  const number = numberOf(bits)
  if (!t.isConstant(number.over) || number.under !== 1 || under !== 1 || row.low < 0 || row.high > 31)
    throw new NoModel('A formula takes bits of a number that depends on the solution.')
  const is = (place: number): Term => (Math.floor(number.over.low / 2 ** place) % 2 === 1 ? t.TRUE : t.FALSE)
  if (t.isConstant(row)) return condition(is(row.low))
  const rows = Array.from({ length: row.high - row.low + 1 }, (_, at) => row.low + at)
  return condition(t.or(rows.filter((one) => is(one) === t.TRUE).map((one) => t.equal(row, t.constant(one)))))
}

function chosen(when: Term, yes: Unfolded, no: Unfolded): Unfolded {
  const isCondition = (value: Unfolded): boolean =>
    value.kind === 'condition' || (value.kind === 'known' && typeof value.value === 'boolean')
  if (isCondition(yes) && isCondition(no)) return condition(t.choice(when, conditionOf(yes), conditionOf(no)))
  const { terms, under } = alike([numberOf(yes), numberOf(no)])
  return { kind: 'number', over: t.choice(when, terms[0]!, terms[1]!), under }
}

function lookup(kind: 'lookup' | 'has', entries: readonly Item[], key: Unfolded, decimal: boolean): Unfolded {
  const part = (item: Item, label: string): Unfolded => {
    if (item.value.kind !== 'known')
      throw new NoModel('A formula looks up a key among entries that depend on the solution.')
    const value = (item.value.value as { readonly [label: string]: Value })[label]!
    return { kind: 'known', value: label === 'val' && decimal ? exactly(value as Exact) : value }
  }
  const matching = entries.map((entry) => t.and([entry.when, equalTo(part(entry, 'key'), key)]))
  if (kind === 'has') return condition(t.or(matching))
  const first = matching.findIndex((term) => term.high === 1)
  if (first < 0 || matching[first]!.low !== 1)
    throw new NoModel('A formula looks up a key that depends on the solution.')
  return part(entries[first]!, 'val')
}
