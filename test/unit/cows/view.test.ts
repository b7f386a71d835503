import fc from 'fast-check'
import { expect, test } from 'vitest'
import { config } from '../../../main/referees/cows/config.ts'
import { actions } from '../../../main/referees/cows/messages.ts'
import { mapText } from '../../../main/referees/cows/maps/map-file.ts'
import { perceptionOf } from '../../../main/referees/cows/perception.ts'
import { rules } from '../../../main/referees/cows/rules.ts'
import { initialState, type State } from '../../../main/referees/cows/state.ts'
import { viewOf } from '../../../main/referees/cows/view.ts'

/** 40 columns and 12 rows: teams that are out of each other's sight, a cow between them and one near each. */
const far = config.parse({
  map: mapText({
    rows: Array.from({ length: 12 }, (_, y) =>
      Array.from({ length: 40 }, (_, x) => (y === 6 && [2, 20, 37].includes(x) ? 'c' : '.')).join(''),
    ),
    corrals: [
      { x0: 0, y0: 0, x1: 1, y1: 1 },
      { x0: 38, y0: 0, x1: 39, y1: 1 },
    ],
    herders: [
      [
        [4, 6],
        [5, 9],
      ],
      [
        [35, 6],
        [34, 9],
      ],
    ],
  }),
  failure: 0,
})
const seed = 'cd'.repeat(32)
const cowsOf = (state: State, viewer: 0 | 1 | 'public' | 'panel') => viewOf(state, viewer).cows.map(({ id }) => id)
const bodiesOf = (state: State, viewer: 0 | 1 | 'public' | 'panel') =>
  viewOf(state, viewer).herders.map((team) => team.map(({ body }) => body))

test('a seat sees what is near one of its herders; spectators and the panel see everything', () => {
  const state = initialState(far, seed)
  expect([cowsOf(state, 0), bodiesOf(state, 0)]).toEqual([[0], [[0, 1], []]])
  expect([cowsOf(state, 1), bodiesOf(state, 1)]).toEqual([[2], [[], [0, 1]]])
  for (const viewer of ['public', 'panel'] as const)
    expect([cowsOf(state, viewer), bodiesOf(state, viewer)]).toEqual([
      [0, 1, 2],
      [
        [0, 1],
        [0, 1],
      ],
    ])
})

test('the ninth column away is not seen, the eighth is; one herder sees for its team', () => {
  const between = (x: number): readonly number[] => {
    const state = initialState(far, seed)
    // The cow in the middle, as if it had walked to the column x.
    state.cowOn[state.cows[1]!] = -1
    state.cows[1] = 6 * 40 + x
    state.cowOn[state.cows[1]] = 1
    return cowsOf(state, 0)
  }
  expect(between(13)).toEqual([0, 1])
  expect(between(14)).toEqual([0])
})

test('a seat is told what its own herders did and which of them were stopped, and nothing of the other team', () => {
  const state = initialState(far, seed)
  // Both teams in sight of each other.
  state.herderOn[state.herders[2]!] = -1
  state.herders[2] = 6 * 40 + 7
  state.herderOn[state.herders[2]] = 2
  rules.apply(state, {
    type: 'step',
    step: 0,
    actions: [
      ['east', null],
      ['west', 'north'],
    ],
  })
  const told = (viewer: 0 | 1 | 'public') =>
    viewOf(state, viewer).herders.map((team) => team.map(({ action, failed }) => [action, failed]))
  // Both wanted to go to different cells; the second herder of the first team gave no answer.
  expect(told('public')).toEqual([
    [
      ['east', false],
      [null, false],
    ],
    [
      ['west', false],
      ['north', false],
    ],
  ])
  expect(told(0)[0]).toEqual(told('public')[0])
  expect(told(0)[1]).toEqual([[null, false]])
  expect(told(1)[1]).toEqual(told('public')[1])
  // Now they stand side by side and want to change places.
  rules.apply(state, {
    type: 'step',
    step: 1,
    actions: [
      ['east', 'skip'],
      ['west', 'skip'],
    ],
  })
  expect(told(0)[0]![0]).toEqual(['east', true])
  expect(told(0)[1]![0]).toEqual([null, false])
})

test('a seat never sees a cow or a herder that none of its herders perceives, nor misses one that it does', () => {
  const step = fc.record({
    steps: fc.integer({ min: 0, max: 30 }),
    match: fc.nat({ max: 1_000 }),
    seat: fc.constantFrom(0 as const, 1 as const),
  })
  fc.assert(
    fc.property(step, ({ steps, match, seat }) => {
      const { map } = far
      // Nothing is withheld in this profile.
      const state = initialState(config.parse({ map, profile: 'server-2008' }), String(match).padStart(64, '0'))
      for (let at = 0; at < steps; at++) {
        const pick = (of: number): (typeof actions)[number] => actions[(match + of * 5 + at * (of + 2)) % 9]!
        rules.apply(state, {
          type: 'step',
          step: at,
          actions: [
            [pick(0), pick(1)],
            [pick(2), pick(3)],
          ],
        })
      }
      const seen = [0, 1].flatMap((body) => {
        const { x, y, cells } = perceptionOf(state, { seat, body })
        return cells.map((cell) => ({ ...cell, x: x + cell.x, y: y + cell.y }))
      })
      const view = viewOf(state, seat)
      const cows = new Set(seen.flatMap(({ cow }) => (cow === undefined ? [] : [Number(cow)])))
      expect(new Set(view.cows.map(({ id }) => id))).toEqual(cows)
      const enemies = new Set(seen.flatMap(({ agent, x, y }) => (agent === 'enemy' ? [`${x} ${y}`] : [])))
      expect(new Set(view.herders[1 - seat]!.map(({ x, y }) => `${x} ${y}`))).toEqual(enemies)
      expect(view.herders[seat]).toHaveLength(2)
    }),
    { numRuns: 60 },
  )
})

test('a player that has more cows has won, equal ones draw, and nobody has before the last step', () => {
  const state = initialState(config.parse({ ...far, steps: 1 }), seed)
  expect(rules.outcome(state)).toBeNull()
  rules.apply(state, {
    type: 'step',
    step: 0,
    actions: [
      [null, null],
      [null, null],
    ],
  })
  const ranks = (...scores: [number, number]) => {
    ;[state.scores[0], state.scores[1]] = scores
    return rules.outcome(state)!.places.map(({ rank, score, removed }) => [rank, score, removed])
  }
  expect(ranks(2, 3)).toEqual([
    [2, 2, false],
    [1, 3, false],
  ])
  expect(ranks(3, 3)).toEqual([
    [1, 3, false],
    [1, 3, false],
  ])
})
