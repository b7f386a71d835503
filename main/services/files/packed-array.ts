/** A growable array of numbers in a compact representation. */
export interface PackedArray {
  readonly length: number
  /** NaN beyond the end. */
  at(index: number): number
  push(value: number): void
  /** The numbers from one index to another (exclusive). */
  slice(from: number, to: number): number[]
}

type Numbers = Float64Array | Uint32Array | Int32Array | Uint8Array

/** An empty array for any numbers, for integers, or for bytes. */
export function createPackedArray(kind: 'number' | 'whole' | 'small'): PackedArray {
  const fresh = (size: number): Numbers =>
    kind === 'number' ? new Float64Array(size) : kind === 'whole' ? new Int32Array(size) : new Uint8Array(size)
  let numbers = fresh(64)
  let length = 0
  return {
    get length() {
      return length
    },
    at: (index) => (index < length ? numbers[index]! : Number.NaN),
    push(value) {
      if (length === numbers.length) {
        const larger = fresh(length * 2)
        larger.set(numbers)
        numbers = larger
      }
      numbers[length++] = value
    },
    slice: (from, to) => [...numbers.subarray(from, Math.min(to, length))],
  }
}
