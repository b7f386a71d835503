import { describe, expect, test } from 'vitest'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import type { Problem } from '../../../grammars/problem.ts'
import { checkChallengeText } from '../../../main/services/challenges/challenge-files.ts'
import { ERRAND, mistakes } from './mistakes.ts'

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

function withRemedies(text: string, problems: readonly Problem[]): string {
  return problems
    .flatMap(({ remedy }) => remedy ?? [])
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, text: put }) => all.slice(0, from) + put + all.slice(to), text)
}

test('the file without mistakes is fine', () => {
  expect(readChallenge(ERRAND).problems).toEqual([])
})

test.each([
  ['line ends of Windows', ERRAND.replaceAll('\n', '\r\n')],
  ['line ends of old Macs', ERRAND.replaceAll('\n', '\r')],
  ['tabs', ERRAND.replaceAll('  ', '\t')],
  ['a byte order mark', `\ufeff${ERRAND}`],
  [
    'foreign signs in texts and comments',
    ERRAND.replace('"Not twice."', '"Not \u2264 twice && \u201cso\u201d." // a == b'),
  ],
])('%s: the file is fine', (_, text) => {
  expect(readChallenge(text).problems).toEqual([])
})

test('each mistake has a code in the report of a check', () => {
  for (const [, from, to] of mistakes) {
    const text = ERRAND.replace(from, () => to)
    const { errors } = checkChallengeText(text, 'errand.challenge')
    expect(errors.map(({ code }) => code)).toEqual(readChallenge(text).problems.map(({ code }) => code ?? 'other'))
  }
  // A kind without a code of its own.
  const twice = ERRAND.replace('goal = max', 'goal = max\ngoal = max')
  expect(checkChallengeText(twice, 'errand.challenge').errors).toMatchObject([{ code: expect.any(String) as string }])
})

test('several mistakes are told together, each in its place of the file', () => {
  const text = ERRAND.replace('> 0 else "Name a size."', "== 1 else 'Name a size.'")
    .replace('sizes and item', 'sizes && itme')
    .replace('goal = max', 'goal = max;')
    .replace('range 1 9', 'range 1..9')
  const { problems } = readChallenge(text)
  expect(problems.map(({ at, code }) => [at.line, code])).toEqual([
    [28, 'equal-sign'],
    [28, 'quotes'],
    [34, 'logic-sign'],
    [34, 'name-unknown'],
    [45, 'semicolon'],
    [52, 'range-ends'],
  ])
  expect(readChallenge(withRemedies(text, problems)).problems).toEqual([])
})

test('a foreign sign in a sentence has its place in the file', () => {
  const text = ERRAND.replace('{instance.room}', '{instance.room % 2}')
  const at = text.indexOf('%')
  expect(readChallenge(text).problems).toMatchObject([
    { code: 'arithmetic-sign', at: { offset: at }, remedy: { from: at, to: at + 1, text: 'mod' } },
  ])
})

const all = mistakes.map(([name, from, to, code, remedy, lines = 0]) => ({ name, from, to, code, remedy, lines }))

describe('a mistake is told once, in its line, with its cause and a remedy', () => {
  test('these are more than eighty', () => {
    expect(all.length).toBeGreaterThan(80)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })

  test.each(all)('$name', ({ from, to, code, remedy, lines }) => {
    const at = ERRAND.indexOf(from)
    expect(at).toBeGreaterThanOrEqual(0)
    const text = ERRAND.replace(from, () => to)
    const { problems } = readChallenge(text)
    const line = Math.min(lineOf(text, at) + lines, lineOf(text, text.length))
    expect(problems.map((one) => [one.at.line, one.code, one.remedy?.text ?? null])).toEqual([[line, code, remedy]])
    // Either the remedy makes the file right, or there is advice. The label that is offered is not the one that the formulas use.
    if (remedy === null) expect(problems[0]!.hint).toEqual(expect.any(String))
    else if (code !== 'label-missing') expect(readChallenge(withRemedies(text, problems)).problems).toEqual([])
  })
})
