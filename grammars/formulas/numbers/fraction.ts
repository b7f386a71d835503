/** An exact rational number in lowest terms, the denominator positive: equal numbers have equal parts. */
export interface Fraction {
  readonly n: bigint
  readonly d: bigint
}

/** n/d in lowest terms. Throws a RangeError if d is 0 or a number is not an integer. */
export function fraction(n: bigint | number, d: bigint | number = 1n): Fraction {
  const numerator = BigInt(n)
  const denominator = BigInt(d)
  if (denominator === 0n) throw new RangeError('A fraction cannot have the denominator 0.')
  if (denominator === 1n) return { n: numerator, d: 1n }
  const divisor = commonDivisor(numerator, denominator)
  const signed = denominator < 0n ? -divisor : divisor
  return { n: numerator / signed, d: denominator / signed }
}

export function add(a: Fraction, b: Fraction): Fraction {
  if (a.d === b.d) return fraction(a.n + b.n, a.d)
  return fraction(a.n * b.d + b.n * a.d, a.d * b.d)
}

export function subtract(a: Fraction, b: Fraction): Fraction {
  if (a.d === b.d) return fraction(a.n - b.n, a.d)
  return fraction(a.n * b.d - b.n * a.d, a.d * b.d)
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.n, a.d * b.d)
}

/** a / b; throws a RangeError if b is 0. */
export function divide(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.d, a.d * b.n)
}

/** -1, 0 or 1 if a is less than, equal to or greater than b. */
export function compare(a: Fraction, b: Fraction): -1 | 0 | 1 {
  const left = a.d === b.d ? a.n : a.n * b.d
  const right = a.d === b.d ? b.n : b.n * a.d
  return left < right ? -1 : left > right ? 1 : 0
}

/** The greatest integer not above f. */
export function floorOf(f: Fraction): bigint {
  const quotient = f.n / f.d
  return f.n < 0n && quotient * f.d !== f.n ? quotient - 1n : quotient
}

/** "p/q" in lowest terms, always with the slash: 3 is "3/1". */
export function toText(f: Fraction): string {
  return `${f.n}/${f.d}`
}

/** Parses the text of `toText` (not necessarily in lowest terms); null if it is not of that form or q is 0. */
export function fromText(text: string): Fraction | null {
  const parts = /^(-?\d{1,1000})\/(\d{1,1000})$/.exec(text)
  if (parts?.[1] === undefined || parts[2] === undefined) return null
  const denominator = BigInt(parts[2])
  return denominator === 0n ? null : fraction(BigInt(parts[1]), denominator)
}

/** The exact value of the shortest decimal text of a number: 0.1 is 1/10. Throws a RangeError on NaN and infinities. */
export function fromDecimal(value: number): Fraction {
  if (Number.isSafeInteger(value)) return { n: BigInt(value), d: 1n }
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value))
  if (!parts) throw new RangeError(`${value} is not a finite number.`)
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = parts
  const digits = BigInt(sign + whole + decimals)
  const power = Number(exponent) - decimals.length
  return power >= 0 ? { n: digits * 10n ** BigInt(power), d: 1n } : fraction(digits, 10n ** BigInt(-power))
}

/** The nearest JS number, only for display and charts, never for comparisons. */
export function toNumber(f: Fraction): number {
  const n = Number(f.n)
  const d = Number(f.d)
  // The quotient of two exact numbers is rounded only once.
  if (Number.isSafeInteger(n) && Number.isSafeInteger(d)) return n / d
  const size = f.n < 0n ? -f.n : f.n
  // At least 64 bits of the quotient; the last bit is set if anything was cut off, so that Number() rounds correctly.
  const shift = bitsOf(f.d) - bitsOf(size) + 66
  const [above, below] = shift >= 0 ? [size << BigInt(shift), f.d] : [size, f.d << BigInt(-shift)]
  const quotient = Number((above / below) | (above % below === 0n ? 0n : 1n))
  // In two steps, because one alone could exceed the range of numbers.
  const half = Math.trunc(-shift / 2)
  const rounded = quotient * 2 ** half * 2 ** (-shift - half)
  return f.n < 0n ? -rounded : rounded
}

/** An estimate of the number of binary digits, at most three too large. */
function bitsOf(value: bigint): number {
  return value.toString(16).length * 4
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a
  let y = b < 0n ? -b : b
  while (y !== 0n) {
    // Nearly all numbers are small, and JS numbers are far faster.
    if (x <= 9007199254740991n && y <= 9007199254740991n) return BigInt(smallDivisor(Number(x), Number(y)))
    const rest = x % y
    x = y
    y = rest
  }
  return x
}

function smallDivisor(a: number, b: number): number {
  while (b !== 0) {
    const rest = a % b
    a = b
    b = rest
  }
  return a
}
