import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sentence } from '../../../main/contract/sentence.ts'
import { refused } from '../../../main/services/packages/form.ts'

test.each([
  ['x.ts:3: cannot find name `foo`; did you mean `bar`?', 'x.ts:3: cannot find name `foo`; did you mean `bar`?'],
  ['it last said: Build failed!', 'it last said: Build failed!'],
  ['the rest is cut off…', 'the rest is cut off…'],
  ['it is not JSON', 'it is not JSON.'],
  ['it ended. \n', 'it ended.'],
  ['it has no file "a.js"', 'it has no file "a.js".'],
])('%j ends with one mark', (text, whole) => {
  expect(sentence(text)).toBe(whole)
  expect(refused('build-failed', 'a.zip', text).message).toBe(`a.zip cannot be accepted: ${whole}`)
})

test('no text gets a second mark, and a sentence stays as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const once = sentence(text)
      expect(once).toMatch(/[.!?…]$/)
      expect(sentence(once)).toBe(once)
      expect(once.length - text.trimEnd().length).toBe(/[.!?…]$/.test(text.trimEnd()) ? 0 : 1)
    }),
  )
})
