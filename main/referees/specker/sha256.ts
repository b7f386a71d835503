/**
 * SHA-256 (FIPS 180-4) of a text in UTF-8, as 64 lower-case hex digits. Rules run where there is no crypto module: in the
 * window, which replays matches. Half a surrogate pair counts as U+FFFD, as in every encoder.
 */
export function sha256(text: string): string {
  const blocks = padded(utf8(text.toWellFormed()))
  const state = [...start]
  const schedule = new Int32Array(64)
  for (let at = 0; at < blocks.length; at += 16) compress(state, blocks, at, schedule)
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

const primes = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103,
]
for (let n = 107; primes.length < 64; n += 2) if (primes.every((prime) => n % prime !== 0)) primes.push(n)

/** The first 32 bits of the fractional parts of the primes' cube roots; `start`: of square roots. */
const rounds = Int32Array.from(primes, (prime) => fractionalBits(BigInt(prime), 3n))
const start = primes.slice(0, 8).map((prime) => fractionalBits(BigInt(prime), 2n))

/** floor(n^(1/degree) * 2^32) mod 2^32, by bisection in whole numbers: exact where Math.cbrt would not be. */
function fractionalBits(n: bigint, degree: bigint): number {
  let low = 0n
  let high = n << 32n
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle ** degree <= n << (32n * degree)) low = middle
    else high = middle
  }
  return Number(BigInt.asIntN(32, low))
}

function utf8(text: string): number[] {
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63))
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
  }
  return bytes
}

/** The message in words of 32 bits, with its end mark and its length in bits, in whole blocks of 16 words. */
function padded(bytes: readonly number[]): Int32Array {
  const words = new Int32Array(((bytes.length + 8) >> 6) * 16 + 16)
  for (const [at, byte] of bytes.entries()) words[at >> 2]! |= byte << (24 - 8 * (at & 3))
  words[bytes.length >> 2]! |= 0x80 << (24 - 8 * (bytes.length & 3))
  words[words.length - 2] = Math.floor(bytes.length / 2 ** 29)
  words[words.length - 1] = bytes.length << 3
  return words
}

function compress(state: number[], blocks: Int32Array, from: number, schedule: Int32Array): void {
  for (let t = 0; t < 64; t++) {
    schedule[t] =
      t < 16
        ? blocks[from + t]!
        : schedule[t - 16]! +
          (turned(schedule[t - 15]!, 7) ^ turned(schedule[t - 15]!, 18) ^ (schedule[t - 15]! >>> 3)) +
          schedule[t - 7]! +
          (turned(schedule[t - 2]!, 17) ^ turned(schedule[t - 2]!, 19) ^ (schedule[t - 2]! >>> 10))
  }
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number]
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g)
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + rounds[t]! + schedule[t]!) | 0
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at]! + word) | 0
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}
