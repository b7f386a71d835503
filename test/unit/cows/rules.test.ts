import { describe, expect, test } from 'vitest'
import { config, rangesOf } from '../../../main/referees/cows/config.ts'
import { cowDirection } from '../../../main/referees/cows/cow-direction.ts'
import { actions } from '../../../main/referees/cows/messages.ts'
import { perceptionOf } from '../../../main/referees/cows/perception.ts'
import { rules } from '../../../main/referees/cows/rules.ts'
import { begun, cowsIn, drawn, herdersIn, play, seeds } from './stage.ts'

const empty = (rows: number, columns: number): string[] => Array.from({ length: rows }, () => '.'.repeat(columns))
/** Replaces the character at a place. */
function put(rows: readonly string[], x: number, y: number, what: string): string[] {
  return rows.map((row, at) => (at === y ? row.slice(0, x) + what + row.slice(x + 1) : row))
}
/** 9 by 9 cells with a herder of each team, and a cow that is fenced in. */
const field = [
  '.........',
  '.........',
  '.........',
  '...a.....',
  '.........',
  '....A....',
  '......###',
  '......#c#',
  '......###',
]

describe('moves of herders', () => {
  test.each([
    ['skip', '3,3'],
    ['north', '3,2'],
    ['northeast', '4,2'],
    ['east', '4,3'],
    ['southeast', '4,4'],
    ['south', '3,4'],
    ['southwest', '2,4'],
    ['west', '2,3'],
    ['northwest', '2,2'],
  ] as const)('%s leads to %s', (action, to) => {
    expect(herdersIn(play(begun(drawn(field)), [action]))[0]).toBe(to)
  })

  test.each(['document', 'server-2008'] as const)('%s: no herder leaves the grid or enters an obstacle', (profile) => {
    const settings = drawn(['a...', '.#..', '..#A', '..c#'], { profile })
    const state = begun(settings)
    for (const action of ['north', 'west', 'northwest', 'northeast', 'southwest', 'southeast'] as const) {
      play(state, [action], ['south'])
      expect(herdersIn(state)).toEqual(['0,0', '3,2'])
    }
  })

  test.each(['document', 'server-2008'] as const)('%s: a herder may enter both corrals', (profile) => {
    const settings = drawn(['...A', 'a...', '....', '#c#.'], {
      profile,
      corrals: [
        { x0: 0, y0: 0, x1: 0, y1: 0 },
        { x0: 2, y0: 0, x1: 2, y1: 0 },
      ],
    })
    const state = play(begun(settings), ['north'], ['west'])
    expect(herdersIn(state)).toEqual(['0,0', '2,0'])
    expect(herdersIn(play(state, ['east'], ['southwest']))).toEqual(['1,0', '1,1'])
    expect(herdersIn(play(state, ['east']))[0]).toBe('2,0')
  })

  test('document: an occupied cell cannot be entered, also where it is left in the same step', () => {
    const settings = drawn(['.......', '..ab.AB', '.......', '...#c#.', '...###.'])
    expect(herdersIn(play(begun(settings), ['east', 'east']))).toEqual(['2,1', '4,1', '5,1', '6,1'])
    expect(herdersIn(play(begun(settings), ['west', 'west']))).toEqual(['1,1', '3,1', '5,1', '6,1'])
    // No swap.
    expect(herdersIn(play(begun(settings), ['east', 'west']))).toEqual(['2,1', '3,1', '5,1', '6,1'])
  })

  test('server: cells are scanned from the west and the north, so that a column to the west moves together and one to the east does not', () => {
    const settings = drawn(['.......', '..ab.AB', '.......', '...#c#.', '...###.'], { profile: 'server-2008' })
    expect(herdersIn(play(begun(settings), ['west', 'west']))).toEqual(['1,1', '2,1', '5,1', '6,1'])
    expect(herdersIn(play(begun(settings), ['east', 'east']))).toEqual(['2,1', '4,1', '5,1', '6,1'])
    const upright = drawn(['...#c#', '...###', '..a...', '..b...', '....BA', '......'], { profile: 'server-2008' })
    expect(herdersIn(play(begun(upright), ['north', 'north']))).toEqual(['2,1', '2,2', '5,4', '4,4'])
    expect(herdersIn(play(begun(upright), ['south', 'south']))).toEqual(['2,2', '2,4', '5,4', '4,4'])
  })

  test.each(['document', 'server-2008'] as const)('%s: chance decides who gets an empty cell', (profile) => {
    const settings = drawn(['.....', '.a.A.', '.....', '.#c#.', '.###.'], { profile })
    const got = seeds(60).map((each) => herdersIn(play(begun(settings, each), ['east'], ['west'])).join(' '))
    expect(new Set(got)).toEqual(new Set(['2,1 3,1', '1,1 2,1']))
    expect(got.filter((places) => places === '2,1 3,1').length).toBeGreaterThan(15)
  })

  test('an action fails with the probability of the config, and a skip shows nothing of it', () => {
    const settings = { ...drawn(field), failure: 10 }
    const moved = seeds(2_000).filter((each) => herdersIn(play(begun(settings, each), ['north']))[0] === '3,2').length
    expect(moved).toBeGreaterThan(1_740)
    expect(moved).toBeLessThan(1_860)
  })

  test.each([
    [0, '3,2 3,5'],
    [100, '3,3 4,5'],
  ])('with a probability of failure of %i %% every draw leads to %s', (failure, places) => {
    const settings = { ...drawn(field), failure }
    const got = seeds(500).map((each) => herdersIn(play(begun(settings, each), ['north'], ['west'])).join(' '))
    expect(new Set(got)).toEqual(new Set([places]))
  })
})

