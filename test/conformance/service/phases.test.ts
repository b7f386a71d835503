import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ContestDetail } from '../../../main/contract/procedures/procedures.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { handIn, handInVersion } from './handed-in.ts'
import { refusal } from '../../refusal.ts'

const place = openPlace('service-phases')
let room: Room

beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const ended = ({ summary }: ContestDetail): boolean => summary.state === 'ended'
const soon = (ms: number): string => new Date(Date.now() + ms).toISOString()
/** The settings of the game change. */
const twist = (detail: ContestDetail, maxTurns: number) => ({ ...(detail.draft.config as object), maxTurns })
const agentsOf = ({ draft }: ContestDetail): Record<string, string> =>
  Object.fromEntries(draft.entrants.map(({ name, agent }) => [name, agent]))

test('the next phase takes the versions that are active at its deadline, and both phases count', async () => {
  const entrants = await handIn(room, ['baby', 'greedy'])
  const { contest: first } = await room.call('contests.create', { draft: draftOf(entrants, { title: 'Heist' }) })
  const next = { contest: first, title: 'Heist, twist', seed: 'Milan', weights: [1, 3], deadline: soon(3_600_000) }
  const open = await room.call('contests.get', { contest: first })
  await expect(room.call('contests.nextPhase', { ...next, config: twist(open, 3) })).rejects.toThrow(
    refusal('contest-not-over', 'heist-1'),
  )
  await room.call('contests.start', { contest: first })
  const before = await room.until(first, ended)
  expect(before).toMatchObject({ phases: null, followedBy: null, entriesUntil: null })
  const config = twist(before, 3)
  await expect(room.call('contests.nextPhase', { ...next, config, weights: [1, 1, 1] })).rejects.toThrow(
    refusal('input-invalid', 'weights', 2, 3),
  )
  await expect(room.call('contests.nextPhase', { ...next, config: twist(before, 0) })).rejects.toThrow(
    refusal('settings-invalid', 'maxTurns'),
  )

  const { contest: second } = await room.call('contests.nextPhase', { ...next, config })
  const waiting = await room.call('contests.get', { contest: second })
  expect(waiting).toMatchObject({ summary: { state: 'open', waitsFor: 'entries' }, entriesUntil: next.deadline })
  expect((await room.call('contests.get', { contest: first })).followedBy).toBe(second)
  await expect(room.call('contests.nextPhase', { ...next, config })).rejects.toThrow(
    refusal('next-phase-exists', first, second),
  )
  await expect(room.call('contests.start', { contest: second })).rejects.toThrow(
    refusal('too-early', second, next.deadline),
  )

  const adapted = await handInVersion(room, 'greedy', 'adapted')
  await room.call('contests.closeEntries', { contest: second })
  // Later ones come too late.
  await handInVersion(room, 'baby', 'too late')
  const closed = await room.call('contests.get', { contest: second })
  expect(closed.entriesUntil).toBeNull()
  expect(closed.summary.waitsFor).toBeUndefined()
  expect(agentsOf(closed)).toEqual({ ...agentsOf(before), greedy: adapted })

  await room.call('contests.start', { contest: second })
  const after = await room.until(second, ended)
  expect(after.phases?.contests).toEqual([
    { contest: first, title: 'Heist', weight: 1 },
    { contest: second, title: 'Heist, twist', weight: 3 },
  ])
  for (const { agent, points, byPhase } of after.phases!.combined) {
    const results = [before, after].map(({ standings }) => standings.find((row) => row.agent === agent)!.points)
    expect(byPhase).toEqual(results)
    expect(points).toBe(results[0]! + 3 * results[1]!)
  }
  // A duplicate is a contest of its own.
  const copy = await room.call('contests.duplicate', { contest: second, title: 'Again', seed: 'y' })
  expect(await room.call('contests.get', copy)).toMatchObject({ phases: null, entriesUntil: null })
})

test('after the deadline the versions of that time play, though newer ones are there when the phase is started', async () => {
  const entrants = await handIn(room, ['sampler', 'gambler'])
  const { contest: first } = await room.call('contests.create', { draft: draftOf(entrants, { title: 'Short' }) })
  await room.call('contests.start', { contest: first })
  const before = await room.until(first, ended)
  const inTime = await handInVersion(room, 'sampler', 'in time')
  const deadline = soon(2_000)
  const { contest } = await room.call('contests.nextPhase', {
    ...{ contest: first, title: 'Short 2', seed: 'z', weights: [1, 1], deadline },
    config: twist(before, 2),
  })
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(deadline))
  await handInVersion(room, 'sampler', 'late')
  await room.call('contests.start', { contest })
  const after = await room.until(contest, ended)
  expect(agentsOf(after).sampler).toBe(inTime)
})
