import { expect, test } from 'vitest'
import Baby from '../../../agents/punter/baby.ts'
import { firstAgent, lessonsOf, statedFigures, withLessons } from './lessons.ts'
import { playPunters, punterOf } from './played-punters.ts'

/** The agent of the kit after some lessons against the baby, sitting first and second. */
async function against(lessons: number): Promise<{ readonly mine: number; readonly theirs: number }> {
  const script = withLessons(firstAgent('punter', 'javascript/agent.cjs'), lessonsOf('punter').slice(0, lessons))
  const first = await playPunters([punterOf(script), new Baby()])
  const second = await playPunters([new Baby(), punterOf(script)])
  return { mine: first[0]! + second[1]!, theirs: first[1]! + second[0]! }
}

test('there are two lessons, and each makes the agent of the kit better', async () => {
  expect(lessonsOf('punter').map((pieces) => pieces.length)).toEqual([1, 1])
  const [none, one, both] = [await against(0), await against(1), await against(2)]
  expect(statedFigures('punter')).toEqual([none, one, both].map(({ mine, theirs }) => [mine, theirs]))
  expect(one.mine).toBeGreaterThan(none.mine)
  expect(both.mine).toBeGreaterThan(one.mine)
  expect(both.mine).toBeGreaterThan(both.theirs)
})
