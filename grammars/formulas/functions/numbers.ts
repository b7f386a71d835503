import { fits, INT, NUMBER, BOOLEAN } from '../checking/types.ts'
import type { Type } from '../checking/types.ts'
import { numberFrom, plain } from '../cost/extremes.ts'
import type { NumberExtreme } from '../cost/extremes.ts'
import { isLong, sizeOf as largestSize } from '../cost/magnitudes.ts'
import { floor, minus, sizeOf, squareRoot } from '../numbers/exact.ts'
import type { Exact } from '../numbers/exact.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import { spend } from '../running/frame.ts'
import type { Frame } from '../running/frame.ts'
import { productSteps, spendOnDigits } from '../running/number-work.ts'
import { misfit } from './built-in.ts'
import type { Applied, BuiltIn, Misfit } from './built-in.ts'
import { numberExtreme } from './prices.ts'

const oneOf = (name: string, wanted: Type, what: string, applied: Applied) => {
  return ([type = wanted]: readonly Type[]): Applied | Misfit =>
    fits(type, wanted) ? applied : misfit(name, 0, what, type)
}

const ceil: BuiltIn = {
  name: 'ceil',
  call: 'ceil(x)',
  meaning: 'the smallest int that is not below x',
  steps: 'as `floor`',
  takes: [1],
  resolve: oneOf('ceil', NUMBER, 'a number', {
    type: INT,
    run(frame, [x]) {
      spendOnDigits(frame, x as Exact)
      return minus(0, floor(minus(0, x as Exact)))
    },
    most([x]) {
      const number = numberExtreme(x)
      const steps = isLong(number) ? productSteps(largestSize(number)) : 0
      return { steps, value: numberFrom(Math.ceil(number.low), Math.ceil(number.high)) }
    },
  }),
}

/** The most divisions that Newton's method takes for 4096 binary digits. */
const ROUNDS = 16

function spendOnRoot(frame: Frame, n: Exact): void {
  if (typeof n !== 'number') spend(frame, ROUNDS * productSteps(sizeOf(n)))
}

const rootSteps = (n: NumberExtreme): number => (isLong(n) ? ROUNDS * productSteps(largestSize(n)) : 0)

const sqrt: BuiltIn = {
  name: 'sqrt',
  call: 'sqrt(n)',
  meaning: 'the largest int whose square is not above the int n; n is 0 or more',
  steps: '0; more for a long integer',
  takes: [1],
  resolve: oneOf('sqrt', INT, 'an int', {
    type: INT,
    run(frame, [n]) {
      spendOnRoot(frame, n as Exact)
      const root = squareRoot(n as Exact)
      if (root === null) throw new FormulaError('sqrt(...) is for integers from 0.')
      return root.floor
    },
    most([n]) {
      const { low, high } = numberExtreme(n)
      const root = (end: number): number => Math.floor(Math.sqrt(Math.max(0, end)))
      return { steps: rootSteps(numberExtreme(n)), value: numberFrom(root(low), root(high)) }
    },
  }),
}

const isSquare: BuiltIn = {
  name: 'isSquare',
  call: 'isSquare(n)',
  meaning: 'whether the int n is the square of an int, exactly',
  steps: 'as `sqrt`',
  takes: [1],
  resolve: oneOf('isSquare', INT, 'an int', {
    type: BOOLEAN,
    run(frame, [n]) {
      spendOnRoot(frame, n as Exact)
      return squareRoot(n as Exact)?.exact === true
    },
    most: ([n]) => ({ steps: rootSteps(numberExtreme(n)), value: plain(2) }),
  }),
}

export const numberFunctions: readonly BuiltIn[] = [ceil, sqrt, isSquare]
