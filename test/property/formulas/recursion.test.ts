import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkDefinition,
  checkFormula,
  Compiler,
  evaluate,
  newProgram,
  numberFrom,
  parseFormula,
  typeOf,
  worstCase,
} from '../../../grammars/formulas/index.ts'
import type { Value } from '../../../grammars/formulas/index.ts'
import type { Code, Frame } from '../../../grammars/formulas/running/frame.ts'
import type { ChoiceShape, ClassShape, Shape } from '../../../grammars/values/index.ts'
import { definitionOf } from '../../unit/formulas/run.ts'
import { valueOf } from './reference.ts'

const int: Shape = { kind: 'int' }
const fields: { label: string; type: Shape }[] = []
const node: ClassShape = { kind: 'class', name: 'Node', fields }
const leaf: ClassShape = { kind: 'class', name: 'Leaf', fields: [{ label: 'value', type: int }] }
const parts: { label: string; type: Shape }[] = []
const many: ClassShape = { kind: 'class', name: 'Many', fields: parts }
const tree: ChoiceShape = { kind: 'choice', name: 'Tree', alternatives: [leaf, node, many] }
fields.push({ label: 'rung', type: int }, { label: 'left', type: tree }, { label: 'right', type: tree })
parts.push({ label: 'parts', type: { kind: 'list', of: tree } })

type Tree =
  | { readonly $: 'Leaf'; readonly value: number }
  | { readonly $: 'Node'; readonly rung: number; readonly left: Tree; readonly right: Tree }
  | { readonly $: 'Many'; readonly parts: readonly Tree[] }

const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.record({ $: fc.constant('Leaf' as const), value: fc.integer({ min: -9, max: 9 }) }),
    fc.record({
      $: fc.constant('Node' as const),
      rung: fc.integer({ min: 1, max: 8 }),
      left: tie('tree'),
      right: tie('tree'),
    }),
    fc.record({ $: fc.constant('Many' as const), parts: fc.array(tie('tree'), { maxLength: 3 }) }),
  ),
})).tree

const definitions = [
  `define total(t: Tree): int = match t {
    Leaf l: l.value, Node n: total(n.left) + total(n.right), Many m: sum(total(p) for p in m.parts) }`,
  `define depth(u: Tree): int = match u {
    Leaf: 0, Node n2: let a = depth(n2.left); let b = depth(n2.right); 1 + max(a, b),
    Many m2: 1 + fold(max(most, depth(p2)) from most = 0 for p2 in m2.parts) }`,
  // The shape of Highest Safe Rung: a decision tree asks whether a jar breaks at a rung.
  `define answer(question: Tree, safe: int): int = match question {
    Leaf found: found.value,
    Node asked: if asked.rung > safe then answer(asked.left, safe) else answer(asked.right, safe),
    Many m3: if length(m3.parts) = 0 then -1 else answer(m3.parts[1 + safe mod length(m3.parts)], safe) }`,
  `define leaves(w: Tree): list of int = match w {
    Leaf l4: [l4.value], Node n4: leaves(n4.left) + [x4 for x4 in leaves(n4.right)],
    Many m4: [x5 for p4 in m4.parts for x5 in leaves(p4)] }`,
]

const total = (t: Tree): number =>
  t.$ === 'Leaf' ? t.value : childrenOf(t).reduce((sum, child) => sum + total(child), 0)
const depth = (t: Tree): number => (t.$ === 'Leaf' ? 0 : 1 + Math.max(0, ...childrenOf(t).map(depth)))
const leaves = (t: Tree): number[] => (t.$ === 'Leaf' ? [t.value] : childrenOf(t).flatMap(leaves))
function childrenOf(t: Tree): readonly Tree[] {
  return t.$ === 'Node' ? [t.left, t.right] : t.$ === 'Many' ? t.parts : []
}
function answer(t: Tree, safe: number): number {
  if (t.$ === 'Leaf') return t.value
  if (t.$ === 'Node') return answer(t.rung > safe ? t.left : t.right, safe)
  return t.parts.length === 0 ? -1 : answer(t.parts[safe % t.parts.length]!, safe)
}

function compiled(text: string, more: readonly string[] = definitions) {
  const classes = new Map<string, Shape>([tree, node, leaf, many].map((shape) => [shape.name, shape]))
  const program = newProgram((name) => classes.get(name) ?? null)
  for (const definition of more) checkDefinition(definitionOf(definition), new Map(), program)
  const scope = new Map([
    ['value', program.variable(typeOf(tree))],
    ['k', program.variable({ kind: 'int' })],
  ])
  const first = scope.get('value')!.slot
  const parsed = parseFormula(text)
  if ('message' in parsed) throw new Error(parsed.message)
  const typed = checkFormula(parsed, { kind: 'nothing' }, 'It', scope, program)
  const { faults, size } = program
  return { faults, typed, size, inputs: (t: Tree, k: number): Value[] => [...Array<null>(first).fill(null), t, k] }
}

function outcome(code: Code, size: number, inputs: readonly Value[], steps: number) {
  const frames: Frame[] = []
  const result = evaluate(
    (frame) => {
      frames.push(frame)
      return code(frame)
    },
    size,
    inputs,
    steps,
  )
  return { result, left: frames[0]!.steps }
}

