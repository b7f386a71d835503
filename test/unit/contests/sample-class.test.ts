import { expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { games } from '../../../main/referees/games.ts'
import { makeFirstClass, sampleTitles } from '../../../main/services/contests/descriptions/sample-class.ts'
import { sampleContest } from '../../../main/services/contests/descriptions/sample-contest.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test.each([...games.keys()])('a kit of %s begins with a contest of that game', async (game) => {
  const home = await openClassFolder(temporaryFolder(`sample-${game}`))
  const first = await makeFirstClass(home, sampleContest(game))
  const { contests } = home.content
  expect(contests.map(({ description }) => description.game)).toEqual(contests.map(() => game))
  const { description } = contests.find(({ id }) => id === first)!
  expect(description.entrants.map(({ name }) => name)).toEqual(games.get(game)!.agents.example!.agents)
  // A second contest in pairs would repeat one of pairs.
  expect(contests.every(({ description: { title } }) => sampleTitles.has(title))).toBe(true)
  expect(contests).toHaveLength(games.get(game)!.agents.example!.seats === 2 ? 1 : 2)
  await home.close()
})

test('outside a kit, the class begins with the first game that has an example', () => {
  expect(sampleContest().game).toBe([...games.keys()][0])
})
