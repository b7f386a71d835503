import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDictionary, printDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import { anyDictionary, checkedDictionary } from './arbitrary.ts'
import { describedPrint, describedTree, description, withoutPlaces } from './described.ts'

const tree = (text: string): unknown => withoutPlaces(readDictionary(text, { dialect: 'C' }).dictionary)

test('the dictionary of dictionaries has no flaw, and reads itself', () => {
  const { dictionary, dialect } = readDictionary(description)
  expect(dialect).toBe('C')
  expect(checkDictionary(dictionary!)).toEqual([])
  expect(describedTree(description)).toEqual(tree(description))
  expect(describedTree(describedPrint(description))).toEqual(tree(description))
})

test('both readers give the same tree of any dictionary', () => {
  fc.assert(
    fc.property(anyDictionary, (dictionary) => {
      const text = printDictionary(dictionary)
      expect(describedTree(text)).toEqual(tree(text))
      expect(tree(describedPrint(text))).toEqual(dictionary)
    }),
    { numRuns: 400 },
  )
})

test('however it is laid out', () => {
  fc.assert(
    fc.property(checkedDictionary, fc.constantFrom(' ', '\n', '/* : */', '// |\r\n'), ({ source }, blank) => {
      const text = source.replace(/ (?=[^"]*(?:"[^"]*"[^"]*)*$)/g, blank)
      const read = tree(text)
      expect(read).not.toBeNull()
      expect(describedTree(text)).toEqual(read)
    }),
    { numRuns: 200 },
  )
})

test('words that run into printing commands', () => {
  const text = 'A = *simplements B. C = *s*tEOF*l"x". package = .'
  expect(describedTree(text.replace('package', 'D'))).toEqual(tree(text.replace('package', 'D')))
  expect(describedTree(text)).toBeNull()
})

const shard = fc.constantFrom(
  ...['A', 'B', ' = ', '.', ' | ', '<', '>', '(', ')', ',', '"a"', ';', ':', '*s', '+', '-', 'EOF ', ' red ', '.*'],
  ...['include ', 'using ', 'package ', 'import ', 'lookahead ', 'interface ', 'implements ', 'nogen ', '2', '0x2'],
  ...['A = B | C <x> int.', 'A(X: Y) = <x> List(A) implements B, C(D).', 'interface I = (A | B).', '/* */', '//\n'],
)

test('what the grammar does not read, the description does not read either', () => {
  let both = 0
  fc.assert(
    fc.property(fc.array(shard, { maxLength: 8 }), (shards) => {
      const text = shards.join('')
      const read = readDictionary(text, { dialect: 'C' }).dictionary
      if (read !== null) both++
      expect(describedTree(text)).toEqual(withoutPlaces(read))
    }),
    { numRuns: 4_000 },
  )
  expect(both).toBeGreaterThan(50)
})
