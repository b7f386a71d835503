import { describe, expect, test } from 'vitest'
import { scheduleFault, scheduleOf } from '../../../main/services/contests/schedule/schedule.ts'
import { byList, contestOf, lettersOf, playOut, type Play } from './played-contest.ts'

const places = (record: ReturnType<typeof playOut>['record']) =>
  record.standings().map(({ agent, rank, points }) => `${rank} ${agent} ${points}`)

describe('worked by hand', () => {
  test('a gauntlet of A against B, C and D: two matches with each, one in each seat', () => {
    const { record, stages } = playOut(contestOf({ type: 'gauntlet' }, 4), byList)
    expect(stages.map((matches) => matches.map(lettersOf))).toEqual([['AB', 'CA', 'AD', 'BA', 'AC', 'DA']])
    expect(places(record)).toEqual(['1 A 6', '2 B 0', '2 C 0', '2 D 0'])
  })

  test('a gauntlet of two challengers: they do not play each other', () => {
    const { stages } = playOut(contestOf({ type: 'gauntlet', challengers: 2, repeats: 1 }, 4), byList)
    expect(stages[0]!.map(lettersOf)).toEqual(['AC', 'DA', 'BC', 'DB'])
  })

  test('a gauntlet that A loses: who has won both matches is before A, who has won three of eight', () => {
    // A beats E, and wins once against D.
    const play: Play = ({ entrants, match }) => entrants.map((at) => [2, 4, 4, match === 2 ? 1 : 3, 0][at]!)
    const { record, stages } = playOut(contestOf({ type: 'gauntlet' }, 5), play)
    expect(stages[0]!.map(lettersOf)).toEqual(['AB', 'CA', 'AD', 'EA', 'BA', 'AC', 'DA', 'AE'])
    expect(places(record)).toEqual(['1 B 2', '1 C 2', '3 D 1', '4 A 3', '5 E 0'])
  })

  test('a ladder at tables of four: who joins last and wins everything is first, although others have played more', () => {
    const { record } = playOut(contestOf({ type: 'ladder', seats: 4 }, 8), ({ entrants }) => entrants)
    const [first, second] = record.standings()
    expect(first).toMatchObject({ agent: 'H', rank: 1, points: 15, matches: 5 })
    expect(second!.matches).toBeGreaterThan(first!.matches)
    expect(second!.points).toBeGreaterThan(first!.points)
  })

  test('a ladder: each entrant plays all before it', () => {
    const { record, stages } = playOut(contestOf({ type: 'ladder', repeats: 1 }, 4), byList)
    expect(stages[0]!.map(lettersOf)).toEqual(['BA', 'CA', 'BC', 'DA', 'BD', 'DC'])
    expect(places(record)).toEqual(['1 A 3', '2 B 2', '3 C 1', '4 D 0'])
  })

  test('a knockout of six: the two best have a bye, C meets F and D meets E', () => {
    const { record, stages } = playOut(contestOf({ type: 'knockout', bestOf: 1 }, 6), byList)
    expect(stages.map((matches) => matches.map(lettersOf))).toEqual([
      ['DE', 'CF'],
      ['AD', 'BC'],
      ['AB', 'CD'],
    ])
    expect(record.standings().map(({ agent, rank }) => `${rank} ${agent}`)).toEqual([
      ...['1 A', '2 B', '3 C', '4 D', '5 E', '5 F'],
    ])
    expect(record.tables().Bracket).toEqual([
      {
        round: 'Quarter-final',
        'better seed': 'D',
        'other seed': 'E',
        points: '1 : 0',
        winner: 'D',
        'decided by': 'matches',
      },
      {
        round: 'Quarter-final',
        'better seed': 'C',
        'other seed': 'F',
        points: '1 : 0',
        winner: 'C',
        'decided by': 'matches',
      },
      {
        round: 'Semi-final',
        'better seed': 'A',
        'other seed': 'D',
        points: '1 : 0',
        winner: 'A',
        'decided by': 'matches',
      },
      {
        round: 'Semi-final',
        'better seed': 'B',
        'other seed': 'C',
        points: '1 : 0',
        winner: 'B',
        'decided by': 'matches',
      },
      { round: 'Final', 'better seed': 'A', 'other seed': 'B', points: '1 : 0', winner: 'A', 'decided by': 'matches' },
      {
        round: 'Third place',
        'better seed': 'C',
        'other seed': 'D',
        points: '1 : 0',
        winner: 'C',
        'decided by': 'matches',
      },
    ])
  })

  test('best of three: a third match only where the first two are shared; seats change with each', () => {
    // B takes the second match from A and loses the third; C loses both to... D wins both.
    const play: Play = ({ entrants, match }) =>
      entrants.map((entrant) => (entrant === 3 ? 9 : entrant === 1 && match === 2 ? 5 : -entrant))
    const { record, stages } = playOut(contestOf({ type: 'knockout' }, 4), play)
    expect(stages.map((matches) => matches.map(lettersOf))).toEqual([
      ['AD', 'BC', 'DA', 'CB'],
      [],
      ['BD', 'AC', 'DB', 'CA'],
      [],
    ])
    expect(record.standings().map(({ agent, rank }) => `${rank} ${agent}`)).toEqual(['1 D', '2 B', '3 A', '4 C'])
    expect([record.done, record.total]).toEqual([8, 8])
    const shared: Play = ({ entrants, match }) => entrants.map((entrant) => (entrant === 1 ? [1, -1, -1][match]! : 0))
    const final = playOut(contestOf({ type: 'knockout' }, 2), shared)
    expect(final.stages.map((matches) => matches.map(lettersOf))).toEqual([['AB', 'BA'], ['AB']])
    expect(final.record.standings().map(({ agent }) => agent)).toEqual(['A', 'B'])
  })

  describe('an encounter that is tied after all its matches', () => {
    const ended = (format: object, play: Play) => {
      const { record, stages } = playOut(contestOf({ type: 'knockout', ...format }, 2), play)
      const [row] = record.tables().Bracket as readonly { readonly winner: string; readonly 'decided by': string }[]
      expect([record.done, record.total]).toEqual([stages.flat().length, stages.flat().length])
      return { matches: stages.map((matches) => matches.map(lettersOf)), winner: row?.winner, by: row?.['decided by'] }
    }
    const tied: Play = ({ entrants }) => entrants.map(() => 0)

    test('is played on in both seats, until one is ahead', () => {
      const play: Play = ({ entrants, match }) => entrants.map((at) => (match === 6 ? at : 0))
      expect(ended({ ties: 'play-on' }, play)).toEqual({
        matches: [['AB', 'BA'], ['AB'], ['BA', 'AB'], ['BA', 'AB'], [], []],
        winner: 'B',
        by: 'playing on',
      })
      // No further match is played where nothing is tied.
      expect(ended({ ties: 'play-on' }, byList).matches).toEqual([['AB', 'BA'], [], [], [], [], []])
    })

    test('goes to the better seed if further matches are tied as well, and the table says so', () => {
      const { matches, winner, by } = ended({ ties: 'play-on' }, tied)
      expect([matches.flat().length, winner, by]).toEqual([11, 'A', 'seed'])
    })

    test('is decided by the score or by the seed, if the contest says so', () => {
      // Each wins once, B by more; the third match is a draw.
      const play: Play = ({ entrants, match }) => entrants.map((at) => [at === 0 ? 1 : 0, 5 * at, 0][match]!)
      expect(ended({ ties: 'score' }, play)).toMatchObject({ winner: 'B', by: 'score' })
      expect(ended({ ties: 'seed' }, play)).toMatchObject({ winner: 'A', by: 'seed' })
      expect(ended({}, play)).toMatchObject({ matches: [['AB', 'BA'], ['AB']], winner: 'B', by: 'score' })
      expect(ended({}, tied)).toMatchObject({ matches: [['AB', 'BA'], ['AB']], winner: 'A', by: 'seed' })
    })
  })

  describe('ordered pairs whose entrants are tied at the cut', () => {
    /** A and D are ahead; B and C are tied in the first stage. `later`: their scores afterwards, by match of the contest. */
    const ended = (ties: object, entrants: number, play: Play) => {
      const format = { type: 'ordered-pairs', seeds: 1, finalists: 3, finalSeeds: 1, ...ties }
      const { record, stages } = playOut(contestOf(format, entrants), play)
      expect([record.done, record.total]).toEqual([stages.flat().length, stages.flat().length])
      const matches = stages.slice(1).map((each) => each.map(lettersOf))
      return { matches, cut: record.tables()['Tied at the cut'], stages, rows: record.standings() }
    }
    const strength = [5, 1, 1, 4]
    const usual: Play = ({ entrants }) => entrants.map((at) => strength[at]!)
    const final = ['AD', 'AC', 'DA', 'DC', 'CA', 'CD']

    test('play on, on a scenario that nobody has played, and only for the place', () => {
      // C is better in the second stage in which they play on, from match 14.
      const play: Play = (match) => (match.match >= 14 && match.match < 16 ? match.entrants : usual(match))
      const { matches, cut, stages, rows } = ended({ ties: 'play-on' }, 4, play)
      expect(matches).toEqual([['BC', 'CB'], ['BC', 'CB'], [], [], final])
      expect(cut).toEqual([
        { agent: 'C', score: 6, 'playing on': '2, 4', final: 'yes', 'decided by': 'playing on' },
        { agent: 'B', score: 6, 'playing on': '2, 2', final: 'no', 'decided by': 'playing on' },
      ])
      expect(new Set(stages.flatMap(([match]) => match?.scenario ?? [])).size).toBe(4)
      expect(rows.find(({ agent }) => agent === 'B')).toMatchObject({ matches: 6, score: 6, rank: 4 })
    })

    test('are taken in the order of the list where nothing else decides, and the table says so', () => {
      const byOrder = [
        { agent: 'B', final: 'yes', 'decided by': 'order of the list' },
        { agent: 'C', final: 'no', 'decided by': 'order of the list' },
      ]
      const tied = ended({ ties: 'play-on' }, 4, usual)
      expect(tied.matches.map(({ length }) => length)).toEqual([2, 2, 2, 2, 6])
      expect(tied.cut).toMatchObject(byOrder)
      for (const ties of [{ ties: 'seed' }, {}]) {
        const { matches, cut } = ended(ties, 4, usual)
        expect(matches.map(({ length }) => length)).toEqual([6])
        expect(cut).toMatchObject(byOrder)
      }
    })

    test('need no further match if all of them are in the final or out of it', () => {
      const apart: Play = ({ entrants }) => entrants.map((at) => [5, 5, 4, 1, 1][at]!)
      const { matches, cut } = ended({ ties: 'play-on' }, 5, apart)
      expect([matches.map(({ length }) => length), cut]).toEqual([[0, 0, 0, 0, 6], undefined])
      expect(ended({ ties: 'play-on' }, 3, usual).matches.map(({ length }) => length)).toEqual([6])
    })
  })

  test('a Swiss of four: the winners of round 1 meet in round 2, and so do the losers', () => {
    const { record, stages } = playOut(contestOf({ type: 'swiss' }, 4), byList)
    const winner = ({ entrants }: { readonly entrants: readonly number[] }) => Math.min(...entrants)
    const loser = ({ entrants }: { readonly entrants: readonly number[] }) => Math.max(...entrants)
    expect(stages.map(({ length }) => length)).toEqual([2, 2])
    const second = stages[1]!.map(({ entrants }) => [...entrants].sort().join())
    expect(second).toEqual([stages[0]!.map(winner).sort().join(), stages[0]!.map(loser).sort().join()])
    expect(record.standings()[0]).toMatchObject({ agent: 'A', rank: 1, points: 2 })
    expect(record.standings().at(-1)).toMatchObject({ agent: 'D', rank: 4, points: 0 })
  })

  test('a Swiss of three: a bye is worth a win, and nobody has two', () => {
    const { record, stages } = playOut(contestOf({ type: 'swiss', rounds: 2 }, 3), byList)
    expect(stages.map(({ length }) => length)).toEqual([1, 1])
    const byes = record.tables()['Tie-breaks'] as readonly { readonly byes: number }[]
    expect(byes.map((row) => row.byes).sort()).toEqual([0, 1, 1])
    const all = record.standings().reduce((sum, { points }) => sum + points, 0)
    expect(all).toBe(4)
    expect(record.standings()[0]!.agent).toBe('A')
  })

  test('pools of 40 entrants at 16 seats: few matches, the last filled by drafted entrants', () => {
    const description = contestOf({ type: 'pools', seats: 16, games: 3 }, 40)
    const { record, stages } = playOut(description, byList)
    // 40 times 3 seats are 7.5 tables of 16.
    expect(stages[0]).toHaveLength(8)
    expect(record.standings().map(({ matches }) => matches)).toEqual(Array.from({ length: 40 }, () => 3))
    expect(scheduleFault(contestOf({ type: 'round-robin', seats: 16 }, 40))).toMatch(/62,852,101,650 sets.* "pools"/)
  })

  test('house agents fill the tables of pools and are not dealt', () => {
    const { record, stages } = playOut(contestOf({ type: 'pools', seats: 4, games: 1, house: 2 }, 8), byList)
    expect(stages[0]).toHaveLength(2)
    expect(stages[0]![1]!.entrants.filter((entrant) => entrant >= 6)).toHaveLength(2)
    expect(Object.fromEntries(record.standings().map(({ agent, matches }) => [agent, matches]))).toEqual({
      ...{ A: 1, B: 1, C: 1, D: 1, E: 1, F: 1, G: 0, H: 0 },
    })
  })
})

