import { describe, expect, test } from 'vitest'
import { parseFormula } from '../../../grammars/formulas/index.ts'
import type { ClassShape, Shape } from '../../../grammars/values/index.ts'
import { definitionOf, run } from './run.ts'
import { saying, type Fact } from '../../refusal.ts'

const int: Shape = { kind: 'int' }
const ints: Shape = { kind: 'list', of: int }
const circle: ClassShape = { kind: 'class', name: 'Circle', fields: [{ label: 'radius', type: { kind: 'number' } }] }
const square: ClassShape = {
  kind: 'class',
  name: 'Square',
  fields: [
    { label: 'side', type: int },
    { label: 'name', type: { kind: 'ident' } },
  ],
}
const entry: ClassShape = {
  kind: 'class',
  name: 'Entry(ident, number)',
  fields: [
    { label: 'key', type: { kind: 'ident' } },
    { label: 'val', type: { kind: 'number' } },
  ],
}
const figure: Shape = { kind: 'choice', name: 'Figure', alternatives: [circle, square] }
const names = {
  xs: [ints, [3, 1, 4, 1, 5]],
  none: [ints, []],
  round: [figure, { $: 'Circle', radius: 0.1 }],
  sq: [square, { side: 2, name: 'box' }],
  maybe: [{ kind: 'option', of: int }, 7],
  absent: [{ kind: 'option', of: int }, null],
  colours: [
    { kind: 'list', of: entry, sorted: 'map' },
    Array.from({ length: 12 }, (_, i) => ({ key: `v${i}`, val: i / 4 })),
  ],
} as const

function value(text: string): string {
  return run(text, { names })
}

describe('arithmetic is exact', () => {
  test.each([
    ['1 + 2 * 3', '7'],
    ['(1 + 2) * 3', '9'],
    ['10 - 3 - 2', '5'],
    ['-2 * -3', '6'],
    ['--2', '2'],
    ['0.1 + 0.2', '3/10'],
    ['0.1 + 0.2 = 0.3', 'true'],
    ['1 / 3 + 1 / 6', '1/2'],
    ['6 / 3', '2'],
    ['7 div 2', '3'],
    ['-7 div 2', '-4'],
    ['-7 mod 3', '2'],
    ['7 mod -3', '-2'],
    ['-6 mod 3', '0'],
    ['9007199254740991 + 1', '9007199254740992'],
    ['9007199254740991 * 9007199254740991', '81129638414606663681390495662081'],
    ['9007199254740993 - 9007199254740992', '1'],
    ['9007199254740993 div 2', '4503599627370496'],
    ['abs(-5)', '5'],
    ['abs(-1/2)', '1/2'],
    ['floor(-1/2)', '-1'],
    ['floor(7)', '7'],
    ['min(3, 1/2, 2)', '1/2'],
    ['max(3, 1/2, 4)', '4'],
  ])('%s is %s', (text, expected) => {
    expect(value(text)).toBe(expected)
    // Once more with operands that are not constants, so that no part is folded.
    const open = text.replace(/\d+(\.\d+)?/g, (digits) => `(${digits} * xs[2])`)
    expect(value(open)).toBe(expected)
  })
})

