import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import type { TermTable } from '../../../main/contract/grades/term-table.ts'
import { HUMAN } from '../../../main/contract/players/agents.ts'
import type { ContestEntry } from '../../../main/contract/procedures/classroom.ts'
import { openContests, type Contests } from '../../../main/services/contests/kept/class-contests.ts'
import { gradeFacts } from '../../../main/services/grades/class-facts.ts'
import { countsInTerm, openClassTerm } from '../../../main/services/grades/class-term.ts'
import { refusedCommand } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { heard, wholeCase } from '../cases/record.ts'
import { run } from '../cli/environment.ts'
import { addStudentsTo, formTeamsIn, playContest } from './graded-class.ts'

let data = ''
let home: ClassFolder
let contests: Contests
const open = async (): Promise<void> => {
  home = await openClassFolder(data)
  contests = openContests(home)
}
beforeEach(async () => {
  data = temporaryFolder('term')
  await open()
})
afterEach(() => home.close())

/** Plays a contest (`playContest`), and opens the class again: the record of a contest is read once. */
async function played(
  ...contest: Parameters<typeof playContest> extends [unknown, unknown, ...infer Rest] ? Rest : never
): Promise<string> {
  const id = await playContest(home, contests, ...contest)
  await home.close()
  await open()
  return id
}
const formTeams = (): Promise<void> => formTeamsIn(home)
const addStudents = (): Promise<void> => addStudentsTo(home)

function schemeFile(text: string): string {
  const file = join(data, '..', `${data.split('/').at(-1)!}.scheme`)
  writeFileSync(file, text)
  return file
}

/** Grades by a scheme, by name. */
async function graded(text: string): Promise<Readonly<Record<string, number>>> {
  const { stdout } = await run('class', 'grades', '--scheme', schemeFile(text), '--data', data, '--json')
  const { grades } = JSON.parse(stdout) as { grades: readonly { name: string; value: number }[] }
  return Object.fromEntries(grades.map(({ name, value }) => [name, value]))
}

const told = (table: TermTable) => table.rows.map(({ name, rank, points }) => [name, rank, points])

test('the table of a class counts the contests of its teams, follows a ruling at once, and is printed', async () => {
  const first = await played('Week 1', ['anna', 'bea', 'baby'])
  await played('Week 2', ['bea', 'anna', 'baby'])
  await formTeams()
  const term = openClassTerm({ home, contests })
  const table = await term.table(null)
  expect(table.contests.map(({ title, entrants }) => [title, entrants])).toEqual([
    ['Week 1', 3],
    ['Week 2', 3],
  ])
  expect(told(table)).toEqual([
    ['Team anna', 1, 150],
    ['Team bea', 1, 150],
    ['baby', null, 0],
  ])
  expect(await term.table(null)).toBe(table)
  // A version that plays nowhere is handed in.
  await home.change(({ agents }) => {
    agents.push({ ...agents[0]!, hash: '9'.repeat(64) })
  })
  expect(await term.table(null)).toBe(table)
  expect((await term.table('punter')).contests).toEqual([])

  await contests.countRuling(first, {
    ...{ case: 'case-1', entry: 'c'.repeat(64), at: '2026-11-28T01:00:00.000Z' },
    remedies: [{ type: 'removal', entrant: 'anna' }],
  })
  const ruled = await term.table(null)
  expect(told(ruled)).toEqual([
    ['Team bea', 1, 200],
    ['Team anna', 2, 50],
    ['baby', null, 50],
  ])
  expect(ruled.rows[1]).toMatchObject({ asPlayed: { points: 150 } })
  expect(ruled.contests[0]).toMatchObject({ afterRuling: 1 })

  // From the files alone, also while the class is open.
  const printed = await run('class', 'table', '--data', data, '--json')
  expect([printed.code, told(JSON.parse(printed.stdout) as TermTable)]).toEqual([0, told(ruled)])
  const text = (await run('class', 'table', '--data', data)).stdout
  expect(text).toMatch(/^ *1 +Team bea +200\.0 +150\.0 +2 /m)
  expect((await run('class', 'table', '--data', data, '--game', 'punter')).stdout).toMatch(/no contest/)
})

test('the table that the class sees does not tell whose a pseudonym is, and the one of staff goes on', async () => {
  await played('Week 1', ['anna', 'bea', 'baby'])
  await formTeams()
  const [team] = home.content.teams
  await home.change(({ teams, agents }) => {
    Object.assign(teams[0]!, { name: 'Amber Heron', called: 'Team anna' })
    for (const version of agents)
      if (version.owner === team!.id) {
        version.formerly = ['anna']
        Object.assign(version.manifest, { name: 'Amber Heron', team: 'Amber Heron' })
      }
  })
  const term = openClassTerm({ home, contests })
  const all = await term.table(null)
  expect(told(all).slice(0, 2)).toEqual([
    ['Amber Heron', 1, 100],
    ['Team bea', 2, 50],
  ])
  const seen = await term.table(null, true)
  expect(JSON.stringify(seen)).not.toMatch(/Amber Heron|Team anna/)
  expect(told(seen)).toContainEqual(['anna', null, 100])
  expect(seen.rows.map(({ team: id }) => id)).not.toContain(team!.id)
})

