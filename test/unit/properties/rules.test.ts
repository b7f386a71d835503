import { describe, expect, test } from 'vitest'
import type { Json } from '../../../grammars/json.ts'
import { read, stream } from './read.ts'
import { saying, type Fact } from '../../refusal.ts'

const graph = `
  Root = "graph" <nodes> int <start> int <edges> List(Edge) <note> Option(Note) <tree> Tree.
  Edge = "(" <from> int <to> int <cost> number ")".
  Note = "note" <text> string <names> List(ident).
  Tree = Leaf | Fork.
  Leaf = "." .
  Fork = "<" <left> Tree <right> Tree ">".
  Pair(X) = <x> X.
`

function faults(rules: string): readonly string[] {
  return read({ dictionary: graph, rules }).faults
}

describe('what is wrong with rules is said with its place', () => {
  test.each([
    ['Root.size: 1', '5: Root has no field "size".'],
    ['Node.x: 1', '0: The root contains no class "Node".'],
    ['Root.nodes: range 5 3', '12: No whole number is from 5 to 3.'],
    ['Root.nodes: range 1/3 (1/2)', '19: Found "/" where'],
    ['Root.nodes: in 1..3, in 5..9', '12: No whole number is from 5 to 3.'],
    ['Root.nodes: in [x for x in 1..3 where x > 3]', '12: There is nothing to choose from.'],
    ['Root.nodes: enum [7], range 1 6', '12: No int of [7] meets all rules.'],
    ['Root.nodes: "x"', '12: The value that a rule gives must be of type int, but this is of type text.'],
    ['Root.nodes: in ["x"]', '12: The elements of this list are of type text, but here is one of type int.'],
    ['Root.nodes: in 3', '15: A list is expected here, but this is of type int.'],
    ['Root.nodes: enum root', '12: What follows "enum" is a list as it is written'],
    ['Root.nodes: root.start', '17: When this rule is used, the Root has no field "start" yet.'],
    ['Root.start: range 1 this.nodes Root.edges: length root.start', ''],
    ['Edge.cost: range 0 instance.x', '19: There is no "instance" here.'],
    ['Edge.to: range 1 root.edges', '22: When this rule is used, the Root has no field "edges" yet.'],
    ['Edge.to: this.from + this.cost', '26: When this rule is used, the Edge has no field "cost" yet.'],
    ['Root.nodes: length 3', '12: "length" is for lists, but this is of type int.'],
    ['Root.nodes: distinct', '12: "distinct" is for lists, but this is of type int.'],
    ['Root.nodes: length(root.edges)', '24: When this rule is used, the Root has no field "edges" yet.'],
    ['Root.nodes: matches "a"', '20: "matches" is for names and strings, but this is of type int.'],
    ['Note.text: range 1 2', '11: "range" is for numbers, but this is of type text.'],
    ['Note.text: matches "a+", matches "[b-z]*"', '33: No text matches both "[b-z]*" and "a+".'],
    ['Note.names: element matches "a.", element matches "..b"', '50: No text matches both "..b" and "a.".'],
    ['Root.nodes: choose { a: 1 }', '12: "choose" is for abstract classes and options, but this is of type int.'],
    ['Root.tree: choose { Leaf: 1, Bush: 1 }', '29: No alternative here is called "Bush".'],
    ['Root.tree: choose { Leaf: 1, Leaf: 1 }', '29: "Leaf" already has a weight.'],
    ['Root.tree: choose { Leaf: 0 }', '11: This leaves no alternative: all have weight 0.'],
    ['Root.tree: choose { Leaf: 1.5 }', '20: A weight must be a whole number up to 1000000.'],
    ['Tree: choose { Fork: 1 }', '0: Under these rules every value would be infinite.'],
    ['Leaf: choose { Leaf: 1 }', '6: Only an abstract class has alternatives, but Leaf is not abstract.'],
    ['Edge: range 1 2', '6: Rules about a whole class can only be "choose" or "where".'],
    ['Edge.to: where this.from > 1', '9: "where" is for classes, not for fields.'],
    ['Edge: where this.from', '17: What follows "where" must be of type boolean, but this is of type int.'],
    ['Root.nodes: 1 Root.nodes: 2', '14: There is already a rule about Root.nodes above.'],
    ['Root.edges: length -1', '19: A list cannot have a negative length.'],
    [
      'Note.names: length 2, distinct, element enum ["a", "graph"]',
      '22: The list needs at least 2 different elements, but there are only 1.',
    ],
    ['Note.names: length range 2 5, distinct, element matches "x|graph"', '30: The list needs'],
    ['Note.names: element matches "[0-9]+"', '28: No name matches this expression.'],
    ['Note.names: element matches "graph|note"', '28: No name matches this expression.'],
    ['Note.text: matches "(a|b)*a(a|b){14}"', '19: This expression is too large'],
    ['Note.text: matches "^a"', '20: An expression stands for whole texts'],
    ['Note.text: matches "a**"', '22: "*" cannot follow "*"'],
    ['Root.nodes:', '11: Found "}" where'],
    ['Root.nodes: 1 2', '14: Found "2" where'],
  ])('%s', (rules, expected) => {
    const [first = ''] = faults(rules.replaceAll('\\\\"', '\\"'))
    expect(expected === '' ? first : first.slice(0, expected.length)).toBe(expected)
  })
})

