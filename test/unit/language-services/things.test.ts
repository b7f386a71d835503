import { describe, expect, test } from 'vitest'
import { challengeThings } from '../../../grammars/language-services/challenge-things.ts'
import { dictionaryThings } from '../../../grammars/language-services/dictionary-things.ts'
import { edited } from '../../../grammars/language-services/edits.ts'
import { definitionsAt, thingAt } from '../../../grammars/language-services/occurrences.ts'
import { rename } from '../../../grammars/language-services/rename.ts'
import { ERRAND } from '../challenges/mistakes.ts'
import { sourceOf } from '../challenges/shipped.ts'

const knapsack = sourceOf('knapsack')

/** The offset of the n-th occurrence of a part of a text, plus some characters. */
function at(text: string, part: string, plus = 0): number {
  const offset = text.indexOf(part)
  if (offset === -1) throw new Error(`no ${part}`)
  return offset + plus
}

/** The line of the definition of what is at an offset. */
function definition(text: string, offset: number): string | null {
  const [first] = definitionsAt(challengeThings(text), offset)
  if (first === undefined) return null
  const line = text.slice(text.lastIndexOf('\n', first.from) + 1).split('\n', 1)[0]!
  return line.trim()
}

describe('a definition', () => {
  test.each([
    ['a function', at(knapsack, 'require weight(', 8), 'define weight(packed: list of int, items: list of Item) ='],
    ['a function in a sentence', at(knapsack, 'The items weigh {weight(', 17), 'define weight('],
    ['a parameter', at(knapsack, 'sum(items[i]', 4), 'define weight(packed'],
    ['a variable of a gather, before its loop', at(knapsack, 'sum(items[i]', 10), 'define weight(packed'],
    ['a variable of a loop', at(knapsack, 'require item.weight', 8), 'for item at i in instance.items {'],
    ['an index in a sentence', at(knapsack, '"Item {i}', 7), 'for item at i in instance.items {'],
    ['a field of a class', at(knapsack, 'item.weight in', 5), 'Item = *l <weight> int'],
    ['a field in a rule', at(knapsack, 'Item.worth: range', 5), 'Item = *l <weight> int'],
    ['a field in a reference', at(knapsack, '\n  packed =', 4), 'Solution = "pack" <packed>'],
    ['a setting', at(knapsack, 'config.maxItems', 7), 'maxItems = 20 in 1..200'],
    ['a class in a type', at(knapsack, 'list of Item)', 8), 'Item = *l <weight> int'],
    ['a class in a rule', at(knapsack, 'Item.weight: in', 1), 'Item = *l <weight> int'],
    ['a value of the language', at(knapsack, 'require instance.capacity', 9), 'Instance = "sack"'],
    ['a set', at(knapsack, 'set Predicate.weights', 14), 'Predicate = "weights" <weights>'],
  ])('of %s is found', (_, offset, line) => {
    expect(definition(knapsack, offset)).toContain(line)
  })

  test('of a league is found from the examples, and that of an alternative from a match', () => {
    const csp = sourceOf('max-csp')
    expect(definition(csp, at(csp, '  league level-k-reduced (1)', 10))).toContain('league level-k-reduced "Level')
    const cubic = sourceOf('cubic-equations')
    const offset = cubic.indexOf('SquaresAndCubes', cubic.indexOf('match q.kind'))
    expect(definition(cubic, offset)).toContain('SquaresAndCubes = ')
  })

  test('of a word of the language, or of a literal, is not in the file', () => {
    expect(definition(knapsack, at(knapsack, 'measure = sum', 11))).toBeNull()
    expect(definition(knapsack, at(knapsack, 'goal = max', 1))).toBeNull()
  })

  test('is found in a file with mistakes elsewhere', () => {
    const broken = knapsack.replace('>= 1 else "A sack', '== 1 else "A sack')
    expect(definition(broken, at(broken, 'require weight(', 8))).toContain('define weight(')
    expect(definition(broken, at(broken, 'config.maxItems', 7))).toContain('maxItems = 20')
  })
})

