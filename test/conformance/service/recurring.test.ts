import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { NETWORK } from '../../../main/contract/players/agents.ts'
import { classroom } from '../../../main/contract/procedures/classroom.ts'
import type { RecurringSummary } from '../../../main/contract/contests/recurring-procedures.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'
import { handIn, handInVersion } from './handed-in.ts'
import { setClock, type SetClock } from '../../../main/services/contests/recurring/set-clock.ts'
import { refusal, saying } from '../../refusal.ts'

const place = openPlace('service-recurring')
const rooms: Room[] = []
afterAll(async () => {
  for (const { service } of rooms) await service.close()
  place.remove()
})

const daily = { days: [1, 2, 3, 4, 5, 6, 7], time: '08:00' }

/** A classroom whose clock is set by the test. Its time zone is Zurich: 08:00 is 07:00 UTC in winter. */
async function roomAt(name: string, iso: string): Promise<{ room: Room; clock: SetClock; events: string[] }> {
  const clock = setClock(iso)
  const events: string[] = []
  const more = { clock, onRecurring: (sentence: string) => void events.push(sentence) }
  const room = await openRoom(join(place.folder, name), false, more)
  rooms.push(room)
  return { room, clock, events }
}

async function only(room: Room): Promise<RecurringSummary> {
  const { recurring } = await room.call('recurring.list', {})
  expect(recurring).toHaveLength(1)
  return recurring[0]!
}

/** Resolves with the only recurring contest as soon as it is as wanted. */
function untilOnly(room: Room, wanted: (one: RecurringSummary) => boolean): Promise<RecurringSummary> {
  return new Promise((resolve) => {
    let done = false
    const look = async (): Promise<void> => {
      const [one] = (await room.call('recurring.list', {})).recurring
      if (done || one === undefined || !wanted(one)) return
      done = true
      setImmediate(() => off())
      resolve(one)
    }
    const off = room.service.on('recurring', () => void look())
  })
}

/** The newest contest, when it has ended. */
async function newestEnded(room: Room, count: number): Promise<string> {
  const { contests } = await untilOnly(room, ({ occurrences }) => occurrences === count)
  const { contest } = contests[0]!
  await room.until(contest, ({ summary }) => summary.state === 'ended')
  return contest
}

test('each day has a contest of its own, with the agents as they are at its time and a seed of its own', async () => {
  const { room, clock, events } = await roomAt('daily', '2026-11-23T06:00:00Z')
  const entrants = await handIn(room, ['greedy', 'baby'])
  const draft = draftOf(entrants, { title: 'Daily' })
  await room.call('recurring.add', { draft, entrants: 'listed', ...daily })
  expect(await only(room)).toMatchObject({ id: 'daily-1', agents: 2, next: '2026-11-23T07:00:00.000Z', contests: [] })
  clock.set('2026-11-23T07:00:00Z')
  const first = await newestEnded(room, 1)
  const monday = await room.call('contests.get', { contest: first })
  expect(first).toBe('daily-2026-11-23-1')
  expect(monday.summary.title).toBe('Daily, 2026-11-23')
  expect(monday.draft.entrants).toEqual(entrants)

  // Changes of the class affect the next contest, and no past one.
  const agent = await handInVersion(room, 'greedy', 'a new idea')
  await room.call('agents.rename', { name: 'baby', to: 'toddler' })
  clock.set('2026-11-24T07:00:01Z')
  const second = await newestEnded(room, 2)
  const tuesday = await room.call('contests.get', { contest: second })
  expect(tuesday.draft.entrants).toEqual([
    { name: 'greedy', agent },
    { name: 'toddler', agent: entrants[1]!.agent },
  ])
  expect((await room.call('contests.get', { contest: first })).draft).toEqual(monday.draft)
  expect(new Set([draft.seed, monday.reveal.seed, tuesday.reveal.seed]).size).toBe(3)
  expect(events).toEqual([
    '"Daily, 2026-11-23" (daily-2026-11-23-1) begins.',
    '"Daily, 2026-11-24" (daily-2026-11-24-1) begins.',
  ])
  const one = await only(room)
  expect(one).toMatchObject({ occurrences: 2, skipped: [], next: '2026-11-25T07:00:00.000Z' })
  expect(one.contests.map(({ contest }) => contest)).toEqual([second, first])

  // A contest and the end of its time are one change, so a process that is killed neither loses nor repeats it.
  const stored = classroom.parse(JSON.parse(readFileSync(join(room.data, 'class.json'), 'utf8')))
  expect(stored.recurring[0]?.until).toBe('2026-11-24T07:00:00.000Z')
  expect(stored.contests.map(({ recurring }) => recurring?.at)).toEqual([
    '2026-11-23T07:00:00.000Z',
    '2026-11-24T07:00:00.000Z',
  ])
})

