import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkDefinition,
  checkFormula,
  Compiler,
  extremeOf,
  newProgram,
  numberFrom,
  parseFormula,
  stepsTaken,
  typeOf,
  worstCase,
} from '../../../grammars/formulas/index.ts'
import type { Typed } from '../../../grammars/formulas/checking/typed.ts'
import { counterOf } from '../../../grammars/formulas/cost/counted-parts.ts'
import { visitorOf } from '../../../grammars/formulas/cost/own-regions.ts'
import type { ChoiceShape, ClassShape, Shape } from '../../../grammars/values/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { definitionOf } from '../../unit/formulas/run.ts'

// Functions that call themselves several times on different parts of one value: their steps are bounded by the number of its parts.

const int: Shape = { kind: 'int' }
const field = (label: string, type: Shape) => ({ label, type })
const node: ClassShape = { kind: 'class', name: 'Node', fields: [] }
const leaf: ClassShape = { kind: 'class', name: 'Leaf', fields: [field('value', int)] }
const many: ClassShape = { kind: 'class', name: 'Many', fields: [] }
const tree: ChoiceShape = { kind: 'choice', name: 'Tree', alternatives: [leaf, node, many] }
/** Trees without lists, with children that may be absent. */
const pair: ClassShape = { kind: 'class', name: 'Pair', fields: [] }
/** Entries of a map to a part that may be absent. */
const entry: ClassShape = { kind: 'class', name: 'Entry', fields: [] }
const more = (shape: ClassShape, ...fields: { label: string; type: Shape }[]) => {
  ;(shape.fields as { label: string; type: Shape }[]).push(...fields)
}
more(node, field('rung', int), field('left', tree), field('right', tree))
more(many, field('parts', { kind: 'list', of: tree }))
more(entry, field('key', int), field('kids', { kind: 'list', of: entry }), field('val', { kind: 'option', of: entry }))
more(pair, field('one', { kind: 'option', of: pair }), field('two', { kind: 'option', of: pair }))

type Tree =
  | { readonly $: 'Leaf'; readonly value: number }
  | { readonly $: 'Node'; readonly rung: number; readonly left: Tree; readonly right: Tree }
  | { readonly $: 'Many'; readonly parts: readonly Tree[] }
type Pair = { readonly one: Pair | null; readonly two: Pair | null }

const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.record({ $: fc.constant('Leaf' as const), value: fc.integer({ min: -9, max: 9 }) }),
    fc.record({ $: fc.constant('Node' as const), rung: fc.nat(8), left: tie('tree'), right: tie('tree') }),
    fc.record({ $: fc.constant('Many' as const), parts: fc.array(tie('tree'), { maxLength: 4 }) }),
  ),
})).tree
const pairs = fc.letrec<{ pair: Pair }>((tie) => ({
  pair: fc.record({
    one: fc.option(tie('pair') as fc.Arbitrary<Pair>, { maxDepth: 5 }),
    two: fc.option(tie('pair') as fc.Arbitrary<Pair>, { maxDepth: 5 }),
  }),
})).pair

const countTree = (t: Tree): number =>
  1 + (t.$ === 'Leaf' ? [] : t.$ === 'Node' ? [t.left, t.right] : t.parts).reduce((sum, one) => sum + countTree(one), 0)
const countPair = (p: Pair): number => 1 + [p.one, p.two].reduce((sum, one) => sum + (one ? countPair(one) : 0), 0)

function checked(definition: string, call: string, of: Shape = tree) {
  const classes = new Map<string, Shape>([tree, node, leaf, many, pair, entry].map((shape) => [shape.name, shape]))
  const program = newProgram((name) => classes.get(name) ?? null)
  for (const one of definition.split(/(?=define )/)) checkDefinition(definitionOf(one.trim()), new Map(), program)
  const value = program.variable(typeOf(of))
  const k = program.variable({ kind: 'int' })
  const parsed = parseFormula(call)
  if ('message' in parsed) throw new Error(parsed.message)
  const scope = new Map([
    ['value', value],
    ['k', k],
  ])
  const typed = checkFormula(parsed, { kind: 'nothing' }, 'It', scope, program)
  expect(program.faults).toEqual([])
  return { typed, size: program.size, value: value.slot, k: k.slot, of }
}

