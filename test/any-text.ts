import fc from 'fast-check'

/** Code points that are halves of a pair. They stand for a character only together. */
const HALVES = { from: 0xd800, count: 0x800 }

const anyCharacter = fc.integer({ min: 0, max: 0x10_ffff - HALVES.count }).map(
  (place) => String.fromCodePoint(place < HALVES.from ? place : place + HALVES.count),
  (character) => {
    if (typeof character !== 'string' || [...character].length !== 1 || !character.isWellFormed())
      throw new Error('not one character')
    const point = character.codePointAt(0)!
    return point < HALVES.from ? point : point - HALVES.count
  },
)

/**
 * Texts of all characters, and words that are dangerous in programs, as `fc.string({ unit: 'binary' })` gives them; that one lists a million
 * characters first, for a second of each process that uses it.
 */
export function anyText(limits: Pick<fc.StringConstraints, 'minLength' | 'maxLength'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...limits, unit: anyCharacter })
}
