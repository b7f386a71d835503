/** Numbers one after the other, in as few bytes as their kind takes. */
export interface PackedArray {
  readonly length: number
  /** NaN beyond the end. */
  at(index: number): number
  push(value: number): void
  /** The numbers from one index up to before another. */
  slice(from: number, to: number): number[]
}

type Numbers = Float64Array | Uint32Array | Int32Array | Uint8Array

/** An empty column: of any numbers, of whole ones, or of very small ones. */
export function createColumn(kind: 'number' | 'whole' | 'small'): PackedArray {
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