/** The most steps of a formula for values with no more than this number of parts. */
function bound({ typed, value, k, of }: ReturnType<typeof checked>, parts: number): number {
  const known = extremeOf(typeOf(of), true)
  if (known.kind === 'choice' || known.kind === 'record') known.parts = parts
  return worstCase(
    new Map([
      [value, known],
      [k, numberFrom(0, 9)],
    ]),
    [typed],
  )
}

function taken({ typed, size, value }: ReturnType<typeof checked>, json: Json, k: number): number {
  const code = new Compiler().compile(typed)
  return stepsTaken(code, size, [...Array<null>(value).fill(null), json, k])
}

const NODES = `define nodes(t: Tree): int = match t {
  Leaf: 1, Node n: 1 + nodes(n.left) + nodes(n.right), Many m: 1 + sum(nodes(p) for p in m.parts) }`
const visitors: readonly (readonly [string, string])[] = [
  [NODES, 'nodes(value)'],
  [NODES, '[nodes(value), nodes(value) + k]'],
  [
    `define total(t: Tree): int = match t {
      Leaf l: l.value, Node n: total(n.left) - total(n.right), Many m: sum(total(p) for p in m.parts) }`,
    'sum(total(value) for i in 1..k)',
  ],
  [
    `define depth(t: Tree): int = match t { Leaf: 0, Node n: let a = depth(n.left); let b = depth(n.right); 1 + max(a, b),
      Many m: 1 + fold(max(most, depth(p)) from most = 0 for p in m.parts) }`,
    'depth(value)',
  ],
  [
    `define odd(t: Tree, deep: int): boolean = match t { Leaf l: l.value mod 2 = 1 or deep > 3,
      Node n: odd(n.left, deep + 1) and not odd(n.right, deep + 1), Many m: exists(odd(p, 2 * deep) for p in m.parts) }`,
    'odd(value, k)',
  ],
  [
    `define worth(t: Tree): int = match t { Leaf l: 2 * l.value,
      Node n: if n.rung > 4 then worth(n.left) * worth(n.right) else sum(i for i in 1..n.rung mod 5) + worth(n.right),
      Many m: length([1 for p at i in m.parts where worth(p) > i]) }`,
    'worth(value)',
  ],
  [
    `${NODES} define heavy(u: Tree): int = match u { Leaf l: nodes(u), Node v: max(heavy(v.left), heavy(v.right)) + nodes(u),
      Many w: sum(heavy(q) for q in w.parts) + nodes(u) }`,
    'heavy(value)',
  ],
]

describe.each(visitors)('%s', (definition, call) => {
  const function_ = checked(definition, call)
  test(`no tree takes more steps in ${call} than the bound for its number of parts`, () => {
    fc.assert(
      fc.property(trees, fc.nat(9), (t, k) => {
        expect(taken(function_, t as Json, k)).toBeLessThanOrEqual(bound(function_, countTree(t)))
      }),
      { numRuns: 1000 },
    )
    // The largest of one kind, and the two ends of how children are distributed.
    const leaves = Array.from({ length: 60 }, (): Tree => ({ $: 'Leaf', value: 1 }))
    const chain = leaves.reduce<Tree>((t, one) => ({ $: 'Node', rung: 9, left: one, right: t }), leaves[0]!)
    const nested = leaves.reduce<Tree>((t, one) => ({ $: 'Many', parts: [one, t] }), leaves[0]!)
    for (const t of [
      { $: 'Many', parts: leaves } as const,
      { $: 'Many', parts: [chain, chain, nested] } as const,
      chain,
      nested,
    ])
      expect(taken(function_, t as Json, 9)).toBeLessThanOrEqual(bound(function_, countTree(t)))
  })

  test('the bound grows with the parts, and without their number it is not known', () => {
    expect(bound(function_, 100)).toBeLessThan(Infinity)
    expect(bound(function_, 100)).toBeGreaterThan(bound(function_, 50))
    expect(bound(function_, Infinity)).toBe(Infinity)
  })
})

test('a bound for functions that add is near: at most ten times what the largest value takes', () => {
  const nodes = checked(NODES, 'nodes(value)')
  const wide: Tree = { $: 'Many', parts: Array.from({ length: 999 }, () => ({ $: 'Leaf', value: 1 })) }
  const most = bound(nodes, 1000)
  expect(most).toBeLessThanOrEqual(10 * taken(nodes, wide as Json, 0))
})

