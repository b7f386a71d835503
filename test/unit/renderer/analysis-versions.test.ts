import { expect, test } from 'vitest'
import { compared, isAboutAgent } from '../../../renderer/screens/analysis/versions.ts'

const columns = ['agent', 'kind', 'faults', 'match']

test('cases of two answers stand side by side, also those that only one has', () => {
  const first = {
    columns,
    rows: [
      ['old', 'crash', 4, 1],
      ['old', 'crash', 6, 2],
      ['old', 'timeout', 1, 3],
    ],
  } as const
  const second = {
    columns,
    rows: [
      ['old', 'crash', 2, 9],
      ['old', 'invalid', 7, 8],
    ],
  } as const
  expect(compared(first, second)).toEqual({
    ...{ keys: ['kind'], numbers: ['faults'] },
    rows: [
      { key: ['crash'], values: [{ first: 5, second: 2 }] },
      { key: ['timeout'], values: [{ first: 1, second: null }] },
      { key: ['invalid'], values: [{ first: null, second: 7 }] },
    ],
  })
})

test('an answer without texts has a single case, and one without rows has none', () => {
  const some = { columns: ['agent', 'mean'], rows: [['old', 2]] } as const
  const none = { columns: ['agent', 'mean'], rows: [] } as const
  expect(compared(some, none)).toEqual({
    ...{ keys: [], numbers: ['mean'] },
    rows: [{ key: [], values: [{ first: 2, second: null }] }],
  })
  expect(compared(none, none).rows).toEqual([])
})

test('an answer that is about others too has a case for each of them', () => {
  const first = {
    columns: ['agent', 'difference'],
    rows: [
      ['old', 2],
      ['ben', 3],
    ],
  } as const
  expect(compared(first, { columns: first.columns, rows: [['ben', 5]] })).toMatchObject({
    keys: ['agent'],
    rows: [{ values: [{ first: 2, second: null }] }, { values: [{ first: 3, second: 5 }] }],
  })
})

test('a question about a match as well is not compared', () => {
  const question = {
    name: 'q',
    title: 'Q',
    about: '',
    sql: '',
    columns: {},
    chart: { kind: 'bar', x: '', y: '' },
  } as const
  const [agent, match] = [
    { kind: 'agent', about: '', default: null } as const,
    { kind: 'whole', about: '', default: 0 } as const,
  ]
  expect([{ agent }, {}, { agent, match }].map((parameters) => isAboutAgent({ ...question, parameters }))).toEqual([
    ...[true, false, false],
  ])
})