describe('cows', () => {
  test('each moves in every third step, about a third of them in each', () => {
    const rows = empty(20, 20).map((row, y) => (y % 2 === 0 ? 'c.'.repeat(10) : row))
    const settings = drawn(put(put(rows, 1, 1, 'a'), 19, 19, 'A'))
    const { turns } = begun(settings)
    for (const turn of [0, 1, 2]) {
      const share = turns.filter((each) => each === turn).length / turns.length
      expect(share).toBeGreaterThan(0.2)
      expect(share).toBeLessThan(0.47)
    }
    // A cow that flees moves in one step of three.
    const chased = begun(drawn(put(put(put(empty(20, 9), 4, 8, 'c'), 4, 10, 'a'), 8, 19, 'A')))
    const moved = [0, 1, 2].map(() => {
      const before = cowsIn(chased)[0]
      return cowsIn(play(chased))[0] !== before
    })
    expect(moved.filter(Boolean)).toHaveLength(1)
    expect(moved.indexOf(true)).toBe(chased.turns[0])
  })

  /** The move of a cow in the middle of an empty field of 31 by 31 cells. */
  const wants = (
    profile: 'document' | 'server-2008',
    ...others: readonly (readonly [string, number, number])[]
  ): string => {
    let rows = put(empty(31, 31), 15, 15, 'c')
    for (const [what, x, y] of others) rows = put(rows, 15 + x, 15 + y, what)
    if (!rows.join('').includes('a')) rows = put(rows, 30, 1, 'a')
    rows = put(rows, 30, 30, 'A')
    const state = begun(drawn(rows))
    const cow = state.cows.indexOf(15 * 31 + 15)
    return actions[
      cowDirection(
        { ...state, config: { ...state.config, profile }, ranges: rangesOf({ ...state.config, profile }) },
        cow,
      )
    ]!
  }
  test.each(['document', 'server-2008'] as const)('%s: what weights pull towards and push from', (profile) => {
    expect(wants(profile)).toBe('skip')
    expect(wants(profile, ['c', 3, 0])).toBe('east')
    expect(wants(profile, ['c', -2, -2])).toBe('northwest')
    // In the private square of 3 by 3 cells cows repel each other.
    expect(wants(profile, ['c', 1, 0])).toBe('west')
    expect(wants(profile, ['#', 0, 2])).toBe('north')
    expect(wants(profile, ['a', 0, -3])).toBe('south')
    // A herder outweighs any herd.
    expect(wants(profile, ['a', 3, 0], ['c', 2, 0], ['c', 2, 1], ['c', 2, -1], ['c', 3, 1])).toBe('west')
  })

  test('cows see 9 by 9 cells as written; 11 by 11 on the server, where they fear herders within 7 by 7', () => {
    expect(wants('document', ['c', 4, 0])).toBe('east')
    expect(wants('document', ['c', 5, 0])).toBe('skip')
    expect(wants('server-2008', ['c', 5, 0])).toBe('east')
    expect(wants('server-2008', ['c', 6, 0])).toBe('skip')
    expect(wants('document', ['a', 4, 0])).toBe('west')
    expect(wants('document', ['a', 5, 0])).toBe('skip')
    expect(wants('server-2008', ['a', 3, 0])).toBe('west')
    // A herder beyond the fear range weighs as much as an empty cell.
    expect(wants('server-2008', ['a', 4, 0])).toBe('skip')
  })

  test('cells outside of the grid: nothing as written, empty ones on the server', () => {
    const beside = (profile: 'document' | 'server-2008'): string => {
      const state = begun(drawn(put(put(put(empty(31, 31), 0, 15, 'c'), 30, 1, 'a'), 30, 30, 'A'), { profile }))
      return actions[cowDirection(state, 0)]!
    }
    expect(beside('document')).toBe('east')
    expect(beside('server-2008')).toBe('skip')
  })

  test('sectors: 45 degrees around each direction as written; on the server the smaller part of the vector decides by 0.4', () => {
    // The vector away from a herder at (-x, -y) points to (x, y): 22.38, 22.62, 23.43 and 23.96 degrees.
    const away = (profile: 'document' | 'server-2008', x: number, y: number): string => {
      const state = begun(drawn(put(put(put(empty(31, 31), 15, 15, 'c'), 15 - x, 15 + y, 'a'), 30, 30, 'A')))
      const ranges = { ...rangesOf({ ...state.config, profile }), attraction: 13, fear: 20 }
      const weighed = { ...state.config, profile, agentWeight: -300 }
      return actions[cowDirection({ ...state, config: weighed, ranges }, 0)]!
    }
    expect([away('document', 12, 5), away('document', 13, 5)]).toEqual(['northeast', 'east'])
    // 22.62 degrees: a diagonal as written, straight on the server.
    expect(away('server-2008', 12, 5)).toBe('east')
    expect(away('server-2008', 11, 5)).toBe('northeast')
    expect([away('document', -5, 12), away('document', 5, -13)]).toEqual(['northwest', 'south'])
  })

  test.each(['document', 'server-2008'] as const)(
    '%s: a cow on a corral cell leaves the grid for its owner\u2019s score',
    (profile) => {
      // The herder of the second team drives the cow into the corral of the first.
      const rows = ['............', '#####.......', '...cA.......', '#####.......', '...........a']
      const settings = drawn(rows, {
        profile,
        corrals: [
          { x0: 0, y0: 2, x1: 2, y1: 2 },
          { x0: 4, y0: 0, x1: 4, y1: 0 },
        ],
      })
      const state = begun(settings)
      for (let step = 0; step < 3; step++) play(state)
      expect(cowsIn(state)).toEqual([null])
      expect(state.scores).toEqual([1, 0])
      expect(rules.view(state, 'panel').cows).toEqual([])
    },
  )

  test('a cow that is in a corral at the start counts after the first step', () => {
    const settings = drawn(['a..A', '....', '....', '...c'])
    const state = begun(settings)
    expect(state.scores).toEqual([0, 0])
    expect(play(state).scores).toEqual([0, 1])
  })

  test('document: chance decides between cow and herder for a cell; server: the herder gets it', () => {
    // The cow flees from the herder below it, to the cell that the other herder wants, too.
    const rows = ['..a..', '.....', '..c..', '..A..', '.....']
    const got = (profile: 'document' | 'server-2008') =>
      new Set(
        seeds(40).map((each) => {
          const state = begun(drawn(rows, { profile, fearRange: 2 }), each)
          state.turns[0] = 0
          play(state, ['south'])
          return `${herdersIn(state)[0]} ${cowsIn(state)[0]}`
        }),
      )
    expect(got('document')).toEqual(new Set(['2,1 2,2', '2,0 2,1']))
    expect(got('server-2008')).toEqual(new Set(['2,1 2,2']))
  })
})

