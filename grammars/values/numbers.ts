/** The integer value of a token; null if a JSON number cannot represent it exactly. */
export function readInt(text: string): number | null {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value + 0 : null
}

/** The number value of a token; null if the shortest decimal text of the nearest double is a different number. */
export function readNumber(text: string): number | null {
  const value = Number(text)
  if (!Number.isFinite(value)) return null
  if (text.length <= 15 && !/[.eE]/.test(text)) return value + 0
  const written = decimal(text)
  return written !== null && written === decimal(String(value)) ? value + 0 : null
}

/**
 * A canonical text for each decimal number: digits without zeros at either end, and the power of ten. null: out of
 * range.
 */
function decimal(text: string): string | null {
  const [mantissa, exponent] = text.toLowerCase().split('e')
  const negative = mantissa!.startsWith('-')
  const [whole, fraction] = mantissa!.replace('-', '').split('.')
  const digits = whole! + (fraction ?? '')
  let first = 0
  while (digits[first] === '0') first++
  if (first === digits.length) return '0'
  let last = digits.length
  while (digits[last - 1] === '0') last--
  const power = Number(exponent ?? '0') - (fraction?.length ?? 0) + (digits.length - last)
  return Number.isSafeInteger(power) ? `${negative ? '-' : ''}${digits.slice(first, last)}e${power}` : null
}
