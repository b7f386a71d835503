import { expect, test } from 'vitest'
import baby from '../../../agents/cows/baby.ts'
import { classOf, firstAgent, lessonsOf, statedFigures, withLessons } from './lessons.ts'
import { playHerd, type Herders } from './played-herd.ts'

/** The cows of the kit's team after some lessons, and of the baby. */
const cowsAfter = (lessons: number) => {
  const script = withLessons(firstAgent('cows', 'javascript/agent.cjs'), lessonsOf('cows').slice(0, lessons))
  const mine = classOf<Herders>(script, () => 0)
  return playHerd(
    'meadow',
    200,
    [mine, baby].map((team) => (told) => Promise.resolve(team.act(...told))),
  )
}

test('there are three lessons, and each makes the team of the kit better', async () => {
  expect(lessonsOf('cows').map((pieces) => pieces.length)).toEqual([1, 1, 1])
  const [none, one, two, all] = await Promise.all([0, 1, 2, 3].map(cowsAfter))
  expect(statedFigures('cows')).toEqual([none, one, two, all])
  expect(one![0]).toBeGreaterThan(none![0]! + 2)
  expect(two![0]).toBeGreaterThan(one![0]! + 2)
  expect(all![0]).toBeGreaterThan(two![0]!)
  expect(all![1]).toBeLessThan(3)
})
