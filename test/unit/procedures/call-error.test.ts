import { expect, test } from 'vitest'
import { expectedError } from '../../../main/administrator/procedures/call-error.ts'
import { plainSentence } from '../../../main/contract/plain-sentence.ts'
import { ExpectedError } from '../../../main/contract/expected-error.ts'

const hash = '0123456789abcdef'.repeat(4)

test.each([
  [
    `Entrant "fior": /data/agents/${hash}.js does not play specker.`,
    'Entrant "fior": 01234567….js does not play specker.',
  ],
  ['There is no contest "x" in /home/anna/class.', 'There is no contest "x" in class.'],
  [String.raw`There is no contest "x" in C:\Users\anna\class.`, 'There is no contest "x" in class.'],
  [`It is committed to ${hash}: give the phrase.`, 'It is committed to 01234567…: give the phrase.'],
  // People compare it.
  [`The key, fingerprint ${hash}: compare it.`, null],
  // These are neither.
  ['limits.moveMs: at most 60,000 / 2 or 1/2 of it, in and/or out.', null],
  ['Open http://127.0.0.1:8080/a/b in a browser.', null],
  ['The formula of /x is not valid.', null],
])('%s has neither a path nor a hash on a screen', (message, plain) => {
  expect(plainSentence(message)).toBe(plain ?? message)
})

test('a problem of this machine names the place of its file', () => {
  const error = expectedError(new ExpectedError('host', 'stored-file-damaged', `/data/agents/${hash}.js was changed.`))
  expect(error?.message).toBe('/data/agents/01234567….js was changed.')
  const refused = expectedError(new ExpectedError('usage', 'other-game', `/data/agents/x.js does not play specker.`))
  expect(refused?.message).toBe('x.js does not play specker.')
})
