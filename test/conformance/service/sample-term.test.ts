import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { dataLayout } from '../../../main/administrator/classroom/layout.ts'
import { openClassFolder, readClass } from '../../../main/administrator/classroom/classroom.ts'
import { readGradebook } from '../../../main/administrator/classroom/gradebook-file.ts'
import { createServiceDesk } from '../../../main/administrator/procedures/service-desk.ts'
import { openClassroom, type ClassroomService } from '../../../main/app/classroom-service.ts'
import { makeSampleTerm, type SampleTerm } from '../../../main/app/sample-term/sample-term.ts'
import { contestDraft } from '../../../main/contract/procedures/procedures.ts'
import { hostCaller, type Caller, type Visitor } from '../../../main/contract/people/caller.ts'
import type { CaseView } from '../../../main/contract/cases/case-procedures.ts'
import type { Person } from '../../../main/contract/people/people.ts'
import { procedureAccess, topicAccess, type Access } from '../../../main/contract/procedures/access.ts'
import type { Gradebook } from '../../../main/contract/grades/gradebook.ts'
import type { DownloadPiece } from '../../../main/contract/procedures/downloads.ts'
import { procedures, type ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import { onlyReads } from '../../../main/contract/procedures/read-only.ts'
import type { Classroom } from '../../../main/contract/procedures/classroom.ts'
import { exportClass } from '../../../main/services/archive/export-class.ts'
import { importClass } from '../../../main/services/archive/import-class.ts'
import { newTerm } from '../../../main/services/archive/new-term.ts'
import { callerOf } from '../../../main/services/people/callers.ts'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'
import { run } from '../../unit/cli/environment.ts'
import { cli, start } from '../cli/process.ts'
import { withoutBubblewrap } from '../cli/without-bubblewrap.ts'
import { contentsOf, rowsOf } from '../../unit/archive/made-class.ts'
import {
  COMPONENT,
  exitCodeOf,
  isWithoutClass,
  namesIn,
  published,
  reads,
  readOptions,
  textsOf,
  topics,
  untriedOptions,
  verbs,
  type Kept,
} from './what-leaves.ts'

// The sample term is the fullest class that there is: what leaves it, and what does not, is tested with it.

const folder = temporaryFolder('sample-term')
const data = join(folder, 'class')
const now = Date.parse('2026-11-18T12:00:00Z')
let term: SampleTerm
let content: Classroom

beforeAll(async () => {
  term = await makeSampleTerm(data, now, () => undefined)
  content = await readClass(data)
}, 600_000)

/** The paths of all files below a folder, relative to it. */
function filesIn(path: string, below = ''): readonly string[] {
  return readdirSync(join(path, below)).flatMap((name) => {
    const inner = join(below, name)
    return statSync(join(path, inner)).isDirectory() ? filesIn(path, inner) : [inner]
  })
}

test('a sample term has teams, contests of two games, an extension, a failed hand-in, an open case and an appealed one', () => {
  expect(content.teams).toHaveLength(8)
  expect(content.people).toHaveLength(21)
  expect(term.contests.map((id) => content.contests.find((each) => each.id === id)!.state)).toEqual([
    ...['ended', 'ended', 'ended', 'open'],
  ])
  expect(new Set(content.contests.map(({ description }) => description.game)).size).toBe(2)
  expect(content.extensions).toHaveLength(1)
  expect(Date.parse(content.deadlines[0]!.closes)).toBeGreaterThan(now)
  const states = (rowsOf(join(data, 'people.db'))['attempt'] as readonly { state: string }[]).map(({ state }) => state)
  expect(states.filter((state) => state === 'failed').length).toBe(1)
  const acts = (id: string): readonly string[] =>
    readFileSync(join(data, 'cases', id, 'record.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { b: { act: { do: string } } }).b.act.do)
  expect(acts(term.closedCase)).toEqual(expect.arrayContaining(['filed', 'drawn', 'opened', 'ruled', 'appealed']))
  expect(acts(term.openCase)).toContain('asked')
  expect(bytesIn(data)).toBeLessThan(BYTES_MAX)
})

const BYTES_MAX = 20 * 1024 * 1024
const bytesIn = (path: string): number => filesIn(path).reduce((sum, file) => sum + statSync(join(path, file)).size, 0)

/** The facts that two makings share, with times since the first day of the term; ids, keys, nonces and whoever is drawn for a panel are new. */
async function likeness(path: string): Promise<unknown> {
  const { people, teams, contests, extensions, deadlines, settings } = await readClass(path)
  const since = (time: string): number => Date.parse(time) - Date.parse(settings.terms[0]!.from)
  const nameOf = (id: string): string => people.find((each) => each.id === id)!.name
  const standings = await Promise.all(
    contests
      .filter(({ state }) => state === 'ended')
      .map(async ({ id }) => {
        const { stdout } = await run('contest', 'standings', id, '--json', '--data', path)
        const { standings: rows } = JSON.parse(stdout) as {
          standings: { agent: string; rank: number; points: number }[]
        }
        return rows.map(({ agent, rank, points }) => ({ agent, rank, points }))
      }),
  )
  const { stdout: cases } = await run('case', 'list', '--json', '--data', path)
  const { stdout: book } = await run('class', 'gradebook', 'show', '--json', '--data', path)
  const { rows } = JSON.parse(book) as Gradebook
  return {
    people: people.map(({ name, role }) => [name, role]),
    teams: teams.map(({ name, members }) => [name, members.map(nameOf)]),
    contests: contests.map(({ id, state, description: { title, game } }) => [id, state, title, game]),
    deadlines: deadlines.map(({ contest, closes }) => [contest, since(closes)]),
    extensions: extensions.map(({ contest, until }) => [contest, since(until)]),
    cases: (JSON.parse(cases) as { cases: { case: string; stage: string }[] }).cases.map((each) => [
      each.case,
      each.stage,
    ]),
    grades: rows.map(({ name, computed, manual, released, changedTo }) => [
      ...[name, computed?.value, manual, released?.computed.value, changedTo?.value ?? null],
    ]),
    standings,
  }
}

test.runIf(isLong)(
  'the command makes a whole class of less than 20 MB, with the same people, teams, contests, standings, cases and grades at any time',
  async () => {
    const other = join(folder, 'other-making')
    // Without bubblewrap, as on other systems: the first term was made with it where the machine has it.
    const words = [
      ...(withoutBubblewrap ?? []),
      process.execPath,
      cli,
      'class',
      'sample-term',
      '--data',
      other,
      '--json',
    ]
    const made = await start(words[0]!, words.slice(1)).ended
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('week 1')])
    const { data: at, ...parts } = JSON.parse(made.stdout) as SampleTerm & { readonly data: string }
    expect([at, parts.contests.length]).toEqual([other, term.contests.length])
    expect(bytesIn(other)).toBeLessThan(BYTES_MAX)
    if (withoutBubblewrap !== null) {
      // Others hand in to the class, and to its open contest.
      const { settings, contests } = await readClass(other)
      expect(settings.isolation).toBe('bubblewrap')
      const tiers = contests.map(({ state, description: { isolation } }) => `${state} ${isolation}`)
      expect(new Set(tiers)).toEqual(new Set(['ended permission', 'open bubblewrap']))
    }
    expect(await likeness(other)).toEqual(await likeness(data))
    const archive = join(folder, 'other-making.tar')
    for (const args of [
      ['history', 'export', '--archive', archive, '--data', other],
      ['history', 'verify', archive, '--data', other],
      ['case', 'verify', parts.closedCase, '--data', other],
      ['receipt', 'verify', join(other, 'receipts', 'chain.jsonl'), '--data', other],
    ])
      expect([args, (await run(...args)).code]).toEqual([args, 0])
  },
  600_000,
)

test('it has a gradebook with a released grade for each student, one by hand, and an archive of week 5 that is a class', async () => {
  const { code, stdout } = await run('class', 'gradebook', 'show', '--json', '--data', data)
  const book = JSON.parse(stdout) as Gradebook
  expect([code, book.problems, book.bands.length, book.rows.length]).toEqual([0, [], 4, 20])
  expect(book.release).toMatchObject({ isByScheme: true, isComparable: true })
  expect(book.rows.filter(({ released }) => released === null)).toEqual([])
  expect(book.rows.filter(({ manual }) => manual !== null)).toMatchObject([{ manual: { value: 80, band: 'B' } }])
  // An appeal took a point from Quipu after the release; the grade by hand counts as it did.
  const ofQuipu = book.rows.filter(({ team }) => team === 'Quipu')
  expect(ofQuipu.map(({ manual, changedTo }) => [manual !== null, changedTo !== null]).toSorted()).toEqual([
    ...[
      [false, true],
      [false, true],
      [true, false],
    ],
  ])
  for (const { released, changedTo } of ofQuipu)
    if (changedTo !== null) expect(changedTo.value).toBeLessThan(released!.computed.value)
  const [archive] = readdirSync(join(data, 'earlier'))
  const to = join(folder, 'week-5')
  await importClass(join(data, 'earlier', archive!), to, { identities: null })
  const then = await readClass(to)
  expect([then.people.length, then.contests.map(({ state }) => state)]).toEqual([21, ['ended', 'ended', 'ended']])
})

test('the closed case is closed, and the open one goes on', async () => {
  const { stdout } = await run('case', 'list', '--json', '--data', data)
  const stages = (JSON.parse(stdout) as { cases: { case: string; stage: string }[] }).cases.map((each) => [
    each.case,
    each.stage,
  ])
  expect(Object.fromEntries(stages)).toEqual({ [term.closedCase]: 'closed', [term.openCase]: 'hearing' })
})

test('each part of a full class has a place in the layout', () => {
  expect(readdirSync(data).filter((name) => !Object.hasOwn(dataLayout, name))).toEqual([])
})

test('an archive of it gives each record and each file again', async () => {
  const archive = join(folder, 'term.tar.gz')
  const { leftOut } = await exportClass(data, { path: archive, overwrite: false }, null)
  expect(leftOut).toEqual([])
  const to = join(folder, 'again')
  await importClass(archive, to, { identities: null })
  const [before, after] = [contentsOf(data), contentsOf(to)]
  const built = Object.keys(before).filter((path) => !Object.hasOwn(after, path))
  expect(built.filter((path) => !/^contests\/[^/]+\/(events|texts)\.db$/.test(path))).toEqual([])
  expect(after).toEqual(Object.fromEntries(Object.entries(before).filter(([path]) => !built.includes(path))))
  expect({ ...(await readClass(to)), revision: 0 }).toEqual({ ...content, revision: 0 })
  const book = await readGradebook(to)
  expect([book.scheme.length > 0, book.manual.length, book.release?.grades.length]).toEqual([true, 1, 20])
  expect(book).toEqual(await readGradebook(data))
})

/** The roster's names and addresses, without which nobody is found again. */
const personal = (): readonly string[] =>
  content.people.flatMap(({ name, email }) => [name, ...(email === undefined ? [] : [email])])

/** The files below a folder in which somebody of the roster is named, with the names. */
function namedIn(path: string): readonly (readonly [string, string])[] {
  return filesIn(path).flatMap((file) => {
    const text = readFileSync(join(path, file), 'utf8')
    return personal()
      .filter((name) => text.includes(name))
      .map((name) => [file, name] as const)
  })
}

test('nobody of the roster is named in records that are published as they are kept, nor in a new term', async () => {
  const out = join(folder, 'new-term')
  await newTerm(data, out, { firstDay: null, oldAgents: true, now, zone: 'UTC' })
  expect(namedIn(out)).toEqual([])
  // The search finds names where they are.
  expect(namedIn(data).map(([file]) => file)).toContain('class.json')
  for (const part of ['contests', 'cases', 'receipts', 'components', 'agents'])
    expect([part, existsSync(join(data, part)) ? namedIn(join(data, part)) : []]).toEqual([part, []])
})

test('with a passphrase nobody of the roster is named in the folder, in a backup and in an archive of the class', async () => {
  const copy = join(folder, 'locked')
  cpSync(data, copy, { recursive: true })
  const home = await openClassFolder(copy)
  await home.setPassphrase(null, 'four words and a lamp')
  await home.close()
  // It goes on without it.
  const open = await openClassroom({ data: copy, sample: false, workers: 1 })
  const { folder: backup } = await open.handlers['settings.backup']({}, hostCaller)
  const named = (): Promise<number> =>
    open.handlers['people.list']({}, hostCaller).then(
      ({ people }) => people.filter(({ name }) => personal().includes(name)).length,
    )
  const hints = async (): Promise<readonly string[]> =>
    (await open.handlers['class.overview']({}, hostCaller)).attention.map(({ link }) => link)
  expect([await open.handlers['names.state']({}, hostCaller), await named()]).toEqual(['locked', 0])
  expect(await hints()).toContain('#/settings')
  await expect(open.handlers['people.preview']({ content: 'QWRh' }, hostCaller)).rejects.toEqual(
    refusal('names-locked'),
  )
  expect(await open.handlers['names.unlock']({ passphrase: 'four words and a lamp' }, hostCaller)).toBe('unlocked')
  expect([await named(), (await hints()).includes('#/settings')]).toEqual([content.people.length, false])
  await open.close()
  const archive = join(folder, 'locked.tar.gz')
  await exportClass(copy, { path: archive, overwrite: false }, null)
  const found = [copy, backup].flatMap((path) =>
    filesIn(path).filter((file) => namesIn(readFileSync(join(path, file)), personal()).length > 0),
  )
  // The archive of an earlier week has its own encryption, or none.
  expect(found.filter((file) => !file.startsWith('earlier'))).toEqual([])
  expect(namesIn(readFileSync(archive), personal())).toEqual([])
  const to = join(folder, 'unlocked')
  await importClass(archive, to, { identities: null })
  const again = await openClassFolder(to)
  await again.unlock('four words and a lamp')
  expect(again.content.people).toEqual(content.people)
  await again.close()
})

test('the data of one person are their own deeds, also in hearings, and name nobody else', async () => {
  const panel = content.people.filter(({ role }) => role === 'student')
  const said: number[] = []
  for (const [n, { id, name }] of panel.entries()) {
    const zip = join(folder, `own-${n}.zip`)
    expect((await run('class', 'people', 'data', name, zip, '--data', data)).code).toBe(0)
    const others = content.people.filter((each) => each.id !== id).map((each) => each.name)
    expect([name, namesIn(readFileSync(zip), others)]).toEqual([name, []])
    expect(namesIn(readFileSync(zip), [name])).toEqual([name])
    const hearings = textsOf(readFileSync(zip)).find((text) => text.startsWith('[') && text.includes('"pseudonym"'))
    said.push(
      hearings === undefined ? 0 : (JSON.parse(hearings) as { said: object[] }[]).flatMap((each) => each.said).length,
    )
    rmSync(zip)
  }
  expect(said.filter((count) => count > 0).length).toBeGreaterThan(3)
})

/** Names each team and its agents after its first member, and has the members named wherever a class has a place for it. */
function nameEverywhere(content: Classroom): void {
  for (const [n, person] of content.people.entries()) {
    person.ids = { school: `SIS-${String(n).padStart(4, '0')}`, login: `login.${n}.of.them` }
    person.section = `Section of ${person.name}`
  }
  for (const team of content.teams) {
    const first = content.people.find(({ id }) => id === team.members[0])
    if (first === undefined) continue
    team.name = `${first.name} 1`
    const names = new Map<string, string>()
    for (const version of content.agents.filter(({ owner }) => owner === team.id)) {
      const former = version.manifest.name
      names.set(former, names.get(former) ?? `${first.name} ${names.size + 2}`)
      version.manifest = { ...version.manifest, team: team.name, name: names.get(former)! }
      version.formerly = [...(version.formerly ?? []), former]
      // Its source is public.
      version.revealAfter = 1
      if (version.handIn !== undefined) version.handIn.note = `by ${first.name}`
    }
  }
  for (const extension of content.extensions) extension.reason = `${content.people[0]!.name} is ill`
}

/** The class under pseudonyms, with a dossier that was not there before. */
async function underPseudonyms(): Promise<{ open: ClassroomService; data: string; those: Kept; by: Person }> {
  const copy = join(folder, 'pseudonymous')
  cpSync(data, copy, { recursive: true })
  const home = await openClassFolder(copy)
  await home.change(nameEverywhere)
  await home.close()
  // A component of the same team, under its name.
  const named = home.content.teams.find(({ name }) => name.startsWith('Ada Lovelace'))!
  const module = join(folder, `${COMPONENT}.js`)
  writeFileSync(module, 'export const one = 1\n')
  const publishing = ['component', 'publish', module, '--author', named.name, '--data', copy]
  expect(await run(...publishing)).toMatchObject({ code: 0 })
  expect((await run('class', 'pseudonyms', '--all', 'on', '--data', copy)).code).toBe(0)
  const open = await openClassroom({ data: copy, sample: false, workers: 1 })
  const { people, teams, agents, components, contests } = open.accounts.home.content
  const team = teams.find(({ members }) => people.find(({ id }) => id === members[0])?.name === 'Ada Lovelace')!
  const by = people.find(({ id }) => id === team.members[0])!
  // The version that has played, so that its source is public.
  const { entrants } = contests.find(({ id }) => id === term.contests[0])!.description
  const own = agents.find(({ owner, hash }) => owner === team.id && entrants.some(({ agent }) => agent === hash))!
  expect(components.map(({ author }) => author)).toEqual([team.name])
  const caller = callerOf(open.accounts.home.content, visits(by))
  const { dossier } = await open.handlers['dossiers.make']({ title: 'The first match' }, caller)
  const contest = term.contests[0]!
  const { entries } = await open.handlers['dossiers.keep']({ dossier, contest, match: 0, move: 1, part: null }, caller)
  const players = [...entrants.slice(0, 2).keys()].map((at) => {
    const played = agents.find(({ hash }) => hash === entrants[at]!.agent)!
    const { hash, manifest } = agents.findLast(
      (each) => each.owner === played.owner && each.manifest.name === played.manifest.name,
    )!
    return { name: manifest.name, agent: hash }
  })
  const swiss = { type: 'swiss', rounds: 1 }
  const draft = contestDraft.parse({ title: 'A round', game: 'haggle', seed: '1', format: swiss, entrants: players })
  const { contest: unplayed } = await open.handlers['contests.create']({ draft }, hostCaller)
  const those: Kept = {
    ...{ data: copy, unplayed, dossierFile: join(folder, 'dossier.zip') },
    ...{ contest, open: term.contests[3]!, agent: own.manifest.name, hash: own.hash, case: term.closedCase },
    component: components[0]!.hash,
    ...{ dossier, item: entries[0]!.id },
  }
  return { open, data: copy, those, by }
}
const visits = ({ id }: Person): Visitor => ({ kind: 'session', person: id, session: 's', isTerminal: false })

test('nobody of the roster is named in any call, topic and verb by which something leaves the machine', async () => {
  const { open, data: copy, those, by } = await underPseudonyms()
  const { people, teams } = open.accounts.home.content
  const team = teams.find(({ members }) => members.includes(by.id))!
  const marksOf = ({ name, email, ids }: Person): readonly string[] => [
    ...[name, ...(email === undefined ? [] : [email]), ...Object.values(ids)],
  ]
  expect(teams.filter(({ called }) => called?.endsWith(' 1') === true).length).toBe(8)
  const guest: Visitor = { kind: 'guest' }
  const desk = createServiceDesk(
    { ...open, callerOf: (visitor) => callerOf(open.accounts.home.content, visitor) },
    (error) => {
      throw error
    },
  )
  const found: (readonly [string, readonly string[]])[] = []
  /** Students find themselves, their team mates and the staff of the class. */
  const search = (what: string, bytes: Uint8Array | string, visitor: Visitor | null): void => {
    const known =
      visitor?.kind === 'session'
        ? people.filter(({ id, role }) => role !== 'student' || team.members.includes(id))
        : []
    const names = people.filter((person) => !known.includes(person)).flatMap(marksOf)
    const named = namesIn(bytes, names)
    if (named.length > 0) found.push([what, named])
  }
  const reachable = (row: Access): boolean => row.student !== undefined || row.guest !== undefined
  const names = Object.keys(procedures) as ProcedureName[]
  expect(Object.keys(reads).toSorted()).toEqual(
    names.filter((name) => onlyReads(name) && reachable(procedureAccess[name])).toSorted(),
  )
  const answered = new Set<string>()
  for (const visitor of [guest, visits(by)]) {
    const call = async (name: ProcedureName, input: object): Promise<unknown> => {
      const admitted = desk.admit(name, input, visitor)
      const reply = admitted.ok ? await admitted.value.run() : admitted
      if (reply.ok) answered.add(name)
      return reply
    }
    const calls = { ...reads, ...(visitor === guest ? {} : { 'dossiers.download': reads['dossiers.get'] }) }
    for (const name of Object.keys(calls) as (keyof typeof calls)[]) {
      const reply = await call(name, calls[name]!(those))
      search(`${visitor.kind} ${name}`, JSON.stringify(reply), visitor)
      const { download } = (reply as { value?: { download?: string } | null }).value ?? {}
      if (download === undefined) continue
      const pieces: Buffer[] = []
      for (let last = false; !last;) {
        const piece = (await call('downloads.piece', { download })) as { value: DownloadPiece }
        pieces.push(Buffer.from(piece.value.content, 'base64'))
        last = piece.value.last
      }
      search(`${visitor.kind} ${name}, the file`, Buffer.concat(pieces), visitor)
      if (name === 'dossiers.download') writeFileSync(those.dossierFile, Buffer.concat(pieces))
    }
    expect(Object.keys(topics).toSorted()).toEqual(
      Object.keys(topicAccess)
        .filter((name) => reachable(topicAccess[name as keyof typeof topicAccess]))
        .toSorted(),
    )
    const silent: string[] = []
    for (const [kind, rest] of Object.entries(topics)) {
      const topic = [kind, rest(those)].filter((part) => part !== '').join(':')
      const first = Promise.withResolvers<unknown>()
      const off = desk.subscribe(topic, visitor, (told) => {
        search(`${visitor.kind} ${topic}`, JSON.stringify(told()), visitor)
        first.resolve(null)
      })
      if (!off.ok) {
        silent.push(kind)
        continue
      }
      await first.promise
      off.value()
    }
    // Hearings are not for guests, and the contest was not played by hand.
    expect(silent).toEqual(visitor === guest ? ['cases', 'case', 'caseRoom', 'play', 'rerun'] : ['play'])
  }
  // The class has no practice or match by hand; "none" names no download.
  expect(names.filter((name) => Object.hasOwn(reads, name) && !answered.has(name))).toEqual([
    ...['practice.match', 'play.opponents', 'play.get', 'downloads.drop'],
  ])
  // Seen as one of its panel, the open case has that member's part and steps.
  const shownTo = async (visitor: Visitor, as: string | null): Promise<unknown> => {
    const admitted = desk.admit('cases.get', { case: term.openCase }, visitor, as)
    const reply = admitted.ok ? await admitted.value.run() : admitted
    const { part, steps, hasActed } = (reply as { value: CaseView }).value
    return { part, steps, hasActed }
  }
  const own: unknown[] = []
  for (const person of people.filter(({ role }) => role === 'student')) {
    own.push(await shownTo(visits(person), null))
    expect(await shownTo({ kind: 'host' }, person.id)).toEqual(own.at(-1))
  }
  expect(own).toEqual(expect.arrayContaining([expect.objectContaining({ part: 'panel' })]))
  // The service refuses texts that become public and name somebody, whatever else is in them.
  const publishing = (Object.keys(procedureAccess) as ProcedureName[]).filter(
    (name) => 'publishes' in procedureAccess[name],
  )
  expect(Object.keys(published).toSorted()).toEqual(publishing.toSorted())
  const handlers = open.handlers as unknown as Readonly<Record<string, (input: object, by: Caller) => Promise<unknown>>>
  for (const [name, input] of Object.entries(published))
    await expect(handlers[name]!(input(`It is by ${by.name}.`), hostCaller), name).rejects.toEqual(
      refusal('person-named', by.name.toLowerCase()),
    )
  await open.close()

  const listed = [...readFileSync('docs/commands.md', 'utf8').matchAll(/^## (.+)$/gm)].map(([, verb = '']) => verb)
  expect(listed.filter((verb) => !isWithoutClass(verb)).toSorted()).toEqual(Object.keys(verbs).toSorted())
  const written = [...readFileSync('docs/commands.md', 'utf8').matchAll(/^## (.+)\n([^]*?)(?=^## |$(?![^]))/gm)]
    .filter(([, verb = '']) => !isWithoutClass(verb))
    .flatMap(([, verb, text = '']) =>
      [...text.matchAll(/^ +(--[a-z-]+) <(?:file|folder|path)\W/gm)].map(([, option]) => [verb!, option!] as const),
    )
    .filter(([, option]) => !readOptions.has(option))
    .map((each) => each.join(' '))
  const tried = new Set<string>()
  const refused: (readonly [string, number, string])[] = []
  for (const [verb, leaves] of Object.entries(verbs)) {
    if (typeof leaves === 'string') continue
    const to = join(folder, 'out', verb)
    mkdirSync(to, { recursive: true })
    for (const args of leaves(those, to)) {
      for (const arg of args) tried.add(`${verb} ${arg}`)
      const hasData = verb !== 'match replay' || args[0] !== 'match'
      const { code, stdout, stderr } = await run(...args, ...(hasData ? ['--data', copy] : []))
      if (code !== exitCodeOf(args)) refused.push([args.join(' '), code, stderr])
      search(args.join(' '), stdout, null)
      search(`${args.join(' ')}: messages`, stderr, null)
    }
    for (const file of filesIn(to)) search(`${verb}: ${file}`, readFileSync(join(to, file)), null)
  }
  expect(refused).toEqual([])
  // An option that writes a file is tried, or has a reason.
  expect(written).toContain('case export --to')
  expect(written.filter((option) => !tried.has(option)).toSorted()).toEqual(Object.keys(untriedOptions).toSorted())
  // A kit brings the program along, in which the script of this very class is.
  expect(found.map(([what]) => what)).toEqual(['guest kits.get, the file', 'session kits.get, the file'])
}, 120_000)
