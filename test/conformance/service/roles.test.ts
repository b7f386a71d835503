import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { createServiceDesk, type Service } from '../../../main/administrator/procedures/service-desk.ts'
import { defaultSettings } from '../../../main/contract/cases/cases.ts'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import type { ObjectRef } from '../../../main/contract/people/objects.ts'
import {
  procedureAccess,
  topicAccess,
  uploadAccess,
  type Access,
  type Reach,
  type Row,
} from '../../../main/contract/procedures/access.ts'
import { onlyReads } from '../../../main/contract/procedures/read-only.ts'
import { procedures, type Handlers, type ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import { refusedCall } from '../../refusal.ts'
import { openPlace, openRoom, type Room } from './classroom.ts'
import {
  beginSessions,
  makeRoleClass,
  otherStudent,
  parts,
  secrets,
  visitorOf,
  type Part,
  type RoleClass,
} from './role-class.ts'

const place = openPlace('service-roles')
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

const names = Object.keys(procedures) as ProcedureName[]
const rowOf = (name: ProcedureName): Row<unknown, unknown> => procedureAccess[name] as Row<unknown, unknown>
const reachOf = (row: Access, part: Part): Reach | undefined => {
  // All of these parts have sessions.
  if (part === 'left' || row.onlyHere === true) return undefined
  if (part === "educator's terminal") return row.terminal === true ? row.educator : undefined
  // The class does not let students play by hand.
  if (row.studentsIf !== undefined && part.startsWith('student')) return undefined
  if (part === "student's terminal") return row.terminal === true ? row.student : undefined
  return row[part]
}

/** The rows as section 2 wants them, for the procedures of the classroom itself. Everything else in these rooms is for staff. */
const wanted = {
  educatorOnly: [
    'agents.remove challenges.delete texts.delete contests.delete contests.deletion recurring.remove histories.deleteComment',
    'contests.decide contests.consequences contests.nextRound',
    'entries.look entries.import entries.export screens.invite settings.backup kits.saveCase kits.matches kits.match',
  ],
  own: [
    'agents.get agents.faults agents.results agents.trialMatch agents.console components.publish components.withdraw',
    'play.opponents play.begin play.get play.answer play.leave',
  ],
  public: [
    'class.overview agents.list sources.list sources.get sources.file sources.download components.list components.get kits.get',
    'challenges.list challenges.get texts.list texts.get recurring.list settings.get',
    'contests.list contests.result contests.get contests.standings contests.breakdowns contests.parts contests.entrants contests.teams',
    'contests.matches matches.get matches.events matches.live matches.outline matches.state',
    'histories.list histories.facets histories.export histories.replay downloads.piece downloads.drop',
    'mining.questions mining.tables mining.ask mining.compare mining.query mining.search mining.download mining.stop',
  ],
} as const
const rooms =
  /^(class|agents|sources|components|kits|challenges|texts|contests|recurring|entries|matches|play|histories|mining|downloads|arena|screens|settings|isolation|doctor)\./

/** The rooms of teams, whose inputs may name a team, a contest or none. */
const teamRooms = /^(teams|handIn|receipts|deadlines|practice|dossiers)\./

/** The procedures whose rows are not as wanted. */
function wrongRows(table: Readonly<Record<string, Access>>): readonly string[] {
  const listed = (those: readonly string[]): ReadonlySet<string> => new Set(those.join(' ').split(' '))
  const [educatorOnly, own, open] = [listed(wanted.educatorOnly), listed(wanted.own), listed(wanted.public)]
  return Object.entries(table).flatMap(([name, { educator, assistant, student, guest }]) => {
    if (!rooms.test(name)) return []
    const staff = name === 'settings.set' ? 'public' : educatorOnly.has(name) ? undefined : 'all'
    const class_ = own.has(name) ? ['own', undefined] : open.has(name) ? ['public', 'public'] : [undefined, undefined]
    const isRight = educator === 'all' && assistant === staff && student === class_[0] && guest === class_[1]
    return isRight ? [] : [name]
  })
}

test('the table gives each role what it may do, and a wrong row is found', () => {
  expect(wrongRows(procedureAccess)).toEqual([])
  const planted = {
    ...procedureAccess,
    'agents.console': { educator: 'all', assistant: 'all', student: 'public' },
  } as const
  expect(wrongRows(planted)).toEqual(['agents.console'])
  expect(wrongRows({ ...procedureAccess, 'agents.remove': procedureAccess['agents.try'] })).toEqual(['agents.remove'])
})

test('classes as documents are for the person at this machine, whoever else signs in', () => {
  const desk = createServiceDesk(room.service, (error) => {
    throw error
  })
  const calls = ['get', 'open', 'close', 'create', 'newTerm', 'sampleTerm', 'import', 'export', 'stopExport'].map(
    (name) => `classes.${name}`,
  )
  expect(calls.toSorted()).toEqual(names.filter((name) => name.startsWith('classes.')).toSorted())
  const isAdmitted = (visitor: Visitor) => calls.map((name) => desk.admit(name, {}, visitor).ok)
  expect(new Set(isAdmitted({ kind: 'host' }))).toEqual(new Set([true]))
  for (const part of ['educator', 'assistant', 'student', 'guest'] as const) {
    expect([part, new Set(isAdmitted(visitorOf(part)))]).toEqual([part, new Set([false])])
    for (const topic of ['classes', 'exporting'])
      expect(desk.subscribe(topic, visitorOf(part), () => undefined)).toMatchObject({ ok: false })
  }
  expect(desk.subscribe('exporting', { kind: 'host' }, () => undefined).ok).toBe(true)
  const heard = desk.subscribe('classes', { kind: 'host' }, () => undefined)
  expect(heard.ok).toBe(true)
  if (heard.ok) heard.value()
})

test('a terminal may only hand in, whatever the role of its person', () => {
  const open = (table: Readonly<Record<string, Access>>): readonly string[] =>
    Object.keys(table).filter((name) => table[name]!.terminal === true)
  expect(open(procedureAccess)).toEqual([
    'handIn.submit',
    'handIn.look',
    'handIn.attempts',
    'handIn.queue',
    'receipts.list',
    'receipts.get',
    'receipts.head',
    'deadlines.get',
    'me.get',
  ])
  expect([open(topicAccess), open(uploadAccess)]).toEqual([[], ['packages']])
})

/** The objects that a call is about. */
interface Objects {
  readonly agent: string
  readonly hash: string
  readonly contest: string
  readonly file: string
  readonly setting: string
  readonly id: string
  readonly dossier: string
  readonly case: string
}
type Whose = 'own' | 'foreign' | 'absent'

/** Values for fields of inputs by their names; a field that is not here gets the least value of its schema. */
function fieldsOf({ agent, hash, contest, file, id, dossier }: Objects): Readonly<Record<string, unknown>> {
  const source = { from: 'contest', contest, match: 0 }
  return {
    ...{
      name: agent,
      agent: hash,
      of: agent,
      to: 'rosalie',
      component: hash,
      contest,
      recurring: contest,
      contests: [contest],
    },
    ...{ file, files: [file], first: file, second: file, download: file, source, match: 0, person: id, team: id },
    ...{
      game: 'specker',
      kit: 'javascript',
      field: 'challenge',
      opponents: [hash],
      agents: [agent],
      content: '',
      path: 'a.js',
    },
    ...{
      title: 'T',
      seed: 's',
      author: agent,
      text: 'x',
      id: '00000000-0000-4000-8000-000000000000',
      wish: withdrawal,
      request: '00000000-0000-4000-8000-000000000000',
    },
    ...{
      comment: { event: 0, line: 0, by: '', text: 'x' },
      draft: draftFor(hash),
      deadline: '2099-01-01T00:00:00.000Z',
    },
    ...{ dossier, item: '00000000-0000-4000-8000-000000000000', move: 1, part: null, book: 'specker' },
    ...{ days: [1], time: '08:00', weights: [1, 1], entrants: 'all', end: 'eA==' },
  }
}
const request = '00000000-0000-4000-8000-000000000000'
const withdrawal = { type: 'withdraw', entrant: 'rosa' }
const draftFor = (hash: string): object => ({
  ...{ title: 'T', game: 'specker', seed: 's', format: { type: 'round-robin', seats: 2 } },
  entrants: [{ name: 'a', agent: hash }],
})

/** Inputs whose fields are not what their names say elsewhere. */
const special: Readonly<Partial<Record<ProcedureName, (objects: Objects) => object>>> = {
  'challenges.get': () => ({ name: 'max-csp' }),
  'challenges.save': () => ({ name: 'new-one', source: 'x', from: null }),
  'challenges.delete': () => ({ name: 'new-one' }),
  'kits.match': () => ({ match: 1 }),
  'texts.get': () => ({ game: 'punter', field: 'map', name: 'lambda' }),
  'texts.add': () => ({ game: 'punter', field: 'map', name: 'lambda', text: 'x' }),
  'texts.delete': () => ({ game: 'punter', field: 'map', name: 'lambda' }),
  'components.publish': ({ file }) => ({ file, name: 'part', author: 'Red' }),
  'settings.set': ({ setting }) => ({ [setting]: setting === 'locale' ? 'en' : [] }),
  'histories.archive': ({ contest }) => ({ of: 'contest', contest }),
  'people.slips': ({ id }) => ({ people: [id] }),
  'mining.compare': ({ hash }) => ({ request, game: 'specker', question: 'worst-losses', first: hash, second: hash }),
  'mining.download': ({ contest }) => ({ contest, request, asked: { sql: 'SELECT 1' }, as: 'csv' }),
  'histories.list': () => ({}),
  'histories.verifyAll': () => ({}),
  'teams.join': () => ({ invitation: '2345678923' }),
  'teams.change': ({ id }) => ({ team: id, name: 'Green', members: [] }),
  'registrations.register': ({ contest, id, agent }) => ({ contest, team: id, agent }),
  'registrations.withdraw': ({ contest, id, agent }) => ({ contest, team: id, entrant: agent }),
  'guests.admit': () => ({ until: '2099-01-01T00:00:00.000Z' }),
  'dossiers.addRule': ({ dossier }) => ({ dossier, book: 'specker', rule: 'x' }),
  'handIn.submit': ({ id, file, contest }) => ({ team: id, file, contest, game: 'specker' }),
  'handIn.look': ({ id, file, contest }) => ({ team: id, file, contest, game: 'specker' }),
  'handIn.attempts': ({ id }) => ({ team: id }),
  'handIn.queue': ({ id }) => ({ team: id }),
  'receipts.list': ({ id }) => ({ team: id }),
  'practice.get': ({ id }) => ({ team: id }),
  'practice.begin': ({ agent, hash }) => ({ name: agent, agent: hash, opponent: hash }),
  'practice.match': ({ id }) => ({ team: id, match: 1 }),
  'handIn.pause': ({ agent, hash }) => ({ name: agent, agent: hash, reason: 'It attacks.' }),
  'handIn.setRules': () => ({ attemptsADay: null, lateDays: 0 }),
  'receipts.get': ({ id }) => ({ team: id, n: 1 }),
  'deadlines.set': ({ contest }) => ({ contest, closes: null, late: 'closed' }),
  'cases.get': () => ({ case: 'case-1' }),
  'cases.precedents': () => ({ book: 'specker' }),
  'grades.term': () => ({ game: null }),
  'names.unlock': () => ({ passphrase: 'wrong' }),
  'names.setPassphrase': () => ({ present: null, next: null }),
  'grades.fill': () => ({ content: 'U3R1ZGVudCxJRA==', column: 'Term', areLabels: false, areComputed: false }),
  'grades.preview': () => ({ scheme: 'grade = 1' }),
  'grades.setScheme': () => ({ scheme: 'grade = 1' }),
  'grades.setManual': ({ id }) => ({ person: id, manual: { value: 1, reason: 'oral exam' } }),
  'classes.newTerm': () => ({ name: 'X', firstDay: null, oldAgents: false }),
  'cases.export': () => ({ case: 'case-1', form: 'record' }),
  'cases.act': () => ({ case: 'case-1', act: { do: 'volunteered', salt: null } }),
  'cases.file': ({ contest, agent, hash }) => ({
    ...{
      contest,
      asks: [],
      text: 'It did.',
      settings: defaultSettings.writing,
      against: { what: 'agent', name: agent },
    },
    rule: { source: 'rulebook', id: '5', text: 'Thou shalt not.', sha256: hash },
    evidence: [
      {
        reference: {
          ...{ contest, match: 0, line: 1, move: 1, part: null, sentence: 'It does.' },
          ...{ head: 'a'.repeat(64), hash: 'b'.repeat(64) },
        },
      },
    ],
  }),
  'deadlines.extend': ({ contest, id }) => ({
    ...{ contest, reason: 'ill', until: '2099-01-01T00:00:00.000Z' },
    of: { who: 'team', team: id },
  }),
}

/** A valid input of a procedure about these objects. */
function inputOf(name: ProcedureName, objects: Objects): object {
  const input = special[name]?.(objects) ?? least(z.toJSONSchema(schemaOf(name), schemaOptions), fieldsOf(objects))
  const parsed = procedures[name].input.safeParse(input)
  if (!parsed.success)
    throw new Error(
      `${name}: add an input to \`special\` in roles.test.ts: ${JSON.stringify(input)} ${parsed.error.message}`,
    )
  return input as object
}
const schemaOf = (name: ProcedureName): z.ZodType => procedures[name].input as unknown as z.ZodType
const schemaOptions = { io: 'input', unrepresentable: 'any' } as const

interface JsonSchema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly unknown[]
  readonly oneOf?: readonly unknown[]
  readonly minimum?: number
}

