import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { storeAgent } from '../../../main/administrator/classroom/agents.ts'
import { openClassFolder, readClass } from '../../../main/administrator/classroom/classroom.ts'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import type { ContestEntry } from '../../../main/contract/procedures/classroom.ts'
import { newTerm, type NewTermOptions } from '../../../main/services/archive/new-term.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { contentsOf } from './made-class.ts'

const folder = temporaryFolder('new-term')
const old = join(folder, 'old')
const [ada, team] = ['1'.repeat(16), '2'.repeat(16)]
const time = '2026-09-14T08:00:00.000Z'
const options: NewTermOptions = {
  ...{ firstDay: '2027-02-22', oldAgents: false, now: Date.parse('2027-01-04T12:00:00Z'), zone: 'UTC' },
}
const hashes: Record<string, string> = {}

const entry = (
  id: string,
  title: string,
  entrants: readonly string[],
  more: Partial<ContestEntry> = {},
): ContestEntry => ({
  id,
  description: contestDescription.parse({
    ...{ title, game: 'haggle', format: { type: 'round-robin', seats: 2, repeats: 2 }, seed: 'secret seed' },
    entrants: entrants.map((name) => ({ name, agent: hashes[name]! })),
  }),
  ...{ added: time, nonce: '3'.repeat(64), state: 'ended' },
  ...more,
})

/** A class with a student, a team, its agent and one of the educator, and contests of each kind. */
beforeAll(async () => {
  const home = await openClassFolder(old)
  for (const name of ['rosso', 'house'])
    hashes[name] = (await storeAgent(old, { kind: 'script', bytes: Buffer.from(`// ${name}`) })).agent
  await home.change((content) => {
    Object.assign(content.settings, { school: 'Algebra', timeZone: 'Europe/Zurich', kitGiven: true })
    content.settings.backups = { folder: '/stick', everyHours: 6 }
    content.settings.terms = [{ name: 'Autumn', from: '2026-09-14T00:00:00.000Z' }]
    content.people = [
      { id: ada, name: 'Ada Lovelace', email: 'ada@school.example', ids: {}, role: 'student', added: time },
    ]
    content.teams = [{ id: team, name: 'Abacus', members: [ada], formed: time }]
    const of = (name: string): { hash: string; number: number } => ({ hash: hashes[name]!, number: 1 })
    const manifest = (name: string) => ({ name, game: 'haggle', kind: 'script' }) as const
    content.agents = [
      { ...of('rosso'), manifest: { ...manifest('rosso'), team: 'Abacus' }, owner: team, submitted: time, smoke: null },
      { ...of('house'), manifest: manifest('house'), submitted: time, smoke: null },
    ]
    const phase = { after: 'week-1', weights: [1, 1] }
    const second = entry('week-2', 'Second phase', ['house'])
    content.contests = [
      entry('week-1', 'Week 1', ['rosso', 'house']),
      { ...second, description: { ...second.description, phase } as ContestDescription },
      entry('cup', 'Autumn cup', ['rosso'], { registration: { agentsATeam: 2, network: true, entries: [] } }),
      entry('practice', 'Practice', ['rosso'], { practiceOf: team }),
      entry('again', 'Again', ['house'], { rerun: { of: 'week-1' } }),
    ]
    content.deadlines = [{ contest: 'cup', closes: '2026-10-12T20:00:00.000Z', late: 'late-days' }]
    content.extensions = []
    content.handInRules = { ...content.handInRules, attemptsADay: 7 }
    const recurring = { time: '08:00', days: [1], until: time, skipped: [] }
    const described = (id: string, title: string, names: readonly string[]) => entry(id, title, names).description
    content.recurring = [
      { ...recurring, id: 'weekly', description: described('weekly', 'Weekly', ['rosso', 'house']), entrants: 'all' },
      { ...recurring, id: 'chosen', description: described('chosen', 'Chosen', ['house']), entrants: 'listed' },
    ]
  })
  await home.close()
  for (const name of ['challenges', 'texts/punter/map']) mkdirSync(join(old, name), { recursive: true })
  writeFileSync(join(old, 'challenges/own.challenge'), 'challenge Own')
  writeFileSync(join(old, 'texts/punter/map/own'), 'a map')
})

/** All text below a folder. */
function textIn(path: string): string {
  if (!statSync(path).isDirectory()) return readFileSync(path, 'latin1')
  return readdirSync(path)
    .map((name) => `${name}\n${textIn(join(path, name))}`)
    .join('\n')
}

