import { expect, test } from 'vitest'
import { createServiceDesk, type Service } from '../../../main/administrator/procedures/service-desk.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import type { CallReply, Handlers, ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import type { Classroom } from '../../../main/contract/procedures/classroom.ts'
import { callerOf } from '../../../main/services/people/callers.ts'
import { wholeView } from '../../whole-view.ts'

const [ada, bert, helper, other, left] = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(16)) as [
  string,
  string,
  string,
  string,
  string,
]
const red = { id: '1'.repeat(16), name: 'Red', members: [ada], formed: '' }
const content = {
  people: [
    ...[ada, bert].map((id) => ({ id, role: 'student' })),
    { id: helper, role: 'assistant' },
    { id: other, role: 'educator' },
    { id: left, role: 'student', removed: '2026-11-01T00:00:00.000Z' },
  ],
  teams: [red],
} as unknown as Classroom

/** The callers with whom handlers were reached. */
const reached: unknown[] = []
const note =
  (name: string) =>
  async (_: unknown, caller: unknown): Promise<null> => {
    reached.push([name, caller])
    return null
  }
const names: readonly ProcedureName[] = ['contests.list', 'people.list', 'teams.mine', 'teams.leave', 'deadlines.set']
const service: Service = {
  handlers: Object.fromEntries(names.map((name) => [name, note(name)])) as unknown as Handlers,
  isReadOnly: false,
  callerOf: (visitor) => callerOf(content, visitor),
  viewOf: () => wholeView,
  on: () => () => undefined,
  takePackage: async () => ({ file: '' }),
  takeArchive: async () => ({ file: '' }),
  takeHistory: async () => ({ file: '' }),
  audit: () => undefined,
}
const desk = createServiceDesk(service, (error) => {
  throw error
})
const host: Visitor = { kind: 'host' }
const session = (person: string, isTerminal = false): Visitor => ({ kind: 'session', person, session: 's', isTerminal })

async function call(
  name: ProcedureName,
  visitor: Visitor,
  as: unknown,
  input: unknown = {},
): Promise<CallReply<unknown>> {
  reached.length = 0
  const admitted = desk.admit(name, input, visitor, as)
  return admitted.ok ? admitted.value.run() : admitted
}

test.each([host, session(helper), session(other)])('%j sees the class as a student', async (visitor) => {
  expect(await call('contests.list', visitor, ada)).toMatchObject({ ok: true })
  expect(reached).toEqual([
    ['contests.list', { role: 'student', person: ada, team: red.id, session: null, isSeen: true, isTerminal: false }],
  ])
  // As a student, they reach no more than a student.
  expect(await call('people.list', visitor, ada)).toMatchObject({ ok: false, error: { reason: 'sign-in-needed' } })
  expect(desk.subscribe('people', visitor, () => undefined, ada)).toMatchObject({ ok: false })
  expect(desk.subscribe('agents', visitor, () => undefined, ada)).toMatchObject({ ok: true })
})

test('staff see the class as a guest, also while none is admitted; nobody else does, and nothing can be changed', async () => {
  for (const visitor of [host, session(helper), session(other)]) {
    expect(await call('contests.list', visitor, 'guest')).toMatchObject({ ok: true })
    expect(reached).toEqual([
      ['contests.list', { role: 'guest', person: null, team: null, session: null, isSeen: true, isTerminal: false }],
    ])
    for (const name of ['people.list', 'teams.mine'] as const)
      expect(await call(name, visitor, 'guest')).toMatchObject({ ok: false, error: { reason: 'sign-in-needed' } })
  }
  for (const visitor of [session(ada), { kind: 'guest' } as const])
    expect(await call('contests.list', visitor, 'guest')).toMatchObject({ ok: false })
})

test('nothing can be changed as a student, neither what they may change nor what oneself may', async () => {
  expect(await call('teams.leave', host, ada)).toMatchObject({ ok: false, error: { reason: 'read-only' } })
  const deadline = { contest: 'week-1', closes: null, late: 'closed' }
  expect(await call('deadlines.set', host, ada, deadline)).toMatchObject({
    ok: false,
    error: { reason: 'sign-in-needed' },
  })
  expect(reached).toEqual([])
})

test.each([
  ['another student', session(bert), ada],
  ['the student themselves', session(ada), ada],
  ['a guest', { kind: 'guest' }, ada],
  ['the terminal of an assistant, which may only hand in', session(helper, true), ada],
  ['an assistant who would see what an educator sees', session(helper), other],
  ['an educator as an assistant', host, helper],
  ['an educator as somebody who has left', host, left],
  ['an educator as nobody', host, 'f'.repeat(16)],
] as const)('%s is refused', async (_, visitor, as) => {
  expect(await call('contests.list', visitor as Visitor, as)).toMatchObject({
    ok: false,
    error: { code: 'forbidden', reason: 'sign-in-needed' },
  })
  expect(desk.subscribe('agents', visitor as Visitor, () => undefined, as)).toMatchObject({ ok: false })
  expect(reached).toEqual([])
})

test.each([7, {}, 'Ada', '', ada.toUpperCase()])('%j is not the id of a student', async (as) => {
  expect(await call('contests.list', host, as)).toMatchObject({ ok: false, error: { reason: 'input-invalid' } })
})

test('a student plays by hand if the class lets them, and nobody else needs that', () => {
  const rules = { handInRules: { playByHand: true } } as Partial<Classroom>
  const allows = { ...content, ...rules } as Classroom
  expect(callerOf(allows, session(ada))).toMatchObject({ role: 'student', playsByHand: true })
  expect(callerOf(content, session(ada))).not.toHaveProperty('playsByHand')
  for (const visitor of [session(helper), session(left), { kind: 'guest' } as const])
    expect(callerOf(allows, visitor)).not.toHaveProperty('playsByHand')
})
