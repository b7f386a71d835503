import { describe, expect, test } from 'vitest'
import { parseChallenge, tokensOf } from '../../../grammars/challenges/parse.ts'
import { printDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import { edited, spaceEdits } from '../../../grammars/language-services/edits.ts'
import { formatDictionary } from '../../../grammars/language-services/format-dictionary.ts'
import { formatChallenge } from '../../../grammars/language-services/format.ts'
import { repeats } from '../../long.ts'
import { ERRAND } from '../../unit/challenges/mistakes.ts'
import { SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'
import { mutated, SMALL } from '../challenges/mutants.ts'
import { fuzzed, randomOf } from '../class-dictionary/fuzz.ts'

const count = repeats({ short: 1_500, long: 200_000 })

/** The parsed file without places, with its dictionary as its printer prints it. */
function meaning(text: string): string {
  const { tree } = parseChallenge(text)
  return JSON.stringify(tree, (key, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    if (key === 'at') return undefined
    if (typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'dictionary') {
      const { block } = value as unknown as { block: { source: string } }
      const { dictionary } = readDictionary(block.source, { wantsLabels: true })
      return dictionary === null ? block.source : printDictionary(dictionary)
    }
    return value
  })
}

function comments(text: string): readonly string[] {
  // Prose and values may contain such signs, too, and stay as they are anyway.
  return [...text.matchAll(/\/\/[^\n\r]*|\/\*[^]*?\*\//g)].map(([comment]) => comment.trimEnd())
}

/** Formats a text and checks that nothing but white space has changed, and that it stays as it is then. */
function check(text: string): boolean {
  const made = formatChallenge(text)
  if (made === null) {
    if (parseChallenge(text).faults.length === 0) throw new Error('a file without faults of grammar was refused')
    return false
  }
  if (made.replace(/\s/g, '') !== text.replace(/\s/g, '')) throw new Error('more than white space has changed')
  if (meaning(made) !== meaning(text)) throw new Error('the meaning has changed')
  if (JSON.stringify(comments(made)) !== JSON.stringify(comments(text))) throw new Error('comments have changed')
  if (formatChallenge(made) !== made) throw new Error('formatting again changes it again')
  if (edited(text, spaceEdits(text, made)) !== made) throw new Error('the edits make another text')
  return true
}

/** The text with white space between tokens changed: taken out where that joins nothing, put in, with comments. */
function respaced(text: string, random: () => number): string {
  const below = (limit: number): number => random() % limit
  const put = [' ', '   ', '\n', '\n\n\n', '\t', ' // so\n', '\n// so\n\n', ' /* so\n so */ ', '\r\n']
  let made = ''
  let end = 0
  for (const { startOffset, image } of tokensOf(text)) {
    const gap = text.slice(end, startOffset)
    made += below(4) > 0 || (gap === '' && made === '') ? gap : gap + put[below(put.length)]!
    made += image
    end = startOffset + image.length
  }
  return made + text.slice(end)
}

describe('a formatted challenge', () => {
  test.each(SHIPPED)('keeps its meaning and comments: %s', (name) => {
    const text = sourceOf(name)
    expect(check(text)).toBe(true)
    const random = randomOf(7)
    for (let i = 0; i < repeats({ short: 6, long: 500 }); i++) expect(check(respaced(text, random))).toBe(true)
  })

  test('ships as it is formatted, but for a line', () => {
    const changed = SHIPPED.filter((name) => formatChallenge(sourceOf(name)) !== sourceOf(name))
    expect(changed).toEqual(['max-sat'])
  })

  test(`keeps its meaning and comments in ${count} changed files`, { timeout: 60_000 + count * 20 }, () => {
    let formatted = 0
    for (let seed = 0; seed < count; seed++) {
      const random = randomOf(seed)
      const text = seed % 3 === 0 ? respaced(seed % 2 === 0 ? SMALL : ERRAND, random) : mutated(random)
      try {
        if (check(text)) formatted++
      } catch (error) {
        throw new Error(`seed ${seed}: ${JSON.stringify(text)}`, { cause: error })
      }
    }
    expect(formatted).toBeGreaterThan(count / 4)
  })
})

test(`${count} formatted dictionaries keep their meaning and stay as they are then`, () => {
  let formatted = 0
  for (let seed = 0; seed < count; seed++) {
    const text = fuzzed(randomOf(seed))
    const made = formatDictionary(text)
    if (made === null) continue
    formatted++
    const [before, after] = [text, made].map((one) => readDictionary(one, { resolve: () => '' }))
    const printed = [before!, after!].map(({ dictionary }) => dictionary && printDictionary(dictionary))
    if (printed[0] === null || printed[0] !== printed[1] || formatDictionary(made) !== made)
      throw new Error(`seed ${seed}: ${JSON.stringify([text, made])}`)
  }
  expect(formatted).toBeGreaterThan(count / 50)
})

/** Classes of dialects A and B, with their words, signs, code and comments. */
const OLDER = [
  'include "lib.cd";',
  'lookahead = 2;',
  'package a.b; import c.d.*;',
  'A : B | C.',
  'A : B | C *common* <x> int.',
  'L(S) ~ {S}.',
  'M(S) ~ S { "," S }.',
  'A = "a" [ <b> B ] C.',
  'A = *static* <x> B.',
  'A = <n> ident <l> List(int).',
  'A = B *extends* D.',
  'D = (@ if (a) { b(); } // so @) <x> int.',
  'E = <x> int {{ void f() { // no comment\n  return; } }}.',
  '// of a thing\nF = .',
  'G = /* so\n so */ "g" + <x> int - "h".',
]

test(`${count} dictionaries of the older dialects are laid out without changing more than white space`, () => {
  const space = ['', ' ', '   ', '\n', '\n\n\n', '\t', '\r\n', ' // so\n', ' /* so */ ']
  const dialects = { A: 0, B: 0 }
  for (let seed = 0; seed < count; seed++) {
    const random = randomOf(seed)
    const below = (limit: number): number => random() % limit
    const classes = Array.from({ length: 1 + below(6) }, () => OLDER[below(OLDER.length)]!)
    const stated = below(3) === 0 ? `${['', '\n', ' '][below(3)]!}// dialect: ${below(2) === 0 ? 'A' : 'B'}\n` : ''
    const spaced = classes.map((one) => one.replaceAll(/(?<=[\w"]) (?=[\w"<[{:=~])/g, () => space[1 + below(5)]!))
    const text = stated + spaced.map((one) => one + space[below(space.length)]!).join(space[1 + below(4)]!)
    const before = readDictionary(text, { resolve: () => '' })
    const made = formatDictionary(text)
    if (made === null) continue
    const after = readDictionary(made, { resolve: () => '' })
    if (before.dialect !== 'C') dialects[before.dialect] += 1
    const printed = [before, after].map(({ dictionary }) => dictionary && printDictionary(dictionary))
    const wrong =
      made.replace(/\s/g, '') !== text.replace(/\s/g, '') ||
      printed[0] !== printed[1] ||
      before.dialect !== after.dialect ||
      JSON.stringify(comments(made)) !== JSON.stringify(comments(text)) ||
      formatDictionary(made) !== made
    if (wrong) throw new Error(`seed ${seed}: ${JSON.stringify([text, made])}`)
  }
  for (const found of Object.values(dialects)) expect(found).toBeGreaterThan(count / 50)
})
