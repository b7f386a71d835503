import fc from 'fast-check'
import { expect, test } from 'vitest'
import { add, compare, divide, floorOf, fraction, multiply, subtract } from '../../../grammars/formulas/index.ts'
import type { Fraction } from '../../../grammars/formulas/index.ts'
import { run } from '../../unit/formulas/run.ts'
import { anyText } from '../../any-text.ts'

/** A formula with its value by plain fractions, an independent way of computing the same. */
interface Sample {
  readonly text: string
  readonly value: Fraction
}

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.nat({ max: 12 }).map((n) => ({ text: `(${n} * i)`, value: fraction(n) })),
  fc.bigInt({ min: 0n, max: 2n ** 70n }).map((n) => ({ text: `(${n} * i)`, value: fraction(n) })),
  fc.nat({ max: 999 }).map((n) => ({ text: `(${n}.5 * i)`, value: fraction(2 * n + 1, 2) })),
)

const samples = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc
      .tuple(fc.constantFrom('+', '-', '*', '/', 'min', 'max', 'floor', 'abs'), tie('sample'), tie('sample'))
      .map(combine),
  ),
})).sample

function combine([operator, a, b]: [string, Sample, Sample]): Sample {
  const negative = a.value.n < 0n
  switch (operator) {
    case '+':
      return { text: `(${a.text} + ${b.text})`, value: add(a.value, b.value) }
    case '-':
      return { text: `(${a.text} - ${b.text})`, value: subtract(a.value, b.value) }
    case '*':
      return { text: `(${a.text} * ${b.text})`, value: multiply(a.value, b.value) }
    case '/':
      return b.value.n === 0n ? a : { text: `(${a.text} / ${b.text})`, value: divide(a.value, b.value) }
    case 'min':
      return { text: `min(${a.text}, ${b.text})`, value: compare(a.value, b.value) <= 0 ? a.value : b.value }
    case 'max':
      return { text: `max(${a.text}, ${b.text})`, value: compare(a.value, b.value) >= 0 ? a.value : b.value }
    case 'floor':
      return { text: `floor(${a.text})`, value: fraction(floorOf(a.value)) }
    default:
      return { text: `abs(${a.text})`, value: negative ? subtract(fraction(0), a.value) : a.value }
  }
}

test('arithmetic with its fast path equals plain fractions', () => {
  const names = { i: [{ kind: 'int' }, 1] } as const
  fc.assert(
    fc.property(samples, ({ text, value }) => {
      const shown = value.d === 1n ? String(value.n) : `${value.n}/${value.d}`
      expect(run(text, { names })).toBe(shown.length > 200 ? `${shown.slice(0, 200)}...` : shown)
    }),
    { numRuns: 300 },
  )
})

test('quotient and remainder belong together, whatever the signs and sizes', () => {
  const whole = fc.oneof(fc.bigInt({ min: -50n, max: 50n }), fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }))
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      fc.pre(b !== 0n)
      const names = { i: [{ kind: 'int' }, 1] } as const
      const [x, y] = [`(${a} * i)`, `(${b} * i)`]
      expect(run(`(${x} div ${y}) * ${y} + ${x} mod ${y} = ${x}`, { names })).toBe('true')
      const sign = b > 0n ? `${x} mod ${y} in 0..${y} - 1` : `${x} mod ${y} in ${y} + 1..0`
      expect(run(sign, { names })).toBe('true')
    }),
  )
})

test('any text gives a value or a sentence, never an exception', () => {
  const pieces = [
    'xs',
    'i',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '1',
    '0.5',
    '+',
    '-',
    '*',
    '/',
    'div',
    'mod',
    'and',
    'or',
    'not',
    'in',
  ]
  const more = [
    '..',
    '.',
    ',',
    ':',
    ';',
    '=',
    '<=',
    'if',
    'then',
    'else',
    'let',
    'match',
    'for',
    'where',
    'sum',
    'count',
  ]
  const piece = fc.constantFrom(
    ...pieces,
    ...more,
    'distinct',
    'bit',
    'length',
    '"a"',
    '"',
    '/*',
    '//',
    '\n',
    '#',
    'true',
  )
  const names = { i: [{ kind: 'int' }, 1], xs: [{ kind: 'list', of: { kind: 'int' } }, [1, 2]] } as const
  const text = fc.oneof(
    anyText(),
    fc.array(piece, { maxLength: 40 }).map((all) => all.join(' ')),
  )
  fc.assert(
    fc.property(text, (one) => {
      expect(run(one, { names, steps: 10_000 })).toEqual(expect.any(String))
    }),
    { numRuns: 2000 },
  )
})
