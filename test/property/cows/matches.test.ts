import fc from 'fast-check'
import { expect, test } from 'vitest'
import { config } from '../../../main/referees/cows/config.ts'
import { makeMap, mapKinds, mapOptions, mapText } from '../../../main/referees/cows/kinds.ts'
import { actions, type HerderAction } from '../../../main/referees/cows/messages.ts'
import { perceptionOf } from '../../../main/referees/cows/perception.ts'
import { rules } from '../../../main/referees/cows/rules.ts'
import type { State } from '../../../main/referees/cows/state.ts'
import { repeats } from '../../long.ts'

const HERDERS = 3
const answers = fc.array(
  fc.array(fc.option(fc.constantFrom<HerderAction>(...actions)), { minLength: HERDERS, maxLength: HERDERS }),
  { minLength: 2, maxLength: 2 },
)
const settings = fc.record({
  profile: fc.constantFrom('document', 'server-2008'),
  failure: fc.constantFrom(0, 10, 100),
  attractionRange: fc.option(fc.integer({ min: 1, max: 20 })),
  fearRange: fc.option(fc.integer({ min: 1, max: 21 })),
  cowWeight: fc.integer({ min: 1, max: 10 }),
  emptyWeight: fc.integer({ min: 1, max: 10 }),
})

/** Invariants of every state: one body on a cell, none on an obstacle, no cow lost, and an index that says the same. */
function check(state: State, cows: number): void {
  const herd = [...state.cows].filter((cell) => cell !== -1)
  const taken = [...state.herders, ...herd]
  expect(new Set(taken).size).toBe(taken.length)
  expect(herd.length + state.scores[0] + state.scores[1]).toBe(cows)
  const content = state.obstacles.map((is) => 3 * is)
  for (const cell of state.herders) content[cell]! += 1
  for (const cell of herd) content[cell]! += 2
  expect(state.content).toEqual(content)
}

test('whatever herders do on whatever map: bodies stay apart, cows are conserved, and inputs replay to the same state', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...mapKinds),
      fc.string(),
      settings,
      fc.array(answers, { minLength: 1, maxLength: 30 }),
      (kind, seed, some, steps) => {
        const options = { kind, seed, width: 24, height: 20, cows: 12, herders: HERDERS, corral: 4, obstacles: 40 }
        const map = mapText(makeMap(mapOptions.parse(options)))
        const complete = config.parse({ map, steps: steps.length, ...some })
        const [state, again] = [0, 1].map(() => rules.initial(complete, [], 'cd'.repeat(32))) as [State, State]
        const cows = state.cows.length
        for (const [step, moves] of steps.entries()) {
          const before = [...state.herders]
          expect(rules.apply(state, { type: 'step', step, actions: moves })).toBeNull()
          check(state, cows)
          // A herder goes one cell at most, and none where all actions fail.
          for (const [herder, cell] of state.herders.entries()) {
            const [x, y] = [
              (cell % 24) - (before[herder]! % 24),
              Math.floor(cell / 24) - Math.floor(before[herder]! / 24),
            ]
            expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(some.failure === 100 ? 0 : 1)
          }
          for (const seat of [0, 1]) {
            const { cells } = perceptionOf(state, { seat, body: 0 })
            expect(cells.filter(({ x, y }) => x === 0 && y === 0)).toMatchObject([{ agent: 'ally' }])
          }
        }
        for (const [step, moves] of steps.entries()) rules.apply(again, { type: 'step', step, actions: moves })
        expect(rules.save(again)).toEqual(rules.save(state))
        expect(rules.outcome(state)?.places.map(({ score }) => score)).toEqual([...state.scores])
      },
    ),
    { numRuns: repeats({ short: 60, long: 3_000 }) },
  )
})
