/** Four FNV-1a hashes of a seed, with which a realm initialises its sfc32 generator. */
export function chanceOf(seed: string): readonly [number, number, number, number] {
  const hash = (start: number): number => {
    let h = start
    for (let at = 0; at < seed.length; at += 1) h = Math.imul(h ^ seed.charCodeAt(at), 16_777_619)
    return h | 0
  }
  const a = hash(2_166_136_261)
  const b = hash(a ^ 0x9e37)
  const c = hash(b ^ 0x79b9)
  return [a, b, c, hash(c ^ 0x7f4a)]
}
