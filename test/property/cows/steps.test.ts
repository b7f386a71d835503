import { expect, it } from 'vitest'
import { config } from '../../../main/referees/cows/config.ts'
import { cowDirection } from '../../../main/referees/cows/cow-direction.ts'
import { actions } from '../../../main/referees/cows/messages.ts'
import { mapText } from '../../../main/referees/cows/maps/map-file.ts'
import { initialState, load, save, type State } from '../../../main/referees/cows/state.ts'
import { playStep } from '../../../main/referees/cows/step.ts'

const rows = [
  'c..#......',
  '..c....c..',
  '....c.....',
  '.#..cc..#.',
  '..........',
  '.....c....',
  'c........c',
  '.......c..',
]
const map = mapText({
  rows,
  corrals: [
    { x0: 0, y0: 3, x1: 0, y1: 5 },
    { x0: 9, y0: 2, x1: 9, y1: 5 },
  ],
  herders: [
    [
      [1, 4],
      [2, 4],
    ],
    [
      [7, 4],
      [8, 4],
    ],
  ],
})
const seed = 'ab'.repeat(32)
const answersOf = (step: number) =>
  [0, 1].map((seat) => [0, 1].map((body) => actions[(step * 5 + seat * 3 + body * 7 + (step >> 2)) % 9]!))

function bodiesOn(state: State): number {
  const taken = new Set([...state.herders, ...state.cows].filter((cell) => cell !== -1))
  expect([...taken].filter((cell) => state.obstacles[cell] === 1)).toEqual([])
  return taken.size
}

it.each(['document', 'server-2008'] as const)(
  '%s: no body is lost, no cell has two, a saved state goes on alike',
  (profile) => {
    const settings = config.parse({ map, profile })
    let state = initialState(settings, seed)
    const whole = initialState(settings, seed)
    const cows = state.cows.length
    for (let step = 0; step < 200; step++) {
      playStep(state, answersOf(step))
      playStep(whole, answersOf(step))
      const left = state.cows.filter((cell) => cell !== -1).length
      expect(bodiesOn(state)).toBe(left + 4)
      expect(left + state.scores[0] + state.scores[1]).toBe(cows)
      if (step % 20 === 0) state = load(JSON.parse(JSON.stringify(save(state))), settings, [])
    }
    expect(save(state)).toEqual(save(whole))
    expect(state.herderOn).toEqual(whole.herderOn)
    expect(state.cowOn).toEqual(whole.cowOn)
  },
)

it('a cow flees from a herder in the opposite direction, in its square and not beyond', () => {
  const empty = Array.from({ length: 15 }, (_, y) => (y === 7 ? '.......c.......' : '.'.repeat(15)))
  const direction = (profile: 'document' | 'server-2008', x: number, y: number): string => {
    const text = mapText({
      rows: empty,
      corrals: [
        { x0: 0, y0: 0, x1: 0, y1: 0 },
        { x0: 14, y0: 14, x1: 14, y1: 14 },
      ],
      herders: [[[x, y]], [[0, 14]]],
    })
    return actions[cowDirection(initialState(config.parse({ map: text, profile }), seed), 0)]!
  }
  expect(direction('document', 7, 4)).toBe('south')
  expect(direction('document', 9, 5)).toBe('southwest')
  expect(direction('document', 11, 7)).toBe('west')
  expect(direction('document', 12, 7)).toBe('skip')
  expect(direction('server-2008', 10, 7)).toBe('west')
  expect(direction('server-2008', 11, 7)).toBe('skip')
})
