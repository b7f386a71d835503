import { join } from 'node:path'
import { hash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { enterContest, enterRecovered } from '../../../main/app/entered-hand-ins.ts'
import type { Rooms } from '../../../main/app/rooms.ts'
import { narrowedRegistration } from '../../../main/contract/people/narrowed.ts'
import type { CallerView } from '../../../main/contract/people/objects.ts'
import { NETWORK } from '../../../main/contract/players/agents.ts'
import type { StoredAgentVersion } from '../../../main/contract/procedures/classroom.ts'
import { openContests, type Contests } from '../../../main/services/contests/kept/class-contests.ts'
import type { UntriedHandIn } from '../../../main/services/contests/kept/kept-entries.ts'
import { teamCredentials } from '../../../main/services/contests/kept/registrations.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('registrations')
const CLOSES = '2026-11-30T00:00:00.000Z'
const HOUR = 60 * 60 * 1_000
const formed = '2026-11-01T08:00:00.000Z'
const red = { id: 'a'.repeat(16), name: 'Red', members: ['1'.repeat(16)], formed }
const blue = { id: 'b'.repeat(16), name: 'Blue', members: ['2'.repeat(16)], formed }
const cup = 'cup-1'

let count = 0
let now = 0
let home: ClassFolder
let contests: Contests
let untried: UntriedHandIn[]
beforeEach(async () => {
  now = Date.parse(CLOSES) - HOUR
  home = await openClassFolder(join(folder, String(++count)))
  await home.change(({ teams, contests: kept, agents, deadlines }) => {
    teams.push(red, blue)
    deadlines.push({ contest: cup, closes: CLOSES, late: 'closed' })
    agents.push(
      version('rosa', { owner: red.id, team: 'Red' }),
      version('bleu', { owner: blue.id, team: 'Blue', inactive: 'candidate', smoke: null }),
      version('ram', { owner: blue.id, team: 'Blue', policies: ['1**'] }),
    )
    kept.push({
      ...{ id: cup, nonce: '0'.repeat(64), state: 'open', entriesUntil: CLOSES },
      description: {
        ...{ title: 'Cup', game: 'haggle', config: {}, seed: 's', format: { type: 'round-robin', repeats: 2 } },
        entrants: ['baby', 'echo'].map((name) => ({ name, agent: hash('sha256', name) })),
      },
    } as unknown as (typeof kept)[number])
  })
  untried = []
  contests = openContests(
    home,
    () => now,
    () => untried,
  )
})
afterEach(() => home.close())

interface Given extends Pick<StoredAgentVersion, 'inactive'> {
  readonly owner: string
  readonly team: string
  readonly smoke?: null
  readonly policies?: string[]
}
function version(name: string, { owner, team, inactive, smoke, policies }: Given): StoredAgentVersion {
  return {
    ...{ hash: hash('sha256', name), owner, submitted: formed, smoke: smoke === null ? null : { ok: true, text: '' } },
    manifest: { name, team, game: 'haggle', kind: 'script', ...(policies === undefined ? {} : { policies }) },
    ...(inactive === undefined
      ? {}
      : { inactive, handIn: { receipt: 1, by: null, contest: cup, time: 'on-time' as const } }),
  }
}
const entrants = (): readonly string[] => contests.entry(cup).description.entrants.map(({ name }) => name)
const register = (team: typeof red, agent: string | null, isStaff = false): Promise<void> =>
  contests.registrations.register(cup, { team: team.id, agent, isStaff })
const allow = (agentsATeam: 1 | 2, network = false): Promise<void> =>
  contests.registrations.allow(cup, { agentsATeam, network })

test('a team registers its own agent until its deadline, and is an entrant', async () => {
  await expect(register(red, 'rosa')).rejects.toMatchObject({ code: 'registration-closed' })
  await allow(1)
  await register(red, 'rosa')
  expect(entrants()).toEqual(['baby', 'echo', 'rosa'])
  await expect(register(red, 'bleu')).rejects.toMatchObject({ code: 'agent-unknown' })
  await expect(register(red, null)).rejects.toMatchObject({ code: 'network-unsupported' })
  // Again: it is there once.
  await register(red, 'rosa')
  expect(contests.registrations.of(cup, red, false)).toMatchObject({
    ...{ isOpen: true, closes: CLOSES },
    entries: [{ team: red.id, teamName: 'Red', entrant: 'rosa', kind: 'agent', plays: true }],
  })
  now = Date.parse(CLOSES) + 1
  await expect(register(blue, 'bleu')).rejects.toMatchObject({ code: 'registration-closed' })
  expect(contests.registrations.of(cup, blue, false).isOpen).toBe(false)
  const until = new Date(now + HOUR).toISOString()
  await home.change(({ extensions }) => {
    extensions.push({
      of: { who: 'team', team: blue.id },
      ...{ contest: cup, until, reason: 'ill', by: null, at: CLOSES },
    })
  })
  await register(blue, 'bleu')
  expect(entrants()).toEqual(['baby', 'echo', 'rosa', 'bleu'])
  // The educator may change it until entries are closed.
  await contests.registrations.withdraw(cup, { team: red.id, isStaff: true, entrant: 'rosa' })
  expect(entrants()).toEqual(['baby', 'echo', 'bleu'])
})

test('a second agent must be meant for other policies, does not play, and is hidden from other teams', async () => {
  await allow(1)
  await expect(register(blue, 'ram')).rejects.toMatchObject({ code: 'policy-not-meant' })
  await allow(2)
  await register(blue, 'bleu')
  await register(blue, 'ram')
  expect(entrants()).toEqual(['baby', 'echo', 'bleu'])
  const all = contests.registrations.of(cup, null, true)
  expect(all.entries.map(({ entrant, plays }) => [entrant, plays])).toEqual([
    ['bleu', true],
    ['ram', false],
  ])
  const seenBy = ({ id }: typeof red): readonly string[] =>
    narrowedRegistration(all, { reaches: (_, ref) => 'team' in ref && ref.team === id } as CallerView).entries.map(
      ({ entrant }) => entrant,
    )
  expect(seenBy(red)).toEqual(['bleu'])
  expect(seenBy(blue)).toEqual(['bleu', 'ram'])
})

test('when entries are closed, an agent none of whose versions passed its trial is left out, and says why', async () => {
  await allow(1)
  await register(red, 'rosa')
  await register(blue, 'bleu')
  now = Date.parse(CLOSES) + 1
  await contests.closeEntries(cup)
  expect(entrants()).toEqual(['baby', 'echo', 'rosa'])
  expect(contests.registrations.of(cup, blue, false).entries).toMatchObject([
    { entrant: 'rosa', absent: null },
    { entrant: 'bleu', absent: expect.stringContaining('trial') as string },
  ])
})

test('entries stay open while hand-ins that were in time have no verdict, also for an educator who closes them early', async () => {
  await allow(1)
  await register(red, 'rosa')
  await register(blue, 'bleu')
  const at = Date.parse(CLOSES) - 1
  const given = { team: blue.id, contest: cup, game: 'haggle', at, receipt: null }
  now = Date.parse(CLOSES) + 1
  for (const [counts, each] of [
    [true, given],
    [true, { ...given, receipt: 1 }],
    [true, { ...given, contest: null }],
    [false, { ...given, contest: null, game: 'cops' }],
    [false, { ...given, contest: 'other' }],
    // Too late, and there are no late days.
    [false, { ...given, at: now }],
  ] as const) {
    untried = [each]
    expect(contests.openEntries(cup)?.untried(), JSON.stringify(each)).toBe(counts ? 1 : 0)
  }
  untried = [given, { ...given, receipt: 1 }]
  for (const early of [false, true])
    await expect(contests.closeEntries(cup, { early })).rejects.toMatchObject({ code: 'too-early' })
  expect(entrants()).toEqual(['baby', 'echo', 'rosa', 'bleu'])
  // Its trial passes.
  await home.change(({ agents }) => {
    agents.find(({ manifest }) => manifest.name === 'bleu')!.smoke = { ok: true, text: '' }
  })
  untried = []
  await contests.closeEntries(cup)
  expect(entrants()).toEqual(['baby', 'echo', 'rosa', 'bleu'])
  expect(contests.openEntries(cup)).toBeNull()
})

test('entries are open until the last closing time of a team that has registered, or may until then', async () => {
  const until = new Date(Date.parse(CLOSES) + 24 * HOUR).toISOString()
  await home.change(({ extensions }) => {
    extensions.push({ of: { who: 'team', team: blue.id }, contest: cup, until, reason: 'ill', by: null, at: CLOSES })
  })
  // If the educator chooses the entrants, a team without one keeps nobody waiting.
  expect(contests.openEntries(cup)?.until).toBe(CLOSES)
  await allow(1)
  expect(contests.openEntries(cup)?.until).toBe(until)
  await register(blue, 'bleu')
  await contests.registrations.allow(cup, null)
  expect(contests.openEntries(cup)?.until).toBe(until)
})

test('entries do not close over a hand-in that arrives while packages are read', async () => {
  await allow(1)
  await register(red, 'rosa')
  now = Date.parse(CLOSES) + 1
  const closing = contests.closeEntries(cup)
  untried = [{ team: blue.id, contest: cup, game: 'haggle', at: Date.parse(CLOSES), receipt: null }]
  await expect(closing).rejects.toMatchObject({ code: 'too-early' })
  expect(contests.openEntries(cup)).not.toBeNull()
})

test('a hand-in that was in time is entered when its trial or its build ends after the closing time', async () => {
  const rooms = { contests, changed: () => undefined }
  await allow(1)
  now = Date.parse(CLOSES) + 1
  await enterContest(rooms, { contest: cup, team: red, agent: 'rosa' })
  expect(entrants()).toEqual(['baby', 'echo', 'rosa'])
  await contests.closeEntries(cup)
  expect(await enterContest(rooms, { contest: cup, team: blue, agent: 'bleu' })).toContain('"Cup"')
  expect(entrants()).toEqual(['baby', 'echo', 'rosa'])
})

test('a hand-in that a killed process had received and not entered is entered when the class is opened, once', async () => {
  await allow(1)
  const handIns = (receipt: number) => ({ waiting: [{ id: 1, team: blue.id, receipt }] }) as unknown as Rooms['handIns']
  const rooms = { home, contests, changed: () => undefined }
  await enterRecovered({ ...rooms, handIns: handIns(2) })
  expect(entrants()).toEqual(['baby', 'echo'])
  for (let n = 0; n < 2; n++) {
    await enterRecovered({ ...rooms, handIns: handIns(1) })
    expect(entrants()).toEqual(['baby', 'echo', 'bleu'])
  }
})

test('credentials of a network agent are kept as hashes, and new ones replace the old', async () => {
  await allow(1, true)
  await expect(contests.registrations.renewCredentials(cup, red.id)).rejects.toMatchObject({ code: 'entrant-unknown' })
  await register(red, null)
  expect(contests.entry(cup).description.entrants.at(-1)).toEqual({ name: 'Red', agent: NETWORK })
  const first = await contests.registrations.renewCredentials(cup, red.id)
  const second = await contests.registrations.renewCredentials(cup, red.id)
  expect(second.credentials).not.toEqual(first.credentials)
  const kept = teamCredentials(contests.entry(cup))
  expect(kept.get('Red')).toEqual(second.credentials.map((each) => hash('sha256', each)))
  expect(JSON.stringify(home.content)).not.toContain(second.credentials[0])
})

test('others see the team of a registered agent under the name of that time, its own members and staff under the present one', async () => {
  await allow(1)
  await register(red, 'rosa')
  await home.change(({ teams, agents }) => {
    Object.assign(teams[0]!, { name: 'Amber Heron', called: 'Red' })
    Object.assign(agents[0]!, { formerly: ['rosa'] })
    Object.assign(agents[0]!.manifest, { name: 'Amber Heron', team: 'Amber Heron' })
  })
  const named = (team: typeof red | null, isStaff: boolean): readonly string[] =>
    contests.registrations.of(cup, team, isStaff).entries.map(({ teamName }) => teamName)
  expect([named(blue, false), named(null, false), named(red, false), named(null, true)]).toEqual([
    ['rosa'],
    ['rosa'],
    ['Amber Heron'],
    ['Amber Heron'],
  ])
})

test('a deadline, the rules that change with it and the announcement are one write, and the announcement has the time of the class', async () => {
  let writes = 0
  const { change } = home
  home.change = (edit) => {
    writes += 1
    return change(edit)
  }
  const later = new Date(now + 48 * HOUR).toISOString()
  await contests.setDeadline({ contest: cup, closes: later, late: 'late-days' }, { lateDays: 3 })
  expect(writes).toBe(1)
  const { deadlines, handInRules } = home.content
  expect([deadlines, handInRules.lateDays]).toEqual([[{ contest: cup, closes: later, late: 'late-days' }], 3])
  expect(contests.entry(cup).entriesUntil).toBe(later)
  await contests.setDeadline({ contest: cup, closes: null, late: 'closed' })
  expect([home.content.deadlines, contests.entry(cup).entriesUntil]).toEqual([[], undefined])
  await expect(contests.setDeadline({ contest: 'none', closes: later, late: 'closed' })).rejects.toMatchObject({
    code: 'contest-unknown',
  })
  const { added } = await contests.add({ ...contests.entry(cup).description, title: 'Second' })
  expect(added).toBe(new Date(now).toISOString())
})