/** The least value that a schema takes, with these values for fields of these names. */
function least(schema: unknown, fields: Readonly<Record<string, unknown>>): unknown {
  const {
    type,
    properties = {},
    required = [],
    enum: values,
    const: only,
    anyOf,
    oneOf,
    minimum,
  } = schema as JsonSchema
  if (only !== undefined) return only
  if (values !== undefined) return values[0]
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return least(choices[0], fields)
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([field]) => required.includes(field) || Object.hasOwn(fields, field))
        .filter(([field]) => required.includes(field))
        .map(([field, inner]) => [field, Object.hasOwn(fields, field) ? fields[field] : least(inner, fields)]),
    )
  if (type === 'array') return []
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return Math.max(1, minimum ?? 0)
  return type === 'null' ? null : 'x'
}

/** Reached: the handler was called. Nothing happens in it. */
const reached = { ok: false, error: { code: 'refused', reason: 'busy', message: 'reached' } }
function stubbed(service: Service): Service {
  const handler = () => Promise.reject(new ExpectedError('usage', 'busy', 'reached'))
  return { ...service, handlers: Object.fromEntries(names.map((name) => [name, handler])) as unknown as Handlers }
}

const fail = (error: unknown): never => {
  throw error
}

/** Objects of each kind of owner; files are uploaded through the desk. */
async function objectsFor(desk: ReturnType<typeof createServiceDesk>, part: Part): Promise<Record<Whose, Objects>> {
  const upload = async (visitor: Parameters<typeof desk.take>[3]): Promise<string> => {
    const taken = await desk.take('packages', { name: 'a.js' }, Readable.from([Buffer.from('x')]), visitor)
    return taken.ok ? taken.value.file : 'none'
  }
  const noDossier = '00000000-0000-4000-8000-000000000000'
  const make = async (visitor: Visitor): Promise<string> => {
    const caller = room.service.callerOf(visitor)
    if (caller.role === null || caller.role === 'guest') return noDossier
    return (await room.service.handlers['dossiers.make']({ title: 'T' }, caller)).dossier
  }
  const absent = {
    agent: 'nobody',
    hash: 'f'.repeat(64),
    contest: 'none-1',
    file: 'none',
    id: 'f'.repeat(16),
    dossier: noDossier,
    case: 'case-999',
  }
  return {
    own: {
      ...made.own,
      ...(part === 'guest' ? { contest: made.announced } : {}),
      id: 'a'.repeat(16),
      file: await upload(visitorOf(part)),
      setting: 'locale',
      dossier: await make(visitorOf(part)),
    },
    foreign: {
      ...made.foreign,
      ...{ id: 'b'.repeat(16), file: await upload(otherStudent), setting: 'trustedKeys' },
      dossier: await make(otherStudent),
    },
    absent: { ...absent, setting: 'webAddresses' },
  }
}