test('after days without the classroom, the newest time is made up for if it is less than a day ago', async () => {
  const { room } = await roomAt('missed', '2026-11-23T06:00:00Z')
  const entrants = await handIn(room, ['greedy', 'baby'])
  await room.call('recurring.add', { draft: draftOf(entrants, { title: 'Daily' }), entrants: 'listed', ...daily })
  await room.service.close()
  // As a version wrote it that had no such setting.
  const file = join(room.data, 'class.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/,\s*"judgement": ?"complete"/, ''))

  const friday = await roomAt('missed', '2026-11-27T20:00:00Z')
  const contest = await newestEnded(friday.room, 1)
  expect(contest).toBe('daily-2026-11-27-1')
  const made = await friday.room.call('contests.get', { contest })
  expect(made.draft.config).toMatchObject({ judgement: 'complete' })
  expect(made.notices).toContainEqual(saying('judgement: complete'))
  const { skipped } = await only(friday.room)
  expect(skipped.map(({ at }) => at.slice(0, 10))).toEqual(['2026-11-26', '2026-11-25', '2026-11-24', '2026-11-23'])
  expect(skipped[0]!.why).toEqual(saying('classroom', 'open', 'computer', 'slept'))
  // A week as Monday has it: what is missed on Monday is not made up for on Thursday.
  const weekly = { ...daily, days: [1] }
  const { id, title, entrants: who } = await only(friday.room)
  await friday.room.call('recurring.edit', { recurring: id, title, entrants: who, paused: false, ...weekly })
  await friday.room.service.close()
  const thursday = await roomAt('missed', '2026-12-03T12:00:00Z')
  const one = await untilOnly(thursday.room, (each) => each.skipped.length === 5)
  expect(one).toMatchObject({ occurrences: 1, next: '2026-12-07T07:00:00.000Z' })
  expect(one.skipped[0]!.at).toBe('2026-11-30T07:00:00.000Z')
})

test('none begins while another of it runs, nor one without enough agents; each says why', async () => {
  const { room, clock, events } = await roomAt('busy', '2026-11-23T06:00:00Z')
  const [greedy, baby] = await handIn(room, ['greedy', 'baby'])
  const spinning = 'module.exports = class { turn() { for (;;) {} } }'
  const { versions } = await room.submit({
    ...{ fileName: 'spins.js', content: spinning, game: 'specker', wait: false },
  })
  await room.call('agents.stop', { name: 'spins' })
  const spins = { name: 'spins', agent: versions[0]!.agent }
  const slow = draftOf([spins, baby!], { title: 'Slow' })
  const { recurring } = await room.call('recurring.add', { draft: slow, entrants: 'listed', ...daily })
  clock.set('2026-11-23T07:00:00Z')
  const { contests } = await untilOnly(room, ({ occurrences }) => occurrences === 1)
  const { contest } = contests[0]!
  await room.until(contest, ({ summary }) => summary.state === 'running')
  await expect(room.call('recurring.run', { recurring })).rejects.toThrow(
    refusal('contest-running', 'Slow, 2026-11-23'),
  )
  clock.set('2026-11-24T07:00:00Z')
  const busy = await untilOnly(room, ({ skipped }) => skipped.length === 1)
  expect(busy.skipped[0]).toEqual({ at: '2026-11-24T07:00:00.000Z', why: saying('"Slow, 2026-11-23"', 'running') })

  await room.call('contests.cancel', { contest })
  await room.call('agents.remove', { name: 'spins' })
  clock.set('2026-11-25T07:00:00Z')
  const { skipped } = await untilOnly(room, (each) => each.skipped.length === 2)
  expect(skipped[0]!.why).toEqual(saying('2 players', '2 entrants', 1))
  expect(events.at(-1)).toEqual(saying('"Slow"', '2026-11-25T07:00:00.000Z'))

  // All agents of the game play, but for those whose trial match failed; the contest's page says so.
  const text = 'module.exports = class { turn() { throw new Error("no idea") } }'
  await room.submit({ fileName: 'bad.js', content: text, game: 'specker' })
  const { days, time } = daily
  await room.call('recurring.edit', { recurring, title: 'Everyone', entrants: 'all', paused: false, days, time })
  clock.set('2026-11-26T07:00:00Z')
  const all = await room.call('contests.get', { contest: await newestEnded(room, 2) })
  expect(all.draft.entrants).toEqual([greedy, baby])
  expect(all.notices.join(' ')).toEqual(saying('bad', 'trial match', 'no idea'))
})

test('it is made from a contest, run by hand, paused and removed; what needs somebody present is refused', async () => {
  const { room, clock } = await roomAt('edited', '2026-11-23T06:00:00Z')
  const entrants = await handIn(room, ['greedy', 'baby'])
  const { contest } = await room.call('contests.create', { draft: draftOf(entrants, { title: 'Once' }) })
  const wish = { contest, title: 'Weekly', entrants: 'listed', days: [3], time: '18:30' } as const
  const { recurring } = await room.call('recurring.repeat', wish)
  expect(await only(room)).toMatchObject({ title: 'Weekly', next: '2026-11-25T17:30:00.000Z' })
  await room.call('recurring.run', { recurring })
  const by = await room.call('contests.get', { contest: await newestEnded(room, 1) })
  expect(by.summary.title).toBe('Weekly, 2026-11-23')
  const again = await room.call('recurring.run', { recurring })
  expect((await room.call('contests.get', again)).summary.title).toBe('Weekly, 2026-11-23 (2)')
  await room.until(again.contest, ({ summary }) => summary.state === 'ended')

  // By the clocks of another time zone.
  await room.call('settings.set', { timeZone: 'America/New_York' })
  expect(await only(room)).toMatchObject({ next: '2026-11-25T23:30:00.000Z' })
  const edited = { recurring, title: 'Weekly', entrants: 'all', days: [3], time: '18:30' } as const
  await room.call('recurring.edit', { ...edited, paused: true })
  expect(await only(room)).toMatchObject({ paused: true, next: null })
  clock.set('2026-11-26T12:00:00Z')
  await room.call('recurring.edit', { ...edited, paused: false })
  // Nothing that was paused is made up for.
  expect(await only(room)).toMatchObject({ occurrences: 2, skipped: [], next: '2026-12-02T23:30:00.000Z' })
  await room.call('recurring.remove', { recurring })
  expect((await room.call('recurring.list', {})).recurring).toEqual([])
  expect((await room.call('contests.get', again)).summary.state).toBe('ended')
  await expect(room.call('recurring.run', { recurring })).rejects.toThrow(refusal('recurring-unknown', recurring))

  const add = (draft: ReturnType<typeof draftOf>) => room.call('recurring.add', { draft, entrants: 'all', ...daily })
  await expect(add(draftOf([...entrants, { name: 'far', agent: NETWORK }]))).rejects.toThrow(
    refusal('recurring-unsupported', 'far'),
  )
  await expect(add(draftOf(entrants, { classPhrase: true }))).rejects.toThrow(refusal('recurring-unsupported'))
})
