import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServiceDesk } from '../../../main/administrator/procedures/service-desk.ts'
import type { CaseView } from '../../../main/contract/cases/case-procedures.ts'
import { defaultSettings } from '../../../main/contract/cases/cases.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import type { ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { refusedCall } from '../../refusal.ts'
import { openPlace, openRoom, type Room } from './classroom.ts'
import { beginSessions, makeRoleClass, otherStudent, visitorOf, type RoleClass } from './role-class.ts'

const place = openPlace('service-hearings')
const data = join(place.folder, 'data')
let made: RoleClass
let room: Room
beforeAll(async () => {
  made = await makeRoleClass(data)
  room = await openRoom(data)
  beginSessions(room.service.accounts)
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

const fail = (error: unknown): never => {
  throw error
}

test('people of the class file, admit and follow a case over the portal, each as their role lets them', async () => {
  const desk = createServiceDesk(room.service, fail)
  const call = async (visitor: Visitor, name: ProcedureName, input: object): Promise<unknown> => {
    const admitted = desk.admit(name, input, visitor)
    return admitted.ok ? admitted.value.run() : admitted
  }
  const [red, assistant, educator] = [visitorOf('student'), visitorOf('assistant'), visitorOf('educator')]
  const text = 'A secret solution is of the promised quality.'
  const wish = (contest: string): object => ({
    ...{ contest, asks: [{ type: 'warning', entrant: 'blanche' }], text: 'It broke rule 5.' },
    ...{ settings: defaultSettings.writing, against: { what: 'agent', name: 'blanche' } },
    rule: { source: 'rulebook', id: '5', text, sha256: sha256(text) },
    evidence: [
      {
        reference: {
          ...{ contest, match: 0, line: 1, move: 1, part: null, sentence: 'It claims 1.' },
          ...{ head: 'a'.repeat(64), hash: 'b'.repeat(64) },
        },
      },
    ],
  })
  // A draft does not exist for a student, and neither does a procedure for a guest.
  expect(await call(red, 'cases.file', wish(made.foreign.contest))).toEqual(refusedCall('contest-unknown'))
  expect(await call(visitorOf('guest'), 'cases.list', {})).toMatchObject({ ok: false })
  expect(await call(red, 'cases.file', wish(made.announced))).toMatchObject({
    ok: true,
    value: { case: 'case-1', n: 1 },
  })
  expect(await call(red, 'cases.tokens', {})).toMatchObject({ value: { left: 1 } })

  const stages: unknown[] = []
  const off = desk.subscribe('case:case-1', otherStudent, (told) => stages.push((told()?.value as CaseView).stage))
  await expect.poll(() => stages).toEqual(['filed'])
  const act = (visitor: Visitor, step: object): Promise<unknown> =>
    call(visitor, 'cases.act', { case: 'case-1', act: step })
  expect(await act(red, { do: 'admitted', reason: 'We say so.', penalties: [[]] })).toEqual(
    refusedCall('case-step-refused', 'case-1'),
  )
  expect(await act(assistant, { do: 'admitted', reason: 'So be it.', penalties: [[]] })).toMatchObject({
    value: { n: 2 },
  })
  await expect.poll(() => stages.at(-1)).toBe('answer')
  if (off.ok) off.value()

  const view = async (visitor: Visitor): Promise<CaseView> =>
    ((await call(visitor, 'cases.get', { case: 'case-1' })) as { readonly value: CaseView }).value
  expect(await view(otherStudent)).toMatchObject({
    part: 'other',
    steps: expect.arrayContaining(['answered']) as unknown,
  })
  expect(await view(red)).toMatchObject({
    part: 'filer',

    steps: expect.not.arrayContaining(['answered']) as unknown,
  })
  // The person at this machine is the educator of the class.
  expect((await view({ kind: 'host' })).me).toBe((await view(educator)).me)
  const record = (await call(red, 'cases.export', { case: 'case-1', form: 'record' })) as {
    readonly value: { readonly content: string }
  }
  expect(record.value.content.split('\n')).toHaveLength(3)
})