/** The answer without the name that was asked for. */
function nameless(answer: unknown, objects: Objects): string {
  return Object.values(objects).reduce((text, each: string) => text.replaceAll(each, '?'), JSON.stringify(answer))
}

/** True if a role with this reach may act on all of these objects, by what the sample class has. */
function isWithin(refs: readonly ObjectRef[], reach: Reach, whose: Whose): boolean {
  return refs.every((ref) => {
    // A guest can upload nothing.
    if ('file' in ref) return whose === 'own' && ref.file !== 'none'
    if (reach === 'all' || 'challenge' in ref) return true
    // The class has no component and no public source.
    if ('component' in ref || 'source' in ref) return false
    return whose === 'own'
  })
}

test.each(parts)('what the table says is what a caller finds: %s', async (part) => {
  const desk = createServiceDesk(stubbed(room.service), fail)
  const objects = await objectsFor(desk, part)
  for (const name of names) {
    const row = rowOf(name)
    const reach = reachOf(row, part)
    const answers = {} as Record<Whose, string>
    for (const whose of ['own', 'foreign', 'absent'] as const) {
      const input = inputOf(name, objects[whose])
      const admitted = desk.admit(name, input, visitorOf(part))
      const answer = admitted.ok ? await admitted.value.run() : admitted
      answers[whose] = nameless(answer, objects[whose])
      if (reach === undefined) {
        expect(answer, name).toEqual(refusedCall('sign-in-needed', name))
        continue
      }
      const refs = [row.object?.(procedures[name].input.parse(input)) ?? []].flat()
      if (isWithin(refs, reach, whose)) expect(answer, `${name}, ${whose}`).toEqual(reached)
      else expect(answer, `${name}, ${whose}`).not.toEqual(reached)
    }
    expect(answers.foreign, name).toBe(answers.absent)
  }
})