test.each([
  ['true and not false', 'true'],
  ['false or false', 'false'],
  ['not 1 = 2', 'true'],
  ['1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2 and 1 != 2', 'true'],
  ['1/2 < 2/3', 'true'],
  ['false and xs[99] = 1', 'false'],
  ['true or xs[99] = 1', 'true'],
  ['4 in xs', 'true'],
  ['2 not in xs', 'true'],
  ['3 in 1..5', 'true'],
  ['6 in 1..5', 'false'],
  ['1/2 in 0..1', 'true'],
  ['[1, 3] subset xs', 'true'],
  ['[1, 2] subset xs', 'false'],
  ['[] subset xs', 'true'],
  ['length(xs)', '5'],
  ['length(1..4)', '4'],
  ['length(4..1)', '0'],
  ['xs[1]', '3'],
  ['xs[length(xs)]', '5'],
  ['(2..4)[2]', '3'],
  ['[x * x for x in xs where x > 1]', '[9, 16, 25]'],
  ['[i * 10 + x for x at i in xs]', '[13, 21, 34, 41, 55]'],
  ['[10 * a + b for a in 1..2 for b in a..2]', '[11, 12, 22]'],
  ['sum(xs)', '14'],
  ['sum(x for x in xs where x mod 2 = 1)', '10'],
  ['sum(a * b for a in 1..3 for b in 1..3)', '36'],
  ['sum(none)', '0'],
  ['count(x for x in xs where x = 1)', '2'],
  ['count(a for a in 1..3 for b in 1..a)', '6'],
  ['all(x > 0 for x in xs)', 'true'],
  ['all(x > 0 for x in none)', 'true'],
  ['exists(x = 5 for x in xs)', 'true'],
  ['exists(a + b = 9 for a in xs for b in xs)', 'true'],
  ['exists(x = 5 for x in none)', 'false'],
  ['min(xs)', '1'],
  ['max(x * y for x in xs for y in xs where x != y)', '20'],
  ['max(x / 2 for x in xs)', '5/2'],
  ['distinct(xs)', 'false'],
  ['distinct(x for x in xs where x != 1)', 'true'],
  ['distinct([[1, 2], [2, 1], [1, 2]])', 'false'],
  ['distinct(x / 2 for x in 1..20)', 'true'],
  ['[1, 2] in [[2, 1], [1, 2]]', 'true'],
  ['let y = 3; let z = y + 1; y * z', '12'],
  ['if 1 < 2 then "yes" else "no"', 'yes'],
  ['if 1 > 2 then 1 else if 2 > 3 then 2 else 3', '3'],
  ['bit(22, 1) and bit(22, 2) and bit(22, 4) and not bit(22, 0)', 'true'],
  ['bit(2251799813685248, 51) and not bit(2251799813685248, 50)', 'true'],
  ['match round { Circle c: c.radius * 10, Square s: s.side }', '1'],
  ['match round { Square s: s.side, else: 0 }', '0'],
  ['match maybe { some v: v + 1, none: 0 }', '8'],
  ['match absent { some v: v + 1, none: 0 }', '0'],
  ['sq.name = "box"', 'true'],
  ['sq = sq', 'true'],
  ['0 < xs[2] <= 1 < length(xs)', 'true'],
  ['not 3 > 2 > 2', 'true'],
  ['false and 1 <= xs[99] <= 2', 'false'],
  ['2 <= 1 <= xs[99]', 'false'],
  ['fold(s * 10 + x from s = 0 for x in xs where x != 1)', '345'],
  ['fold(s + x from s: number = 1/2 for x in [])', '1/2'],
  ['let from = 3; from + 1', '4'],
  ['[1] + [] + [2, 1/2]', '[1, 2, 1/2]'],
  ['sort(1 / x for x in xs)', '[1/5, 1/4, 1/3, 1, 1]'],
  ['allDifferent(xs) or not allDifferent(x for x in xs where x > 1)', 'false'],
  ['connected(2, []) or not connected(1, [])', 'false'],
  ['"a\\"b\\n"', 'a"b\n'],
  ['1 // one\n + /* two * */ 2', '3'],
])('%s is %s', (text, expected) => {
  expect(value(text)).toBe(expected)
})

