import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readChallenge, surveyChallenge } from '../../../grammars/challenges/index.ts'
import { nameOf } from '../../../grammars/formulas/index.ts'

const knapsack = readFileSync(join(import.meta.dirname, '../../../grammars/challenges/knapsack.challenge'), 'utf8')

/** The type of the first of these words behind `after`. */
function typeAt(source: string, word: string, after = ''): string {
  const type = surveyChallenge(source).survey.types.get(source.indexOf(word, source.indexOf(after)))
  return type === undefined ? 'none' : nameOf(type)
}

test('it reads what readChallenge reads, and finds the same problems', () => {
  expect(surveyChallenge(knapsack).challenge?.name).toBe('knapsack')
  const broken = knapsack.replace('goal = max', 'goal = best')
  expect(surveyChallenge(broken).problems).toEqual(readChallenge(broken).problems)
})

test('names, fields, operators and calls have their types', () => {
  expect(typeAt(knapsack, 'worth', 'measure = sum(instance.items[i].')).toBe('int')
  expect(typeAt(knapsack, 'items', 'measure = sum(instance')).toBe('list of Item')
  expect(typeAt(knapsack, '[', 'measure = sum(instance.items')).toBe('Item')
  expect(typeAt(knapsack, 'sum', 'measure =')).toBe('int')
  expect(typeAt(knapsack, '/ item.weight')).toBe('number')
  expect(typeAt(knapsack, 'w in 1..')).toBe('int')
})

test('settings, functions, leagues and classes are told', () => {
  const { survey } = surveyChallenge(knapsack)
  expect(survey.settings[0]).toEqual({ name: 'maxItems', type: 'int', standard: 20, low: 1, high: 200 })
  expect(survey.definitions).toEqual([
    { name: 'weight', text: 'weight(packed: list of int, items: list of Item): int' },
  ])
  expect(survey.classes?.map(({ name }) => name)).toEqual(['Predicate', 'Instance', 'Solution', 'Item'])
  expect(survey.names.get('item')?.map(nameOf)).toEqual(['Item'])
  expect(structuredClone(survey)).toEqual(survey)
})

test('what can be read of a broken file is told', () => {
  const { survey, problems } = surveyChallenge(knapsack.replace('measure = sum', 'measure = sun'))
  expect(problems).toHaveLength(1)
  expect(survey.names.get('instance')?.map(nameOf)).toEqual(['Instance'])
  const without = surveyChallenge(knapsack.replace('Predicate = ', 'Predicate == ')).survey
  expect(without.classes).toBeNull()
  expect(without.settings).toHaveLength(3)
  expect(surveyChallenge('x'.repeat(1_000_001)).survey).toMatchObject({ settings: [], classes: null })
})
