import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorCodes } from '../../../main/contract/error-codes.ts'

test('every code is listed once, in kebab-case, and used', () => {
  const sources = globSync('main/**/*.ts').map((file) => readFileSync(file, 'utf8'))
  const thrown = sources.flatMap((text) =>
    [...text.matchAll(/new ExpectedError\(\s*(?:'\w+'|error\.kind),\s*'([^']+)'/g)].map(([, code]) => code),
  )
  expect(thrown.length).toBeGreaterThan(errorCodes.length)
  expect([...new Set(thrown)].sort()).toEqual([...errorCodes].sort())
  for (const code of errorCodes) expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
})