test.each([
  ['1 +', '3: Found the end of the text where a value is expected.'],
  ['(1', '2: Found the end of the text where ")" is expected.'],
  ['1 2', '2: Found "2" where nothing more is expected.'],
  ['1 < 2 > 3', '6: ">" cannot follow another one; use "and" or parentheses.'],
  ['1 < 2 = 2', '6: "=" cannot follow another one; use "and" or parentheses.'],
  ['1 <= true < 3', '5: Each side of "<" must be of type number, but this is of type boolean.'],
  ['1 # 2', '2: "#" means nothing here.'],
  ['"open', '0: This text is not closed, or contains an invalid backslash.'],
  ['/* open', '0: This comment is not closed.'],
  ['1 + true', '4: Each side of "+" must be of type number, but this is of type boolean.'],
  ['xs and true', '0: Each side of "and" must be of type boolean, but this is of type list of int.'],
  ['not 1', '4: What follows "not" must be of type boolean, but this is of type int.'],
  ['1/2 mod 2', '1: Each side of "mod" must be of type int, but this is of type number.'],
  ['sq.size', '3: Square has no field "size".'],
  ['xs.size', '3: A value of type list of int has no fields, so no "size".'],
  ['sq[1]', '2: A list is expected here, but this is of type Square.'],
  ['xs[0]', '2: Lists have no element 0.'],
  ['xs[1/2]', '4: The number of an element must be of type int, but this is of type number.'],
  ['sq = 1', '3: A value of type Square never equals one of type int.'],
  ['"a" in xs', '4: A value of type text cannot be in one of type list of int.'],
  ['xs subset 1', '3: Both sides of "subset" must be lists of one type, but these are list of int and int.'],
  ['[1, true]', '4: The elements of a list must be of one type, but these are int and boolean.'],
  ['if 1 then 2 else 3', '3: What follows "if" must be of type boolean, but this is of type int.'],
  [
    'if true then 2 else xs',
    '20: The values after "then" and "else" must be of one type, but these are int and list of int.',
  ],
  ['y', '0: There is no "y" here.'],
  ['sum(x for x in 3)', '15: A list is expected here, but this is of type int.'],
  ['sum(x > 1 for x in xs)', '6: What sum(...) gathers must be of type number, but this is of type boolean.'],
  ['count(x > 1 for x in xs)', '8: count(...) counts all values, true or false.'],
  ['all(x for x in xs)', '4: What all(...) gathers must be of type boolean, but this is of type int.'],
  ['[x for x in xs where x]', '21: What follows "where" must be of type boolean, but this is of type int.'],
  ['[xs for xs in xs]', '4: "xs" already has a meaning here; choose another name.'],
  ['abs(x for x in xs)', '0: "abs" cannot be used with "for".'],
  ['length(xs, xs)', '0: length(...) takes 1 value, not 2.'],
  ['sort(xs, xs)', '0: sort(...) takes 1 value, not 2.'],
  ['join(1 for x in xs)', '5: join(...) takes a list of texts here, but this is of type list of int.'],
  ['slice(xs, 1/2, 2)', '11: slice(...) takes an int here, but this is of type number.'],
  ['sort([sq])', '5: sort(...) takes a list of numbers or of texts here, but this is of type list of Square.'],
  ['position(xs, "a")', '13: position(...) takes a value of the type of the elements here, but this is of type text.'],
  ['isTree(3, [sq])', '10: isTree(...) takes a list of edges here, but this is of type list of Square.'],
  ['isPermutation(["a"])', '14: isPermutation(...) takes a list of ints here, but this is of type list of text.'],
  ['length(1)', '7: length(...) takes a list or a text, but this is of type int.'],
  ['sort(y)', '5: There is no "y" here.'],
  ['fold(x for x in xs)', '0: "fold" cannot be used with "for".'],
  ['sum(x from s = 0 for x in xs)', '11: Only fold(...) takes "from", and sum(...) does not.'],
  ['fold(s + [x] from s = [] for x in xs)', '18: The type of s is not known from an empty list.'],
  ['fold(s / 2 from s = 1 for x in xs)', '7: fold(...) gives s of type int a value of type number.'],
  ['fold(s from s: text = 1 for x in xs)', '22: The start s must be of type text, but this is of type int.'],
  ['fold(s from xs = 1 for x in xs)', '12: "xs" already has a meaning here; choose another name.'],
  ['xs + 1', '3: "+" adds two numbers, or joins two lists or two texts, but these are list of int and int.'],
  ['sq.name + xs', '8: "+" adds two numbers, or joins two lists or two texts, but these are text and list of int.'],
  ['frob(1)', '0: No function "frob" is defined above.'],
  ['match sq { Circle c: 1 }', '0: Only an abstract class or an option can be matched, but this is of type Square.'],
  ['match round { Circle c: 1 }', '0: This match has no case for Square.'],
  ['match round { Circle c: 1, Circle d: 1, else: 2 }', '27: This case is never reached.'],
  ['match round { Box: 1, else: 2 }', '14: Figure has no alternative "Box".'],
  ['match maybe { none v: 1, else: 2 }', '14: "none" has no value to name.'],
  ['round.radius', '6: Not every Figure has a field "radius" of one type.'],
])('%s is refused: %s', (text, expected) => {
  expect(value(text)).toBe(expected)
})