test('students play by hand while the class lets them, and reach the matches of their team alone', async () => {
  const playing = names.filter((name) => rowOf(name).studentsIf !== undefined)
  expect(playing).toEqual(['play.opponents', 'play.begin', 'play.get', 'play.answer', 'play.leave'])
  const stub = stubbed(room.service)
  const desk = createServiceDesk(
    { ...stub, callerOf: (visitor, isUse) => ({ ...stub.callerOf(visitor, isUse), playsByHand: true }) },
    fail,
  )
  const objects = await objectsFor(desk, 'student')
  const answerTo = async (name: ProcedureName, whose: Whose, part: Part): Promise<unknown> => {
    const admitted = desk.admit(name, inputOf(name, objects[whose]), visitorOf(part))
    return admitted.ok ? admitted.value.run() : admitted
  }
  for (const name of playing) {
    expect(await answerTo(name, 'own', 'student'), name).toEqual(reached)
    expect(await answerTo(name, 'own', 'guest'), name).toEqual(refusedCall('sign-in-needed', name))
    if (rowOf(name).object === undefined) continue
    const foreign = await answerTo(name, 'foreign', 'student')
    expect(foreign, name).toEqual(refusedCall('contest-unknown'))
    expect(nameless(foreign, objects.foreign)).toBe(nameless(await answerTo(name, 'absent', 'student'), objects.absent))
  }
})

