import { describe, expect, test } from 'vitest'
import { surveyChallenge } from '../../../grammars/challenges/index.ts'
import { sectionNames } from '../../../grammars/challenges/section-words.ts'
import { vocabulary } from '../../../grammars/challenges/words.ts'
import { builtIns } from '../../../grammars/formulas/functions/functions.ts'
import { formatNames } from '../../../grammars/challenges/formats/index.ts'
import { blockAt, completionsAfter } from '../../../grammars/language-services/complete.ts'
import { dictionaryCompletions, dictionaryHoverAt } from '../../../grammars/language-services/dictionary-help.ts'
import { hoverAt } from '../../../grammars/language-services/hover.ts'
import { merged } from '../../../grammars/language-services/knowledge.ts'
import { markOf, remedyName } from '../../../grammars/language-services/marks.ts'
import { functions, keywords, sectionWords } from '../../../grammars/language-services/words.ts'
import { sourceOf } from '../challenges/shipped.ts'

const knapsack = sourceOf('knapsack')

describe('words', () => {
  test('every word of the grammar is known to the editor', () => {
    const known = new Set([...sectionWords, ...keywords, ...functions].map(({ word }) => word))
    const words = vocabulary.map(({ PATTERN }) => PATTERN).filter((pattern) => typeof pattern === 'string')
    expect(words.filter((word) => /^[a-z]+$/.test(word) && !known.has(word))).toEqual([])
  })
})

/** The completions at `|` in a text, from the knapsack's names. */
function offered(text: string): readonly string[] {
  const { survey } = surveyChallenge(knapsack)
  const found = completionsAfter(text.slice(0, text.indexOf('|')), { survey, source: knapsack }, true)
  return found?.items.map(({ label }) => label) ?? []
}

describe('completion', () => {
  test('of fields, by the type of what stands before the point', () => {
    expect(offered('measure = config.|')).toEqual(['maxItems', 'maxWeight', 'maxWorth'])
    expect(offered('  require instance.items[i].w|')).toEqual(['weight', 'worth'])
    expect(offered('property instance {\n  Item.|')).toEqual(['weight', 'worth'])
    expect(offered('measure = unknown.|')).toEqual([])
  })
  test('of formats, of which a name may have hyphens, and of what may follow', () => {
    expect(offered('format |').toSorted()).toEqual(formatNames.toSorted())
    expect(offered('goal = max\nformat dimacs-g|')).toContain('dimacs-graph')
    const { survey } = surveyChallenge(knapsack)
    expect(completionsAfter('format dimacs-g', { survey, source: knapsack }, false)?.typed).toBe('dimacs-g'.length)
    expect(offered('format tsplib |')).toEqual(['best'])
    expect(offered('text {{\nformat |')).toEqual([])
    expect(offered('format tsplib\ngoal = |')).not.toContain('tsplib')
  })
  test('of sections, classes and names, each where it belongs', () => {
    expect(offered('|')).toContain('dictionary')
    expect(offered('dictionary {{\n  A = <b> |')).toEqual(expect.arrayContaining(['Item', 'List', 'int']))
    expect(offered('dictionary {{\n  A = <b> |')).not.toContain('require')
    expect(offered('measure = |')).toEqual(expect.arrayContaining(['weight', 'instance', 'sum', 'if']))
    expect(offered('text {{\n  so |')).toEqual([])
    expect(blockAt('dictionary {{ x }} text {{ y')).toBe('text')
    expect(blockAt('dictionary {{ x }}')).toBeNull()
  })
})

test('every section and every function of the language is offered and explained', () => {
  const { survey } = surveyChallenge('')
  expect(offered('|')).toEqual(expect.arrayContaining([...sectionNames]))
  expect(offered('measure = |')).toEqual(expect.arrayContaining(builtIns.map(({ name }) => name)))
  for (const word of [...sectionNames, ...builtIns.map(({ name }) => name)])
    expect(hoverAt(`${word} x`, 1, { survey, source: '' })?.lines[0]).toMatch(/\w/)
})