test('a contest with damaged histories is named and left out', async () => {
  const first = await played('Week 1', ['anna', 'bea', 'baby'])
  await played('Week 2', ['bea', 'anna', 'baby'])
  const folder = contests.folder(first)
  const segment = join(
    folder,
    readdirSync(folder).find((name) => readFileSync(join(folder, name)).includes('"rank":1'))!,
  )
  writeFileSync(segment, readFileSync(segment, 'utf8').replace('"rank":1', '"rank":2'))
  const table = await openClassTerm({ home, contests }).table(null)
  expect(table.unreadable).toEqual([first])
  expect(table.contests.map(({ title }) => title)).toEqual(['Week 2'])

  // Grades name it too, and none go into a file.
  const scheme = schemeFile('grade = mean(place(contests))')
  const verb = ['class', 'grades', '--scheme', scheme, '--data', data]
  const shown = await run(...verb, '--json')
  expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([0, { unreadable: { contests: [first], cases: [] } }])
  expect((await run(...verb)).stdout).toContain(`the histories of ${first}`)
  const written = await run(...verb, '--csv', 'moodle', '--out', `${scheme}.csv`, '--json')
  expect(JSON.parse(written.stdout)).toEqual(refusedCommand('grades-incomplete', first))
  expect(existsSync(`${scheme}.csv`)).toBe(false)
})

test('practice, repetitions, matches with a person and contests that have not ended do not count', async () => {
  const id = await played('Week 1', ['anna', 'bea', 'baby'])
  const entry = contests.entry(id)
  const described = (more: Partial<ContestEntry['description']>): ContestEntry => ({
    ...entry,
    description: { ...entry.description, ...more },
  })
  expect(countsInTerm(entry)).toBe(true)
  const others: readonly ContestEntry[] = [
    { ...entry, state: 'open' },
    { ...entry, state: 'cancelled' },
    { ...entry, practiceOf: 'a'.repeat(16) },
    { ...entry, rerun: { of: id } },
    described({ practice: true }),
    described({ entrants: [{ name: 'me', agent: HUMAN }] }),
  ]
  expect(others.map(countsInTerm)).toEqual(others.map(() => false))
})