test.each<[string, (t: Tree, k: number) => Value]>([
  ['total(value)', total],
  ['depth(value)', depth],
  ['answer(value, k)', answer],
  ['leaves(value)', leaves],
  ['[total(value), depth(value), total(value)]', (t) => [total(t), depth(t), total(t)]],
])('%s agrees with plain JavaScript on 1000 trees, and in steps with a walk through the formula', (text, wanted) => {
  const { faults, typed, size, inputs } = compiled(text)
  expect(faults).toEqual([])
  const code = new Compiler().compile(typed)
  fc.assert(
    fc.property(trees, fc.nat({ max: 9 }), fc.integer({ min: 1, max: 400 }), (t, k, few) => {
      const values = inputs(t, k)
      const found = outcome(code, size, values, 1_000_000)
      expect(found.result).toEqual({ ok: true, value: wanted(t, k) })
      expect(found).toEqual(outcome((frame) => valueOf(typed, frame), size, values, 1_000_000))
      expect(outcome(code, size, values, few)).toEqual(outcome((frame) => valueOf(typed, frame), size, values, few))
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ['answer(value, k)', definitions],
  ['answer(value, k) + sum(answer(value, i) for i in 1..k)', definitions],
  [
    'last(value, k)',
    [
      'define last(t: Tree, n: int): int = match t { Leaf l: l.value + n, Node d: last(d.left, n + 1), Many: sum(1..n) }',
    ],
  ],
])(
  'of %s, which calls itself once in each run, a bound on the steps is known, and no tree takes more',
  (text, more) => {
    const { faults, typed, size, inputs } = compiled(text, more)
    expect(faults).toEqual([])
    const code = new Compiler().compile(typed)
    const k = inputs({ $: 'Leaf', value: 0 }, 0).length - 1
    const most = worstCase(new Map([[k, numberFrom(0, 9)]]), [typed])
    if (!text.startsWith('last')) expect(most).toBeLessThan(Infinity)
    const chain = (length: number): Tree => {
      let t: Tree = { $: 'Leaf', value: 1 }
      for (let i = 0; i < length; i++) t = { $: 'Node', rung: 0, left: t, right: { $: 'Leaf', value: 2 } }
      return t
    }
    for (const length of [0, 1, 7, 40, 100, 1_000, 20_000]) {
      for (const t of [chain(length), mirrored(chain(length))]) {
        expect(10_000_000 - outcome(code, size, inputs(t, 9), 10_000_000).left).toBeLessThanOrEqual(most)
      }
    }
    fc.assert(
      fc.property(trees, fc.nat({ max: 9 }), (t, n) => {
        expect(10_000_000 - outcome(code, size, inputs(t, n), 10_000_000).left).toBeLessThanOrEqual(most)
      }),
      { numRuns: 1000 },
    )
  },
)

test.each(['total(value)', 'depth(value)', 'leaves(value)'])('of %s no bound is known', (text) => {
  expect(worstCase(new Map(), [compiled(text).typed])).toBe(Infinity)
})

/** The same tree with the children of each node exchanged, without recursion: chains are long. */
function mirrored(t: Tree): Tree {
  let result: Tree = { $: 'Leaf', value: 1 }
  for (let at = t; at.$ === 'Node'; at = at.left) {
    result = { $: 'Node', rung: 99, left: { $: 'Leaf', value: 3 }, right: result }
  }
  return result
}

test('a chain that is too long is refused as a limit, and the next evaluation begins anew', () => {
  const { typed, size, inputs } = compiled('depth(value)')
  const code = new Compiler().compile(typed)
  const chain = (length: number): Tree => {
    let t: Tree = { $: 'Leaf', value: 0 }
    for (let i = 0; i < length; i++) t = { $: 'Many', parts: [t] }
    return t
  }
  expect(outcome(code, size, inputs(chain(100), 0), 1_000_000).result).toEqual({ ok: true, value: 100 })
  const long = outcome(code, size, inputs(chain(20_000), 0), 10_000_000).result
  expect(long).toMatchObject({ ok: false, limit: true, message: expect.stringContaining('depth(...)') })
  expect(outcome(code, size, inputs(chain(3), 0), 1_000).result).toEqual({ ok: true, value: 3 })
})

describe('a function that might not end is refused', () => {
  test.each([
    ['define f(t: Tree): int = f(t)', 25],
    ['define f(t: Tree): int = match t { Leaf: 0, Node n: f(t), Many: 1 }', 52],
    ['define f(k: int): int = if k = 0 then 0 else f(k - 1)', 45],
    ['define f(a: Tree, b: Tree): int = match a { Leaf: 0, Node n: f(n.left, b) + f(b, a), Many: 1 }', 76],
    ['define f(t: Tree, u: Tree): int = match t { Leaf: 0, Node n: f(u, n.left), Many: 1 }', 61],
    ['define f(ts: list of Tree): int = if length(ts) = 0 then 0 else f(slice(ts, 2, 9))', 64],
  ])('%s', (definition, at) => {
    const { faults } = compiled('1', [definition])
    expect(faults).toEqual([expect.objectContaining({ at, message: expect.stringContaining('smaller part') })])
  })

  test.each([
    ['define f(t: Tree) = match t { Leaf: 0, Node n: f(n.left), Many: 1 }', 'No function "f"'],
    ['define f(t: Tree): Box = 1', 'The type "Box" is unknown'],
    ['define f(t: Tree): int = 1/2', 'f must be of type int'],
  ])('%s: %s', (definition, message) => {
    const { faults } = compiled('1', [definition])
    expect(faults.map((fault) => fault.message)).toEqual([expect.stringContaining(message)])
  })

  test.each([
    'define f(t: Tree): int = match t { Leaf: 0, Node n: let l = n.left; f(if n.rung > 1 then l else n.right), Many: 1 }',
    'define f(t: Tree, k: int): int = match t { Leaf: k, Node n: f(n.left, f(n.right, k + 1)), Many: 1 }',
    'define f(t: Tree): int = match t { Many m: if m.parts = [] then 1 else f(m.parts[1]), else: 0 }',
    'define f(t: Tree): number = 1',
  ])('while %s is not', (definition) => {
    expect(compiled('1', [definition]).faults).toEqual([])
  })
})