describe('ends', () => {
  test('the score counts; who has more has won, equal ones draw', () => {
    const settings = drawn(['a..A', '....', '....', '...c'], { steps: 1 })
    const state = begun(settings)
    expect(rules.outcome(state)).toBeNull()
    play(state)
    expect(rules.outcome(state)?.places.map(({ rank, score }) => [rank, score])).toEqual([
      [2, 0],
      [1, 1],
    ])
    expect(rules.apply(state, { type: 'step', step: 1, actions: [[null], [null]] })).toBe('The match is over.')
  })
  test('an input must name the step and an action of each herder', () => {
    const state = begun(drawn(field))
    expect(rules.apply(state, { type: 'step', step: 1, actions: [[null], [null]] })).toBe('The step is 0, not 1.')
    expect(rules.apply(state, { type: 'step', step: 0, actions: [[null], []] })).toBe('Seat 1 has 1 herders, not 0.')
  })
})

describe('perceptions', () => {
  const wide = put(put(put(put(empty(40, 40), 20, 20, 'a'), 24, 20, 'A'), 21, 20, 'c'), 20, 22, '#')

  test('17 by 17 cells, column by column from the west, each from the north; where the grid ends there are none', () => {
    const state = begun(drawn(wide, { profile: 'server-2008' }))
    const { x, y, cells } = perceptionOf(state, { seat: 0, body: 0 })
    expect([x, y, cells.length]).toEqual([20, 20, 289])
    expect(cells.map((cell) => [cell.x, cell.y])).toEqual(
      Array.from({ length: 289 }, (_, at) => [Math.floor(at / 17) - 8, (at % 17) - 8]),
    )
    const corner = perceptionOf(begun(drawn(['a...', '....', '..cA', '....'])), { seat: 0, body: 0 })
    expect(corner.cells.map((cell) => [cell.x, cell.y])).toEqual(
      Array.from({ length: 16 }, (_, at) => [Math.floor(at / 4), at % 4]),
    )
  })

  test('a herder sees itself as an ally, others by their team, cows by number, obstacles and both corrals', () => {
    const settings = drawn(wide, {
      profile: 'server-2008',
      corrals: [
        { x0: 18, y0: 20, x1: 20, y1: 20 },
        { x0: 22, y0: 20, x1: 24, y1: 20 },
      ],
    })
    const seen = (seat: 0 | 1, at: number, down = 0) => {
      const { cells, x } = perceptionOf(begun(settings), { seat, body: 0 })
      const { agent, cow, obstacle, corral } = cells.find((cell) => x + cell.x === at && cell.y === down)!
      return JSON.parse(JSON.stringify({ agent, cow, obstacle, corral })) as unknown
    }
    expect([seen(0, 20), seen(1, 20)]).toEqual([
      { agent: 'ally', corral: 'ally' },
      { agent: 'enemy', corral: 'enemy' },
    ])
    expect([seen(0, 24), seen(0, 23), seen(0, 19), seen(0, 21)]).toEqual([
      { agent: 'enemy', corral: 'enemy' },
      { corral: 'enemy' },
      { corral: 'ally' },
      { cow: '0' },
    ])
    expect(seen(0, 20, 2)).toEqual({ obstacle: true })
  })

  test('document: about a tenth of the cells is withheld, never the own one; server: none', () => {
    const withheld = (profile: 'document' | 'server-2008'): number => {
      let count = 0
      for (const each of seeds(40)) {
        const { cells } = perceptionOf(begun(drawn(wide, { profile }), each), { seat: 0, body: 0 })
        expect(cells.find(({ x, y }) => x === 0 && y === 0)).toEqual({ x: 0, y: 0, agent: 'ally' })
        count += cells.filter(({ unknown }) => unknown === true).length
      }
      return count / (40 * 288)
    }
    expect(withheld('document')).toBeGreaterThan(0.085)
    expect(withheld('document')).toBeLessThan(0.115)
    expect(withheld('server-2008')).toBe(0)
  })

  test('the line of sight is the side of the square', () => {
    const { cells } = perceptionOf(begun(drawn(wide, { lineOfSight: 5 })), { seat: 0, body: 0 })
    expect(cells).toHaveLength(25)
    expect(rules.view(begun(drawn(wide, { lineOfSight: 5 })), 0).herders).toMatchObject([[{ x: 20 }], []])
    expect(rules.view(begun(drawn(wide)), 0).herders).toMatchObject([[{ x: 20 }], [{ x: 24 }]])
  })
})

