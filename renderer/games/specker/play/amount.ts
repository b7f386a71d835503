import { UNIT } from '../energy.ts'

/** What a field for an amount of energy says of it: in 10^-9, as actions have it, or why it is none. */
export type Amount = { readonly ok: true; readonly units: number } | { readonly ok: false; readonly error: string }

/** A price, or the quality that a belief speaks of: 0 to 1 energy with nine decimals at most. */
export function amountOf(typed: number | null): Amount {
  const error = 'From 0 to 1 energy, with nine decimals at most.'
  if (typed === null || !Number.isFinite(typed) || typed < 0 || typed > 1) return { ok: false, error }
  const units = Math.round(typed * UNIT)
  // The nearest whole number of units must be what was typed, and not only near it.
  return units / UNIT === typed ? { ok: true, units } : { ok: false, error }
}

/** As a field shows it. */
export function typedAmount(units: number): number {
  return units / UNIT
}
