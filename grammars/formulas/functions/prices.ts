import type { Extreme, ListExtreme, NumberExtreme } from '../cost/extremes.ts'
import { listOf, numberFrom, plain } from '../cost/extremes.ts'
import { spend } from '../running/frame.ts'
import type { Frame } from '../running/frame.ts'

/** The steps of reading or making texts with this number of UTF-16 units together. */
export const textSteps = (units: number): number => 1 + Math.floor(units / 4)

export function spendOnText(frame: Frame, units: number): void {
  spend(frame, textSteps(units))
}

/** The comparisons that sorting makes for each of n elements: the binary digits of n. */
export const digitsOf = (n: number): number => (n < 2 ** 32 ? 32 - Math.clz32(n) : 1 + Math.floor(Math.log2(n)))

/** Extremes of arguments whose types the checker has made sure of. */
export function listExtreme(extreme: Extreme | undefined): ListExtreme {
  return extreme?.kind === 'list' ? extreme : listOf(plain(), Infinity, false)
}

export function numberExtreme(extreme: Extreme | undefined): NumberExtreme {
  return extreme?.kind === 'number' ? extreme : numberFrom(-Number.MAX_VALUE, Number.MAX_VALUE)
}

/** The most UTF-16 units of a text. */
export function unitsOf(extreme: Extreme | undefined): number {
  return extreme?.kind === 'plain' ? extreme.longest : Infinity
}
