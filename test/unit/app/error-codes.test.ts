import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commanderCodes } from '../../../main/cli/program.ts'
import { errorCodes } from '../../../main/contract/error-codes.ts'
import { systemCodes } from '../../../main/histories/machine-error.ts'

test('every code is listed once, in kebab-case, and used', () => {
  const sources = globSync('main/**/*.ts').map((file) => readFileSync(file, 'utf8'))
  const written = (pattern: RegExp): (string | undefined)[] =>
    sources.flatMap((text) => [...text.matchAll(pattern)].map(([, code]) => code))
  const thrown = written(/new ExpectedError\(\s*(?:'\w+'|error\.kind),\s*'([^']+)'/g)
  expect(thrown.length).toBeGreaterThan(errorCodes.length)
  const used = new Set([
    ...thrown,
    ...written(/new MachineError\([^;]*?'([a-z-]+)',?\s*\)/g),
    ...written(
      /\b(?:refusal|refused|refuse|refuseEntry|PackageProblem)\(\s*(?:(?:'[a-z-]+'|archive),\s+)?'([a-z-]+)',\s/g,
    ),
    // The faults of a generator are those of the language.
    ...[
      ...readFileSync('grammars/challenges/generators/make-generator.ts', 'utf8').matchAll(
        /'((?:generator|planted)-[a-z]+)'/g,
      ),
    ].map(([, code]) => code),
    ...Object.values(commanderCodes),
    ...Object.values(systemCodes),
    // Errors that no table has.
    'system-error',
    'internal-error',
  ])
  expect([...used].sort()).toEqual([...errorCodes].sort())
  for (const code of errorCodes) expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
})
