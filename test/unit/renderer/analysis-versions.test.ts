import { expect, test } from 'vitest'
import { compared, sharedOpponents } from '../../../renderer/screens/analysis/versions.ts'

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
      ['new', 'crash', 2, 9],
      ['new', 'invalid', 7, 8],
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

test('opponents are the same if their versions are, whatever their names', () => {
  const first = { of: 'me', entrants: [entered('me', 'm1'), entered('anna', 'a1'), entered('ben', 'b1')] }
  const second = { of: 'me', entrants: [entered('me', 'm2'), entered('Anna 2', 'a1'), entered('ben', 'b2')] }
  expect(sharedOpponents(first, second)).toEqual({ first: ['anna'], second: ['Anna 2'] })
})

function entered(name: string, agent: string) {
  return { name, agent }
}
