import { storeAgent } from '../../../main/administrator/classroom/agents.ts'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { admitGuests } from '../../../main/administrator/people/guests.ts'
import type { Accounts } from '../../../main/administrator/people/accounts.ts'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import type { Person, Role } from '../../../main/contract/people/people.ts'
import type { Sha256 } from '../../../main/contract/ids.ts'
import { fileCase, openCases, type ClassCases } from '../../../main/services/cases/class-cases.ts'
import { complaint } from '../../unit/cases/record.ts'
import { draftOf, openRoom } from './classroom.ts'

/** The parts that somebody who calls may play. `left`: a student who has left the class. Those of terminals: with a token. */
export const parts = [
  'educator',
  'assistant',
  'student',
  'guest',
  'left',
  "educator's terminal",
  "student's terminal",
] as const
export type Part = (typeof parts)[number]

const idOf = (digit: string): string => digit.repeat(16)
const red = { id: idOf('a'), name: 'Red', members: [idOf('3')], formed: '2026-09-01T08:00:00.000Z' }
const blue = { id: idOf('b'), name: 'Blue', members: [idOf('4'), idOf('5')], formed: '2026-09-01T08:00:00.000Z' }

/** Texts that no student of team Red may find in any answer. */
export const secrets = {
  source: 'BLUE-SOURCE-SECRET',
  smoke: 'BLUE-SMOKE-SECRET',
  draft: 'DRAFT-TITLE-SECRET',
  draftSeed: 'DRAFT-SEED-SECRET',
  openSeed: 'OPEN-SEED-SECRET',
  practice: 'BLUE-PRACTICE-SECRET',
  mail: 'secret.example',
  web: 'https://web-secret.example/',
} as const

const visitorIds: Readonly<Record<Exclude<Part, 'guest'>, string>> = {
  educator: idOf('1'),
  assistant: idOf('2'),
  student: idOf('3'),
  left: idOf('5'),
  "educator's terminal": idOf('1'),
  "student's terminal": idOf('3'),
}

/** Somebody of the class who has signed in, or a guest. */
export function visitorOf(part: Part): Visitor {
  if (part === 'guest') return { kind: 'guest' }
  const isTerminal = part.endsWith('terminal')
  return { kind: 'session', person: visitorIds[part], session: `session of ${part}`, isTerminal }
}
/** A student of team Blue. */
export const otherStudent: Visitor = {
  ...{ kind: 'session', person: idOf('4'), session: 'session of another', isTerminal: false },
}

/** Gives these visitors the sessions that they show, and admits guests. */
export function beginSessions(accounts: Accounts): void {
  const { people, now } = accounts
  admitGuests(accounts, new Date(now() + 3_600_000))
  const insert = people.database.prepare(
    "INSERT INTO session (hash, id, person, kind, made, seen, until, address, agent) VALUES (?, ?, ?, 'browser', ?, ?, ?, '', '')",
  )
  for (const visitor of [...parts.map((part) => visitorOf(part)), otherStudent])
    if (visitor.kind === 'session')
      insert.run(Buffer.from(visitor.session), visitor.session, visitor.person, now(), now(), now() + 3_600_000)
}

function personOf(digit: string, role: Role, more: Partial<Person> = {}): Person {
  const name = `Person ${digit}`
  return {
    ...{ id: idOf(digit), name, email: `p${digit}@${secrets.mail}`, ids: {}, role, added: '2026-09-01T08:00:00.000Z' },
    ...more,
  }
}

/** The objects of one owner. */
export interface Things {
  readonly agent: string
  readonly hash: Sha256
  readonly contest: string
  /** A case about that contest. */
  readonly case: string
}
/** A class of two teams, with contests that nobody has to play. */
export interface RoleClass {
  readonly own: Things
  readonly foreign: Things
  /** An announced contest of both. */
  readonly announced: string
}

/** The educator files a complaint about the agent of Blue; returns the id of the case. */
function fileAbout(cases: ClassCases, contest: string): string {
  const { rule, text, evidence, settings } = complaint()
  const exhibits = evidence.map(({ reference, note }) => ({ reference: { ...reference, contest }, note }))
  const wish = { contest, rule, text, settings, evidence: exhibits, asks: [] }
  return fileCase(cases, { person: null, role: 'educator' }, { ...wish, against: { what: 'agent', name: 'blanche' } })
    .id
}

/** Makes a class in a data folder. */
export async function makeRoleClass(data: string): Promise<RoleClass> {
  const sourceOf = (text: string): Uint8Array => new TextEncoder().encode(`// ${text}\nexport default () => null\n`)
  const home = await openClassFolder(data)
  const agents = await Promise.all(
    [sourceOf('red'), sourceOf(secrets.source)].map((bytes) => storeAgent(data, { kind: 'script', bytes })),
  )
  const [redHash, blueHash] = agents.map(({ agent }) => agent) as [Sha256, Sha256]
  await home.change((content) => {
    content.people.push(
      personOf('1', 'educator'),
      personOf('2', 'assistant'),
      personOf('3', 'student'),
      personOf('4', 'student'),
      personOf('5', 'student', { removed: '2026-10-01T08:00:00.000Z' }),
    )
    content.teams.push(red, blue)
    content.settings.webAddresses.push(secrets.web)
    const submitted = '2026-10-01T08:00:00.000Z'
    const manifest = { game: 'specker', kind: 'script' } as const
    content.agents.push(
      {
        hash: redHash,
        manifest: { ...manifest, name: 'rosa' },
        owner: red.id,
        submitted,
        smoke: { ok: true, text: 'Fine.' },
      },
      {
        ...{ hash: blueHash, manifest: { ...manifest, name: 'blanche' }, owner: blue.id, submitted },
        smoke: { ok: false, text: secrets.smoke },
      },
    )
  })
  await home.close()

  const room = await openRoom(data)
  const entrants = [
    { name: 'rosa', agent: redHash },
    { name: 'blanche', agent: blueHash },
  ]
  const add = async (title: string, more: object = {}): Promise<string> =>
    (await room.call('contests.create', { draft: draftOf(entrants, { title, ...more }) })).contest
  const draft = await add(secrets.draft, { seed: secrets.draftSeed })
  const announced = await add('Autumn cup', { seed: secrets.openSeed })
  const own = await add('Practice of rosa', { practice: true })
  const theirs = await add(secrets.practice, { practice: true })
  await room.service.close()

  const again = await openClassFolder(data)
  await again.change(({ contests }) => {
    const entry = (id: string) => contests.find((each) => each.id === id)!
    entry(announced).entriesUntil = '2099-01-01T00:00:00.000Z'
    entry(own).practiceOf = red.id
    entry(theirs).practiceOf = blue.id
  })
  const cases = openCases(again, { now: () => Date.now(), steady: () => 0, onChange: () => undefined })
  const [ownCase, foreignCase] = [own, draft].map((contest) => fileAbout(cases, contest)) as [string, string]
  await again.close()
  return {
    own: { agent: 'rosa', hash: redHash, contest: own, case: ownCase },
    foreign: { agent: 'blanche', hash: blueHash, contest: draft, case: foreignCase },
    announced,
  }
}
