import { expect, test, vi } from 'vitest'
import { parseChallenge } from '../../../grammars/challenges/parse.ts'
import { tokenize, parse } from '../../../grammars/class-dictionary/parsing/recover.ts'
import { parseScheme } from '../../../grammars/grades/parse-scheme.ts'
import { parseFormula } from '../../../grammars/formulas/syntax/parser.ts'

/** How many lexers and parsers have asked whether they are to look at their own rules. */
const asked = vi.hoisted(() => ({ times: 0 }))
vi.mock('../../../grammars/proven.ts', () => ({
  proven: {
    get skipValidations() {
      asked.times++
      return false
    },
  },
}))

const start = { line: 1, column: 1, offset: 0 }

// Chevrotain throws at the first use where a token hides another, or a rule is ambiguous, left-recursive or not there.
test.each([
  ['class dictionaries', () => parse(tokenize('A = "a".', start, 'C'), start, 'C').problems],
  ['older class dictionaries', () => parse(tokenize('A = "a".', start, 'A'), start, 'A').problems],
  ['formulas', () => ('kind' in parseFormula('1 + 1') ? [] : ['no formula'])],
  ['challenges', () => parseChallenge('challenge a "A"').faults],
  ['schemes of grades', () => ('faults' in parseScheme('grade = 1') ? ['no scheme'] : [])],
])('the rules of %s are sound', (_, read) => {
  const before = asked.times
  expect(read()).toEqual([])
  expect(asked.times - before).toBe(2)
})
