import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readChallenge } from '../../../grammars/challenges/index.ts'

test('the challenge in docs/language.md is one', () => {
  const docs = readFileSync(new URL('../../../docs/language.md', import.meta.url), 'utf8')
  const blocks = [...docs.matchAll(/^```\n(challenge [^]*?)^```$/gm)].map((block) => block[1] ?? '')
  expect(blocks).toHaveLength(1)
  expect(readChallenge(blocks[0] ?? '').problems).toEqual([])
})