describe('a rename', () => {
  const change = (text: string, offset: number, to: string) =>
    rename(
      () => text,
      (read) => challengeThings(read(null) ?? ''),
      offset,
      to,
    )
  test('changes a field in dictionary, formulas, sentences and rules', () => {
    const made = change(knapsack, at(knapsack, 'item.weight in', 5), 'heft')
    expect(made.ok).toBe(true)
    const text = edited(knapsack, made.ok ? made.edits : [])
    expect(text).toContain('<heft> int')
    expect(text).toContain('weighs {item.heft}')
    expect(text).toContain('Item.heft: in')
    expect(text).toContain('define weight(')
    expect(text.match(/heft/g)).toHaveLength(made.ok ? made.edits.length : -1)
  })
  test('tells apart variables of one name in different loops', () => {
    const loops = thingAt(challengeThings(knapsack), at(knapsack, 'for w in predicate', 4))!.thing
    expect(loops.occurrences).toHaveLength(3)
  })
  test.each([
    ['rename-nothing', at(knapsack, 'text {{', 12), 'other'],
    ['rename-fixed', at(knapsack, 'require instance.capacity', 9), 'other'],
    ['rename-fixed', at(knapsack, 'Instance = "sack"', 1), 'Other'],
    ['rename-fixed', at(knapsack, 'require distinct', 9), 'other'],
    ['rename-malformed', at(knapsack, 'define weight', 8), 'two words'],
    ['rename-malformed', at(knapsack, 'define weight', 8), 'require'],
    ['rename-taken', at(knapsack, 'define weight(packed', 15), 'items'],
    ['rename-taken', at(knapsack, '<worth>', 2), 'weight'],
    ['rename-taken', at(knapsack, 'maxItems', 1), 'maxWorth'],
  ])('is refused: %s', (code, offset, to) => {
    const made = change(knapsack, offset, to)
    expect(made.ok ? null : made.code).toBe(code)
  })
  test('is refused while the file has errors', () => {
    const broken = ERRAND.replace('else "Name a size."', 'else')
    const made = change(broken, at(broken, 'define half', 8), 'other')
    expect(made.ok ? null : made.code).toBe('rename-broken')
  })
})

describe('class dictionaries', () => {
  const files: Readonly<Record<string, string>> = {
    '': 'include "pair.cd";\nMain = <left> Pair(Leaf) <other> Leaf.\nLeaf = "leaf".\n',
    'pair.cd': 'Pair(X) = "(" <first> X ")" <leaf> Leaf.\n',
  }
  const read = (file: string | null): string | null => files[file ?? ''] ?? null
  test('a class is defined in an included file, and a parameter where it is declared', () => {
    const things = dictionaryThings(read)
    expect(definitionsAt(things, files['']!.indexOf('Pair('))).toEqual([
      { from: 0, to: 4, isDefinition: true, file: 'pair.cd' },
    ])
    const inner = dictionaryThings((file) => (file === null ? files['pair.cd']! : null))
    expect(definitionsAt(inner, files['pair.cd']!.indexOf('<first> X') + 8)).toEqual([
      { from: 5, to: 6, isDefinition: true },
    ])
  })
  test('a class is renamed in all files', () => {
    const made = rename(read, dictionaryThings, files['']!.indexOf('Leaf.'), 'Blatt')
    expect(made.ok && made.edits.map(({ file, text }) => `${file ?? ''} ${text}`)).toEqual([
      ' Blatt',
      ' Blatt',
      ' Blatt',
      'pair.cd Blatt',
    ])
    const taken = rename(read, dictionaryThings, files['']!.indexOf('Leaf.'), 'Pair')
    expect(taken.ok ? null : taken.code).toBe('rename-taken')
  })
})
