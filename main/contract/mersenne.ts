const SIZE = 624
const MIDDLE = 397

/**
 * The Mersenne Twister MT19937 with the initialiser of 2002 (Knuth's multiplier): a stream of tempered 32-bit numbers.
 * Only for results that must equal those of another program; other code uses `Table.random`. `seed`: unsigned, 32 bits.
 */
export function mersenne(seed: number): () => number {
  return drawing(spread(seed))
}

/** Like `mersenne`, seeded with a non-empty list of 32-bit numbers: `init_by_array` of the reference implementation. */
export function mersenneOf(key: ArrayLike<number>): () => number {
  const state = spread(19_650_218)
  let i = 1
  let j = 0
  const mixed = (factor: number): number => Math.imul(state[i - 1]! ^ (state[i - 1]! >>> 30), factor)
  const next = (): void => {
    if (++i < SIZE) return
    state[0] = state[SIZE - 1]!
    i = 1
  }
  for (let k = Math.max(SIZE, key.length); k > 0; k--) {
    state[i] = (state[i]! ^ mixed(1_664_525)) + key[j]! + j
    next()
    j = (j + 1) % key.length
  }
  for (let k = SIZE - 1; k > 0; k--) {
    state[i] = (state[i]! ^ mixed(1_566_083_941)) - i
    next()
  }
  state[0] = 0x8000_0000
  return drawing(state)
}

function spread(seed: number): Uint32Array {
  const state = new Uint32Array(SIZE)
  state[0] = seed
  for (let i = 1; i < SIZE; i++) {
    const last = state[i - 1]!
    state[i] = Math.imul(1_812_433_253, last ^ (last >>> 30)) + i
  }
  return state
}

function drawing(state: Uint32Array): () => number {
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

/** A uniform number from 0 to n - 1; `n` from 1 to 2^32. For n = 1 nothing is drawn. */
export function below(draw: () => number, n: number): number {
  if (n <= 1) return 0
  if (Number.isInteger(Math.log2(n))) return n === 2 ** 32 ? draw() : (draw() & (n - 1)) >>> 0
  const limit = n * Math.floor(2 ** 32 / n)
  for (;;) {
    const number = draw()
    if (number < limit) return number % n
  }
}
