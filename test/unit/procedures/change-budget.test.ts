import { expect, test } from 'vitest'
import { createChangeBudget } from '../../../main/administrator/procedures/change-budget.ts'
import { createServiceDesk, type Service } from '../../../main/administrator/procedures/service-desk.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import type { Handlers } from '../../../main/contract/procedures/procedures.ts'
import type { Role } from '../../../main/contract/people/people.ts'
import { wholeView } from '../../whole-view.ts'

let now = 0
let left = 0
const roles: Readonly<Record<string, Role>> = { anna: 'student', bert: 'student', emmy: 'educator' }
const service: Service = {
  handlers: {
    'teams.leave': async () => void (left += 1),
    'teams.change': async () => ({ id: '1', name: 'Reds' }),
    'teams.mine': async () => null,
  } as unknown as Handlers,
  isReadOnly: false,
  callerOf: (visitor) =>
    visitor.kind === 'session'
      ? { ...visitor, role: roles[visitor.person]!, team: null }
      : { role: 'educator', person: null, team: null, session: null, isTerminal: false },
  viewOf: () => wholeView,
  on: () => () => undefined,
  takePackage: async () => ({ file: '' }),
  takeArchive: async () => ({ file: '' }),
  takeHistory: async () => ({ file: '' }),
  audit: () => undefined,
}
const session = (person: string, id: string): Visitor => ({ kind: 'session', person, session: id, isTerminal: false })

test('a person who changes something in a loop waits, over all sessions; others, and what only reads, do not', async () => {
  const fail = (error: unknown): never => {
    throw error
  }
  const desk = createServiceDesk(
    service,
    fail,
    createChangeBudget(() => now),
  )
  const call = async (visitor: Visitor, name: string, input: object = {}): Promise<unknown> => {
    const admitted = desk.admit(name, input, visitor)
    return admitted.ok ? admitted.value.run() : admitted
  }
  for (let n = 0; n < 400; n++) await call(session('anna', `s${n % 8}`), 'teams.leave')
  expect(left).toBe(120)
  expect(await call(session('anna', 's9'), 'teams.leave')).toMatchObject({
    ok: false,
    error: { code: 'refused', reason: 'limit-reached', message: expect.stringMatching(/ in a second\.$/) as string },
  })
  expect(await call(session('anna', 's9'), 'teams.mine')).toMatchObject({ ok: true })
  expect(await call(session('bert', 's'), 'teams.leave')).toMatchObject({ ok: true })
  now += 10_000
  for (let n = 0; n < 100; n++) await call(session('anna', 's'), 'teams.leave')
  expect(left).toBe(120 + 1 + 20)
  // A script of those who administer the class, and the person at this machine.
  const change = { team: null, name: 'Reds', members: [] }
  for (let n = 0; n < 1_000; n++)
    for (const visitor of [session('emmy', 's'), { kind: 'host' } as const])
      expect(await call(visitor, 'teams.change', change)).toMatchObject({ ok: true })
})
