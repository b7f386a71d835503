import type { Misfit } from '../functions/built-in.ts'
import { misfit } from '../functions/built-in.ts'
import { fits, INT } from '../checking/types.ts'
import type { Type } from '../checking/types.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import { show } from '../numbers/value.ts'
import type { Value } from '../numbers/value.ts'
import type { Below, Frame } from '../running/frame.ts'

/** The chance of an evaluation; only the formulas of generators have one, and only they may draw. */
export function chanceOf({ below }: Frame): Below {
  if (below === undefined) throw new FormulaError('Only the formulas of a generator draw at random.')
  return below
}

/** A whole number that a draw can use: from `least`, and exact as a JavaScript number. */
export function wholeNumber(name: string, value: Value | undefined, least: number): number {
  if (typeof value === 'number' && value >= least) return value
  const range = least === Number.MIN_SAFE_INTEGER ? 'of at most 15 digits' : `from ${least} and of at most 15 digits`
  throw new FormulaError(`${name}(...) takes whole numbers ${range}, not ${show(value ?? null)}.`)
}

/** The first argument that is not an int; null: all are. */
export function unlessInts(name: string, args: readonly Type[]): Misfit | null {
  const at = args.findIndex((type) => !fits(type, INT))
  return at === -1 ? null : misfit(name, at, 'an int', args[at]!)
}

/** Exchanges elements of a list until each order is equally probable. Draws below n, n - 1, ..., 2. */
export function shuffleInPlace<T>(list: T[], below: Below): T[] {
  for (let i = list.length - 1; i > 0; i--) {
    const other = below(i + 1)
    const moved = list[i]!
    list[i] = list[other]!
    list[other] = moved
  }
  return list
}

/** `count` different whole numbers from 0 to n - 1, in no particular order; each set is equally probable (Floyd). */
export function differentBelow(n: number, count: number, below: Below): number[] {
  const found = new Set<number>()
  for (let top = n - count; top < n; top++) {
    const drawn = below(top + 1)
    found.add(found.has(drawn) ? top : drawn)
  }
  return [...found]
}