test.each<[string, string, ...Fact[]]>([
  ['xs[6]', '2: ', 'element', 6, 5],
  ['xs[xs[1] - 3]', '2: ', 'element', 0, 5],
  ['xs[9007199254740993]', '2: ', 'element', 'large', 5],
  ['1 / 0', '2: ', 'Division', 0],
  ['1 / (xs[1] - 3)', '2: ', 'Division', 0],
  ['1 mod (xs[1] - 3)', '2: ', 'Division', 0],
  ['min(none)', '0: ', 'min(...)', 'one'],
  ['bit(xs[1] - 9, 1)', '0: ', 'bit(number', 0],
  ['sum(i for i in 1..9007199254740992)', '?: ', 'steps'],
  ['sum(1 for a in 1..100000 for b in 1..100000)', '?: ', 'steps'],
  ['first(x for x in xs where x > 9)', '0: ', 'first(...)', 'one'],
  ['lookup(colours, "v12")', '0: ', 'entry', 'v12'],
  ['sqrt(xs[1] - 4)', '0: ', 'sqrt(...)', 0],
  ['split(sq.name, "")', '0: ', 'split(...)', 'separator'],
  ['connected(3, [[1, 2], [2, 5]])', '0: ', 'edge', 5, 3],
  ['connected(3, [[1, 2, 3]])', '0: ', 'edge', 'two', '[1, 2, 3]'],
  ['reachable(2, [[1, 2]], 1, 3)', '0: ', 'vertex', 3, 2],
])('%s has no value: %s', (text, place, ...facts) => {
  expect(value(text).slice(0, place.length)).toBe(place)
  expect(value(text)).toEqual(saying(...facts))
})

test('what nests too deeply is refused with its place', () => {
  const message = 'This nests too deeply or is too long; name a part of it with define or let.'
  expect(value(`${'('.repeat(1000)}1`)).toBe(`60: ${message}`)
  expect(value(`1${'+1'.repeat(1000)}`)).toBe(`1: ${message}`)
  expect(value(`${'- '.repeat(1000)}1`)).toBe(`0: ${message}`)
  expect(value(`xs${'[1]'.repeat(1000)}`)).toContain(message)
})

test('numbers cannot grow without end', () => {
  const squares = Array.from({ length: 20 }, (_, i) => `let a${i + 1} = ${i ? `a${i} * a${i}` : 'xs[1] * 99'}; `)
  expect(value(`${squares.join('')}a20`)).toEqual(saying('178: ', 'number', 4096))
})

test('lists that share their parts are not compared part by part for ever', () => {
  const doubled = (name: string): string =>
    Array.from(
      { length: 26 },
      (_, i) => `let ${name}${i + 1} = ${i ? `[${name}${i}, ${name}${i}]` : '[xs[1]]'}; `,
    ).join('')
  expect(value(`${doubled('a')}${doubled('b')}a26 = b26`)).toEqual(saying('?: ', 'steps'))
})

