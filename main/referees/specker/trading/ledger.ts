import { floorOf, fraction, multiply, type Fraction } from '../../../../grammars/formulas/numbers/fraction.ts'
import type { SeatId } from '../../../contract/ids.ts'
import { book, bookedFor } from './books.ts'
import { ENERGY } from '../messages.ts'
import type { State } from '../state.ts'

/**
 * Moves energy from one account to another. Nothing else changes an account, so the sum of all accounts is constant.
 */
export function pay({ players }: State, from: SeatId, to: SeatId, amount: number): void {
  for (const [seat, change] of [
    [from, -amount],
    [to, amount],
  ] as const) {
    const player = players[seat]!
    player.account += change
    book(player, change)
  }
}

/** The first account, including those of removed players, that differs from the books; null: none does. */
export function unbookedAccount({ players }: State): { seat: SeatId; account: number; booked: number } | null {
  for (const [seat, player] of players.entries()) {
    const { account } = player
    const booked = bookedFor(player)
    if (account !== booked) return { seat, account, booked }
  }
  return null
}

/** Converts an exact amount of energy to 10^-9 units, rounded down (decision 1). */
export function energyOf(amount: Fraction): number {
  return Number(floorOf(multiply(amount, fraction(ENERGY))))
}

/**
 * Shares `available` among claims. If there is enough each gets its claim. Otherwise the shares are proportional: each
 * is rounded down, and the rest goes, unit by unit, to the largest remainders, for equal ones to the earlier claim.
 * Sums are exact; no share exceeds its claim.
 */
export function shareOut(available: number, claims: readonly number[]): number[] {
  const total = claims.reduce((sum, claim) => sum + BigInt(claim), 0n)
  const purse = BigInt(available)
  if (total <= purse) return [...claims]
  const shares = claims.map((claim) => Number((purse * BigInt(claim)) / total))
  const remainders = claims.map((claim, index) => ({ index, rest: (purse * BigInt(claim)) % total }))
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  const left = available - shares.reduce((sum, share) => sum + share, 0)
  for (const { index } of remainders.slice(0, left)) shares[index]! += 1
  return shares
}
