import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import baby from '../../../agents/cows/baby.ts'
import { config } from '../../../main/referees/cows/config.ts'
import type { HerderAction, PerceptionMessage, StartMessage } from '../../../main/referees/cows/messages.ts'
import { perceptionOf } from '../../../main/referees/cows/perception.ts'
import { rules } from '../../../main/referees/cows/rules.ts'
import { mapOf } from '../../../main/referees/cows/config.ts'
import { classOf, firstAgent, lessonsOf, withLessons } from './lessons.ts'

interface Team {
  act(body: number, perception: PerceptionMessage, start: Omit<StartMessage, 'type'>): HerderAction
}

const map = readFileSync(new URL('../../../agents/cows/maps/meadow.json', import.meta.url), 'utf8')

/** The cows of the kit's team after so many lessons and of the baby, each once in either corral. */
function cowsAfter(lessons: number): readonly [number, number] {
  const script = withLessons(firstAgent('cows', 'javascript/agent.cjs'), lessonsOf('cows').slice(0, lessons))
  const sums: [number, number] = [0, 0]
  for (const mySeat of [0]) {
    const settings = config.parse({ map, steps: 200 })
    const state = rules.initial(settings, [], `lesson ${mySeat}`)
    const { width, height, bodies } = state
    const mine = classOf<Team>(script, () => 0)
    while (state.step < 200) {
      const actions = mapOf(settings).corrals.map((corral, seat) =>
        Array.from({ length: bodies }, (_, body) => {
          const start = { opponent: 'baby', steps: 200, width, height, corral }
          return (seat === mySeat ? mine : baby).act(body, perceptionOf(state, { seat, body }), start)
        }),
      )
      expect(rules.apply(state, { type: 'step', step: state.step, actions })).toBeNull()
    }
    sums[0] += state.scores[mySeat]!
    sums[1] += state.scores[1 - mySeat]!
  }
  return sums
}

test('there are three lessons, and each makes the team of the kit better', () => {
  expect(lessonsOf('cows').map((pieces) => pieces.length)).toEqual([1, 1, 1])
  const [none, one, two, all] = [0, 1, 2, 3].map(cowsAfter)
  expect(one![0]).toBeGreaterThan(none![0] + 5)
  expect(two![0]).toBeGreaterThan(one![0] + 5)
  expect(all![0]).toBeGreaterThan(two![0])
  expect(all![1]).toBeLessThan(5)
})
