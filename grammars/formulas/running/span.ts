import { LimitError } from '../numbers/formula-error.ts'
import { LIST_STEPS, spend } from './frame.ts'
import type { Frame } from './frame.ts'
import { orderFor } from './number-work.ts'
import type { Exact } from '../numbers/exact.ts'

/** The number of integers in `low..high`; takes `price` steps for each. */
export function spanOf(frame: Frame, low: Exact, high: Exact, price: number): number {
  if (orderFor(frame, low, high) > 0) return 0
  const bounded = typeof low === 'number' && typeof high === 'number'
  const length = bounded ? high - low + 1 : Infinity
  spend(frame, length * price)
  if (!bounded) throw new LimitError('A range has too many elements.')
  return length
}

/** `low..high` as a list. */
export function rangeList(frame: Frame, low: Exact, high: Exact): readonly number[] {
  spend(frame, LIST_STEPS)
  const length = spanOf(frame, low, high, 1)
  return Array.from({ length }, (_, i) => (low as number) + i)
}
