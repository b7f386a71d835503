import { UNIT } from '../energy.ts'

/** An amount of energy parsed from a field, in 10^-9 as in actions, or why it is not valid. */
export type Amount = { readonly ok: true; readonly units: number } | { readonly ok: false; readonly error: string }

/** Parses a price or the claimed quality of a belief: 0 to 1 with at most nine decimals. */
export function amountOf(typed: number | null): Amount {
  const error = 'From 0 to 1 energy, with nine decimals at most.'
  if (typed === null || !Number.isFinite(typed) || typed < 0 || typed > 1) return { ok: false, error }
  const units = Math.round(typed * UNIT)
  // The rounded number of units must equal the input exactly.
  return units / UNIT === typed ? { ok: true, units } : { ok: false, error }
}

/** Formatted for a field. */
export function typedAmount(units: number): number {
  return units / UNIT
}
