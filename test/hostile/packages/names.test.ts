import { describe, expect, test } from 'vitest'
import { whyUnsafe } from '../../../main/services/packages/files.ts'
import { saying } from '../../refusal.ts'

const code = (point: number): string => String.fromCodePoint(point)
const hex = (point: number): string => point.toString(16).padStart(4, '0')

describe('names that are one file on some system', () => {
  test.each([
    ['straße.js', 'strasse.js'],
    ['straße.js', 'STRASSE.js'],
    ['straße.js', `STRA${code(0x1e9e)}E.js`],
    ['λόγος.js', 'λόγοσ.js'],
    ['λόγος.js', 'ΛΌΓΟΣ.js'],
    ['Σ.js', 'ς.js'],
    ['a.js', 'A.js'],
    // Composed and decomposed.
    ['caf\u00e9.js', 'cafe\u0301.js'],
    ['CAF\u00c9.js', 'cafe\u0301.js'],
    // Compatibility forms: a ligature, full width, a superscript, the Kelvin and Ångström signs.
    ['\ufb01n.js', 'fin.js'],
    ['\uff21.js', 'a.js'],
    ['x\u00b2.js', 'x2.js'],
    ['\u212a.js', 'k.js'],
    ['\u212b.js', '\u00e5.js'],
    // Long s, dotted and dotless i, capital i with a dot.
    ['\u017f.js', 's.js'],
    ['\u0131.js', 'I.js'],
    ['\u0130.js', 'i\u0307.js'],
    ['\u0149.js', '\u02bcN.js'],
    ['\u01f0.js', 'J\u030c.js'],
    ['\u0390.js', '\u1fd3.js'],
    ['\u1e96.js', 'H\u0331.js'],
    ['\u1f50.js', 'Υ\u0313.js'],
    ['\u13a0.js', '\uab70.js'],
    // Invisible.
    ['ab.js', 'a\u200cb.js'],
    ['ab.js', 'a\u00adb.js'],
    ['ab.js', 'ab\ufe0f.js'],
    // In a folder.
    ['Maße/a.js', 'masse/a.js'],
  ])('%s and %s are refused together, in either order', (one, other) => {
    expect(whyUnsafe([one])).toBe(null)
    for (const both of [
      [one, other],
      [other, one],
    ])
      expect(whyUnsafe(both)).toMatchObject({ code: 'paths-alike', why: saying(...both) })
  })

  test('a file and a folder that fold to one', () => {
    expect(whyUnsafe(['groß', 'GROSS/a.js'])).toMatchObject({ code: 'path-file-and-folder', why: saying('groß') })
    expect(whyUnsafe(['ς/a.js', 'Σ'])).toMatchObject({ code: 'path-file-and-folder', why: saying('Σ') })
  })

  test('different names in many scripts are accepted', () => {
    const names = [
      'größe.js',
      'grosse.js',
      'λόγοι.js',
      '棋.js',
      'ひ.js',
      'び.js',
      'и.js',
      'й.js',
      'é.js',
      'e.js',
      '👩‍💻.js',
      '👩.js',
    ]
    expect(whyUnsafe(names)).toBe(null)
  })
})

describe('characters that mislead', () => {
  const bidi = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]
  const lines = [0x0a, 0x0b, 0x0c, 0x0d, 0x85, 0x2028, 0x2029]
  const control = [0x00, 0x08, 0x1b, 0x7f, 0x80, 0x9b, 0x9f]
  test.each([...bidi, ...lines, ...control].map((point) => [hex(point), code(point)]))(
    'U+%s is refused',
    (_, character) => {
      for (const path of [`a${character}sj.exe`, `${character}a.js`, `folder${character}/a.js`, `a.js${character}`])
        expect(whyUnsafe([path])).toMatchObject({ code: 'path-characters' })
    },
  )

  test('the message itself is plain', () => {
    expect(whyUnsafe(['a\u202egpj.js'])!.why).toContain('"a\\u202egpj.js"')
    // eslint-disable-next-line no-control-regex -- it looks for control characters
    expect(whyUnsafe(['a\u2028b'])!.why).not.toMatch(/[\u0000-\u001f\u2028\u2029]/)
    expect(whyUnsafe(['a\u202eb'])!.why).not.toMatch(/\p{Bidi_Control}/u)
  })
})
