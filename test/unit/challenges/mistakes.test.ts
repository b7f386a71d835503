import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { tokensOf } from '../../../grammars/challenges/parse.ts'
import type { Problem } from '../../../grammars/problem.ts'
import { checkChallengeText } from '../../../main/services/challenges/challenge-files.ts'
import { repeats } from '../../long.ts'
import { judgeDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import { ERRAND, mistakes as usual } from './mistakes.ts'
import { dictionaryMistakes, facts, ruleMistakes } from './rule-mistakes.ts'
import { SHIPPED, sourceOf } from './shipped.ts'

const mistakes = [...usual, ...ruleMistakes]

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** The facts that neither the sentence nor the advice names. */
function unnamed({ message, hint = '' }: Problem, named: readonly string[]): readonly string[] {
  return named.filter((fact) => !`${message} ${hint}`.includes(fact))
}

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
    expect(errors.map(({ code }) => code)).toEqual(readChallenge(text).problems.map(({ code }) => code))
  }
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
  test('these are more than a hundred and fifty', () => {
    expect(all.length).toBeGreaterThan(150)
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })

  test('those without a remedy, and no others, have facts that are named', () => {
    expect(Object.keys(facts).toSorted()).toEqual(
      all.flatMap(({ name, remedy }) => (remedy === null ? [name] : [])).toSorted(),
    )
  })

  test('each code is that of a mistake in this list', () => {
    const codes = readFileSync(new URL('../../../grammars/problem-codes.ts', import.meta.url), 'utf8')
    const declared = [...codes.matchAll(/^ {2}\| '([a-z-]+)'$/gm)].map(([, code]) => code!)
    expect(declared.length).toBeGreaterThan(80)
    const told = new Set([
      ...all.map(({ code }) => code),
      ...dictionaryMistakes.map(([, code]) => code),
      'pattern',
      'case-value',
    ])
    expect(declared.filter((code) => !told.has(code))).toEqual([])
  })

  test('a regular expression is told at the sign that is wrong in it', () => {
    const text = ERRAND.replace('"for" <value> int', '"for" <value> int "tag" <tag> string')
      .replace('(2 for 3)', '(2 for 3 tag "a")')
      .replace('Item.value: range 1 9', 'Item.value: range 1 9\n  Item.tag: matches "[a-z][9-1]"')
    expect(readChallenge(text).problems.map(({ at, code }) => [code, at.offset])).toEqual([
      ['pattern', text.indexOf('9-1')],
    ])
  })

  test('a name for a value that is not there', () => {
    const text = ERRAND.replace('<radius> int.', '<radius> int <rim> Option(Rim).\n  Rim = "rim" <width> int.').replace(
      'bound = sum(',
      'bound = 0 * match instance.shape { Square s: 1, Round r: match r.rim { none v: 1, else: 2 } } + sum(',
    )
    expect(readChallenge(text).problems.map(({ at, code }) => [code, at.offset])).toEqual([
      ['case-value', text.indexOf('none v')],
    ])
  })

  test.each(dictionaryMistakes)('%s', (text, code, named) => {
    const { dictionary, problems } = readDictionary(text)
    const judged = dictionary === null ? { errors: [], warnings: [] } : judgeDictionary(dictionary)
    const found = [...problems, ...judged.errors, ...judged.warnings]
    const problem = found.find((one) => one.code === code)
    expect(found.map((one) => one.code)).toContain(code)
    expect(unnamed(problem!, named)).toEqual([])
  })

  test.each(all)('$name', ({ name, from, to, code, remedy, lines }) => {
    const at = ERRAND.indexOf(from)
    expect(at).toBeGreaterThanOrEqual(0)
    const text = ERRAND.replace(from, () => to)
    const { problems } = readChallenge(text)
    const line = Math.max(1, Math.min(lineOf(text, at) + lines, lineOf(text, text.length)))
    expect(problems.map((one) => [one.at.line, one.code, one.remedy?.text ?? null])).toEqual([[line, code, remedy]])
    // Either the remedy makes the file right, or the words name what is wrong and what to write. The label that is offered is
    // not the one that the formulas use.
    if (remedy === null) expect(unnamed(problems[0]!, facts[name]!)).toEqual([])
    else if (code !== 'label-missing') expect(readChallenge(withRemedies(text, problems)).problems).toEqual([])
  })
})

describe('a sign of another language is told and mended at every place of the challenges that ship', () => {
  const signs: readonly (readonly [own: string, foreign: readonly string[], code: string])[] = [
    ['=', ['==', '===', ':='], 'equal-sign'],
    ['!=', ['<>', '!==', '\u2260'], 'unequal-sign'],
    ['<=', ['=<', '\u2264'], 'order-sign'],
    ['>=', ['\u2265'], 'order-sign'],
    ['and', ['&&', '&', '\u2227'], 'logic-sign'],
    ['or', ['||', '\u2228'], 'logic-sign'],
    ['not', ['!', '\u00ac'], 'logic-sign'],
    ['mod', ['%'], 'arithmetic-sign'],
    ['*', ['\u00d7'], 'arithmetic-sign'],
    ['/', ['\u00f7'], 'arithmetic-sign'],
    ['-', ['\u2212'], 'arithmetic-sign'],
    ['..', ['...', '\u2026'], 'range-sign'],
    ['in', ['\u2208'], 'member-sign'],
    ['subset', ['\u2286'], 'member-sign'],
  ]
  // Each takes a moment: one of forty places in the short form, another one for each file.
  const step = repeats({ short: 40, long: 1 })
  test.each(SHIPPED)('%s', { timeout: 120_000 }, (name) => {
    const text = sourceOf(name)
    const places = tokensOf(text).flatMap(({ image, startOffset: at }) =>
      signs.flatMap(([own, foreign, code]) => (own === image ? foreign.map((sign) => ({ at, own, sign, code })) : [])),
    )
    expect(places.length).toBeGreaterThan(100)
    for (let number = SHIPPED.indexOf(name) % step; number < places.length; number += step) {
      const { at, own, sign, code } = places[number]!
      const changed = text.slice(0, at) + sign + text.slice(at + own.length)
      const { problems } = readChallenge(changed)
      expect([sign, problems.map((one) => [one.code, one.at.offset])]).toEqual([sign, [[code, at]]])
      expect(withRemedies(changed, problems)).toBe(text)
    }
  })
})
