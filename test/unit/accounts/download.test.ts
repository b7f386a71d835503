import { expect, test } from 'vitest'
import { addAttempt } from '../../../main/administrator/people/attempts.ts'
import { peopleHandlers } from '../../../main/app/handlers/people-handlers.ts'
import type { Rooms } from '../../../main/app/rooms.ts'
import type { Caller } from '../../../main/contract/people/caller.ts'
import { openTestClass, person, START } from './class.ts'

const ada = person('a', 'Ada')
const bert = person('b', 'Bert')

test('the download about oneself has one’s hand-ins and extensions, and none of others', async () => {
  const room = openTestClass([ada, bert])
  room.home.content.extensions = [ada, bert].map(({ id }) => ({
    ...{ of: { who: 'person' as const, person: id }, contest: 'week-1', until: '2026-12-01T00:00:00.000Z' },
    ...{ reason: `about ${id}`, by: null, at: '2026-11-01T00:00:00.000Z' },
  }))
  for (const { id } of [ada, bert])
    addAttempt(room.people, {
      ...{ team: '1'.repeat(16), members: [ada.id, bert.id], person: id, contest: null, game: 'haggle' },
      ...{ file: `of-${id}.js`, sha256: 'f'.repeat(64), at: START, wish: { agent: null } },
    })
  const handlers = peopleHandlers({ home: room.home, accounts: room } as unknown as Rooms)
  const caller: Caller = { role: 'student', person: ada.id, team: null, session: 's', isTerminal: false }
  const { content } = await handlers['me.download']({}, caller)
  expect(JSON.parse(content)).toMatchObject({
    handIns: [{ file: `of-${ada.id}.js`, state: 'received', receipt: null }],
    extensions: [{ contest: 'week-1', reason: `about ${ada.id}` }],
  })
  expect(content).not.toContain(bert.id)
})
