import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyse } from '../../../grammars/class-dictionary/checking/checks.ts'
import { checkDictionary, printDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import { compileValues } from '../../../grammars/values/index.ts'
import { anyDictionary } from './arbitrary.ts'
import { withoutPlaces } from './described.ts'
import { anyText } from '../../any-text.ts'

test('what is printed is read back as the same dictionary', () => {
  fc.assert(
    fc.property(anyDictionary, (dictionary) => {
      const text = printDictionary(dictionary)
      const read = readDictionary(text)
      expect(read.problems).toEqual([])
      expect(withoutPlaces(read.dictionary)).toEqual(dictionary)
      expect(printDictionary(read.dictionary!)).toBe(text)
    }),
    { numRuns: 500 },
  )
})

test('checking whatever is read ends, and a dictionary without problems gives values', () => {
  fc.assert(
    fc.property(anyDictionary, (dictionary) => {
      const analysis = analyse(dictionary)
      if (checkDictionary(dictionary).length === 0) expect(analysis.ok).toBe(true)
      // Doubts are problems of a dictionary that has values all the same.
      if (analysis.ok) expect(compileValues(dictionary).shape('int').ok).toBe(true)
      else expect(() => compileValues(dictionary)).toThrow(analysis.problems[0]!.message)
    }),
    { numRuns: 500 },
  )
})

const shard = fc.constantFrom(
  ...[
    'A',
    'B',
    'List',
    'Option',
    'int',
    'x',
    ' = ',
    '.',
    ' | ',
    '<',
    '>',
    '(',
    ')',
    ',',
    '"',
    '"a"',
    ';',
    ':',
    '*s',
    '*',
    '+',
    '-',
  ],
  ...[
    'EOF ',
    'include ',
    'using ',
    'package ',
    'import ',
    'lookahead ',
    'interface ',
    'implements ',
    'nogen ',
    'extern ',
  ],
  ...[
    '//',
    '/*',
    '*/',
    '\n',
    '\r',
    '\\',
    '\0',
    '\ud800',
    '\ufeff',
    '.*',
    '0x1',
    '2',
    'A = B | C <x> int.',
    'A = <x> List(A).',
  ],
)

test('any text is answered, and every place is in it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(shard).map((shards) => shards.join('')),
        anyText(),
      ),
      (text) => {
        const { dictionary, problems } = readDictionary(text, { resolve: (name) => (name === 'a' ? text : null) })
        expect(problems.length > 0).toBe(dictionary === null)
        const all = [...problems, ...(dictionary === null ? [] : checkDictionary(dictionary))]
        const lines = text.split(/\r\n|\n|\r/)
        for (const { at, message } of all) {
          expect(message).toMatch(/^.+\.$/su)
          expect(at.offset).toBeLessThanOrEqual(text.length)
          expect(at.line).toBeLessThanOrEqual(lines.length)
          expect(at.column).toBeLessThanOrEqual(lines[at.line - 1]!.length + 1)
        }
      },
    ),
    { numRuns: 3_000 },
  )
})