test.each<[string, string, ...Fact[]]>([
  ['Note.text: matches "a[z-b]"', '22: ', 'range'],
  ['Note.text: matches "\\"a("', '23: ', 'parenthesis'],
  ['Note.text: matches "(?=a)"', '21: ', '(?'],
  ['Root.nodes: 1 div 0', '14: ', 'Division', 0],
])('%s is refused at its place', (rules, place, ...facts) => {
  const [first = ''] = faults(rules)
  expect(first.slice(0, place.length)).toBe(place)
  expect(first).toEqual(saying(...facts))
})

describe('what is wrong with a value is said with its path', () => {
  const rules = `
    Root.nodes: range 2 5
    Root.start: range 1 root.nodes
    Root.edges: length range 1 3, distinct
    Edge.from: range 1 root.nodes
    Edge: where this.from != this.to
    Edge.to: range 1 (this.from + 1)
    Edge.cost: in [k / 4 for k in 0..4]
    Root.note: choose { some: 1, none: 1 }
    Note.text: matches "[a-z ]{0,5}", matches "[^f]*"
    Note.names: length 2, distinct, element matches "[a-c]"
    Tree: choose { Leaf: 1, Fork: 1 }
    Fork.left: choose { Leaf: 1 }
  `
  const property = read({ dictionary: graph, rules }).property()
  const leaf = { $: 'Leaf' }
  const good = {
    nodes: 3,
    start: 1,
    edges: [{ from: 2, to: 1, cost: 0.25 }],
    note: { text: 'ab', names: ['a', 'b'] },
    tree: { $: 'Fork', left: leaf, right: leaf },
  }
  test.each<[string, Json, string | null]>([
    ['all is well', good, null],
    ['range', { ...good, nodes: 6 }, 'nodes: expected a number from 2 to 5, found 6'],
    ['reference', { ...good, start: 4 }, 'start: expected a number from 1 to 3, found 4'],
    ['length', { ...good, edges: [] }, 'edges: the length: expected a number from 1 to 3, found 0'],
    [
      'inside',
      { ...good, edges: [...good.edges, { from: 9, to: 1, cost: 1 }] },
      'edges[1].from: expected a number from 1 to 3, found 9',
    ],
    ['this', { ...good, edges: [{ from: 1, to: 3, cost: 1 }] }, 'edges[0].to: expected a number from 1 to 2, found 3'],
    [
      'where',
      { ...good, edges: [{ from: 1, to: 1, cost: 1 }] },
      'edges[0]: this Edge does not meet the condition of its class',
    ],
    [
      'in',
      { ...good, edges: [{ from: 1, to: 2, cost: 0.1 }] },
      'edges[0].cost: expected one of [0, 1/4, 1/2, 3/4, 1], found 0.1',
    ],
    [
      'distinct objects',
      { ...good, edges: [good.edges[0]!, { cost: 0.25, to: 1, from: 2 }] },
      'edges: expected different elements, but elements 1 and 2 are equal',
    ],
    [
      'matches',
      { ...good, note: { text: 'abcdef', names: ['a', 'b'] } },
      'note.text: expected a text that matches "[a-z ]{0,5}" and "[^f]*", found "abcdef"',
    ],
    [
      'element',
      { ...good, note: { text: '', names: ['a', 'd'] } },
      'note.names: element 2: expected a text that matches "[a-c]", found "d"',
    ],
    [
      'distinct names',
      { ...good, note: { text: '', names: ['a', 'a'] } },
      'note.names: expected different elements, but elements 1 and 2 are equal',
    ],
    [
      'alternative',
      { ...good, tree: { $: 'Fork', left: good.tree, right: leaf } },
      'tree.left: a Fork is not allowed here',
    ],
  ])('%s', (_, value, expected) => {
    expect(property.check(value)).toBe(expected)
  })

  test('what is made passes, and is valid', () => {
    const one = read({ dictionary: graph, rules })
    const random = stream(5)
    for (let i = 0; i < 300; i++) {
      const made = property.generate(random)
      if (!made.ok) throw new Error(made.problem.message)
      expect(property.check(made.value)).toBeNull()
      expect(one.values.validate(made.value, 'Root')).toBeNull()
    }
  })
})