test('grades of a class by a scheme in a file, with explanations, problems with their place, and a file for Canvas', async () => {
  const first = await played('Week 1', ['anna', 'bea', 'baby'])
  await formTeams()
  await addStudents()
  await home.change(({ agents }) => {
    const bea = agents.find(({ manifest }) => manifest.name === 'bea')!
    const handIn = { receipt: 1, by: null, contest: first, time: 'late' } as const
    bea.handIn = { ...handIn, uses: { contest: first, days: 2, of: 'b'.repeat(16) } }
    // Another team hands in the same package, later.
    const uses = { contest: first, days: 4, of: 'c'.repeat(16) }
    agents.push({ ...bea, manifest: { ...bea.manifest, name: 'twin' }, handIn: { ...handIn, uses } })
  })
  await contests.countRuling(first, {
    ...{ case: 'case-1', entry: 'c'.repeat(64), at: '2026-11-28T01:00:00.000Z' },
    remedies: [{ type: 'points', entrant: 'anna', points: 0.25 }],
  })
  const scheme = schemeFile(
    'grade = place("Week 1") - 5 * late("Week 1") + 0.1 * against("Week 1", "baby")\nbands 60 "pass", else "no"',
  )
  const shown = await run('class', 'grades', '--scheme', scheme, '--data', data, '--json')
  expect([shown.code, shown.stderr]).toEqual([0, ''])
  const { grades } = JSON.parse(shown.stdout) as {
    grades: readonly { name: string; team: string; value: number; band: string }[]
  }
  // ada: place 1 of 3 and all of her matches with baby; bob: place 2, two late days.
  expect(grades.map(({ name, team, value, band }) => [name, team, value, band])).toEqual([
    ['ada', 'Team anna', 110, 'pass'],
    ['bob', 'Team bea', 50, 'no'],
  ])
  const text = (await run('class', 'grades', '--scheme', scheme, '--data', data)).stdout
  expect(text).toContain('place 1 of 3 in “Week 1”: 100 of 100; ruling 1: +0.25')
  expect(text).toContain('2 late days for “Week 1”')

  const exported = `${scheme}.csv`
  writeFileSync(exported, 'Student,ID,Term (1)\r\nada,1,\r\n')
  const fill = ['class', 'grades', '--scheme', scheme, '--data', data, '--column', 'Term', '--out', `${scheme}.out`]
  const done = await run(...fill, '--csv', `canvas=${exported}`, '--json')
  expect(JSON.parse(done.stdout)).toMatchObject({ filled: 1, unmatched: [], missing: ['bob'] })
  expect(readFileSync(`${scheme}.out`, 'utf8')).toBe('Student,ID,Term (1)\r\nada,1,110\r\n')
  // Nothing is overwritten, and Canvas' own file is needed.
  expect((await run(...fill, '--csv', `canvas=${exported}`)).code).not.toBe(0)
  expect((await run(...fill.slice(0, -1), `${scheme}.2`, '--csv', 'canvas')).stderr).toMatch(/Canvas/)

  // Labels: a grade below all bands leaves its cell, and a scheme without bands has none.
  writeFileSync(exported, 'Student,ID,Term (1)\r\nada,1,\r\nbob,2,C\r\n')
  const labels = (out: string) =>
    run(...fill.slice(0, -1), `${scheme}.${out}`, '--csv', `canvas=${exported}`, '--labels', '--json')
  writeFileSync(scheme, 'grade = place("Week 1") bands 60 "pass"')
  expect(JSON.parse((await labels('3')).stdout)).toMatchObject({ filled: 1, missing: [], unlabelled: ['bob'] })
  expect(readFileSync(`${scheme}.3`, 'utf8')).toBe('Student,ID,Term (1)\r\nada,1,pass\r\nbob,2,C\r\n')
  writeFileSync(scheme, 'grade = place("Week 1")')
  expect(JSON.parse((await labels('4')).stdout)).toEqual(refusedCommand('scheme-without-bands', scheme))

  writeFileSync(scheme, 'grade = place("Week 1")\nx = plase("Week 1")')
  const wrong = await run('class', 'grades', '--scheme', scheme, '--data', data, '--json')
  expect(JSON.parse(wrong.stdout)).toEqual(refusedCommand('scheme-invalid', `${scheme}:2:5: `, '(function-unknown)'))
  // A line each; a file of another kind has one for every line of its own.
  writeFileSync(scheme, '#\n'.repeat(100))
  const foreign = await run('class', 'grades', '--scheme', scheme, '--data', data)
  expect(foreign.stderr.split('\n').filter((line) => line.startsWith(`${scheme}:`))).toHaveLength(20)
})

test('against an entrant: matches count, not scores, in a contest of ordered pairs too', async () => {
  const format = { type: 'ordered-pairs', seeds: 1, finalists: 0 }
  await played('Week 1', ['anna', 'bea', 'baby'], { format, score: 62 })
  await formTeams()
  await addStudents()
  expect(await graded('grade = against("Week 1", "baby")')).toEqual({ ada: 100, bob: 100 })
  expect(await graded('grade = against("Week 1", "bea")')).toEqual({ ada: 100, bob: 0 })
})

test('phases are contests of their own, and one column if the scheme says so', async () => {
  const first = await played('Cup', ['anna', 'bea', 'baby'])
  const second = await played('Cup, phase 2', ['bea', 'anna'], { phase: { after: first, weights: [1, 2] } })
  await played('Week 3', ['anna', 'bea', 'baby'], { phase: { after: second, weights: [1, 2, 1] } })
  await played('Other', ['baby', 'anna', 'bea'])
  await formTeams()
  await addStudents()
  expect(await graded('grade = place("Cup, phase 2")')).toEqual({ ada: 0, bob: 100 })
  expect(await graded('grade = sum(place(phases("Cup, phase 2")))')).toEqual({ ada: 200, bob: 200 })
  expect(await graded('grade = sum(place(contests))')).toEqual({ ada: 250, bob: 200 })
})

test('by rating, a team that a ruling has removed is last', async () => {
  const first = await played('Week 1', ['anna', 'bea', 'baby'])
  await formTeams()
  await addStudents()
  expect(await graded('grade = tied("Week 1")')).toEqual({ ada: 100, bob: 50 })
  await contests.countRuling(first, {
    ...{ case: 'case-1', entry: 'c'.repeat(64), at: '2026-11-28T01:00:00.000Z' },
    remedies: [{ type: 'removal', entrant: 'anna' }],
  })
  expect(await graded('grade = tied("Week 1")')).toEqual({ ada: 0, bob: 100 })
})