test('a new term has settings, challenges and contests with moved times, and neither people nor results', async () => {
  const before = contentsOf(old)
  const to = join(folder, 'plain')
  const made = await newTerm(old, to, options)
  expect(contentsOf(old)).toEqual(before)
  const content = await readClass(to)
  expect(made.contests.map(({ title, closes }) => [title, closes])).toEqual([
    // 161 days later; clocks have gone back meanwhile, or forward.
    ['Week 1', '2027-02-22T09:00:00.000Z'],
    ['Autumn cup', '2027-03-22T21:00:00.000Z'],
  ])
  expect(made.leftOut).toEqual([expect.stringContaining('Second phase'), expect.stringContaining('Chosen')])
  expect(content).toMatchObject({
    people: [],
    teams: [],
    extensions: [],
    settings: { school: 'Algebra', kitGiven: false, terms: [], backups: { folder: '', everyHours: 0 } },
  })
  const [week, cup] = content.contests
  expect(week).toMatchObject({ state: 'open', description: { entrants: [{ name: 'house', agent: hashes['house'] }] } })
  // Nobody of the house played in it.
  expect(cup).toMatchObject({
    description: { entrants: [{ name: 'baby' }] },
    registration: { agentsATeam: 2, network: true, entries: [] },
    entriesUntil: '2027-03-22T21:00:00.000Z',
  })
  expect(content.deadlines.map(({ contest, late }) => [contest, late])).toEqual([
    [week!.id, 'closed'],
    [cup!.id, 'late-days'],
  ])
  expect(readFileSync(join(to, 'challenges/own.challenge'), 'utf8')).toBe('challenge Own')
  expect(readFileSync(join(to, 'texts/punter/map/own'), 'utf8')).toBe('a map')
  expect(content.handInRules.attemptsADay).toBe(7)
  expect(content.recurring).toMatchObject([
    { id: 'weekly', paused: true, description: { entrants: [{ name: 'house', agent: hashes['house'] }] } },
  ])
  const text = textIn(to)
  for (const word of [
    'Lovelace',
    'ada@',
    'Abacus',
    'rosso',
    'secret seed',
    ada,
    team,
    '3'.repeat(64),
    hashes['rosso']!,
  ])
    expect([word, text.includes(word)]).toEqual([word, false])
})

test('it has a key of its own, and histories of the old class are genuine in it', async () => {
  const to = join(folder, 'keys')
  await newTerm(old, to, options)
  const [key, former] = [to, old].map((data) => readFileSync(join(data, 'keys/class.pub'), 'utf8').trim())
  expect(key).not.toBe(former)
  expect((await readClass(to)).settings.trustedKeys.map((each) => each.key)).toEqual([former])
})

test('old agents play on under new names, as agents of the educator', async () => {
  const to = join(folder, 'agents')
  const { agents } = await newTerm(old, to, { ...options, oldAgents: true })
  expect(agents).toEqual(['house', 'rosso 2026'].toSorted())
  const content = await readClass(to)
  const rosso = content.agents.find(({ hash }) => hash === hashes['rosso'])!
  expect([rosso.owner, rosso.manifest.team, rosso.manifest.name]).toEqual([undefined, undefined, 'rosso 2026'])
  expect(content.contests.map(({ description }) => description.entrants.map(({ name }) => name))).toEqual([
    ['rosso 2026', 'house'],
    ['rosso 2026'],
  ])
  expect(existsSync(join(to, 'agents', `${hashes['rosso']!}.js`))).toBe(true)
})

test('contests whose time is over at once are named, and a term to come is not the old one', async () => {
  const from = join(folder, 'two-terms')
  cpSync(old, from, { recursive: true })
  const home = await openClassFolder(from)
  await home.change(({ settings }) => void settings.terms.push({ name: 'Spring', from: '2027-02-22T00:00:00.000Z' }))
  await home.close()
  const early = { ...options, firstDay: '2026-12-20' }
  const { contests } = await newTerm(from, join(folder, 'from-two-terms'), early)
  expect(contests.map(({ closes, isOver }) => [closes.slice(0, 10), isOver])).toEqual([
    ['2026-12-20', true],
    ['2027-01-17', false],
  ])
})

test('contests of earlier terms are named and not planned, and an agent that was renamed since plays again', async () => {
  const from = join(folder, 'earlier')
  cpSync(old, from, { recursive: true })
  const home = await openClassFolder(from)
  await home.change(({ settings, agents }) => {
    settings.terms = [
      { name: 'Summer', from: '2026-09-01T00:00:00.000Z' },
      { name: 'Autumn', from: '2026-10-01T00:00:00.000Z' },
    ]
    const house = agents.find(({ owner }) => owner === undefined)!
    Object.assign(house, { formerly: ['house'], manifest: { ...house.manifest, name: 'villa' } })
  })
  await home.close()
  const to = join(folder, 'from-earlier')
  const { contests, leftOut } = await newTerm(from, to, options)
  expect(contests.map(({ title }) => title)).toEqual(['Autumn cup'])
  expect(leftOut).toContainEqual(expect.stringContaining('Week 1'))
  expect((await readClass(to)).recurring[0]!.description.entrants).toEqual([{ name: 'villa', agent: hashes['house'] }])
})

test('an agent whose newest version is meant for another policy, or whose package is lost, does not end a new term', async () => {
  const from = join(folder, 'other-policy')
  cpSync(old, from, { recursive: true })
  const home = await openClassFolder(from)
  await home.change(({ agents }) => {
    const [rosso, house] = [
      agents.find(({ hash }) => hash === hashes['rosso'])!,
      agents.find(({ owner }) => owner === undefined)!,
    ]
    agents.push({ ...rosso, number: 2, manifest: { ...rosso.manifest, policies: ['1**'] } })
    agents.push({ ...house, hash: '9'.repeat(64), manifest: { ...house.manifest, name: 'lost' } })
  })
  await home.close()
  const to = join(folder, 'from-other-policy')
  expect((await newTerm(from, to, { ...options, oldAgents: true })).agents).toEqual(['baby', 'house', 'rosso 2026'])
  const { contests } = await readClass(to)
  expect(contests.map(({ description }) => description.entrants.map(({ name }) => name))).toEqual([['house'], ['baby']])
})

test('a new term is made in an empty folder, from a class', async () => {
  await expect(newTerm(old, old, options)).rejects.toEqual(refusal('data-folder-not-empty', old))
  await expect(newTerm(join(folder, 'nothing'), join(folder, 'new'), options)).rejects.toEqual(
    refusal('data-folder-unknown'),
  )
  expect(existsSync(join(folder, 'new'))).toBe(false)
})
