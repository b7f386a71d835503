/** A set of whole numbers from 0 on, stored as pages of bits. */
export interface NumberSet {
  has(number: number): boolean
  /** Adds a number; returns whether it is new. */
  add(number: number): boolean
}

const PAGE = 4_096

/** An empty set. */
export function createNumberSet(): NumberSet {
  const pages = new Map<number, Uint8Array>()
  return {
    has(number) {
      const bits = pages.get(Math.floor(number / PAGE))
      return bits !== undefined && hasBit(bits, number % PAGE)
    },
    add(number) {
      const page = Math.floor(number / PAGE)
      const bits = pages.get(page) ?? new Uint8Array(PAGE / 8)
      pages.set(page, bits)
      return addBit(bits, number % PAGE)
    },
  }
}

export function hasBit(bits: Uint8Array, at: number): boolean {
  return ((bits[at >> 3]! >> (at & 7)) & 1) === 1
}

/** Sets a bit; returns whether it was not set before. */
export function addBit(bits: Uint8Array, at: number): boolean {
  const before = bits[at >> 3]!
  bits[at >> 3] = before | (1 << (at & 7))
  return bits[at >> 3] !== before
}
