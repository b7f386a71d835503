import { expect, test } from 'vitest'
import { appendAudit } from '../../../main/administrator/people/audit.ts'
import { teamHandlers } from '../../../main/app/handlers/team-handlers.ts'
import type { Rooms } from '../../../main/app/rooms.ts'
import type { Caller } from '../../../main/contract/people/caller.ts'
import { HOUR, openTestClass, person } from './class.ts'

const [ada, bert] = [person('a', 'Ada'), person('b', 'Bert')]

test('a person forms ten teams within a day', async () => {
  const room = openTestClass([ada, bert])
  Object.assign(room.home.content, { agents: [], components: [], contests: [], settings: { pseudonyms: false } })
  const handIns = { people: room.people, now: room.now }
  const handlers = teamHandlers({ home: room.home, handIns } as unknown as Rooms)
  const form = (of: string) => {
    const caller: Caller = { role: 'student', person: of, team: null, session: 's', isTerminal: false }
    return handlers['teams.form']({ name: `Team of ${of}` }, caller)
  }
  for (let n = 0; n < 10; n++)
    appendAudit(room.people, { at: room.time, person: ada.id, did: 'teams.form', what: { team: `${n}` } })
  room.time += 23 * HOUR
  await expect(form(ada.id)).rejects.toMatchObject({ code: 'limit-reached' })
  expect(await form(bert.id)).toMatchObject({ name: `Team of ${bert.id}` })
  room.time += HOUR
  expect(await form(ada.id)).toMatchObject({ name: `Team of ${ada.id}` })
})
