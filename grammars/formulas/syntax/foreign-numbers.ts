import { enclosing, touches } from './repair.ts'
import type { Repair } from './repair.ts'
import { replaced, type Stop } from './stop.ts'

/** Longer exponents make numbers that nobody means. */
const LARGEST_EXPONENT = 15

/** `1_000`, `1,000`, `1e3`, `0x10`, `1.5f`, `.5` */
export function foreignNumber(stop: Stop): Repair | null {
  const { tokens, i } = stop
  const [before, token, next] = [tokens[i - 1], tokens[i], tokens[i + 1]]
  if (token === undefined) return null
  const number = (first: number, last: number, text: string, hint: string): Repair => {
    const message = `${JSON.stringify(
      tokens
        .slice(first, last + 1)
        .map(({ image }) => image)
        .join('')
        .slice(0, 40),
    )} is not a number here.`
    return replaced(stop, first, last, text, { code: 'number-form', message, hint })
  }
  if (token.image === '.' && next !== undefined && /^\d+$/.test(next.image) && touches(token, next))
    return number(i, i + 1, `0.${next.image}`, 'A digit stands before the point.')
  if (before === undefined || !/^\d/.test(before.image) || !touches(before, token)) return null
  if (/^(_\d+)+$/.test(token.image))
    return number(i - 1, i, before.image + token.image.replaceAll('_', ''), 'Digits stand without signs between them.')
  const thousands = next !== undefined && /^\d{3}$/.test(next.image) && touches(token, next)
  if (token.image === ',' && thousands && enclosing(tokens, i) === -1)
    return number(i - 1, i + 1, before.image + next.image, 'Digits stand without signs between them.')
  const exponent = /^[eE](\d+)$/.exec(token.image)?.[1]
  if (exponent !== undefined && /^\d+$/.test(before.image) && Number(exponent) <= LARGEST_EXPONENT)
    return number(i - 1, i, before.image + '0'.repeat(Number(exponent)), 'Write all its digits.')
  if (before.image === '0' && /^[xX][0-9a-fA-F]{1,12}$/.test(token.image))
    return number(i - 1, i, String(parseInt(token.image.slice(1), 16)), 'Numbers are decimal.')
  if (/^[fFdDlLuU]$/.test(token.image)) return number(i - 1, i, before.image, 'A number has no letter behind it.')
  return null
}