test('whoever reaches less than all objects names the object, and so does everybody who names a file', () => {
  const dossier = '00000000-0000-4000-8000-000000000000'
  const objects: Objects = { ...made.own, id: 'a'.repeat(16), file: 'handle', setting: 'locale', dossier }
  for (const name of names.filter((each) => rooms.test(each) || teamRooms.test(each))) {
    const row = rowOf(name)
    const input = inputOf(name, objects)
    const refs = [row.object?.(procedures[name].input.parse(input)) ?? []].flat()
    // Two versions to compare are called first and second, as two files are.
    const isFile = ([field, value]: readonly [string, unknown]): boolean =>
      ['file', 'files', 'first', 'download'].includes(field) && [value].flat().includes('handle')
    if (Object.entries(input).some(isFile)) expect(refs, name).toContainEqual({ file: 'handle' })
    if (row.student === undefined) continue
    if ('contest' in input || 'source' in input) expect(refs, name).toContainEqual({ contest: made.own.contest })
    if ('team' in input) expect(refs, name).toContainEqual({ team: objects.id })
    const isAboutTeam = name.startsWith('teams.') || name === 'play.opponents' || name === 'play.begin'
    if (row.student === 'own' && !isAboutTeam) expect(refs, name).not.toEqual([])
  }
})

