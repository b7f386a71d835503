import { add, compare, divide, floorOf, fraction, fromDecimal, multiply, subtract } from './fraction.ts'
import type { Fraction } from './fraction.ts'
import { FormulaError, LimitError } from './formula-error.ts'

/**
 * An exact number of the formula language: a safe integer as a JS number (the fast and by far most frequent case),
 * everything else as a fraction. Never -0.
 */
export type Exact = number | Fraction

/** The limit of numerators and denominators: otherwise a short formula could fill the memory by squaring. */
const LARGEST = 1n << 4096n

/** The exact value of a JSON number. */
export function exactly(value: Exact): Exact {
  return typeof value !== 'number' || Number.isSafeInteger(value) ? value : shorten(fromDecimal(value))
}

/** The value of `12` or `0.5` as written; null if it is too long. */
export function numeral(text: string): Exact | null {
  const [whole = '', decimals = ''] = text.split('.')
  // 1000 decimal digits are about 3300 binary ones.
  if (whole.length + decimals.length > 1000) return null
  return shorten(fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length)))
}

export function toFraction(value: Exact): Fraction {
  return typeof value === 'number' ? fraction(value) : value
}

/** The canonical form of a fraction's value; throws a FormulaError if it is too large. */
function shorten(value: Fraction): Exact {
  if (value.d === 1n && value.n >= -9007199254740991n && value.n <= 9007199254740991n) return Number(value.n)
  if (value.n > LARGEST || value.n < -LARGEST || value.d > LARGEST) {
    throw new LimitError('A number outgrew 4096 binary digits.')
  }
  return value
}

export function plus(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    // A sum, difference or product within these bounds is exact.
    if (sum <= Number.MAX_SAFE_INTEGER && sum >= Number.MIN_SAFE_INTEGER) return sum
  }
  return shorten(add(toFraction(a), toFraction(b)))
}

export function minus(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (difference <= Number.MAX_SAFE_INTEGER && difference >= Number.MIN_SAFE_INTEGER) return difference
  }
  return shorten(subtract(toFraction(a), toFraction(b)))
}

export function times(a: Exact, b: Exact): Exact {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (product <= Number.MAX_SAFE_INTEGER && product >= Number.MIN_SAFE_INTEGER) return product + 0
  }
  return shorten(multiply(toFraction(a), toFraction(b)))
}

/** a / b; throws a FormulaError if b is 0. */
export function over(a: Exact, b: Exact): Exact {
  if (b === 0) throw new FormulaError('Division by 0.')
  if (typeof a === 'number' && typeof b === 'number' && a % b === 0) return a / b + 0
  return shorten(divide(toFraction(a), toFraction(b)))
}

/** The quotient rounded down, for any numbers. Throws a FormulaError if b is 0. */
export function quotient(a: Exact, b: Exact): Exact {
  return typeof a === 'number' && typeof b === 'number' ? over(minus(a, remainder(a, b)), b) : floor(over(a, b))
}

/** a - b * quotient(a, b); has the sign of b. Throws a FormulaError if b is 0. */
export function remainder(a: Exact, b: Exact): Exact {
  if (b === 0) throw new FormulaError('Division by 0.')
  if (typeof a === 'number' && typeof b === 'number') {
    const rest = a % b
    return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest + 0
  }
  return minus(a, times(b, quotient(a, b)))
}

export function floor(a: Exact): Exact {
  return typeof a === 'number' ? a : shorten({ n: floorOf(a), d: 1n })
}

/** The largest integer whose square is not above an integer n, exact if it equals n; null if n is negative. */
export function squareRoot(n: Exact): { readonly floor: Exact; readonly exact: boolean } | null {
  if (order(n, 0) < 0) return null
  if (typeof n === 'number') {
    const root = Math.floor(Math.sqrt(n))
    // The rounded root of an integer just below a square may be that of the square.
    const floor = root * root > n ? root - 1 : root
    return { floor, exact: floor * floor === n }
  }
  // Newton's method from above: the first power of two whose square is larger.
  let root = 1n << BigInt((n.n.toString(16).length * 4 + 1) >> 1)
  for (let next = (root + n.n / root) >> 1n; next < root; next = (root + n.n / root) >> 1n) root = next
  return { floor: shorten({ n: root, d: 1n }), exact: root * root === n.n }
}

/** Negative, 0 or positive if a is less than, equal to or greater than b. */
export function order(a: Exact, b: Exact): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compare(toFraction(a), toFraction(b))
}

/** Is bit `row` of `bits` 1? Throws a FormulaError unless both are integers from 0. */
export function bitOf(bits: Exact, row: Exact): boolean {
  if (typeof bits === 'number' && typeof row === 'number' && bits >= 0 && row >= 0) {
    if (bits <= 0x7fffffff && row <= 31) return ((bits >> row) & 1) === 1
    return row <= 53 && Math.floor(bits / 2 ** row) % 2 === 1
  }
  if (order(bits, 0) < 0 || order(row, 0) < 0) throw new FormulaError('bit(number, row) is for numbers from 0.')
  const wide = toFraction(bits).n
  return typeof row === 'number' && row <= 4096 && ((wide >> BigInt(row)) & 1n) === 1n
}

/** Sizes in binary digits; 2^4096 is the limit of numerators and denominators. */
const sizes = [32, 64, 128, 256, 512, 1024, 2048, 4096].map((bits) => ({ bits, bound: 1n << BigInt(bits) }))
const LARGEST_SIZE = 8192

/** An upper bound of the binary digits, at most twice as many as there are. */
function bitsOf(integer: bigint): number {
  return sizes.find(({ bound }) => integer < bound && integer > -bound)?.bits ?? LARGEST_SIZE
}

/** Binary digits of numerator and denominator together. */
export function sizeOf(number: Exact): number {
  if (typeof number === 'number') return 64
  return number.d === 1n ? bitsOf(number.n) : bitsOf(number.n) + bitsOf(number.d)
}

/** True if computing with the number takes next to no time. */
export const isShort = (number: Exact): boolean => sizeOf(number) <= 256