test('a budget of steps is kept to the step', () => {
  expect(run('sum(x for x in xs)', { names, steps: 5 })).toBe('14')
  expect(run('sum(x for x in xs)', { names, steps: 4 })).toEqual(saying('?: ', 'steps'))
})

describe('functions', () => {
  const body = parseFormula('let s = c.side; s * n')
  if ('message' in body) throw new Error(body.message)
  const area = {
    at: 0,
    name: 'times',
    parameters: [
      { at: 0, name: 'c', type: { kind: 'named' as const, at: 0, name: 'Square' } },
      { at: 0, name: 'n', type: { kind: 'named' as const, at: 0, name: 'number' } },
    ],
    result: null,
    body,
  }
  test.each([
    ['times(sq, 3)', '6'],
    ['times(sq, times(sq, times(sq, 1/2)))', '4'],
    ['sum(times(sq, x) for x in xs)', '28'],
    ['times(sq)', '0: times(...) takes 2 values, not 1.'],
    ['times(1, 2)', '6: What times(...) takes must be of type Square, but this is of type int.'],
  ])('%s is %s', (text, expected) => {
    expect(run(text, { names, definitions: [area], classes: [square] })).toBe(expected)
  })

  test('the own function of a file comes before one that the language got later', () => {
    const definitions = [definitionOf('define sort(n: int) = n + 1'), definitionOf('define allDifferent(n: int) = 7')]
    expect(run('sort(1)', { definitions })).toBe('2')
    expect(run('allDifferent(1)', { definitions })).toBe('7')
    expect(run('sort(x for x in 1..2)', { definitions })).toContain('cannot be used with "for"')
  })

  test('none calls itself or takes the name of another', () => {
    const itself = parseFormula('loop(1)')
    if ('message' in itself) throw new Error(itself.message)
    const loop = { at: 5, name: 'loop', parameters: [], result: null, body: itself }
    expect(run('1', { definitions: [loop] })).toBe('0: No function "loop" is defined above.')
    expect(run('1', { definitions: [{ ...area, name: 'sum' }], classes: [square] })).toContain(
      'is a function of the language',
    )
    expect(run('1', { definitions: [area, area], classes: [square] })).toContain('already defined above')
    expect(run('1', { definitions: [area] })).toBe('0: The type "Square" is unknown.')
  })
})

describe('looking up', () => {
  test.each([
    ['first(x for x in xs where x > 3)', '4'],
    ['first(x + y for x in xs for y in xs where x > y)', '4'],
    ['lookup(colours, "v7")', '7/4'],
    ['lookup([c for c in colours where c.val < 1], "v1")', '1/4'],
    ['has(colours, "v11") and not has(colours, "x")', 'true'],
    ['[c.key for c in colours where c.val = 0.5]', '[v2]'],
    ['lookup(colours, 1)', '16: The key that lookup(...) looks for must be of type text, but this is of type int.'],
    ['lookup(xs, 1)', '0: lookup(...) looks in entries with "key" and "val", but these are int.'],
    ['has(colours)', '0: has(...) takes 2 values, not 1.'],
    ['[2 * x for x in []] = xs', 'false'],
  ])('%s: %s', (text, expected) => {
    expect(value(text)).toBe(expected)
  })

  test('a long list of entries is looked into in one step each time', () => {
    const entries = Array.from({ length: 1000 }, (_, i) => ({ key: `v${i}`, val: i }))
    const many = { map: [{ kind: 'list', of: entry, sorted: 'map' }, entries] } as const
    const text = 'sum(lookup(map, "v999") for i in 1..1000)'
    expect(run(text, { names: many, steps: 4000 })).toBe('999000')
    expect(run(text, { names: many, steps: 2000 })).toEqual(saying('?: ', 'steps'))
  })
})
