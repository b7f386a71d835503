import { floorOf, fraction, multiply, type Fraction } from '../../../grammars/formulas/fraction.ts'
import { ENERGY } from './messages.ts'
import type { State } from './state.ts'

/** Moves energy from one account to another. Nothing else changes an account, so the sum of all accounts stays. */
export function pay(state: State, from: number, to: number, amount: number): void {
  state.players[from]!.account -= amount
  state.players[to]!.account += amount
}

/**
 * By how much the accounts of all players, the removed ones too, are more than what was there in the beginning. It is 0: what
 * else it is was changed outside the rules.
 */
export function surplus({ players, config }: State): number {
  return players.reduce((sum, { account }) => sum + account, 0) - config.init * players.length
}

/** An exact amount of energy as accounts have it: in 10^-9, rounded down (decision 1). */
export function energyOf(amount: Fraction): number {
  return Number(floorOf(multiply(amount, fraction(ENERGY))))
}

/**
 * Shares `available` among claims. Enough for all: each gets its claim. Otherwise pro rata: each share is rounded down
 * and what is left over goes, unit by unit, to the largest remainders, the earlier claim first among equals. Sums are
 * exact; no share is above its claim.
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
