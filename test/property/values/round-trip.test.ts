import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { compileValues } from '../../../grammars/values/index.ts'
import { checkedDictionary } from '../class-dictionary/arbitrary.ts'
import { randomValue } from './random-value.ts'
import { anyText } from '../../any-text.ts'

test('a printed value is read back as the same value, and is valid', () => {
  let fields = 0
  fc.assert(
    fc.property(checkedDictionary, fc.nat(), ({ dictionary, source }, seed) => {
      const values = compileValues(dictionary)
      for (const { name, parameters, flag } of dictionary.definitions) {
        const type = parameters.length === 0 ? name : `${name}(int)`
        const shape = values.shape(type)
        expect(flag).toBeNull()
        if (!shape.ok) throw new Error(`${shape.problem.message}\n${source}`)
        for (let i = 0; i < 5; i++) {
          const value = randomValue(shape.shape, seed + i, (text) => values.validate(text, 'ident') === null)
          expect(values.validate(value, type)).toBeNull()
          const text = values.print(value, type)
          expect({ text, parsed: values.parse(text, type) }).toEqual({ text, parsed: { ok: true, value } })
          fields += text.length
        }
      }
    }),
    { numRuns: 400 },
  )
  expect(fields).toBeGreaterThan(10_000)
})

const language = `E = N | S | V <at> Option(At) ";".
  N = <v> number. S = "(" <l> List(E) ")". V = "v" <n> ident <s> string. At = "@" <line> int.`

test('any text is answered, and what is read is valid and printed back', () => {
  const { dictionary } = readDictionary(language)
  expect(checkDictionary(dictionary!)).toEqual([])
  const values = compileValues(dictionary!)
  const shard = fc.constantFrom(
    '(',
    ')',
    '1',
    '-',
    '2.5e3',
    'v',
    ' ',
    'x',
    '"',
    '"a"',
    '@',
    ';',
    '\n',
    '/*',
    '*/',
    '//',
    '\\',
    '\0',
    '\ud800',
    'é',
    'v x "" ;',
  )
  let read = 0
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(shard).map((shards) => shards.join('')),
        anyText(),
      ),
      (text) => {
        const parsed = values.parse(text, 'List(E)')
        if (!parsed.ok) {
          expect(parsed.problem.at.offset).toBeLessThanOrEqual(text.length)
          return
        }
        read++
        expect(values.validate(parsed.value, 'List(E)')).toBeNull()
        expect(values.parse(values.print(parsed.value, 'List(E)'), 'List(E)')).toEqual(parsed)
      },
    ),
    { numRuns: 3_000 },
  )
  expect(read).toBeGreaterThan(10)
})

test('any JSON is answered: what is valid is printed, what is not is refused', () => {
  const { dictionary } = readDictionary(language)
  const values = compileValues(dictionary!)
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (json) => {
      const value = json as Json
      const wrong = values.validate(value, 'List(E)')
      if (wrong === null) expect(values.parse(values.print(value, 'List(E)'), 'List(E)')).toEqual({ ok: true, value })
      else expect(() => values.print(value, 'List(E)')).toThrow(wrong.message)
    }),
    { numRuns: 1_000 },
  )
})