test.each([
  ['the same part twice', 'define f(t: Tree): int = match t { Leaf: 1, Node n: f(n.left) + f(n.left), Many: 1 }'],
  [
    'a part and one within it',
    'define f(t: Tree): int = match t { Leaf: 1, Node n: f(n.left) + (match n.left { Node o: f(o.left), else: 0 }), Many: 1 }',
  ],
  [
    'a part in each round of a loop',
    'define f(t: Tree): int = match t { Leaf: 1, Node n: sum(f(n.left) for i in 1..3), Many: 1 }',
  ],
  [
    'the elements of a list in two loops',
    'define f(t: Tree): int = match t { Leaf: 1, Node: 1, Many m: sum(f(p) for p in m.parts) + sum(f(q) for q in m.parts) }',
  ],
  [
    'an element and all of them',
    'define f(t: Tree): int = match t { Leaf: 1, Node: 1, Many m: f(m.parts[1]) + sum(f(q) for q in m.parts) }',
  ],
  [
    'the elements of a list in each round of a loop over it',
    'define f(t: Tree): int = match t { Leaf: 1, Node: 1, Many m: sum(f(q) for p in m.parts for q in m.parts) }',
  ],
  [
    'what a condition and a branch visit',
    'define f(t: Tree): int = match t { Leaf: 1, Node n: if f(n.left) > 2 then f(n.left) else 0, Many: 1 }',
  ],
])('of a function that visits %s the number of runs is not known', (_, definition) => {
  expect(bound(checked(definition, 'f(value)'), 10)).toBe(Infinity)
})

test('behind a part without a bound a function that calls itself leaves the steps without one', () => {
  const endless = 'define f(t: Tree): int = match t { Leaf: 1, Node n: f(n.left) + f(n.left), Many: 1 }'
  expect(bound(checked(`${endless} ${NODES}`, 'f(value) + nodes(value)'), 10)).toBe(Infinity)
})

const counters: readonly (readonly [string, Shape, string])[] = [
  ['all parts', tree, NODES],
  [
    'all parts, more for some',
    tree,
    `define nodes(t: Tree): int = match t { Leaf: 3, Node n: let l = nodes(n.left); 2 + (l + nodes(n.right)),
      Many m: 1 + length(m.parts) + sum(nodes(p) for p in m.parts) }`,
  ],
  [
    'optional children',
    pair,
    `define nodes(p: Pair): int = 1 + (match p.one { some a: nodes(a), none: 0 }) + (match p.two { none: 0, some b: nodes(b) })`,
  ],
]

test('the value of an entry that is looked up may be that of an entry by its number', () => {
  const twice = (other: string): string =>
    `define f(t: Entry): int = 1 + (match lookup(t.kids, 1) { some v: f(v), none: 0 }) + ${other}`
  const visitor = (other: string): unknown => {
    const { typed } = checked(twice(other), 'f(value)', entry)
    return typed.kind === 'call' ? visitorOf(typed.function) : typed
  }
  expect(visitor('(match t.kids[1].val { some w: f(w), none: 0 })')).toBeNull()
  expect(visitor('(match t.val { some w: f(w), none: 0 })')).toMatchObject({ type: { name: 'Entry' } })
})

test.each([
  ['the end of a range', 'let a = f(n.left); sum(i for i in 1..a)'],
  ['the number of rounds', 'let a = f(n.left); sum(2 for i in 1..a)'],
  ['the end of a range without a name', 'sum(i for i in 1..f(n.left))'],
  ['the elements of a list', 'sum(x + x for x in [f(n.left), f(n.right)])'],
  ['the elements of a list in two loops', 'sum(x for i in 1..2 for x in [f(n.left)])'],
])('of a function whose own value is %s the steps are not known', (_, body) => {
  const definition = `define f(t: Tree): int = match t { Leaf: 3, Node n: ${body}, Many: 0 }`
  const loop = `sum(1 for i in 1..f(value))`
  expect(bound(checked(definition, loop), 10)).toBe(Infinity)
})

test.each(counters)('a function that counts %s tells how many there are', (_, of, definition) => {
  const function_ = checked(definition, 'nodes(value)', of)
  const { most } = counterIn(function_.typed)
  fc.assert(
    fc.property(of === tree ? trees : pairs, (value) => {
      const parts = of === tree ? countTree(value as Tree) : countPair(value as Pair)
      expect(most(valueOf(function_, value as Json))).toBeGreaterThanOrEqual(parts)
    }),
    { numRuns: 1000 },
  )
})

