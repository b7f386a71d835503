import { beforeEach, expect, test } from 'vitest'
import { forgetQueries, keepQuery, keptQueries } from '../../../renderer/screens/analysis/kept-queries.ts'

beforeEach(() => localStorage.clear())

test('the own queries of a person are kept, the newest first, once each, and apart from those of others', () => {
  for (const sql of ['SELECT 1', 'SELECT 2', '  ', 'SELECT 1']) keepQuery('ada', sql)
  keepQuery('ben', 'SELECT 3')
  expect([keptQueries('ada'), keptQueries('ben')]).toEqual([['SELECT 1', 'SELECT 2'], ['SELECT 3']])
  for (let n = 0; n < 40; n++) keepQuery('ada', `SELECT ${n} AS n`)
  expect([keptQueries('ada').length, keptQueries('ada')[0]]).toEqual([30, 'SELECT 39 AS n'])
  expect(keepQuery('ada', 'x'.repeat(20_001))).toEqual(keptQueries('ada'))
  forgetQueries('ada')
  expect([keptQueries('ada'), keptQueries('ben')]).toEqual([[], ['SELECT 3']])
})

test('a storage with something else in it has no queries', () => {
  for (const text of ['{', '{"a":1}', '[1,{},"SELECT 1"]']) {
    localStorage.setItem('tartaglia.queries.ada', text)
    expect(keptQueries('ada')).toEqual(text.startsWith('[') ? ['SELECT 1'] : [])
  }
})