describe('what cannot be made is a problem with a place and a path, and does not take for ever', () => {
  const cases: readonly (readonly [string, string, string, Json, RegExp])[] = [
    [
      'an empty list to choose from',
      'Root = <n> int. Given = <xs> List(int).',
      'Root.n: in given.xs',
      { xs: [] },
      /^8 n: There is nothing to choose from\.$/,
    ],
    [
      'a range that is empty',
      'Root = <n> int. Given = <x> int.',
      'Root.n: range 1 given.x',
      { x: 0 },
      /^8 n: No whole number is from 1 to 0\.$/,
    ],
    [
      'too few different numbers',
      'Root = <xs> List(int). Given = <x> int.',
      'Root.xs: length given.x, distinct, element range 1 3',
      { x: 4 },
      /^25 xs: The list needs at least 4 different elements, but there are only 3\.$/,
    ],
    [
      'too few different objects',
      'Root = <xs> List(P). P = "(" <a> int ")". Given = <x> int.',
      'Root.xs: length given.x, distinct P.a: range 1 3',
      { x: 4 },
      /^25 xs: The list needs at least 4 different elements, but there are only 3\.$/,
    ],
    [
      'a condition that never holds',
      'Root = <n> int. Given = <x> int.',
      'Root.n: range 1 9 Root: where this.n > given.x',
      { x: 9 },
      /^24 : No Root was found that meets this\.$/,
    ],
    [
      'a formula without a value',
      'Root = <n> int. Given = <x> int.',
      'Root.n: range 0 (9 div given.x)',
      { x: 0 },
      /^19 n: .*Division.*\b0\b/,
    ],
    [
      'more than the budget',
      'Root = <xs> List(int). Given = <x> int.',
      'Root.xs: length given.x',
      { x: 1e12 },
      /\bsteps\b/,
    ],
    [
      'inside a list',
      'Root = <ps> List(P). P = "(" <a> int <b> int ")". Given = <x> int.',
      'Root.ps: length 2 P.b: range 5 given.x',
      { x: 4 },
      /^23 ps\[0\]\.b: No whole number is from 5 to 4\.$/,
    ],
  ]
  test.each(cases)('%s', (_, dictionary, rules, given, expected) => {
    const made = read({ dictionary, rules, given: 'Given' }).property().generate(stream(1), given)
    expect(made.ok).toBe(false)
    if (!made.ok)
      expect(
        `${made.problem.at === null ? '' : made.problem.at - 1} ${made.problem.path}: ${made.problem.message}`,
      ).toMatch(expected)
  })

  test('the same cases leave the empty list, where it is allowed', () => {
    const dictionary = 'Root = <ps> List(P) ";" <ns> List(int). P = "(" <a> int ")". Given = <x> int.'
    const rules = 'Root.ps: length range 0 3 P.a: range 5 given.x Root.ns: length range 0 3, element range 5 given.x'
    const property = read({ dictionary, rules, given: 'Given' }).property()
    expect(property.generate(stream(1), { x: 4 })).toEqual({ ok: true, value: { ps: [], ns: [] } })
    expect(property.check({ ps: [], ns: [] }, { x: 4 })).toBeNull()
  })

  test('lists of different elements are as short as they must be', () => {
    const property = read({
      dictionary: 'Root = <xs> List(int).',
      rules: 'Root.xs: length range 1 9, distinct, element range 1 2',
    }).property()
    const random = stream(2)
    const lengths = new Set(
      Array.from({ length: 50 }, () => {
        const made = property.generate(random)
        return made.ok ? (made.value as { xs: Json[] }).xs.length : 0
      }),
    )
    expect(lengths).toEqual(new Set([1, 2]))
  })
})

