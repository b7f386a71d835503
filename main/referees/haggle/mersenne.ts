const SIZE = 624
const MIDDLE = 397

/**
 * The Mersenne Twister MT19937 with the initialiser of 2002 (Knuth's multiplier): a stream of tempered 32-bit numbers. Only
 * for scenarios that must equal the original's; everything else draws from the table. `seed`: unsigned, 32 bits.
 */
export function mersenne(seed: number): () => number {
  const state = new Uint32Array(SIZE)
  state[0] = seed
  for (let i = 1; i < SIZE; i++) {
    const last = state[i - 1]!
    state[i] = Math.imul(1_812_433_253, last ^ (last >>> 30)) + i
  }
  let at = SIZE
  return () => {
    if (at === SIZE) {
      twist(state)
      at = 0
    }
    let y = state[at++]!
    y ^= y >>> 11
    y ^= (y << 7) & 0x9d2c_5680
    y ^= (y << 15) & 0xefc6_0000
    return (y ^ (y >>> 18)) >>> 0
  }
}

function twist(state: Uint32Array): void {
  for (let i = 0; i < SIZE; i++) {
    const y = (state[i]! & 0x8000_0000) | (state[(i + 1) % SIZE]! & 0x7fff_ffff)
    state[i] = state[(i + MIDDLE) % SIZE]! ^ (y >>> 1) ^ ((y & 1) === 0 ? 0 : 0x9908_b0df)
  }
}

/** A number from 0 to n - 1, all equally likely; `n` from 1 to 2^32. Of n = 1 nothing is drawn. */
export function below(draw: () => number, n: number): number {
  if (n <= 1) return 0
  if (Number.isInteger(Math.log2(n))) return n === 2 ** 32 ? draw() : (draw() & (n - 1)) >>> 0
  const limit = n * Math.floor(2 ** 32 / n)
  for (;;) {
    const number = draw()
    if (number < limit) return number % n
  }
}
