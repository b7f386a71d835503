import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the citation names the version and the licence of the project', () => {
  const { version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string; license: string }
  const lines = readFileSync('CITATION.cff', 'utf8').split('\n')
  expect(lines).toEqual(expect.arrayContaining([`version: ${version}`, `license: ${license}`]))
})
