import { describe, expect, test } from 'vitest'
import { readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { compileValues } from '../../../grammars/values/index.ts'
import type { Values } from '../../../grammars/values/index.ts'

function valuesOf(text: string): Values {
  const { dictionary, problems } = readDictionary(text)
  expect(problems).toEqual([])
  return compileValues(dictionary!)
}

function parsed(values: Values, text: string, type: string): Json {
  const result = values.parse(text, type)
  if (!result.ok) throw new Error(`${result.problem.at.line}:${result.problem.at.column} ${result.problem.message}`)
  return result.value
}

function refusal(values: Values, text: string, type: string): string {
  const result = values.parse(text, type)
  if (result.ok) throw new Error(`read as ${JSON.stringify(result.value)}`)
  return `${result.problem.at.line}:${result.problem.at.column} ${result.problem.message}`
}

const csp = valuesOf(`
  Instance = <variables> List(ident) ";" *l <constraints> List(Constraint).
  Constraint = <relation> int <weight> Option(Weight) ":" *s <vars> List(ident) "." *l.
  Weight = "*" <w> int.`)

const expressions = valuesOf(`
  E = Sum | Number | Name <note> Option(Note).
  Sum = "(" + *l <terms> List(E) - *l ")".
  Number = <value> number.
  Name = "var" *s <name> ident.
  Note = <text> string.
  Pair(X, Y) = "<" <a> X "," <b> Y ">".
  All = <pairs> List(Pair(int, E)) EOF.`)

describe('reading', () => {
  test('an instance', () => {
    expect(parsed(csp, 'x y;// two\n22:x y . 4 * 3: /* none */ .', 'Instance')).toEqual({
      variables: ['x', 'y'],
      constraints: [
        { relation: 22, weight: null, vars: ['x', 'y'] },
        { relation: 4, weight: { w: 3 }, vars: [] },
      ],
    })
  })

  test('alternatives carry their name, shared fields come last', () => {
    const value = parsed(expressions, '(1 -2.50"half" var x)', 'E')
    expect(JSON.stringify(value)).toBe(
      '{"$":"Sum","terms":[{"$":"Number","value":1,"note":null},{"$":"Number","value":-2.5,"note":{"text":"half"}},' +
        '{"$":"Name","name":"x","note":null}],"note":null}',
    )
  })

  test('types with arguments, used in the dictionary or not', () => {
    expect(parsed(expressions, '<1,<a,"b">>', 'Pair(int, Pair(ident, string))')).toEqual({
      a: 1,
      b: { a: 'a', b: 'b' },
    })
    expect(parsed(expressions, '<1,2><3,4>', 'All')).toMatchObject({ pairs: [{ a: 1 }, { a: 3 }] })
    expect(parsed(csp, '', 'List(int)')).toEqual([])
    expect(parsed(csp, '1.5 2', 'List(number)')).toEqual([1.5, 2])
  })

  test.each([
    ['0', 0],
    ['-0', 0],
    ['007', 7],
    ['1.0', 1],
    ['10e-1', 1],
    ['1E+2', 100],
    ['0.10', 0.1],
    ['123456789.123456', 123456789.123456],
    ['1e21', 1e21],
    ['0e999999999999999999999', 0],
  ])('the number %s', (text, value) => {
    expect(parsed(expressions, text, 'number')).toBe(value)
  })

  test.each([
    ['0.1000000000000000000001', 'The number 0.1000000000000000000001 cannot be kept exactly.'],
    ['9007199254740993', 'The number 9007199254740993 cannot be kept exactly.'],
    ['1e400', 'The number 1e400 cannot be kept exactly.'],
    ['1e-400', 'The number 1e-400 cannot be kept exactly.'],
    [`1e-${'9'.repeat(100)}`, `The number 1e-${'9'.repeat(34)}... cannot be kept exactly.`],
  ])('but not %s', (text, message) => {
    expect(refusal(expressions, text, 'number')).toBe(`1:1 ${message}`)
  })

  test('the longest token wins, and a literal over a name', () => {
    const values = valuesOf(
      'A = <x> List(X). X = If | In | Dots | Name | Minus. If = "if". In = "1in3". Dots = ".." . Name = <n> ident. Minus = "-" <i> int.',
    )
    const names = (text: string): string => JSON.stringify(parsed(values, text, 'List(X)'))
    expect(names('if iff')).toBe('[{"$":"If"},{"$":"Name","n":"iff"}]')
    expect(names('1in3..if')).toBe('[{"$":"In"},{"$":"Dots"},{"$":"If"}]')
    expect(names('- 5 x')).toBe('[{"$":"Minus","i":5},{"$":"Name","n":"x"}]')
    expect(refusal(values, '-5', 'List(X)')).toContain('1:1 Expected a name,')
    expect(refusal(values, '1in34', 'List(X)')).toContain('found `1`')
    expect(values.validate('if', 'ident')?.message).toContain('literal of this dictionary')
    expect(refusal(values, 'if', 'ident')).toBe('1:1 Expected a name, found `if`.')
  })

  test('a literal that looks like a number is one where a number is wanted', () => {
    const values = valuesOf('A = "1" <x> int.')
    expect(parsed(values, '1 1', 'A')).toEqual({ x: 1 })
    expect(values.print({ x: 1 }, 'A')).toBe('1 1')
  })

  test('a literal can switch off comments and strings', () => {
    expect(parsed(valuesOf('A = "//" <x> ident.'), '// x', 'A')).toEqual({ x: 'x' })
    expect(parsed(valuesOf('A = "\\"" <x> ident "\\"".'), '"x"', 'A')).toEqual({ x: 'x' })
  })
})

describe('problems say where and what', () => {
  test.each([
    ['Instance', 'x y;\n22: x', '2:6 Expected a name or `.`, found the end of the text.'],
    ['Instance', 'x;\r\n22 22', '2:4 Expected `:` or `*`, found `22`.'],
    ['Instance', 'x ; 9007199254740993:.', '1:5 The whole number 9007199254740993 is too large.'],
    ['Instance', 'x ; #', '1:5 Expected a whole number or the end of the text, found the character `#`.'],
    ['Instance', 'x \0', '1:3 Expected a name or `;`, found the character U+0000.'],
    ['Instance', 'x /* y', '1:3 The comment is not closed.'],
    ['Weight', '*3 4', '1:4 Expected the end of the text, found `4`.'],
    ['Weigth', '*3', '1:1 The class `Weigth` is not defined.'],
    ['List(', '', '1:6 Expected a name, found the end of the text.'],
    ['List', '', '1:1 `List` takes 1 type argument, but here it has 0.'],
  ])('%s of %j', (type, text, message) => {
    expect(refusal(csp, text, type)).toBe(message)
  })

  test('a string that does not end', () => {
    expect(refusal(expressions, '1 "a\n"', 'E')).toBe(
      '1:3 The string is not closed on its line, or has an unknown escape.',
    )
    expect(refusal(expressions, '1 "\ud800"', 'E')).toBe('1:3 The string contains half a character (a lone surrogate).')
  })

  test('positions are shifted to where the text stands', () => {
    const at = { line: 7, column: 3, offset: 90 }
    expect(csp.parse('*x', 'Weight', at)).toMatchObject({ problem: { at: { line: 7, column: 4, offset: 91 } } })
    expect(csp.parse('*\n x', 'Weight', at)).toMatchObject({ problem: { at: { line: 8, column: 2, offset: 93 } } })
  })
})

describe('printing', () => {
  test('follows the printing commands', () => {
    const text = parsed(expressions, '((1 2)"a" var x -3)', 'E')
    expect(expressions.print(text, 'E')).toBe('(\n  (\n    1 2\n  )"a"var x -3\n)')
    expect(csp.print(parsed(csp, 'x y;22*2:x y.1:.', 'Instance'), 'Instance')).toBe('x y;\n22*2: x y.\n1: .\n')
  })

  test('refuses what is not a value', () => {
    expect(() => csp.print({ w: 'x' }, 'Weight')).toThrow(
      new TypeError('w: expected a whole number, found the string "x"'),
    )
    expect(() => csp.print(1, 'Foo')).toThrow('The class `Foo` is not defined.')
  })
})

describe('validating', () => {
  const valid = { variables: ['x'], constraints: [{ relation: 1, weight: { w: 2 }, vars: ['x'] }] }

  test('a value, which a fault in its depth spoils', () => {
    expect(csp.validate(valid, 'Instance')).toBeNull()
    const [constraint] = valid.constraints
    const spoiled = { ...valid, constraints: [constraint!, { ...constraint!, weight: { w: '2' } }] }
    expect(csp.validate(spoiled, 'Instance')?.path).toBe('constraints[1].weight.w')
  })

  const weight = (w: Json): Json => ({ ...valid, constraints: [{ relation: 1, weight: w, vars: [] }] })
  test.each<[string, Json, string]>([
    ['null', null, ': expected an object, a `Instance`, found nothing'],
    ['a list', [], ': expected an object, a `Instance`, found a list'],
    ['a field missing', { variables: [] }, ': the field "constraints" of `Instance` is missing'],
    ['a field too many', { ...valid, more: 1 }, ': `Instance` has no field "more"'],
    ['$ where there is no choice', { ...valid, $: 'Instance' }, ': `Instance` has no field "$"'],
    [
      '__proto__ of its own',
      JSON.parse('{"variables":[],"constraints":[],"__proto__":{}}') as Json,
      ': `Instance` has no field "__proto__"',
    ],
    [
      '__proto__ for a field',
      JSON.parse('{"variables":[],"__proto__":{"constraints":[]}}') as Json,
      ': the field "constraints" of `Instance` is missing',
    ],
    [
      'a keyword of JavaScript for a weight',
      weight({ constructor: 1 }),
      'constraints[0].weight: the field "w" of `Weight` is missing',
    ],
    ['a fraction', weight({ w: 0.5 }), 'constraints[0].weight.w: 0.5 is not a whole number, or too large'],
    ['NaN', weight({ w: NaN }), 'constraints[0].weight.w: NaN is not a whole number, or too large'],
    ['minus zero', weight({ w: -0 }), 'constraints[0].weight.w: -0 is not allowed, write 0'],
    [
      'a large number',
      weight({ w: 2 ** 53 }),
      'constraints[0].weight.w: 9007199254740992 is not a whole number, or too large',
    ],
    ['a name with a space', { ...valid, variables: ['x', 'a b'] }, 'variables[1]: "a b" is not a name'],
    ['a list with a hole', { ...valid, variables: new Array<Json>(1) }, 'variables[0]: expected a name, found nothing'],
    ['undefined in disguise', { ...valid, variables: true }, 'variables: expected a list, found true'],
  ])('%s', (_, value, message) => {
    const wrong = csp.validate(value, 'Instance')
    expect(wrong === null ? 'valid' : `${wrong.path}: ${wrong.message}`).toBe(message)
  })

  test.each<[Json, string, string]>([
    [{ value: 1, note: null }, 'E', '"$" is missing: it names the alternative of `E`'],
    [{ $: 'E', value: 1, note: null }, 'E', '"E" is not an alternative of `E`'],
    [{ $: 'toString', note: null }, 'E', '"toString" is not an alternative of `E`'],
    [{ $: ['Number'], value: 1, note: null }, 'E', '"$" is missing: it names the alternative of `E`'],
    [Infinity, 'number', 'Infinity is not a number of this language'],
    ['\ud800', 'string', 'the string contains half a character (a lone surrogate)'],
    ['x', 'Zork', 'The class `Zork` is not defined.'],
  ])('%j as %s', (value, type, message) => {
    expect(expressions.validate(value, type)).toEqual({ path: '', message })
  })
})

describe('shapes', () => {
  test('are cyclic, with shared fields last and inner alternatives in place of abstract ones', () => {
    const values = valuesOf('A = B | E <x> int. B = C | D <y> ident. C = "c" <a> Option(A). D = "d". E = "e".')
    const a = values.shape('A')
    if (!a.ok || a.shape.kind !== 'choice') throw new Error('A is a choice')
    expect(a.shape.alternatives.map(({ name, fields }) => [name, fields.map(({ label }) => label)])).toEqual([
      ['C', ['a', 'y', 'x']],
      ['D', ['y', 'x']],
      ['E', ['x']],
    ])
    const option = a.shape.alternatives[0]!.fields[0]!.type
    expect(option.kind === 'option' && option.of).toBe(a.shape)
    expect(values.shape('A')).toEqual(a)
    expect(values.shape('List(List(int))')).toEqual({
      ok: true,
      shape: { kind: 'list', of: { kind: 'list', of: { kind: 'int' } } },
    })
  })

  test('an option of an option would have two JSON forms', () => {
    expect(csp.shape('Option(Option(int))')).toMatchObject({
      ok: false,
      problem: { message: '`Option(Option(int))` could be null in two ways.' },
    })
    expect(csp.validate(null, 'Option(Option(int))')).not.toBeNull()
  })

  test('types without values are told', () => {
    const values = valuesOf('A = <x> List(B). B = <y> E. C = "c" <z> int. extern E = <w> int.')
    expect(values.shape('A')).toMatchObject({
      ok: false,
      problem: { message: '`A` has no values here: it contains the extern class `E`.' },
    })
    expect(values.parse('', 'A').ok).toBe(false)
    expect(values.shape('C').ok).toBe(true)
  })

  test('only a dictionary without problems has values', () => {
    const { dictionary } = readDictionary('A = <x> B.')
    expect(() => compileValues(dictionary!)).toThrow('The class `B` is not defined.')
  })
})

describe('size', () => {
  const nested = (depth: number): string => `${'('.repeat(depth)}1${')'.repeat(depth)}`

  test('10,000 levels are read, checked and printed', () => {
    const text = nested(10_000)
    const value = parsed(expressions, text, 'E')
    expect(expressions.validate(value, 'E')).toBeNull()
    expect(expressions.print(value, 'E').replaceAll(/\s/g, '')).toBe(text)
  })

  test('what is deeper still is a problem, not an overflow', () => {
    expect(refusal(expressions, nested(100_000), 'E')).toContain('nested more than 50000 deep')
    let deep: Json = { $: 'Number', value: 1, note: null }
    for (let i = 0; i < 100_000; i++) deep = { $: 'Sum', terms: [deep], note: null }
    const wrong = expressions.validate(deep, 'E')
    expect(wrong?.message).toContain('nested more than 50000 deep')
    expect(wrong?.path.length).toBeLessThan(1_000)
  })

  test('every element of a long list is in its place', () => {
    const numbers = Array.from({ length: 10_000 }, (_, i) => i)
    expect(parsed(csp, numbers.join(' '), 'List(int)')).toEqual(numbers)
    const pairs = valuesOf('A = "a" <l> List(B) ".". B = "b" <l> List(int) ";".')
    const text = `a ${numbers.map((n) => `b ${n} ${n};`).join(' ')}.`
    expect(parsed(pairs, text, 'A')).toEqual({ l: numbers.map((n) => ({ l: [n, n] })) })
  })

  test('a million elements', () => {
    const value = parsed(csp, '7 '.repeat(1_000_000), 'List(int)')
    expect(value).toHaveLength(1_000_000)
    expect(csp.validate(value, 'List(int)')).toBeNull()
    expect(csp.print(value, 'List(int)')).toHaveLength(1_999_999)
  })
})
