import { number } from '../../words.ts'

/** Amounts are whole numbers of 10^-9 energy. */
export const UNIT = 1_000_000_000

/** An amount in energy, to the last digit. */
export function exact(amount: number): string {
  return number(amount / UNIT, 9)
}

/** Lists and pictures round to thousandths; the details of an event are exact. */
export function short(amount: number): string {
  return number(amount / UNIT, 3)
}