test('results by seat are those of the matches in it', () => {
  const { record } = playOut(contestOf({ type: 'gauntlet' }, 3), byList)
  expect(record.ratedStandings().map(({ agent, bySeat }) => [agent, bySeat])).toEqual([
    ['A', [seat(2, 2, 0), seat(2, 2, 0)]],
    ['B', [seat(1, 0, -1), seat(1, 0, -1)]],
    ['C', [seat(1, 0, -2), seat(1, 0, -2)]],
  ])
})
const seat = (matches: number, points: number, score: number) => ({ matches, points, score })

test('players per match are those of the game where a contest does not say', () => {
  const schedule = scheduleOf(contestOf({ type: 'ladder' }, 6), { seats: 6 })
  if (typeof schedule === 'string') throw new Error(schedule)
  expect([...schedule].map(({ entrants }) => entrants.toSorted().join())).toEqual(['0,1,2,3,4,5', '0,1,2,3,4,5'])
})

test('what a format cannot do is said in a sentence', () => {
  const fault = (format: object, entrants: number) => scheduleFault(contestOf(format, entrants))
  expect(fault({ type: 'gauntlet', challengers: 4 }, 4)).toBe(
    'A gauntlet with 2 players a match needs 1 entrant besides its 4 challengers; there are 0.',
  )
  expect(fault({ type: 'swiss', rounds: 8, pairing: 'least-gap' }, 8)).toBe(
    'With 8 entrants a Swiss tournament has at most 7 rounds without a rematch; 8 are asked for.',
  )
  expect(fault({ type: 'knockout' }, 1)).toBe('A match with 2 players needs at least 2 entrants; there are 1.')
  expect(fault({ type: 'pools', seats: 4, house: 3 }, 6)).toBe(
    'Pools with 4 players a match need at least 4 entrants besides 3 house agents; there are 3.',
  )
  expect(fault({ type: 'pools', seats: 16 }, 2)).toBe(
    'Pools with 16 players a match need at least 16 entrants; there are 2.',
  )
  expect(() => contestOf({ type: 'knockout', bestOf: 2 }, 4)).toThrow('an odd number is expected')
})
