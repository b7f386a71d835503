import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { chained } from '../../../main/histories/chain.ts'
import { bodyBytes, glanceAtInput } from '../../../main/histories/read-line.ts'
import { canonicalText } from '../../../main/histories/canonical.ts'

/** A line without its newline. */
const lineOf = (body: { readonly [key: string]: Json }): Buffer => Buffer.from(chained('', '-', body).line.trimEnd())

/** Any JSON, often with the very members and texts that end an input's line. */
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.jsonValue() as fc.Arbitrary<Json>,
    fc.constant('","k":"input","n":1,"r":1},"h":"' + 'a'.repeat(64) + '"}'),
    fc.record({ k: fc.constant('input'), n: fc.nat(), r: fc.nat(), value: tie('value') }),
    fc.record({ k: fc.constant('input'), n: fc.nat(), r: fc.nat() }),
  ),
})).value

test('inputs are told apart by their ends, whatever they hold, and nothing else is', () => {
  const hex = fc.stringMatching(/^[0-9a-f]{64}$/)
  const body = fc.record(
    { at: fc.nat(), audience: fc.constant('public'), input: value, salt: hex },
    { requiredKeys: ['at', 'audience', 'input'] },
  )
  fc.assert(
    fc.property(body, fc.nat(), fc.nat(), value, (input, n, r, other) => {
      const line = lineOf({ ...input, k: 'input', n, r })
      const { h } = JSON.parse(line.toString()) as { h: string }
      expect(glanceAtInput(line)).toEqual({ n, r, h })
      expect(bodyBytes(line).toString()).toBe(canonicalText({ ...input, k: 'input', n, r }))
      for (const k of ['console', 'blob', 'fault', 'header', 'outcome']) {
        expect(glanceAtInput(lineOf({ k, n, r, text: other, value: other, at: 1 }))).toBeNull()
      }
    }),
  )
})
