/** The state of an sfc32: four words. */
type Chance = readonly [number, number, number, number]

/** Four FNV-1a hashes of a seed, and fifteen steps that mix them. */
export function chanceOf(seed: string): Chance {
  const hash = (start: number): number => {
    let h = start
    for (let at = 0; at < seed.length; at += 1) h = Math.imul(h ^ seed.charCodeAt(at), 16_777_619)
    return h | 0
  }
  let a = hash(2_166_136_261)
  let b = hash(a ^ 0x9e37)
  let c = hash(b ^ 0x79b9)
  let d = hash(c ^ 0x7f4a)
  for (let step = 0; step < 15; step += 1) {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
  }
  return [a, b, c, d]
}
