import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the citation has the keys that CFF 1.2 requires, and names the version and the licence of the project', () => {
  const { version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string; license: string }
  const text = readFileSync('CITATION.cff', 'utf8')
  const lines = text.split('\n')
  expect(lines).toEqual(
    expect.arrayContaining(['cff-version: 1.2.0', 'type: software', `version: ${version}`, `license: ${license}`]),
  )
  for (const required of [/^message: \S/m, /^title: \S/m, /^authors:\n(?: {2}- name: \S.*\n)+/m])
    expect(text).toMatch(required)
})
