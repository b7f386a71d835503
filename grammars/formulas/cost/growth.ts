import type { Type } from '../checking/types.ts'
import { either, extremeOf, listOf, numberFrom, plain } from './extremes.ts'
import type { Extreme } from './extremes.ts'
import { times } from './magnitudes.ts'

/** All values of a type that formulas compute: integers of any size, fractions of any denominator. */
export function anyOf(type: Type): Extreme {
  if (type.kind === 'int') return numberFrom(-Number.MAX_VALUE, Number.MAX_VALUE)
  if (type.kind === 'number') return numberFrom(-Number.MAX_VALUE, Number.MAX_VALUE, 4096)
  return type.kind === 'list' ? listOf(anyOf(type.of), Infinity, false) : extremeOf(type, false)
}

const rise = (before: number, after: number): number => (after > before ? after - before : 0)

/** All values after up to n steps, of which each adds no more than that from `before` to `after`; null: it is not known. */
export function grown(before: Extreme, after: Extreme, n: number): Extreme | null {
  if (before.kind === 'number' && after.kind === 'number') {
    const low = before.low - times(n, rise(after.low, before.low))
    const bits = before.bits + times(n, rise(before.bits, after.bits))
    return numberFrom(low, before.high + times(n, rise(before.high, after.high)), Math.min(4096, bits))
  }
  if (before.kind === 'plain' && after.kind === 'plain') {
    return plain(Infinity, before.longest + times(n, rise(before.longest, after.longest)))
  }
  if (before.kind === 'list' && after.kind === 'list') {
    const of = before.most === 0 ? after.of : after.most === 0 ? before.of : either(before.of, after.of)
    return listOf(of, before.most + times(n, rise(before.most, after.most)), false)
  }
  return null
}

/** Does a step from `state` to `next` add no more than that from `before` to `after`? */
export function addsNoMore(state: Extreme, next: Extreme, before: Extreme, after: Extreme): boolean {
  if (state.kind === 'number' && next.kind === 'number' && before.kind === 'number' && after.kind === 'number') {
    return (
      rise(state.high, next.high) <= rise(before.high, after.high) &&
      rise(next.low, state.low) <= rise(after.low, before.low) &&
      (next.bits <= state.bits || state.bits === 4096 || rise(state.bits, next.bits) <= rise(before.bits, after.bits))
    )
  }
  if (state.kind === 'plain' && next.kind === 'plain' && before.kind === 'plain' && after.kind === 'plain') {
    return rise(state.longest, next.longest) <= rise(before.longest, after.longest)
  }
  if (state.kind === 'list' && next.kind === 'list' && before.kind === 'list' && after.kind === 'list') {
    return rise(state.most, next.most) <= rise(before.most, after.most) && isWithin(next.of, state.of)
  }
  return false
}

function isWithin(a: Extreme, b: Extreme): boolean {
  if (a.kind === 'number' && b.kind === 'number') return a.low >= b.low && a.high <= b.high && a.bits <= b.bits
  if (a.kind === 'plain' && b.kind === 'plain') return a.longest <= b.longest
  return a.kind === 'list' && b.kind === 'list' && a.most <= b.most && (a.most === 0 || isWithin(a.of, b.of))
}
