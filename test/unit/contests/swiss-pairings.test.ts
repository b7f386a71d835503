import { expect, test } from 'vitest'
import { randomStream } from '../../../main/contract/random.ts'
import { hashOf, sha256 } from '../../../main/histories/canonical.ts'
import { contestOf, playOut, type Play } from './played-contest.ts'

/** Scores drawn by the match, with ties. */
const drawn: Play = ({ match, entrants }) => {
  const next = randomStream(sha256(`scores ${match}`))
  return entrants.map(() => next() % 3)
}

/** The hash of everybody's opponents and seats in all rounds, and of the standings. */
function played(format: object, entrants: number): string {
  const { stages, record } = playOut(contestOf({ type: 'swiss', ...format }, entrants), drawn)
  return hashOf([stages, record.standings(), record.tables()['Tie-breaks']]).slice(0, 16)
}

// A contest that was paired by an older version must be resumed with the same matches.
test('a Swiss tournament is paired as it has always been', () => {
  expect({
    pairs: played({}, 64),
    'a bye in each round': played({}, 301),
    'as many rounds as possible': played({ rounds: 8 }, 16),
    'as many rounds as possible, with byes': played({ rounds: 9 }, 17),
    'score groups that have all met': played({ rounds: 30 }, 61),
    'tables of three': played({ seats: 3 }, 50),
    'tables of four, with rematches': played({ seats: 4, rounds: 5 }, 18),
  }).toEqual({
    pairs: '06951dfd3f96db69',
    'a bye in each round': '13f17417a2a4a3fd',
    'as many rounds as possible': '9c77d38e3ee2caa4',
    'as many rounds as possible, with byes': '14702a21288ced87',
    'score groups that have all met': '408dc673cd5e2254',
    'tables of three': 'ab0468432014ea23',
    'tables of four, with rematches': '46890411da02bbaf',
  })
})
