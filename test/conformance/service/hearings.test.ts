import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServiceDesk } from '../../../main/administrator/procedures/service-desk.ts'
import type { CaseRoom, CaseView, OpenedCase } from '../../../main/contract/cases/case-procedures.ts'
import type { EvidenceReference } from '../../../main/contract/evidence/evidence-reference.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { listContests } from '../../../main/services/contests/command/kept-contests.ts'
import { refusal, refusedCall } from '../../refusal.ts'
import { openPlace, openRoom, type Room } from './classroom.ts'
import { callers, court, fail, playedContest, wishFor } from './court.ts'
import { beginSessions, makeRoleClass, otherStudent, visitorOf, type RoleClass } from './role-class.ts'

const place = openPlace('service-hearings')
const data = join(place.folder, 'data')
let made: RoleClass
let room: Room
/** A played contest of both teams, and an event of it as the program tells it. */
let contest: string
let reference: EvidenceReference
beforeAll(async () => {
  made = await makeRoleClass(data)
  room = await openRoom(data)
  beginSessions(room.service.accounts)
  ;({ contest, reference } = await playedContest(room, made))
}, 240_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

test('people of the class file, admit and follow a case over the portal, each as their role lets them', async () => {
  const { desk, call, red, assistant, educator } = callers(room)
  const [rule] = await room.call('dossiers.rules', { book: 'specker' })
  const cited = (text: string): object => ({ source: 'rulebook', id: rule!.rule, text, sha256: sha256(text) })
  // A draft does not exist for a student, and neither does a procedure for a guest.
  expect(await call(red, 'cases.file', await wishFor(room, reference, made.foreign.contest))).toEqual(
    refusedCall('contest-unknown'),
  )
  expect(await call(visitorOf('guest'), 'cases.list', {})).toMatchObject({ ok: false })
  // Rule, evidence and penalty are those of the class, and of this contest.
  const forged: readonly object[] = [
    { rule: cited('Blanche must lose.') },
    { evidence: [{ reference: { ...reference, sentence: 'Blanche cheats.' } }] },
    { evidence: [{ reference: { ...reference, hash: 'b'.repeat(64) } }] },
    { evidence: [{ reference }, { reference: { ...reference, contest: made.foreign.contest } }] },
  ]
  for (const each of forged)
    expect(await call(red, 'cases.file', await wishFor(room, reference, contest, each))).toEqual(
      refusedCall('complaint-refused'),
    )
  const asks = [{ type: 'warning', entrant: 'nobody' }]
  expect(await call(red, 'cases.file', await wishFor(room, reference, contest, { asks }))).toEqual(
    refusedCall('entrant-unknown', 'nobody'),
  )
  expect(await call(red, 'cases.file', await wishFor(room, reference, contest))).toMatchObject({
    ok: true,
    value: { case: 'case-3', n: 1 },
  })
  expect(await call(red, 'cases.tokens', {})).toMatchObject({ value: { left: 1 } })

  // The topic of a case that does not exist is refused.
  expect(desk.subscribe('case:case-9', red, () => undefined)).toEqual(refusedCall('case-unknown', 'case-9'))
  const stages: unknown[] = []
  const off = desk.subscribe('case:case-3', otherStudent, (told) => stages.push((told()?.value as CaseView).stage))
  await expect.poll(() => stages).toEqual(['filed'])
  const act = (visitor: Visitor, step: object): Promise<unknown> =>
    call(visitor, 'cases.act', { case: 'case-3', act: step })
  expect(await act(red, { do: 'admitted', reason: 'We say so.', penalties: [[]] })).toEqual(
    refusedCall('case-step-refused', 'case-3'),
  )
  const unknown = { do: 'admitted', reason: 'So be it.', penalties: [[], asks] }
  expect(await act(assistant, unknown)).toEqual(refusedCall('entrant-unknown', 'nobody'))
  expect(await act(assistant, { do: 'admitted', reason: 'So be it.', penalties: [[]] })).toMatchObject({
    value: { n: 2 },
  })
  await expect.poll(() => stages.at(-1)).toBe('answer')
  if (off.ok) off.value()
  const answer = { do: 'answered', text: 'No.', salt: null, evidence: [{ reference: { ...reference, line: 99 } }] }
  expect(await act(otherStudent, answer)).toEqual(refusedCall('complaint-refused'))

  const view = async (visitor: Visitor): Promise<CaseView> =>
    ((await call(visitor, 'cases.get', { case: 'case-3' })) as { readonly value: CaseView }).value
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
  // People of the case see who is in its room, and are there while they look; a second window adds nobody.
  const rooms: CaseRoom[] = []
  const enter = (visitor: Visitor, as?: string) =>
    desk.subscribe('caseRoom:case-3', visitor, (told) => rooms.push(told()?.value as CaseRoom), as)
  const open = [red, red, otherStudent, educator].map((visitor) => enter(visitor))
  const parts = (): unknown =>
    rooms
      .at(-1)
      ?.here.map(({ part }) => part)
      .sort()
  await expect.poll(parts).toEqual(['filer', 'other', 'staff'])
  expect(rooms.at(-1)!.here.map(({ person }) => person)).toContain((await view(red)).me)
  for (const each of open.slice(0, 2)) if (each.ok) each.value()
  await expect.poll(parts).toEqual(['other', 'staff'])
  expect(enter(visitorOf('guest'))).toMatchObject({ ok: false })
  const student = room.service.callerOf(red).person!
  expect(enter({ kind: 'host' }, student)).toEqual(refusedCall('case-room-closed', 'case-3'))
  expect(parts()).toEqual(['other', 'staff'])
  for (const each of open.slice(2)) if (each.ok) each.value()

  const record = (await call(red, 'cases.export', { case: 'case-3', form: 'record' })) as {
    readonly value: { readonly content: string }
  }
  expect(record.value.content.split('\n')).toHaveLength(3)
})

test('a dossier that is shared with a case is read by both sides, the panel and staff, and by nobody else', async () => {
  const desk = createServiceDesk(room.service, fail)
  const read = async (visitor: Visitor, dossier: string): Promise<boolean> => {
    const admitted = desk.admit('dossiers.get', { dossier }, visitor)
    return admitted.ok && (await admitted.value.run()).ok
  }
  const { dossier } = await room.call('dossiers.make', { title: 'For the case' })
  expect(await read(visitorOf('student'), dossier)).toBe(false)
  await room.call('dossiers.share', { dossier, readers: 'case-3' })
  // Teams Red and Blue are its sides.
  for (const visitor of [visitorOf('student'), otherStudent, visitorOf('assistant')])
    expect(await read(visitor, dossier)).toBe(true)
  expect(await read(visitorOf('guest'), dossier)).toBe(false)
  await expect(room.call('dossiers.share', { dossier, readers: 'case-9' })).rejects.toThrow(refusal('case-unknown'))
})

test('the record of a case opens as a file: as far as it holds, read-only, with its verdict', async () => {
  const { content } = await room.call('cases.export', { case: 'case-3', form: 'record' })
  const opened = async (text: string): Promise<OpenedCase> => {
    const { file } = await room.service.takeHistory('case-3.jsonl', Readable.from([Buffer.from(text)]))
    return room.call('cases.open', { file })
  }
  const view = await room.call('cases.get', { case: 'case-3' })
  const { case: id, n, head, stage, deadline, entries, exhibits, ruleText } = view
  const whole = await opened(content)
  expect(whole).toMatchObject({ verdict: 'genuine', problem: null })
  expect(whole.view).toMatchObject({
    case: id,
    n,
    head,
    stage,
    deadline,
    entries,
    exhibits,
    ruleText,
    me: null,
    steps: [],
  })
  expect(whole.view!.people.map(({ name }) => name)).toEqual(view.people.map(() => null))
  const [first, second, third] = content.split('\n')
  const changed = await opened([first, second!.replace('So be it.', 'So be it!'), third].join('\n'))
  expect(changed).toMatchObject({ verdict: 'not-genuine', problem: { line: 2 }, view: { n: 1, stage: 'filed' } })
  await expect(opened('{"b":{}}\n')).rejects.toThrow(refusal('case-damaged'))
})

test('a match that a ruling annuls is played again by the program itself, and counts in its place', async () => {
  const { call, red, assistant, educator } = callers(room)
  const asks = [{ type: 'annul', match: 0, playAgain: true }]
  const filed = (await call(red, 'cases.file', await wishFor(room, reference, contest, { asks }))) as {
    value: { case: string }
  }
  const { case: id } = filed.value
  const { act, view, hear, judge } = court(room, id)
  await act(assistant, { do: 'admitted', reason: 'So be it.', penalties: [[], asks] })
  await act(otherStudent, { do: 'answered', text: 'No.', evidence: [], salt: null })
  await hear([red, otherStudent])
  // The educator cannot take a judge off the case: out of the class, by the role, by a roster, or by a team of the case.
  const person = '2'.repeat(16)
  const { people } = await room.call('people.list', {})
  const { email } = people.find((each) => each.id === person)!
  const roster = { content: Buffer.from(`name,email,role\nPerson 2,${email},guest\n`).toString('base64') }
  const team = { team: 'b'.repeat(16), name: 'Blue', members: ['4'.repeat(16), person] }
  for (const [name, input, code, of] of [
    ['people.remove', { person }, 'person-judges', id],
    ['people.change', { person, role: 'guest' }, 'person-judges', id],
    ['people.preview', roster, 'roster-invalid', id],
    ['people.import', roster, 'roster-invalid', id],
    ['teams.change', team, 'person-judges', 'case-1'],
  ] as const)
    expect(await call(educator, name, input)).toEqual(refusedCall(code, of))
  expect((await room.call('people.list', {})).people).toEqual(people)
  const total = (await room.call('contests.get', { contest })).summary.progress.total
  await judge('yes')
  await expect
    .poll(async () => (await room.call('contests.get', { contest })).ruled, { timeout: 60_000 })
    .toMatchObject({ after: 1, toPlayAgain: [], replayed: [{ match: 0, as: total }], replayedVoid: [] })
  expect((await view(red)).uncounted).toBeNull()
  await room.until(contest, ({ summary }) => summary.state === 'ended')
}, 120_000)

test('an award for a reported exploit goes from the complaint to the standings, and an appeal takes it back', async () => {
  const { call, red, assistant } = callers(room)
  const asks = [{ type: 'award', entrant: 'blanche', amount: 70 }]
  const wish = await wishFor(room, reference, contest, { asks, against: { what: 'agent', name: made.own.agent } })
  const filed = (await call(otherStudent, 'cases.file', wish)) as { value: { case: string } }
  const { case: id } = filed.value
  const { act, hear, judge } = court(room, id)
  const sides = [red, otherStudent]
  const played = () => room.call('contests.get', { contest })
  const last = async () => (await played()).ruled!.rulings.at(-1)!
  const before = (await played()).standings
  expect(before).toHaveLength(2)
  await act(assistant, { do: 'admitted', reason: 'So be it.', penalties: [[], asks] })
  await act(red, { do: 'answered', text: 'We did not know.', evidence: [], salt: null })
  await hear(sides)
  await judge('yes')
  await expect.poll(last).toMatchObject({ case: id, remedies: asks })
  expect(await last()).not.toHaveProperty('reversedBy')
  // It is outside of all matches: no points change.
  expect((await played()).standings).toEqual(before)
  const awards = async () => (await listContests(data, fail)).find((each) => each.contest === contest)!.awards
  const { number } = await last()
  expect(await awards()).toEqual([{ agent: 'blanche', amount: 70, by: 'ruling', ruling: number, case: id }])
  await act(red, { do: 'appealed', text: 'Nothing was exploited.', salt: null })
  await hear(sides)
  await judge('no')
  await expect.poll(last).toMatchObject({ case: id, remedies: [], reverses: number })
  expect(await awards()).toEqual([])
}, 60_000)

test('a case does not wait until the next deadline for somebody who leaves the class', async () => {
  const { call, educator } = callers(room)
  expect(await call(educator, 'people.remove', { person: '2'.repeat(16) })).toMatchObject({ ok: true })
  expect(await call(educator, 'cases.get', { case: 'case-3' })).toMatchObject({
    value: {
      entries: expect.arrayContaining([
        expect.objectContaining({ act: expect.objectContaining({ do: 'left' }) }),
      ]) as unknown,
    },
  })
})