test.each(parts)('topics and uploads are held against the table, too: %s', async (part) => {
  const desk = createServiceDesk({ ...room.service, on: () => () => undefined }, fail)
  const objects = await objectsFor(desk, part)
  for (const [kind, access] of Object.entries(topicAccess)) {
    const row = access as Row<string, unknown>
    const topicOf = ({ contest, case: id }: Objects): string =>
      kind === 'live'
        ? `live:${contest}/0`
        : ['contest', 'play'].includes(kind)
          ? `${kind}:${contest}`
          : kind === 'case' || kind === 'caseRoom'
            ? `${kind}:${id}`
            : kind === 'verification'
              ? `${kind}:${contest}/0`
              : kind === 'otherAnswer' || kind === 'rerun'
                ? `${kind}:00000000-0000-4000-8000-000000000000`
                : kind
    const found = (['own', 'foreign', 'absent'] as const).map((whose) => {
      const begun = desk.subscribe(topicOf(objects[whose]), visitorOf(part), () => undefined)
      return { ok: begun.ok, text: nameless(begun.ok ? 'begun' : begun, objects[whose]) }
    })
    const reach = reachOf(row, part)
    const isNarrow = reach === 'public' && row.object !== undefined
    expect(
      found.map(({ ok }) => ok),
      kind,
    ).toEqual(reach === undefined ? [false, false, false] : [true, !isNarrow, !isNarrow])
    if (reach !== undefined) expect(found[1]!.text, kind).toBe(found[2]!.text)
  }
  for (const [kind, access] of Object.entries(uploadAccess)) {
    const content = Readable.from([Buffer.from('x')])
    const taken = await desk.take(kind as keyof typeof uploadAccess, { name: 'a' }, content, visitorOf(part))
    expect(taken.ok, kind).toBe(reachOf(access, part) !== undefined)
  }
})

test('a case and its room are followed by those who see its contest, and its room by people of the case alone', () => {
  const desk = createServiceDesk(room.service, fail)
  const cases = [made.own.case, made.foreign.case, 'case-999']
  const follow = (kind: 'case' | 'caseRoom', visitor: Visitor) =>
    cases.map((id) => {
      const begun = desk.subscribe(`${kind}:${id}`, visitor, () => undefined)
      if (begun.ok) begun.value()
      return begun.ok ? 'follows' : begun.error.reason
    })
  const all = ['follows', 'follows', 'case-unknown']
  const seen = ['follows', 'case-unknown', 'case-unknown']
  const nothing = cases.map(() => 'sign-in-needed')
  for (const kind of ['case', 'caseRoom'] as const)
    expect(Object.fromEntries(parts.map((part) => [part, follow(kind, visitorOf(part))])), kind).toEqual({
      ...{ educator: all, assistant: all, student: seen, guest: nothing, left: nothing },
      ...{ "educator's terminal": nothing, "student's terminal": nothing },
    })
  // The contest is the practice of the other team.
  expect(follow('case', otherStudent)).toEqual(['case-unknown', 'case-unknown', 'case-unknown'])
})