/** Decision trees, whose inner parts, leaves or levels may be counted instead. */
const plans = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.record({ $: fc.constant('Leaf' as const), value: fc.nat(9) }),
    fc.record({ $: fc.constant('Node' as const), rung: fc.nat(8), left: tie('tree'), right: tie('tree') }),
  ),
})).tree
const plan: ChoiceShape = { kind: 'choice', name: 'Plan', alternatives: [] }
const ask: ClassShape = {
  kind: 'class',
  name: 'Node',
  fields: [field('rung', int), field('left', plan), field('right', plan)],
}
;(plan.alternatives as ClassShape[]).push(leaf, ask)

test.each([
  ['inner parts', 'define f(t: Plan): int = match t { Leaf: 0, Node n: 1 + f(n.left) + f(n.right) }', 0],
  ['leaves', 'define f(t: Plan): int = match t { Leaf: 1, Node n: f(n.left) + f(n.right) }', 0],
  ['levels', 'define f(t: Plan): int = match t { Leaf: 0, Node n: 1 + max(f(n.left), f(n.right)) }', Infinity],
])('the %s of a tree with two children each bound its parts', (_, definition, least) => {
  const classes = new Map<string, Shape>([plan, ask, leaf].map((shape) => [shape.name, shape]))
  const program = newProgram((name) => classes.get(name) ?? null)
  checkDefinition(definitionOf(definition), new Map(), program)
  const value = program.variable(typeOf(plan))
  const parsed = parseFormula('f(value)')
  if ('message' in parsed) throw new Error(parsed.message)
  const typed = checkFormula(parsed, { kind: 'nothing' }, 'It', new Map([['value', value]]), program)
  expect(program.faults).toEqual([])
  const { most } = counterIn(typed)
  let exact = 0
  fc.assert(
    fc.property(plans, (t) => {
      const told = most(valueOf({ typed, size: program.size, value: value.slot }, t as Json))
      expect(told).toBeGreaterThanOrEqual(countTree(t))
      if (told === countTree(t)) exact++
    }),
    { numRuns: 1000 },
  )
  // Inner parts and leaves tell the number itself, levels that of a full tree.
  expect(exact).toBeGreaterThanOrEqual(least === 0 ? 1000 : 100)
})

test.each([
  'define f(t: Tree): int = match t { Leaf: 1, Node n: 1 + f(n.left), Many m: 1 + sum(f(p) for p in m.parts) }',
  'define f(t: Tree): int = match t { Leaf: 1, Node n: 1 + f(n.left) - f(n.right), Many m: 1 + sum(f(p) for p in m.parts) }',
  'define f(t: Tree): int = match t { Leaf: 1, Node n: 1 + f(n.left) + f(n.right), Many m: 1 + sum(f(p) for p in m.parts where f(p) > 9) }',
  'define f(t: Tree): int = match t { Leaf: 0, Node n: 1 + f(n.left) + f(n.right), Many m: 1 + sum(f(p) for p in m.parts) }',
  'define f(t: Tree): int = match t { Leaf l: l.value, Node n: 1 + f(n.left) + f(n.right), Many m: 1 + sum(f(p) for p in m.parts) }',
  'define f(t: Tree): int = match t { Leaf: 1, Node n: 1 + (if n.rung > 1 then f(n.left) else f(n.right)), Many m: 1 + sum(f(p) for p in m.parts) }',
])('%s does not tell', (definition) => {
  const { typed } = checked(definition, 'f(value)')
  if (typed.kind !== 'call') throw new Error('not a call')
  expect(counterOf(typed.function)).toBeNull()
})

function counterIn(typed: Typed) {
  const counter = typed.kind === 'call' ? counterOf(typed.function) : null
  if (counter === null) throw new Error('The function is not seen to count.')
  return counter
}

function valueOf(
  { typed, size, value }: Pick<ReturnType<typeof checked>, 'typed' | 'size' | 'value'>,
  json: Json,
): number {
  const slots = [...Array<null>(value).fill(null), json, ...Array<null>(size).fill(null)]
  const frame = { slots, steps: 10_000_000, depth: 0, sets: new Map(), tables: new Map() }
  return new Compiler().compile(typed)(frame) as number
}
