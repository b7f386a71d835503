import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALLOWANCE, automatonOf, intersectionOf } from '../../../grammars/properties/expressions/automaton.ts'
import { randomChooser } from '../../../grammars/properties/making/chooser.ts'
import { BadExpression, readExpression } from '../../../grammars/properties/expressions/expression.ts'
import { Language } from '../../../grammars/properties/expressions/language.ts'
import { stream } from '../../unit/properties/read.ts'
import { anyText } from '../../any-text.ts'

const expressions: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom('a', 'b', '.', '\\d', '\\w', '\\s', '\\.', '[a-c]', '[^a-c]', '[-x]', '[\\]^]', '-', 'é', ''),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a}|${b})`),
    fc.tuple(tie('text'), fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,3}')).map(([a, times]) => `(${a})${times}`),
  ),
})).text
/** Only characters for which `.` and `[^ ]` have the meaning of JavaScript. */
const texts = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'd', '1', '.', '-', ']', '^', 'x', '\n', 'é'),
  maxLength: 8,
})

function languageOf(expression: string): Language | null {
  const automaton = automatonOf(readExpression(expression), null)
  return automaton && new Language(automaton)
}

/** `.` and `[^ ]` are of printable ASCII here. */
function inJavaScript(expression: string): RegExp {
  const body = expression
    .replaceAll('[^a-c]', '[ -`d-~]')
    .replace(/(?<!\\)\./g, '[ -~]')
    .replaceAll('\\s', '[ \\t\\n\\r]')
  return new RegExp(`^(?:${body})$`, 'u')
}

test('an expression means what it means in JavaScript, and texts that are drawn match', () => {
  fc.assert(
    fc.property(expressions, fc.array(texts, { minLength: 5, maxLength: 20 }), (expression, all) => {
      const language = languageOf(expression)
      fc.pre(language !== null)
      const wanted = inJavaScript(expression)
      for (const text of all) expect([text, language.has(text)]).toEqual([text, wanted.test(text)])
      if (language.size === 0n) return
      const chooser = randomChooser(stream(expression.length))
      for (let i = 0; i < 20; i++) {
        const text = language.draw(chooser)
        expect([text, wanted.test(text), language.has(text)]).toEqual([text, true, true])
      }
    }),
    { numRuns: 500 },
  )
})

test('two expressions together mean what both mean, and texts that are drawn match both', () => {
  fc.assert(
    fc.property(expressions, expressions, fc.array(texts, { minLength: 5, maxLength: 20 }), (one, other, all) => {
      const [first, second] = [languageOf(one), languageOf(other)]
      fc.pre(first !== null && second !== null)
      const both = intersectionOf(first.automaton, second.automaton, { left: ALLOWANCE })
      fc.pre(both !== null)
      const language = new Language(both)
      const wanted = [inJavaScript(one), inJavaScript(other)]
      for (const text of all)
        expect([text, language.has(text)]).toEqual([text, wanted.every((each) => each.test(text))])
      if (language.size === 0n) return
      const chooser = randomChooser(stream(one.length))
      for (let i = 0; i < 20; i++) {
        const text = language.draw(chooser)
        expect([text, ...wanted.map((each) => each.test(text))]).toEqual([text, true, true])
      }
    }),
    { numRuns: 500 },
  )
})

test('the texts of a finite expression are numbered, each once', () => {
  fc.assert(
    fc.property(expressions, (expression) => {
      const language = languageOf(expression)
      fc.pre(language !== null && language.size !== null && language.size <= 3000n)
      const all = Array.from({ length: Number(language.size) }, (_, i) => language.at(BigInt(i)))
      expect(new Set(all).size).toBe(all.length)
      expect(all.every((text) => language.has(text))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('different texts are drawn as long as there are any', () => {
  const chooser = randomChooser(stream(3))
  expect(languageOf('(aa)*')?.drawDistinct(40, chooser)).toHaveLength(40)
  expect(new Set(languageOf('[ab]{3}')?.drawDistinct(8, chooser)).size).toBe(8)
  expect(languageOf('[ab]{3}')?.drawDistinct(9, chooser)).toBeNull()
  expect(languageOf('a{1000}')?.draw(chooser)).toHaveLength(1000)
  // Expressions that make other machines go back and forth without end.
  expect(languageOf('(a*)*b')?.has('a'.repeat(100_000))).toBe(false)
  expect(languageOf('((a|a)+)+c')?.has(`${'a'.repeat(100_000)}c`)).toBe(true)
})

test('any text is an expression or is refused, in bounded time', () => {
  const pieces = fc.constantFrom(
    'a',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '1000',
    ',',
    '*',
    '+',
    '?',
    '|',
    '\\',
    '^',
    '-',
    '.',
    '$',
  )
  const source = fc.oneof(
    anyText(),
    fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(source, (text) => {
      try {
        automatonOf(readExpression(text), { excluded: new Set(['a', 'if']) })
      } catch (error) {
        if (!(error instanceof BadExpression)) throw error
        expect(error.index).toBeLessThanOrEqual(text.length)
      }
    }),
    { numRuns: 2000 },
  )
})