test('a vote on a panel counts once its case is over, because nobody may learn before who judges', async () => {
  const [open, over] = [heard({ panel: 3 }), wholeCase()]
  open.lapse()
  for (const voter of open.state.panel)
    open.must(voter, { do: 'voted', question: 'broken', commitment: 'd'.repeat(64) })
  const ids = [...over.state.people.keys()]
  await home.change(({ people }) => {
    for (const id of ids) people.push({ id, name: id, ids: {}, role: 'student', added: '2026-09-01T08:00:00.000Z' })
  })
  const secrets = { people: Object.fromEntries(ids.map((id) => [id, id])), seeds: ['', ''] as [string, string] }
  const judges = async ({ state }: typeof over) => {
    const cases = { kept: new Map([['case-1', { state, secrets }]]), unreadable: new Map<string, string>() }
    const { students } = await gradeFacts({ home, contests, term: openClassTerm({ home, contests }), cases })
    return students.filter(({ counts }) => counts.panels > 0).map(({ person }) => person)
  }
  const voted = over.state.ballots.flatMap(({ votes }) => votes.map(({ voter }) => voter))
  expect(await judges(over)).toEqual(ids.filter((id) => voted.includes(id)))
  expect(voted.length).toBeGreaterThan(0)
  expect(open.state.ballots[0]?.votes).toHaveLength(3)
  expect(await judges(open)).toEqual([])
})

test('hearings, components and hand-ins of a class are counted for those who are in it', async () => {
  const [first, other] = [await played('Week 1', ['anna', 'bea']), await played('Week 2', ['anna', 'bea'])]
  await formTeams()
  await addStudents()
  const upheld = heard({ panel: 3 })
  upheld.lapse()
  upheld.vote((_, question) => (question === 'broken' ? 'yes' : '1'))
  upheld.lapse()
  upheld.lapse()
  expect(upheld.state.outcome).toBe('upheld')
  // The complaints of records are those of this team.
  const filer = '1'.repeat(16)
  const person = (id: string, more: object) => ({
    ...{ id: id.repeat(16), name: id, ids: {}, role: 'student' as const, added: '2026-09-01T08:00:00.000Z' },
    ...more,
  })
  await home.change(({ people, teams, components, agents }) => {
    teams.push({ id: filer, name: 'Red', members: ['e'.repeat(16)], formed: '2026-09-01T08:00:00.000Z' })
    people.push(
      person('e', {}),
      person('f', { removed: '2026-10-01T08:00:00.000Z' }),
      person('0', { role: 'assistant' }),
      person('9', { asking: true }),
    )
    const component = { game: 'haggle', notes: '', published: '2026-09-02T08:00:00.000Z', by: null } as const
    const shared = [
      { ...component, name: 'one', hash: '4'.repeat(64), owner: filer },
      { ...component, name: 'two', hash: '5'.repeat(64), owner: filer, withdrawn: '2026-09-03T08:00:00.000Z' },
      { ...component, name: 'three', hash: '6'.repeat(64), owner: 'b'.repeat(16) },
    ]
    components.push(...(shared as unknown as typeof components))
    const [version] = agents
    for (const [hash, contest, owner] of [
      ['7', first, filer],
      ['8', first, filer],
      ['9', other, filer],
    ] as const)
      agents.push({
        ...version!,
        ...{ hash: hash.repeat(64), owner },
        handIn: { receipt: 1, by: null, contest, time: 'early', uses: null },
      } as unknown as typeof version & object)
  })
  const secrets = { people: {}, seeds: ['', ''] as [string, string] }
  const cases = {
    kept: new Map([
      ['case-1', { state: upheld.state, secrets }],
      ['case-2', { state: wholeCase().state, secrets }],
    ]),
    unreadable: new Map<string, string>(),
  }
  const { students, contests: graded } = await gradeFacts({
    ...{ home, contests, cases, term: openClassTerm({ home, contests }) },
  })
  expect(students.map(({ person: id, counts }) => [id[0], counts.filed, counts.upheld, counts.published])).toEqual([
    ['a', 0, 0, 0],
    ['b', 0, 0, 1],
    ['e', 2, 1, 1],
  ])
  expect(graded.map(({ handed }) => handed[filer])).toEqual([2, 1])
})

test('grades as a command prints them for programs', async () => {
  await played('Week 1', ['anna', 'bea'])
  await formTeams()
  await addStudents()
  const scheme = schemeFile('grade = round(place("Week 1") / 3, 1)\nbands 30 "pass"')
  const { stdout } = await run('class', 'grades', '--scheme', scheme, '--data', data, '--json')
  const { grades, unreadable } = JSON.parse(stdout) as {
    grades: readonly { explanation: object }[]
    unreadable: object
  }
  expect(unreadable).toEqual({ contests: [], cases: [] })
  expect(grades.map(({ explanation: _, ...grade }) => grade)).toEqual([
    { person: 'a'.repeat(16), name: 'ada', team: 'Team anna', value: 33.3, band: 'pass', manual: null },
    { person: 'b'.repeat(16), name: 'bob', team: 'Team bea', value: 0, band: null, manual: null },
  ])
  expect(grades[0]!.explanation).toMatchObject({ value: 33.3, parts: [{ parts: [{ value: 100 }, { value: 3 }] }] })
})