test('values that hold themselves end', () => {
  const dictionary = 'Root = <t> Tree. Tree = Leaf | Fork. Leaf = ".". Fork = "(" <many> List(Tree) ")".'
  const property = read({
    dictionary,
    rules: 'Tree: choose { Leaf: 1, Fork: 50 } Fork.many: length range 1 3',
  }).property()
  for (let seed = 0; seed < 20; seed++) {
    const made = property.generate(stream(seed))
    expect(made.ok).toBe(true)
  }
})

test('a value nested very deeply is checked', () => {
  const dictionary = 'Root = <t> Tree. Tree = Leaf | Fork. Leaf = "." <n> int. Fork = "(" <of> Tree ")".'
  const property = read({ dictionary, rules: 'Leaf.n: range 1 3' }).property()
  let deep: Json = { $: 'Leaf', n: 4 }
  for (let i = 0; i < 20_000; i++) deep = { $: 'Fork', of: deep }
  expect(property.check({ t: deep })).toMatch(/^t\.of\.of.*\.of\.n: expected a number from 1 to 3, found 4$/)
})

test('equal streams make equal values, and nothing is said of nothing', () => {
  const one = read({ dictionary: graph, rules: '' })
  const property = one.property()
  for (let seed = 0; seed < 50; seed++) {
    const made = property.generate(stream(seed))
    expect(property.generate(stream(seed))).toEqual(made)
    expect(made.ok && one.values.validate(made.value, 'Root')).toBeNull()
  }
})

test('booleans, characters, verbatim texts, sets and maps', () => {
  const dictionary = `Root = <b> boolean <c> char <v> verbatim <s> Set(ident) ";" <m> Map(ident, int) ";" <d> number.`
  const rules = `Root.b: true Root.c: enum ["x", "y"] Root.s: length 2, element matches "[a-c]"
    Root.m: length range 2 3 Root.d: range -1/4 (1/8)`
  const one = read({ dictionary, rules: rules.replace('-1/4', '(-1/4)') })
  expect(one.faults).toEqual([])
  const property = one.property()
  for (let seed = 0; seed < 100; seed++) {
    const made = property.generate(stream(seed))
    if (!made.ok) throw new Error(made.problem.message)
    expect(one.values.validate(made.value, 'Root')).toBeNull()
    expect(property.check(made.value)).toBeNull()
  }
})

test('objects that another value holds are chosen whole', () => {
  const dictionary = 'Root = <t> T <l> List(T). T = "(" <a> int <b> int ")". Given = <ts> List(T).'
  const property = read({
    dictionary,
    rules: 'Root.t: in given.ts T.a: range 1 5 Root.l: length 2, distinct, subset given.ts',
    given: 'Given',
  }).property()
  const given = {
    ts: [
      { a: 1, b: 2 },
      { b: 3, a: 2 },
      { a: 9, b: 9 },
    ],
  }
  const seen = new Set<string>()
  for (let seed = 0; seed < 60; seed++) {
    const made = property.generate(stream(seed), given)
    if (!made.ok) throw new Error(made.problem.message)
    expect(property.check(made.value, given)).toBeNull()
    seen.add(JSON.stringify((made.value as { t: Json }).t))
  }
  expect(seen).toEqual(new Set(['{"a":1,"b":2}', '{"a":2,"b":3}']))
  expect(property.check({ t: { a: 1, b: 3 }, l: given.ts.slice(0, 2) }, given)).toMatch(/^t: /)
})
