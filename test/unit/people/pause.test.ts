import { expect, test } from 'vitest'
import type { Classroom, StoredAgentVersion } from '../../../main/contract/procedures/classroom.ts'
import { openHandIns, type HandIns } from '../../../main/services/hand-in/class-hand-ins.ts'
import { pauseVersion } from '../../../main/services/hand-in/version-decisions.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const CLOSES = '2026-11-30T00:00:00.000Z'
const owner = '1'.repeat(16)
const at = (day: number): string => `2026-11-${day}T00:00:00.000Z`
const version = (hash: string, day: number, more: object = {}): StoredAgentVersion =>
  ({
    ...{ hash, owner, manifest: { name: 'red', game: 'haggle' }, submitted: at(day), smoke: { ok: true, text: '' } },
    handIn: { receipt: day, by: null, contest: 'week-1', time: 'on-time' },
    ...more,
  }) as unknown as StoredAgentVersion

function openClass(now: string, agents: StoredAgentVersion[]): HandIns {
  const content = {
    ...{ agents, teams: [{ id: owner, members: ['2'.repeat(16)] }], extensions: [] },
    deadlines: [{ contest: 'week-1', closes: CLOSES, late: 'closed' }],
  } as unknown as Classroom
  const people = openPeopleDatabase(temporaryFolder('pause'))
  const room = openHandIns({
    home: { content, change: async (edit: (content: Classroom) => unknown) => void (await edit(content)) },
    ...{ people, now: () => Date.parse(now), wake: () => () => undefined, onChange: () => undefined },
  } as unknown as HandIns)
  closePeopleDatabase(people)
  return room
}

test('a paused version does not play and has a reason; it plays again when the pause is over', async () => {
  const active = version('b', 22)
  const room = openClass('2026-12-01T00:00:00.000Z', [version('a', 21), active])
  await pauseVersion(room, 'red', 'b', 'It floods the log.')
  expect(active).toMatchObject({ inactive: 'paused', pausedFor: 'It floods the log.' })
  await pauseVersion(room, 'red', 'b', 'It floods the log of everybody.')
  expect(active.pausedFor).toBe('It floods the log of everybody.')
  // Its closing time is over.
  await pauseVersion(room, 'red', 'b', null)
  expect(active).not.toHaveProperty('inactive')
  expect(active).not.toHaveProperty('pausedFor')
})

test('before the closing time it is a candidate again, and what came too late stays so', async () => {
  const late = version('k', 23, { inactive: 'kept', handIn: { receipt: 9, by: null, contest: 'week-1', time: 'kept' } })
  const candidate = version('c', 22, { inactive: 'candidate' })
  const room = openClass('2026-11-25T00:00:00.000Z', [candidate, late])
  for (const each of [candidate, late]) {
    await pauseVersion(room, 'red', each.hash, 'Why?')
    await pauseVersion(room, 'red', each.hash, null)
  }
  expect([candidate.inactive, late.inactive]).toEqual(['candidate', 'kept'])
})

test('a withdrawal stays the decision of the team, and versions of educators are not paused', async () => {
  const withdrawn = version('w', 22, { inactive: 'withdrawn' })
  const own = version('e', 22)
  delete own.handIn
  const room = openClass('2026-11-25T00:00:00.000Z', [withdrawn, own])
  await pauseVersion(room, 'red', 'w', 'Why?')
  await pauseVersion(room, 'red', 'w', null)
  expect(withdrawn.inactive).toBe('withdrawn')
  await expect(pauseVersion(room, 'red', 'e', 'Why?')).rejects.toMatchObject({ code: 'agent-version-unknown' })
  await expect(pauseVersion(room, 'red', 'nobody', null)).rejects.toMatchObject({ code: 'agent-version-unknown' })
})
