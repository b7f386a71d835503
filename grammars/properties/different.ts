import type { Chooser } from './making/chooser.ts'

/**
 * `count` different numbers from 0 to size - 1, all arrangements equally likely; size is at least count and at most
 * 2^53. A Fisher-Yates shuffle that stores only the elements that were moved.
 */
export function differentBelow(size: number, count: number, chooser: Chooser): number[] {
  const drawn: number[] = []
  const moved = new Map<number, number>()
  for (let first = 0; first < count; first++) {
    const at = first + chooser.below(size - first)
    drawn.push(moved.get(at) ?? at)
    moved.set(at, moved.get(first) ?? first)
  }
  return drawn
}

/** Like `differentBelow`, for any size. */
export function differentBelowBig(size: bigint, count: number, chooser: Chooser): bigint[] {
  const drawn: bigint[] = []
  const moved = new Map<bigint, bigint>()
  for (let first = 0n; first < BigInt(count); first++) {
    const at = first + chooser.belowBig(size - first)
    drawn.push(moved.get(at) ?? at)
    moved.set(at, moved.get(first) ?? first)
  }
  return drawn
}
