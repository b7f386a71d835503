import type { Arithmetic } from '../numbers/arithmetic.ts'
import { toFraction } from '../numbers/exact.ts'
import type { Exact } from '../numbers/exact.ts'
import { toNumber } from '../numbers/fraction.ts'
import { divisorSteps } from '../running/number-work.ts'
import { DEEPEST, numberFrom } from './extremes.ts'
import type { Extreme, NumberExtreme } from './extremes.ts'

/** The range of a constant. */
export function exactly(value: Exact): NumberExtreme {
  const number = toNumber(toFraction(value))
  return numberFrom(number, number, typeof value === 'number' || value.d === 1n ? 0 : value.d.toString(2).length)
}

/** Products of infinite ranges are infinite, and nothing times nothing is nothing. */
export function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b
}

/** All results of an operator for two ranges. */
export function resultOf(
  operator: Exclude<Arithmetic, 'abs' | 'floor'>,
  a: NumberExtreme,
  b: NumberExtreme,
): NumberExtreme {
  const bits = a.bits + b.bits
  switch (operator) {
    case '+':
      return numberFrom(a.low + b.low, a.high + b.high, bits)
    case '-':
      return numberFrom(a.low - b.high, a.high - b.low, bits)
    case '*': {
      const ends = [times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)]
      return numberFrom(Math.min(...ends), Math.max(...ends), bits)
    }
    case '/': {
      // The numerator of the divisor becomes the denominator.
      const most = largestOf(a) / (b.low > 0 ? b.low : 2 ** -Math.min(1000, b.bits))
      const divisor = Math.ceil(Math.log2(Math.max(1, largestOf(b))))
      const constant = b.low === b.high && b.bits === 0 ? Math.abs(b.low) === 1 : false
      return numberFrom(a.low >= 0 && b.low > 0 ? 0 : -most, most, constant ? a.bits : a.bits + b.bits + divisor)
    }
    case 'div': {
      const most = largestOf(a)
      return numberFrom(a.low >= 0 && b.low > 0 ? 0 : -most - 1, b.low > 0 ? Math.max(0, a.high / b.low) : most)
    }
    case 'mod':
      return numberFrom(Math.min(0, b.low), Math.max(0, b.high), bits)
    case 'min':
      return numberFrom(Math.min(a.low, b.low), Math.min(a.high, b.high), Math.max(a.bits, b.bits))
    case 'max':
      return numberFrom(Math.max(a.low, b.low), Math.max(a.high, b.high), Math.max(a.bits, b.bits))
  }
}

function largestOf({ low, high }: NumberExtreme): number {
  return Math.max(Math.abs(low), Math.abs(high))
}

/** True unless all values are safe integers, with which computing takes no steps. */
export function isLong(number: NumberExtreme): boolean {
  return number.bits > 0 || largestOf(number) > Number.MAX_SAFE_INTEGER
}

/** The binary digits of numerator and denominator. */
export function sizeOf(number: NumberExtreme): number {
  const whole = Math.min(4096, Math.ceil(Math.log2(Math.max(1, largestOf(number)))) + 1)
  return number.bits === 0 ? Math.max(64, whole) : whole + 2 * number.bits
}

/** The steps of comparing two values. */
export function equalSteps(extreme: Extreme, depth = 0): number {
  if (depth > DEEPEST) return Infinity
  switch (extreme.kind) {
    case 'number':
      return isLong(extreme) ? 1 + 2 * divisorSteps(sizeOf(extreme)) : 1
    case 'plain':
      return 1
    case 'list':
      return extreme.most === 0 ? 1 : 1 + extreme.most * equalSteps(extreme.of, depth + 1)
    case 'option':
      return 1 + equalSteps(extreme.of, depth + 1)
    case 'record':
      return extreme.labels.reduce((sum, label) => sum + equalSteps(extreme.field(label), depth + 1), 1)
    case 'choice':
      return 1 + Math.max(...extreme.names.map((name) => equalSteps(extreme.alternative(name), depth + 1)))
  }
}
