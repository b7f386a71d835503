import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ruleNames } from '../../../main/referees/specker/narration/rule-names.ts'

/** The type checker demands an entry of `ruleNames` for each rule that the referee can write into a history. */
test('the rulebook explains every rule that a history can name', () => {
  const rulebook = readFileSync(new URL('../../../docs/games/specker-rules.md', import.meta.url), 'utf8')
  const named = new Set(rulebook.match(/(?<=`)[a-z-]+(?=`)/g))
  expect(Object.keys(ruleNames).filter((rule) => !named.has(rule))).toEqual([])
})