test.each([
  ['cowWeight', 1, 10],
  ['cowPrivateWeight', -10, -1],
  ['agentWeight', -300, -100],
  ['emptyWeight', 1, 10],
])('the weight %s is between %s and %s (spec 5.1)', (name, least, most) => {
  const { map } = drawn(field)
  const fits = (value: number): boolean => config.safeParse({ map, [name]: value }).success
  expect([least - 1, least, most, most + 1].map(fits)).toEqual([false, true, true, false])
})

test('ranges are bounded, and what is left out is as the profile has it', () => {
  const { map } = drawn(field)
  expect(rangesOf(config.parse({ map }))).toEqual({ sight: 8, attraction: 4, fear: Infinity })
  expect(rangesOf(config.parse({ map, profile: 'server-2008' }))).toEqual({ sight: 8, attraction: 5, fear: 4 })
  const given = { map, lineOfSight: 21, attractionRange: 7, fearRange: 3 }
  expect(rangesOf(config.parse(given))).toEqual({ sight: 10, attraction: 7, fear: 3 })
  for (const wrong of [{ lineOfSight: 16 }, { lineOfSight: 43 }, { attractionRange: 0 }, { fearRange: 22 }])
    expect(config.safeParse({ map, ...wrong }).success).toBe(false)
})