test('a file is usable by the person who sent it, and not by an educator either', async () => {
  const desk = createServiceDesk(stubbed(room.service), fail)
  const { foreign } = await objectsFor(desk, 'student')
  const looked = async (visitor: Parameters<typeof desk.admit>[2]): Promise<unknown> => {
    const admitted = desk.admit('agents.look', { file: foreign.file, game: 'specker' }, visitor)
    return admitted.ok ? admitted.value.run() : admitted
  }
  for (const visitor of [visitorOf('educator'), visitorOf('assistant'), { kind: 'host' } as const])
    expect(await looked(visitor)).toEqual(refusedCall('file-not-open'))
})

test('a topic ends when its reader has left, without a word', async () => {
  let emit: (value: unknown) => void = () => undefined
  let role: 'student' | null = 'student'
  const heard: unknown[] = []
  const service: Service = {
    ...room.service,
    callerOf: () => ({ ...room.service.callerOf(visitorOf('student')), role }),
    on: (_, listener) => {
      emit = listener
      return () => undefined
    },
  }
  createServiceDesk(service, fail).subscribe('agents', visitorOf('student'), (told) => {
    const seen = told()
    if (seen !== null) heard.push(seen.value)
  })
  emit(1)
  role = null
  emit(2)
  expect(heard).toEqual([1])
})

test.each(['student', 'guest'] as const)('no answer tells a %s a secret of others', async (part) => {
  const desk = createServiceDesk(room.service, fail)
  const objects = await objectsFor(desk, part)
  const announced = { ...objects.own, contest: made.announced }
  const keys = readdirSync(join(data, 'keys')).map((file) => readFileSync(join(data, 'keys', file), 'utf8').trim())
  const keyLines = keys
    .join('\n')
    .split('\n')
    .filter((line) => line.length > 30 && !line.startsWith('-'))
  expect(keyLines.length).toBeGreaterThan(0)
  const told: string[] = []
  const asked = new Set<string>()
  let answered = 0
  // The others change the class.
  for (const name of names.filter((each) => rooms.test(each) || onlyReads(each))) {
    if (reachOf(rowOf(name), part) === undefined || name === 'components.publish') continue
    for (const about of [announced, ...Object.values(objects)]) {
      const input = inputOf(name, about)
      const question = `${name} ${JSON.stringify(input)}`
      if (asked.has(question)) continue
      asked.add(question)
      const admitted = desk.admit(name, input, visitorOf(part))
      const answer = admitted.ok ? await admitted.value.run() : admitted
      if (answer.ok) answered += 1
      // A student is told their own address.
      const own = part === 'student' ? `p3@${secrets.mail}` : '\0'
      const text = JSON.stringify(answer).replaceAll(own, '')
      for (const secret of [...Object.values(secrets), ...keyLines, data])
        if (text.includes(secret)) told.push(`${name}: ${secret}`)
    }
  }
  expect(told).toEqual([])
  expect(answered).toBeGreaterThan(part === 'student' ? 40 : 20)
})

test('a student finds their own agent, their practice and what is announced, and of other agents the public facts', async () => {
  const desk = createServiceDesk(room.service, fail)
  const call = async (name: ProcedureName, input: object): Promise<unknown> => {
    const admitted = desk.admit(name, input, visitorOf('student'))
    return admitted.ok ? admitted.value.run() : admitted
  }
  expect(await call('contests.list', {})).toMatchObject({
    value: { items: [{ contest: made.own.contest }, { contest: made.announced }], total: 2 },
  })
  expect(await call('agents.get', { name: 'rosa' })).toMatchObject({
    value: { source: expect.stringContaining('red') as string },
  })
  expect(await call('agents.list', {})).toMatchObject({
    value: {
      items: [
        { name: 'rosa', versions: [{ smoke: { ok: true } }] },
        { name: 'blanche', versions: [{ smoke: null, trial: null }] },
      ],
    },
  })
  expect(await call('contests.get', { contest: made.announced })).toMatchObject({ ok: true, value: { notices: [] } })
  expect(await call('settings.get', {})).toMatchObject({ value: { dataFolder: '', webAddresses: [] } })
})
