import { expect, test } from 'vitest'
import { createScores, publishedScores } from '../../../main/arenas/haggle/scores.ts'

const id = (number: number): string => number.toString(16).padStart(32, '0')

test('all and each day, sessions, agreements and the sum of dollars', () => {
  const scores = createScores()
  scores.add(id(1), '2018-07-17', { agreed: true, score: 7 })
  scores.add(id(2), '2018-07-17', { agreed: true, score: 5 })
  scores.add(id(1), '2018-07-18', { agreed: false, score: 0 })
  scores.add(id(1), '2018-07-18', { agreed: true, score: 10 })
  expect(scores.published()).toEqual({
    [id(2)]: {
      all: { sessions: 1, agreements: 1, score: 5 },
      '2018-07-17': { sessions: 1, agreements: 1, score: 5 },
    },
    [id(1)]: {
      all: { sessions: 3, agreements: 2, score: 17 },
      '2018-07-17': { sessions: 1, agreements: 1, score: 7 },
      '2018-07-18': { sessions: 2, agreements: 1, score: 10 },
    },
  })
  expect(Object.keys(scores.published()[id(1)]!)).toEqual(['all', '2018-07-17', '2018-07-18'])
})

test('what was published is gone on from', () => {
  const scores = createScores()
  scores.add(id(1), '2018-07-17', { agreed: true, score: 7 })
  const later = createScores(publishedScores.parse(JSON.parse(JSON.stringify(scores.published()))))
  later.add(id(1), '2018-07-17', { agreed: true, score: 2 })
  expect(later.published()[id(1)]).toEqual({
    all: { sessions: 2, agreements: 2, score: 9 },
    '2018-07-17': { sessions: 2, agreements: 2, score: 9 },
  })
})

test('too many identities: those with the fewest sessions are forgotten, never the one that plays now', () => {
  const scores = createScores({}, { identities: 20, days: 1_000 })
  for (let round = 0; round < 3; round++) scores.add(id(1), '2018-07-17', { agreed: true, score: 1 })
  for (let number = 2; number < 500; number++) {
    scores.add(id(number), '2018-07-17', { agreed: true, score: 1 })
    const { length } = Object.keys(scores.published())
    expect(length).toBeLessThanOrEqual(20)
    expect(scores.published()[id(number)]).toBeDefined()
  }
  expect(scores.published()[id(1)]).toMatchObject({ all: { sessions: 3 } })
})

test('too many days: the oldest are forgotten, and the sum stays', () => {
  const scores = createScores({}, { identities: 100, days: 10 })
  for (let day = 10; day < 30; day++) {
    for (const who of [1, 2]) scores.add(id(who), `2018-07-${day}`, { agreed: true, score: 1 })
  }
  for (const who of [1, 2]) {
    expect(Object.keys(scores.published()[id(who)]!)).toEqual([
      'all',
      ...[25, 26, 27, 28, 29].map((day) => `2018-07-${day}`),
    ])
    expect(scores.published()[id(who)]!['all']).toEqual({ sessions: 20, agreements: 20, score: 20 })
  }
})

test.each([
  ['an id', { 'ann@example.org': { all: { sessions: 1, agreements: 1, score: 1 } } }],
  ['another period', { [id(1)]: { July: { sessions: 1, agreements: 1, score: 1 } } }],
  ['a half session', { [id(1)]: { all: { sessions: 0.5, agreements: 1, score: 1 } } }],
  ['something missing', { [id(1)]: { all: { sessions: 1, agreements: 1 } } }],
])('a file with %s is not taken', (_, kept) => {
  expect(publishedScores.safeParse(kept).success).toBe(false)
})
