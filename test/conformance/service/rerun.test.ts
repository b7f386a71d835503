import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storedAgentFile } from '../../../main/administrator/classroom/agents.ts'
import type { ContestDetail, MatchSummary } from '../../../main/contract/procedures/procedures.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { handIn, handInVersion } from './handed-in.ts'
import { refusal, saying } from '../../refusal.ts'

const place = openPlace('service-rerun')
let room: Room
beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const ended = ({ summary }: ContestDetail): boolean => summary.state === 'ended'

async function outcomes(contest: string): Promise<readonly Pick<MatchSummary, 'match' | 'seats'>[]> {
  const { items } = await room.call('contests.matches', { contest })
  return items.map(({ match, seats }) => ({ match, seats: seats.map((seat) => ({ ...seat, agent: null })) }))
}

test('what is handed in, renamed or removed while a contest runs never changes it', async () => {
  const entrants = await handIn(room, ['greedy', 'baby', 'sampler'])
  const draft = draftOf(entrants, { title: 'Pinned', format: { type: 'round-robin', seats: 2, repeats: 4 } })
  const { contest } = await room.call('contests.create', { draft })
  await room.call('contests.start', { contest })
  await room.until(contest, ({ summary }) => summary.state === 'running')
  await handInVersion(room, 'greedy', 'handed in while it runs')
  await room.call('agents.rename', { name: 'sampler', to: 'taster' })
  await expect(room.call('agents.remove', { name: 'baby' })).rejects.toThrow(
    refusal('agent-in-contest', 'baby', 'Pinned'),
  )
  // Paused and resumed, it still plays what it was made of.
  await room.call('contests.pause', { contest }).catch(() => undefined)
  await room.call('contests.start', { contest }).catch(() => undefined)
  const detail = await room.until(contest, ended)
  expect(detail.draft.entrants).toEqual(entrants)
  const { items } = await room.call('contests.matches', { contest })
  expect(items).toHaveLength(12)
  for (const { match } of items) {
    const { facts } = await room.call('matches.get', { source: { from: 'contest', contest, match } })
    for (const { name, agent } of facts.seats)
      expect({ name, agent }).toEqual(entrants.find((each) => each.name === name))
  }
  const after = await room.call('agents.list', {})
  expect(after.items.map(({ name }) => name)).toEqual(['greedy', 'baby', 'taster'])
})

test('a contest that is over runs again with the same versions and seed, goes the same way, and does not count', async () => {
  const [pinned] = (await room.call('contests.list', { search: 'Pinned' })).items
  const { contest } = pinned!
  const before = await room.call('agents.results', { name: 'greedy' })
  const first = await room.call('contests.get', { contest })
  const again = await room.call('contests.rerun', { contest })
  const detail = await room.until(again.contest, (each) => ended(each) && each.rerun?.compared !== undefined)
  expect(detail.draft).toEqual(first.draft)
  expect(await outcomes(again.contest)).toEqual(await outcomes(contest))
  expect(detail.rerun).toEqual({ of: contest, compared: { matches: 12, different: [] } })
  expect(detail.notices).toContainEqual(saying(contest, '12 matches', 'same'))
  // The commitment is to a nonce of its own.
  expect(detail.reveal.commitment).not.toBe(first.reveal.commitment)
  expect(await room.call('agents.results', { name: 'greedy' })).toEqual(before)
  const duplicate = await room.call('contests.duplicate', { contest, title: 'Newest', seed: first.reveal.seed! })
  expect((await room.call('contests.get', duplicate)).draft.entrants).not.toEqual(first.draft.entrants)
  await expect(room.call('contests.rerun', duplicate)).rejects.toThrow(refusal('contest-not-over', duplicate.contest))
  await room.call('contests.cancel', duplicate)
})

test('a contest that was mixed with a phrase of the class runs again with that phrase', async () => {
  const entrants = await handIn(room, ['minmax', 'gambler'])
  const draft = draftOf(entrants, { title: 'Phrased', classPhrase: true })
  const { contest } = await room.call('contests.create', { draft })
  await room.call('contests.start', { contest, phrase: 'sixteen cows' })
  const first = await room.until(contest, ended)
  const again = await room.call('contests.rerun', { contest })
  const detail = await room.until(again.contest, (each) => each.rerun?.compared !== undefined)
  expect(detail.reveal.phrase).toBe(first.reveal.phrase)
  expect(detail.rerun?.compared).toEqual({ matches: 1, different: [] })
})

test('without the package of an agent it is refused, in a sentence that names the agent', async () => {
  const [only] = (await room.call('contests.list', { search: 'Phrased' })).items.slice(-1)
  const { draft } = await room.call('contests.get', { contest: only!.contest })
  const gambler = draft.entrants.find(({ name }) => name === 'gambler')!
  rmSync(storedAgentFile(room.data, gambler.agent, 'script'))
  await expect(room.call('contests.rerun', { contest: only!.contest })).rejects.toThrow(
    refusal('stored-file-damaged', 'gambler', only!.contest),
  )
})
