import serialize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalText } from '../../../main/histories/canonical.ts'
import type { Json } from '../../../main/contract/json.ts'
import { anyText } from '../../any-text.ts'

/** Names that objects order in their own way, that mean something to them, or that no text can hold. */
const name = fc.oneof(
  anyText(),
  fc.constantFrom('10', '9', '01', '1a', '', '__proto__', 'constructor', 'toJSON', '\ud800', '\ufb33', '😀', '$', 'é'),
)
const leaf = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    true,
    false,
    0,
    -0,
    1e21,
    1e-7,
    5e-324,
    Infinity,
    NaN,
    '\udc00',
    '\u2028',
    '"\\\n',
    '\\ud800',
    '\\\\ud',
  ),
  fc.integer(),
  fc.double(),
  anyText(),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries) as unknown),
  ),
}))

/** The text, or that there is none. */
function attempt(write: () => string | undefined): string {
  try {
    return write() ?? 'nothing'
  } catch {
    return 'nothing'
  }
}

describe('canonical text', () => {
  test('is the library’s, byte for byte, whatever the value', () => {
    fc.assert(
      fc.property(value, (any) => {
        expect(attempt(() => canonicalText(any))).toBe(attempt(() => serialize(any)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('leaves the value as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (any) => {
        const before = JSON.stringify(any)
        canonicalText(any)
        expect(JSON.stringify(any)).toBe(before)
      }),
    )
  })

  test('what is in order within what is not, and the other way round', () => {
    expect(
      canonicalText({
        b: [
          { c: 1, d: 2 },
          { f: 1, e: [{ h: 1, g: 2 }] },
        ],
        a: '\\ud800',
      }),
    ).toBe(String.raw`{"a":"\\ud800","b":[{"c":1,"d":2},{"e":[{"g":2,"h":1}],"f":1}]}`)
    expect(canonicalText({ a: 1, b: { d: 1, c: [3, { f: 1, e: 2 }, 4] }, e: 5 })).toBe(
      '{"a":1,"b":{"c":[3,{"e":2,"f":1},4],"d":1},"e":5}',
    )
  })

  test('nesting beyond any stack', () => {
    let deep: Json = []
    for (let n = 0; n < 200_000; n++) deep = [deep]
    expect(canonicalText(deep)).toHaveLength(400_002)
  })

  test('values that are not plain data are written as JSON.stringify writes it, in order', () => {
    expect(canonicalText({ b: new Date(0), a: { toJSON: () => ({ d: 1, c: 2 }) } })).toBe(
      '{"a":{"c":2,"d":1},"b":"1970-01-01T00:00:00.000Z"}',
    )
    expect(canonicalText([Object.assign([1], { toJSON: () => ({ b: 1, a: 2 }) })])).toBe('[{"a":2,"b":1}]')
  })
})