describe('hover', () => {
  const knowledge = { survey: surveyChallenge(knapsack).survey, source: knapsack }
  const at = (word: string, before: string, text = knapsack): readonly string[] | undefined => {
    const start = text.indexOf(before) + before.length
    const found = hoverAt(text, start + 1, knowledge)
    expect(text.slice(found?.from, found?.to)).toBe(word)
    return found?.lines
  }
  test('tells types of names, fields, settings, functions and classes', () => {
    expect(at('instance', 'measure = sum(')).toEqual(['instance: Instance', 'the raw material'])
    expect(at('items', 'measure = sum(instance.')).toEqual(['items: list of Item'])
    expect(at('maxItems', 'length(instance.items) in 1..config.')?.[1]).toContain('20')
    expect(at('weight', 'once."\n  require ')?.[0]).toBe('weight(packed: list of int, items: list of Item): int')
    expect(at('Item', '<items> List(')).toEqual(['Item { weight: int, worth: int }'])
    expect(hoverAt(knapsack, knapsack.indexOf('"Knapsack"') + 3, knowledge)).toBeNull()
  })
  test('a text that has changed since is told by names alone, and old knowledge is kept', () => {
    expect(at('items', '// x\nx = instance.', '// x\nx = instance.items')).toEqual(['items: list of Item'])
    const { survey } = surveyChallenge(knapsack.replace('Predicate = ', 'Predicate == '))
    expect(merged(knowledge.survey, survey).classes).toHaveLength(4)
    expect(merged(knowledge.survey, survey).names.size).toBeGreaterThan(0)
    // A picture that the text does not declare any more is not shown.
    const { survey: undrawn } = surveyChallenge(knapsack.replace(/^picture [^]*?^}$/m, ''))
    expect([knowledge.survey.picture?.kind, merged(knowledge.survey, undrawn).picture]).toEqual(['bars', null])
  })
})

describe('class dictionaries', () => {
  const text = 'Pair(X) = <first> X <second> List(X).\nLeaf = "leaf" <value> int.\nMain = Pair(Leaf) | Leaf.\n'
  const hover = (part: string): readonly string[] | undefined =>
    dictionaryHoverAt((file) => (file === null ? text : null), text.indexOf(part))?.lines
  test('hover shows the class, the parameter, or that it is built in', () => {
    expect(hover('Leaf)')).toEqual(['Leaf = "leaf" <value> int.'])
    expect(hover('X <second>')).toEqual(['X: type parameter'])
    expect(hover('List(')).toEqual(['List(X)', 'a built-in class'])
    expect(hover('int')).toEqual(['int', 'a built-in class'])
    expect(hover('"leaf"')).toBeUndefined()
  })
  test('classes, built-in classes and words are offered, but not in literals and comments', () => {
    const labels = (before: string) =>
      dictionaryCompletions(`${text}${before}`, before)?.items.map(({ label }) => label)
    expect(labels('New = <x> ')).toEqual(expect.arrayContaining(['Pair', 'Leaf', 'Main', 'int', 'List', 'include']))
    expect(labels('New = "')).toBeUndefined()
    expect(labels('// New ')).toBeUndefined()
  })
})

describe('problems', () => {
  test('mark a word, a sign, or the end of the text', () => {
    const mark = (offset: number) =>
      markOf({ at: { line: 1, column: 1, offset }, code: 'equal-sign', message: '' }, 'goal == max')
    expect([mark(0), mark(5), mark(11)]).toEqual([
      { from: 0, to: 4 },
      { from: 5, to: 6 },
      { from: 11, to: 11 },
    ])
  })
  test('have remedies with labels', () => {
    expect(remedyName('==', '=')).toBe('Write =')
    expect(remedyName(',', '')).toBe('Remove ,')
    expect(remedyName('', ' else ""')).toBe('Insert else ""')
    expect(remedyName('x', 'y'.repeat(90))).toHaveLength('Write '.length + 41)
  })
})
