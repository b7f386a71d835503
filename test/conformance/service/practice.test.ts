import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { handIn, handInVersion } from './handed-in.ts'
import { refusal, saying } from '../../refusal.ts'

const place = openPlace('service-practice')
let room: Room
beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

test('a new version meets an older one and an agent that ships, and the results of the class stay as they are', async () => {
  const [old, baby] = await handIn(room, ['greedy', 'baby'])
  const draft = draftOf([old!, baby!], { title: 'Counts', limits: { ...draftOf([old!]).limits, moveMs: 99_000 } })
  const counted = await room.call('contests.create', { draft })
  await room.call('contests.start', counted)
  await room.until(counted.contest, ({ summary }) => summary.state === 'ended')
  const before = await room.call('agents.results', { name: 'greedy' })

  const agent = await handInVersion(room, 'greedy', 'a new idea')
  const minmax = (await room.call('play.opponents', { game: 'specker' })).find(({ name }) => name === 'minmax')!
  const wish = { name: 'greedy', agent, opponents: [old!.agent, minmax.agent], matches: 2 }
  const { contest } = await room.call('agents.practise', wish)
  const ended = await room.until(contest, ({ summary }) => summary.state === 'ended')
  expect(ended.summary).toMatchObject({ title: 'Practice of greedy', practice: true, progress: { done: 4, total: 4 } })
  // With the settings of the newest contest of the game.
  expect(ended.draft.config).toEqual((await room.call('contests.get', counted)).draft.config)
  expect(ended.draft.limits.moveMs).toBe(99_000)
  expect(ended.draft.entrants).toEqual([
    { name: 'greedy', agent },
    { name: 'greedy 2', agent: old!.agent },
    { name: 'minmax', agent: minmax.agent },
  ])
  expect(Object.fromEntries(ended.standings.map((row) => [row.agent, row.matches]))).toEqual({
    greedy: 4,
    'greedy 2': 2,
    minmax: 2,
  })

  expect(await room.call('agents.results', { name: 'greedy' })).toEqual(before)
  expect((await room.call('agents.list', {})).items.map(({ name }) => name)).toEqual(['greedy', 'baby'])
  expect((await room.call('class.overview', {})).contests.map((each) => each.contest)).toEqual([counted.contest])
  const { items } = await room.call('histories.list', {})
  expect(items.filter(({ practice }) => practice === true).map((match) => match.contest)).toEqual(
    Array(4).fill(contest),
  )
  const verdict = await room.call('histories.verify', { source: { from: 'contest', contest, match: 0 } })
  expect(verdict.ok && verdict.notes).toEqual([saying('practice', 'result', 'count')])
})

test('without a contest of the game it is played as trial matches are; what does not exist is refused', async () => {
  const own = await openRoom(join(place.folder, 'own'))
  const [baby] = await handIn(own, ['baby'])
  const wish = { name: 'baby', agent: baby!.agent, opponents: [baby!.agent], matches: 1 }
  await expect(own.call('agents.practise', { ...wish, agent: 'a'.repeat(64) })).rejects.toThrow(
    refusal('agent-version-unknown', 'baby'),
  )
  await expect(own.call('agents.practise', { ...wish, opponents: ['a'.repeat(64)] })).rejects.toThrow(
    refusal('agent-unknown', 'specker'),
  )
  const { contest } = await own.call('agents.practise', wish)
  await own.until(contest, ({ summary }) => summary.state === 'ended')
  await own.service.close()
})
