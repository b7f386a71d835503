import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { voteText, type WantedAct } from '../../../main/contract/cases/case-record.ts'
import { penaltyWords } from '../../../main/contract/contests/ruling-words.ts'
import { defaultSettings, type CaseSettings } from '../../../main/contract/cases/cases.ts'
import type { Person, Role } from '../../../main/contract/people/people.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { newNonce } from '../../../main/histories/nonce.ts'
import {
  checkSharing,
  listCases,
  precedentsIn,
  shownEntries,
  viewCase,
} from '../../../main/services/cases/case-view.ts'
import {
  actInCase,
  actOnceCompared,
  caseNumbered,
  catchUp,
  complaintsLeft,
  fileCase,
  nextDeadline,
  openCases,
  type CaseActor,
  type ClassCases,
} from '../../../main/services/cases/class-cases.ts'
import { checkLeaving, checkNewMembers } from '../../../main/services/cases/concerned.ts'
import { foldLines } from '../../../main/services/cases/fold.ts'
import { followDeadlines } from '../../../main/services/cases/follow-deadlines.ts'
import { pseudonymOf } from '../../../main/services/cases/kept-case.ts'
import { createPresence } from '../../../main/services/cases/presence.ts'
import { recordText, transcript } from '../../../main/services/cases/transcript.ts'
import { repeats } from '../../long.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'
import { complaint } from './record.ts'

const folder = temporaryFolder('class-cases')
const idOf = (digit: string): string => digit.repeat(16)
const person = (digit: string, role: Role): Person => ({
  ...{ id: idOf(digit), name: `Secret Name ${digit}`, ids: {}, role, added: '2026-09-01T08:00:00.000Z' },
})
const student = (digit: string): CaseActor => ({ person: idOf(digit), role: 'student' })
const host: CaseActor = { person: null, role: 'educator' }
const { contest, evidence, rule, asks, text, against } = complaint()

const hooksOf = (clock: { readonly at: number; readonly steady: number }): Parameters<typeof openCases>[1] => ({
  ...{ now: () => clock.at, steady: () => clock.steady, onChange: () => undefined },
})

/** A class of two teams, five others and an educator, in which Blue has the agent `blue`. */
async function classIn(name: string): Promise<{
  readonly home: ClassFolder
  readonly cases: ClassCases
  readonly clock: { at: number; steady: number }
}> {
  const home = await openClassFolder(join(folder, name))
  const formed = '2026-09-01T08:00:00.000Z'
  const entrants = [{ name: 'blue', agent: '0'.repeat(64) }]
  const content = {
    ...home.content,
    people: [person('1', 'educator'), ...[...'23456789a'].map((digit) => person(digit, 'student'))],
    teams: [
      { id: idOf('a'), name: 'Red', members: [idOf('2')], formed },
      { id: idOf('b'), name: 'Blue', members: [idOf('3')], formed },
    ],
    contests: [{ id: contest, state: 'ended', description: { entrants } }],
    agents: [{ manifest: { name: 'blue' }, owner: idOf('b'), hash: '0'.repeat(64) }],
  } as unknown as ClassFolder['content']
  const clock = { at: Date.parse('2026-11-29T20:00:00.000Z'), steady: 0 }
  const seen = { folder: home.folder, key: home.key, isReadOnly: false, content }
  return { home, cases: openCases(seen, hooksOf(clock)), clock }
}

const wish = (settings: Partial<CaseSettings> = {}) => ({
  ...{ contest, evidence, rule, asks, text, against, settings: { ...defaultSettings.writing, ...settings } },
})

/** A case whose panel is about to vote. */
function toTheVote(cases: ClassCases, clock: { at: number }, settings: Partial<CaseSettings> = {}): string {
  const { id } = fileCase(cases, student('2'), wish())
  const chosen = { settings: { ...defaultSettings.writing, ...settings } }
  actInCase(cases, id, host, { do: 'admitted', reason: 'So be it.', penalties: [[], asks], ...chosen })
  actInCase(cases, id, student('3'), { do: 'answered', text: 'No.', evidence: [], salt: newNonce() })
  actInCase(cases, id, student('3'), { do: 'refused', person: idOf('4'), salt: null })
  for (const deadline of [1, 2]) {
    clock.at = nextDeadline(cases)! + deadline
    catchUp(cases)
  }
  return id
}

/** Commits to votes of the panel; returns how to open them. */
function commit(cases: ClassCases, id: string, choice: string): (() => void)[] {
  return [...'123456789a'].flatMap((digit) => commitAs(cases, id, student(digit), choice))
}

/** The same for one person, who may be of the panel. */
function commitAs(cases: ClassCases, id: string, actor: CaseActor, choice: string): (() => void)[] {
  const kept = caseNumbered(cases, id)
  const view = viewCase(cases, kept, actor)
  if (!view.steps.includes('voted')) return []
  const ballot = kept.state.ballots.at(-1)!.number
  return (['broken', 'penalty'] as const).map((question) => {
    const vote = { question, choice: question === 'broken' ? choice : '1', reason: 'So it is.', nonce: newNonce() }
    const commitment = sha256(voteText({ ...vote, case: id, voter: view.me!, ballot }))
    actInCase(cases, id, actor, { do: 'voted', question, commitment })
    return () => void actInCase(cases, id, actor, { do: 'opened', ...vote })
  })
}

test('a case from the complaint to its end, by people of a class, with the clock', async () => {
  const { home, cases, clock } = await classIn('whole')
  const id = toTheVote(cases, clock)
  const kept = caseNumbered(cases, id)
  // The panel is all others, but for the one who was refused.
  expect(kept.state).toMatchObject({ stage: 'voting', deadline: expect.any(String) as string })
  expect(kept.state.panel).toHaveLength(6)
  const open = commit(cases, id, 'yes')
  expect(open).toHaveLength(12)
  // Nobody sees a vote before it is opened, and nothing of it is on disk.
  expect(viewCase(cases, kept, host).ballots[0]!.votes.every(({ state }) => state === 'sealed')).toBe(true)
  expect(readFileSync(kept.path, 'utf8')).not.toContain('So it is.')
  for (const each of open) each()
  expect(kept.state).toMatchObject({ stage: 'ruling', ballots: [{ tally: { broken: true, penalty: 1 } }] })
  expect(complaintsLeft(cases, idOf('a'), idOf('2'))).toBe(1)
  for (const stage of ['ruling', 'appeal']) {
    expect(kept.state.stage).toBe(stage)
    clock.at = nextDeadline(cases)!
    catchUp(cases)
  }
  expect(kept.state).toMatchObject({ stage: 'closed', outcome: 'upheld' })
  // A case that is won gives its complaint back, and is a precedent of its rule in the book of its game.
  expect([complaintsLeft(cases, idOf('a'), idOf('2')), nextDeadline(cases)]).toEqual([2, null])
  // It is found by its rule among the cases of the class.
  const found = (search: string) =>
    listCases(cases, student('5'), () => true, { contest: null, search, offset: 0, limit: 9 }).items
  expect(found('secret solution')).toMatchObject([{ case: id, stage: 'closed', outcome: 'upheld', rule: { id: '5' } }])
  expect(found('sheep')).toEqual([])
  const seen = (sees: boolean) => precedentsIn(cases, 'specker', () => sees)
  expect([seen(true), seen(false)]).toEqual([[{ case: id, rule: rule.id, broken: true }], []])
  expect(precedentsIn(cases, 'security', () => true)).toEqual([])
  await home.close()

  // The command line reads the same, from the records alone.
  const data = join(folder, 'whole')
  const shown = await run('case', 'list', '--data', data, '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({ cases: [{ case: id, problem: null, outcome: 'upheld' }] })
  const { n, head } = { n: kept.entries.length, head: kept.entries.at(-1)!.h }
  expect((await run('case', 'verify', id, '--data', data, '--head', `${n}:${head}`)).code).toBe(0)
  expect((await run('case', 'verify', id, '--data', data, '--head', `${n}:${'0'.repeat(64)}`)).code).toBe(1)
  expect((await run('case', 'show', 'case-9', '--data', data, '--json')).code).toBe(2)
  const to = join(folder, 'exported')
  expect((await run('case', 'export', id, '--data', data, '--to', to)).code).toBe(0)
  const record = join(to, `${id}.jsonl`)
  expect((await run('history', 'verify', record, '--key', join(data, 'keys', 'class.pub'))).code).toBe(0)
  // The file of a record needs no class.
  const alone = join(folder, 'without-class')
  const noted = ['--head', `${n}:${head}`]
  const [own, taken] = await Promise.all(
    [id, record].map((which) => run('case', 'show', which, '--data', data, '--json')),
  )
  expect(JSON.parse(taken!.stdout)).toEqual(JSON.parse(own!.stdout))
  expect((await run('case', 'show', record, '--data', alone)).code).toBe(0)
  expect(
    (await run('case', 'verify', record, '--data', alone, '--key', join(data, 'keys', 'class.pub'), ...noted)).code,
  ).toBe(0)
  const changed = join(folder, 'changed.jsonl')
  writeFileSync(changed, readFileSync(record, 'utf8').replace('So be it.', 'So be it!'))
  expect((await run('case', 'verify', changed, '--data', alone, '--key', join(data, 'keys', 'class.pub'))).code).toBe(1)
  const missing = await run('case', 'show', join(folder, 'missing.jsonl'), '--data', alone, '--json')
  expect([missing.code, JSON.parse(missing.stdout)]).toMatchObject([2, { code: 'case-unknown' }])
  const zip = join(folder, 'dossier.zip')
  writeFileSync(zip, 'PK\u0003\u0004')
  expect((await run('case', 'verify', zip, '--data', alone)).code).toBe(2)
  expect((await run('case', 'export', record, '--data', alone, '--to', join(folder, 'again'))).code).toBe(0)
  expect(readFileSync(join(folder, 'again', `${id}.jsonl`), 'utf8')).toBe(readFileSync(record, 'utf8'))
  // Nobody is named in what leaves the class.
  for (const file of [record, join(to, `${id}.html`)]) {
    const content = readFileSync(file, 'utf8')
    expect(content).not.toContain('Secret Name')
    for (const digit of '123456789') expect(content).not.toContain(`"${idOf(digit)}"`)
  }
})

test('whoever has answered or voted has done their step, until votes are opened', async () => {
  const { home, cases, clock } = await classIn('turns')
  const { id } = fileCase(cases, student('2'), wish())
  const kept = caseNumbered(cases, id)
  const acted = () => [...'23456789a'].filter((digit) => viewCase(cases, kept, student(digit)).hasActed).join('')
  actInCase(cases, id, host, { do: 'admitted', reason: 'So be it.', penalties: [[], asks] })
  expect(acted()).toBe('')
  actInCase(cases, id, student('3'), { do: 'answered', text: 'No.', evidence: [], salt: null })
  expect(acted()).toBe('3')
  for (const stage of ['hearing', 'voting']) {
    clock.at = nextDeadline(cases)!
    catchUp(cases)
    expect([kept.state.stage, acted()]).toEqual([stage, ''])
  }
  const open = commitAs(cases, id, student('5'), 'yes')
  expect(acted()).toBe('5')
  for (const digit of '46789') open.push(...commitAs(cases, id, student(digit), 'no'))
  clock.at = nextDeadline(cases)!
  catchUp(cases)
  // One of the panel has not voted, and has nothing to open.
  expect([kept.state.stage, acted()]).toEqual(['opening', 'a'])
  for (const each of open.slice(0, 2)) each()
  expect(acted()).toBe('5a')
  await home.close()
})

test('a step is compared with the class when it is somebody’s turn, and counts at the time at which it arrived', async () => {
  const { cases, clock } = await classIn('compared')
  const { id } = fileCase(cases, student('2'), wish())
  const chosen = { settings: defaultSettings.writing }
  actInCase(cases, id, host, { do: 'admitted', reason: 'So be it.', penalties: [[], asks], ...chosen })
  const kept = caseNumbered(cases, id)
  const answer: WantedAct = { do: 'answered', text: 'No.', evidence: [], salt: newNonce() }
  const deadline = nextDeadline(cases)!
  const { stage, entries: before } = kept.state
  let compared = 0
  /** The deadline passes during the comparison, and somebody looks at it. */
  const late = (): Promise<void> => {
    compared += 1
    clock.at = deadline + 5_000
    catchUp(cases)
    return Promise.resolve()
  }
  await expect(actOnceCompared(cases, id, student('5'), answer, late)).rejects.toThrow(refusal('case-step-refused'))
  expect([compared, kept.state.entries]).toEqual([0, before])
  clock.at = deadline - 1
  const isRefused = actOnceCompared(cases, id, student('3'), answer, async () => {
    await late()
    expect(kept.state.stage).toBe(stage)
    clock.at = deadline - 1
    throw new Error('not so')
  })
  await expect(isRefused).rejects.toThrow('not so')
  expect(kept.state.entries).toBe(before)
  await actOnceCompared(cases, id, student('3'), answer, late)
  expect(compared).toBe(2)
  const { at, act } = kept.entries[before]!.b
  expect([act.do, at]).toEqual(['answered', new Date(deadline - 1).toISOString()])
  // It is over: from now on deadlines hold again.
  expect(cases.arrivals.size).toBe(0)
})

test('dossiers are shared with a case by its people, before its vote', async () => {
  const { cases } = await classIn('sharing')
  const { id } = fileCase(cases, student('2'), wish())
  const share = (of: ClassCases, name: string, actor: CaseActor) => () => checkSharing(of, name, actor)
  for (const actor of [student('2'), student('3'), host]) expect(share(cases, id, actor)).not.toThrow()
  expect(share(cases, id, student('5'))).toThrow(refusal('case-sharing-refused', id))
  const later = await classIn('sharing-later')
  const voted = toTheVote(later.cases, later.clock)
  for (const actor of [student('2'), student('5'), host])
    expect(share(later.cases, voted, actor)).toThrow(refusal('case-sharing-refused', voted))
})

test('complaints are limited, and are about somebody else who exists', async () => {
  const { home, cases } = await classIn('limits')
  expect(() => fileCase(cases, student('3'), wish())).toThrow(refusal('complaint-refused'))
  expect(() => fileCase(cases, student('5'), wish())).toThrow(refusal('team-needed'))
  expect(() => fileCase(cases, host, { ...wish(), against: { what: 'administrator' } })).toThrow(
    refusal('complaint-refused'),
  )
  const absent = { what: 'agent', name: 'nobody' } as const
  expect(() => fileCase(cases, student('2'), { ...wish(), against: absent })).toThrow(
    refusal('entrant-unknown', 'nobody'),
  )
  const changed = { ...wish(), rule: { ...rule, text: 'Anything goes.' } }
  expect(() => fileCase(cases, student('2'), changed)).toThrow(refusal('complaint-refused'))
  // The complaining team does not set the rules of the court.
  const { times } = defaultSettings.writing
  for (const own of [
    { times: { ...times, filed: 10 } },
    { quorum: 1 },
    { panel: 3 },
    { volunteersFirst: true },
    defaultSettings.live,
  ] as const)
    expect(() => fileCase(cases, student('2'), wish(own))).toThrow(refusal('complaint-refused'))
  fileCase(cases, student('2'), wish({ times: { ...times, answer: times.answer + 1 }, quorum: 60 }))
  fileCase(cases, student('2'), wish())
  expect(() => fileCase(cases, student('2'), wish())).toThrow(refusal('complaints-used', 2))
  expect(() => actInCase(cases, 'case-2', student('5'), { do: 'dismissed', reason: 'No.' })).toThrow(
    refusal('case-step-refused', 'case-2'),
  )
  const list = (search: string, sees = true): number =>
    listCases(cases, student('5'), () => sees, { contest: null, search, offset: 0, limit: 10 }).total
  expect([list(''), list('quality secret'), list('case-2'), list('sheep'), list('', false)]).toEqual([2, 2, 1, 0, 0])
  await home.close()
})

test('names of the panel are hidden until the ruling, and nobody is refused by pseudonym', async () => {
  const { home, cases, clock } = await classIn('hidden')
  const id = toTheVote(cases, clock, { hideNames: true, panel: 3 })
  const kept = caseNumbered(cases, id)
  const names = (actor: CaseActor): readonly (string | null)[] =>
    viewCase(cases, kept, actor)
      .people.filter(({ side }) => side === null)
      .map(({ name }) => name)
  expect(names(student('2')).every((name) => name === null)).toBe(true)
  expect(names(student('5')).filter((name) => name !== null)).toEqual(['Secret Name 5'])
  for (const each of commit(cases, id, 'no')) each()
  clock.at = nextDeadline(cases)!
  catchUp(cases)
  // The ruling names those who gave it, and nobody whom an appeal may draw.
  const shown = names(student('2')).filter((name) => name !== null)
  expect(shown).toHaveLength(3)
  actInCase(cases, id, student('3'), { do: 'appealed', text: 'No.', salt: null })
  expect(names(student('2')).filter((name) => name !== null)).toEqual(shown)
  await home.close()
})

test('seen as a member of the panel, a case has the part and the steps of that member, and not their pseudonym and vote', async () => {
  const { home, cases, clock } = await classIn('seen')
  const id = toTheVote(cases, clock)
  const kept = caseNumbered(cases, id)
  const seen = (n: string) => viewCase(cases, kept, { ...student(n), isSeen: true })
  for (const n of ['2', '3', '4', '5']) {
    const { me, part, steps, hasActed, people } = viewCase(cases, kept, student(n))
    expect(me).not.toBeNull()
    expect(seen(n)).toMatchObject({ me: null, part, steps, hasActed, people, undoable: [] })
  }
  expect(seen('5')).toMatchObject({
    part: expect.stringMatching(/^(panel|chair)$/) as string,
    steps: expect.arrayContaining(['voted']) as string[],
  })
  expect(seen('4').part).toBeNull()
  // One's own vote is shown to oneself alone before all are counted.
  const [open] = commitAs(cases, id, student('5'), 'yes')
  for (const digit of '6789a') commitAs(cases, id, student(digit), 'no')
  commitAs(cases, id, student('1'), 'no')
  open!()
  const choices = ({ entries }: ReturnType<typeof seen>): readonly unknown[] =>
    entries.flatMap(({ act }) => (act.do === 'opened' && 'choice' in act ? [act.choice] : []))
  expect(choices(viewCase(cases, kept, student('5')))).toEqual(['yes'])
  expect(choices(seen('5'))).toEqual([])
  await home.close()
})

test('under hidden names nobody learns by seeing the class as a student that the student judges', async () => {
  const { home, cases, clock } = await classIn('seen-hidden')
  const kept = caseNumbered(cases, toTheVote(cases, clock, { hideNames: true, panel: 3 }))
  const seen = '156789a'.split('').map((n) => viewCase(cases, kept, { ...student(n), isSeen: true }))
  expect(new Set(seen.map(({ part, steps, me }) => JSON.stringify([part, steps, me])))).toEqual(
    new Set(['[null,[],null]']),
  )
  await home.close()
})

test('under hidden names a ruling names no judge under a pseudonym to students, and all to staff', async () => {
  const { home, cases, clock } = await classIn('hidden-pseudonyms')
  cases.home.content.settings.pseudonyms = true
  const id = toTheVote(cases, clock, { hideNames: true, panel: 3 })
  const kept = caseNumbered(cases, id)
  const names = (actor: CaseActor): number =>
    viewCase(cases, kept, actor).people.filter(
      ({ side, id: each, name }) => side === null && each !== viewCase(cases, kept, actor).me && name !== null,
    ).length
  for (const each of commit(cases, id, 'no')) each()
  clock.at = nextDeadline(cases)!
  catchUp(cases)
  expect(kept.state.rulings).toHaveLength(1)
  expect([names(host), names(student('2')), names(student('5'))]).toEqual([3, 0, 0])
  await home.close()
})

test('the team of an entrant answers a complaint, whatever its agent is called now, and cannot file it', async () => {
  const { home, cases } = await classIn('renamed')
  const { agents, contests } = cases.home.content
  agents[0]!.formerly = ['blue']
  agents[0]!.manifest.name = 'Amber Heron'
  const { filed } = fileCase(cases, student('2'), wish()).state
  expect(filed.other).toEqual({ who: 'team', team: idOf('b'), name: 'Blue' })
  expect(filed.people.filter(({ side }) => side === 'other')).toHaveLength(1)
  expect(() => fileCase(cases, student('3'), wish())).toThrow(refusal('complaint-refused'))
  // An agent of a team's own machine is known by its registration.
  agents.pop()
  const entries = [{ team: idOf('b'), entrant: 'blue', kind: 'network', plays: true, at: '2026-09-01T08:00:00.000Z' }]
  Object.assign(contests[0]!, { registration: { agentsATeam: 1, network: true, entries } })
  expect(fileCase(cases, student('2'), wish()).state.filed.other).toMatchObject({ team: idOf('b') })
  await home.close()
})

test('under hidden names staff are in the room without their pseudonyms until the case is closed: an appeal may draw them', async () => {
  const { home, cases, clock } = await classIn('present')
  const id = toTheVote(cases, clock, { hideNames: true, panel: 3 })
  const kept = caseNumbered(cases, id)
  const presence = createPresence(cases, () => undefined)
  const leave = presence.enter(id, host)
  const stages = new Set<string>()
  while (kept.state.stage !== 'closed') {
    stages.add(kept.state.stage)
    expect(presence.room(id).here).toEqual([{ part: 'staff', person: null }])
    clock.at = nextDeadline(cases)!
    catchUp(cases)
  }
  expect(stages).toContain('appeal')
  expect(presence.room(id).here).toEqual([{ part: 'staff', person: pseudonymOf(kept, idOf('1')) }])
  leave()
  await home.close()
})

test('a class that is opened again goes on: torn lines are cut off, deadlines are caught up, damage is named', async () => {
  const { home, cases, clock } = await classIn('again')
  const { id, path } = fileCase(cases, student('2'), wish())
  const whole = readFileSync(path, 'utf8')
  appendFileSync(path, '{"b":{"act":{"do":"adm')
  const again = (): ClassCases => openCases(cases.home, hooksOf(clock))
  expect(caseNumbered(again(), id).entries).toHaveLength(1)
  expect(readFileSync(path, 'utf8')).toBe(whole)
  // Nobody was there for a year.
  clock.at += 31_536_000_000
  const later = again()
  catchUp(later)
  expect(caseNumbered(later, id).state.stage).toBe('answer')
  // A person who has left the class is no longer waited for.
  cases.home.content.people.find(({ id: each }) => each === idOf('5'))!.removed = '2026-12-01T08:00:00.000Z'
  catchUp(later)
  expect(caseNumbered(later, id).state.gone.size).toBe(1)
  const lines = readFileSync(path, 'utf8')
  writeFileSync(path, lines.replace('"do":"lapsed"', '"do":"lapseD"'))
  const damaged = again()
  expect(caseNumbered(damaged, id).damage).toContain(`${path}:2`)
  expect(() => actInCase(damaged, id, host, { do: 'dismissed', reason: 'No.' })).toThrow(refusal('case-damaged'))
  const view = viewCase(damaged, caseNumbered(damaged, id), host)
  expect([view.steps, view.damage]).toEqual([[], expect.stringContaining(path)])
  // The folders of the machine are not for students.
  expect(viewCase(damaged, caseNumbered(damaged, id), student('2')).damage).not.toContain(home.folder)
  await home.close()
})

test('a case that cannot be read is named, keeps its number, and does not keep the class closed', async () => {
  const { home, cases, clock } = await classIn('damaged')
  const again = (): ClassCases => openCases(cases.home, hooksOf(clock))
  const [first, second] = [fileCase(cases, student('2'), wish()), fileCase(cases, student('2'), wish())]
  const record = readFileSync(second.path, 'utf8').replace('"do":"filed"', '"do":"filEd"')
  writeFileSync(second.path, record)
  writeFileSync(join(first.path, '..', 'secrets.json'), '{}')
  const damaged = again()
  expect(listCases(damaged, host, () => true, { contest: null, search: '', offset: 0, limit: 9 })).toMatchObject({
    items: [{ case: 'case-1', damage: expect.stringContaining('secrets.json') as string }],
    unreadable: ['case-2'],
  })
  const wanted = { contest: null, search: '', offset: 0, limit: 9 }
  expect(listCases(damaged, student('2'), () => true, wanted)).toMatchObject({ total: 1, unreadable: [] })
  expect(fileCase(damaged, host, wish()).id).toBe('case-3')
  expect(readFileSync(second.path, 'utf8')).toBe(record)
  await home.close()
})

test('one case whose disk fails does not stop the others, and two readings of the clock do not end the program', async () => {
  const { home, cases, clock } = await classIn('disk')
  const [first, second] = [fileCase(cases, student('2'), wish()), fileCase(cases, student('2'), wish())]
  rmSync(join(first.path, '..'), { recursive: true })
  clock.at = nextDeadline(cases)!
  expect(() => catchUp(cases)).toThrow(refusal('path-unusable'))
  expect([first.state.stage, second.state.stage]).toEqual(['filed', 'answer'])
  cases.kept.delete(first.id)
  cases.home.content.people.find(({ id }) => id === idOf('5'))!.removed = '2026-12-01T08:00:00.000Z'
  const deadline = nextDeadline(cases)!
  const readings = [deadline - 1, deadline + 1]
  catchUp({ ...cases, now: () => readings.shift() ?? deadline + 1 })
  // Nobody who has left is drawn.
  expect(second.state).toMatchObject({
    stage: 'hearing',
    panel: expect.not.arrayContaining([[...second.state.gone][0]]) as [],
  })
  expect(second.state.gone.size).toBe(1)
  await home.close()
})

test('somebody who is no longer staff does nothing of staff in older cases', async () => {
  const { home, cases } = await classIn('former')
  cases.home.content.people.push(person('c', 'assistant'))
  const { id } = fileCase(cases, student('2'), wish())
  const assistant: CaseActor = { person: idOf('c'), role: 'assistant' }
  const steps = (actor: CaseActor) => viewCase(cases, caseNumbered(cases, id), actor).steps
  expect(steps(assistant)).toEqual(expect.arrayContaining(['admitted', 'dismissed', 'deadline']))
  expect(steps(student('c'))).toEqual([])
  expect(() => actInCase(cases, id, student('c'), { do: 'dismissed', reason: 'No.' })).toThrow(
    refusal('case-step-refused'),
  )
  actInCase(cases, id, assistant, { do: 'dismissed', reason: 'No.' })
  await home.close()
})

test('former members of a side do not judge, nor those who join one, and a new team brings no new complaints', async () => {
  const { home, cases, clock } = await classIn('teams')
  const { teams } = cases.home.content
  teams[0]!.former = [idOf('4'), idOf('5')]
  const kept = fileCase(cases, student('2'), wish())
  catchUp(cases)
  const acts = () => kept.entries.map(({ b }) => b.act)
  const barred = (digit: string, because: string) => ({ do: 'barred', person: pseudonymOf(kept, idOf(digit)), because })
  expect(acts().slice(1)).toEqual(expect.arrayContaining([barred('4', 'former'), barred('5', 'former')]))
  actInCase(cases, kept.id, host, { do: 'admitted', reason: 'So be it.', penalties: [[], asks] })
  teams[1]!.members.push(idOf('6'))
  catchUp(cases)
  expect(acts().at(-1)).toEqual(barred('6', 'joined'))
  // They are of neither side, and do not act for one.
  expect(viewCase(cases, kept, student('6')).steps).not.toContain('answered')
  clock.at = nextDeadline(cases)!
  catchUp(cases)
  const judges = [...'789a'].map((digit) => pseudonymOf(kept, idOf(digit)))
  expect(kept.state.panel.toSorted()).toEqual(judges.toSorted())
  teams[0]!.members.push(idOf('7'))
  catchUp(cases)
  expect([acts().at(-1), kept.state.panel.length]).toEqual([barred('7', 'joined'), 3])

  fileCase(cases, student('2'), wish())
  teams[0]!.members = [idOf('7')]
  teams.push({ id: idOf('c'), name: 'Green', members: [idOf('2')], formed: teams[0]!.formed })
  expect(() => fileCase(cases, student('2'), wish())).toThrow(refusal('complaints-used', 2))
  const left = (team: string, digit: string): number => complaintsLeft(cases, idOf(team), idOf(digit))
  expect([left('c', '2'), left('c', '8'), left('a', '7'), left('b', '3')]).toEqual([0, 2, 0, 2])
  await home.close()
})

test('students know the names of those who judge, of their own side and of staff, and no others', async () => {
  const { home, cases, clock } = await classIn('names')
  cases.home.content.people.shift()
  const id = toTheVote(cases, clock, { panel: 3 })
  const kept = caseNumbered(cases, id)
  const named = (actor: CaseActor): readonly string[] =>
    viewCase(cases, kept, actor).people.flatMap(({ id: each, name }) => (name === null ? [] : each))
  const { panel, filed } = kept.state
  const of = (test: (each: (typeof filed.people)[number]) => boolean) =>
    filed.people.filter(test).map((each) => each.id)
  const known = (side: string | null): readonly string[] =>
    [...panel, ...of((each) => each.role === 'educator' || each.side === side)].toSorted()
  expect(named(student('2'))).toEqual(known('filer'))
  expect(named(student('3'))).toEqual(known('other'))
  expect(named(host)).toEqual(of(() => true))
  // The person at this machine has no account.
  const educator = filed.people.find(({ role }) => role === 'educator')!.id
  const seen = viewCase(cases, kept, student('2')).people.find((each) => each.id === educator)
  expect(seen).toMatchObject({ name: 'The educator', role: 'educator' })
  await home.close()
})

test('opened votes are shown when they are counted: who sees them cannot keep back their own because of it', async () => {
  const { home, cases, clock } = await classIn('opened')
  const id = toTheVote(cases, clock)
  const kept = caseNumbered(cases, id)
  const open = commit(cases, id, 'yes')
  open[0]!()
  const voter = kept.entries.at(-1)!.b.by
  const digit = [...'456789a'].find((each) => pseudonymOf(kept, idOf(each)) === voter)!
  const others = [student('2'), host, ...[...'456789a'].filter((each) => each !== digit).map(student)]
  for (const actor of others) {
    const view = viewCase(cases, kept, actor)
    expect(JSON.stringify(view)).not.toContain('So it is.')
    expect(view.ballots[0]!.votes.find((vote) => vote.voter === voter)!.state).toBe('opened')
    expect(view.entries.at(-1)).toMatchObject({ by: voter, act: { do: 'opened', isHidden: true } })
  }
  expect(JSON.stringify(viewCase(cases, kept, student(digit)))).toContain('So it is.')
  // A record that is fetched meanwhile ends before the first opened vote, and holds.
  const lines = recordText({ entries: shownEntries(kept) })
    .trimEnd()
    .split('\n')
  expect(foldLines(lines, home.key.publicKey)).toMatchObject({ ok: true, state: { stage: 'opening' } })
  // One member keeps back their votes: they are counted as present, and named.
  for (const each of open.slice(1, -2)) each()
  clock.at = nextDeadline(cases)!
  catchUp(cases)
  const [keeper] = kept.entries.flatMap(({ b: { act } }) => (act.do === 'lapsed' ? (act.unopened ?? []) : []))
  expect(keeper).toBeDefined()
  expect(kept.state.ballots[0]!.tally).toMatchObject({ present: 6, valid: 5, hasQuorum: true })
  expect(viewCase(cases, kept, host).ballots[0]!.votes[0]!.state).toMatchObject({ choice: 'yes' })
  clock.at = nextDeadline(cases)!
  catchUp(cases)
  // The transcript has the penalty and the counts, though the chair has written nothing.
  const text = transcript(kept)
  for (const words of [penaltyWords(asks), '6 of 6', '5 for &quot;yes&quot;']) expect(text).toContain(words)
  await home.close()
})

const DAY = 86_400_000

test('a clock that was set back ends no stage early, and one that was ahead keeps no case waiting for years', async () => {
  const { home, cases, clock } = await classIn('set-back')
  const kept = fileCase(cases, student('2'), wish())
  const look = (forward: number): string => {
    clock.at += forward
    catchUp(cases)
    return kept.state.stage
  }
  expect(look(-30 * DAY)).toBe('filed')
  expect(kept.entries.at(-1)!.b.act).toEqual({ do: 'clock', ahead: 30 * DAY })
  const time = kept.state.filed.settings.times.filed * 1_000
  expect(nextDeadline(cases)).toBe(clock.at + time)
  expect(look(time - 1)).toBe('filed')
  expect(Date.parse(viewCase(cases, kept, host).now)).toBe(Date.parse(kept.state.deadline!) - 1)
  expect(look(1)).toBe('answer')
  // It is right again.
  expect(look(30 * DAY)).toBe('answer')
  expect(look(1_000 * DAY)).toBe('hearing')
  expect(look(-1_000 * DAY)).toBe('hearing')
  const { hearing } = kept.state.filed.settings.times
  expect(look(hearing * 1_000 - 1)).toBe('hearing')
  expect(look(1)).toBe('voting')
  const times = kept.entries.map(({ b }) => b.at)
  expect(times).toEqual(times.toSorted())
  expect(foldLines(recordText(kept).trimEnd().split('\n'), home.key.publicKey)).toMatchObject({ ok: true })
  await home.close()
})

test('a clock that is set back while the class is open makes no deadline late, whatever its time', async () => {
  const { home, cases, clock } = await classIn('late')
  const kept = fileCase(cases, student('2'), wish())
  const time = kept.state.filed.settings.times.filed * 1_000
  const look = (passed: number, set = 0): string => {
    clock.steady += passed
    clock.at += passed + set
    catchUp(cases)
    return kept.state.stage
  }
  expect(look(DAY)).toBe('filed')
  // Half a day back: that is after the last entry still.
  expect(look(0, -DAY / 2)).toBe('filed')
  expect(kept.entries.at(-1)!.b).toMatchObject({ act: { do: 'clock', ahead: DAY / 2 } })
  expect(look(time - DAY - 1)).toBe('filed')
  expect(look(1)).toBe('answer')
  // The time of the next entry is that of people's watches, and stays so when the clock is right again.
  expect(Date.parse(kept.state.at)).toBe(clock.at + DAY / 2)
  look(0, DAY / 2)
  expect([kept.state.stage, nextDeadline(cases)]).toEqual(['answer', Date.parse(kept.state.deadline!)])
  // A stage that is over by then ends at once, though the clock says otherwise.
  const { answer } = kept.state.filed.settings.times
  expect(look(answer * 1_000, -answer * 1_000)).toBe('hearing')
  expect(kept.entries.map(({ b }) => b.act.do).slice(-3)).toEqual(['lapsed', 'drawn', 'clock'])
  // Clocks are corrected by seconds.
  const before = kept.entries.length
  look(3_600_000, -30_000)
  expect(kept.entries.length).toBe(before)
  expect(foldLines(recordText(kept).trimEnd().split('\n'), home.key.publicKey)).toMatchObject({ ok: true })
  await home.close()
})

test('however often a clock is set back and put right again, a stage has its time, and no more', async () => {
  const { home, cases, clock } = await classIn('clocks')
  const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 3 * DAY })), { minLength: 4, maxLength: 14 })
  fc.assert(
    fc.property(steps, fc.constantFrom(3_600_000, 10 * DAY, 400 * DAY), (walk, back) => {
      let truth = clock.at
      const kept = fileCase(cases, host, wish())
      let began = truth
      for (const [isBack, forward] of walk) {
        truth += forward
        clock.steady += forward
        clock.at = truth - (isBack ? back : 0)
        const { stage, filed, began: first } = kept.state
        catchUp(cases)
        if (stage === 'draw' || stage === 'closed') continue
        const isOver = truth - began >= filed.settings.times[stage] * 1_000
        expect(kept.state.began !== first).toBe(isOver)
        if (isOver) began = truth
      }
      const times = kept.entries.map(({ b }) => b.at)
      expect(times).toEqual(times.toSorted())
      clock.at = truth
    }),
    { numRuns: repeats({ short: 15, long: 300 }), seed: 24 },
  )
  await home.close()
})

test('a final ruling can be complained about, in its contest, by one case, in which none of its teams judges', async () => {
  const { home, cases, clock } = await classIn('rulings')
  const { teams, contests } = cases.home.content
  for (const [digit, member] of ['c7', 'd8'] as const)
    teams.push({ id: idOf(digit!), name: `Team ${digit}`, members: [idOf(member!)], formed: teams[0]!.formed })
  contests.push({ ...contests[0]!, id: 'week-2' })
  const first = toTheVote(cases, clock)
  const about = { ...wish(), against: { what: 'ruling', case: first }, asks: [] } as const
  const refused = (actor: CaseActor, more: object = {}): void =>
    expect(() => fileCase(cases, actor, { ...about, asks: [], ...more })).toThrow(refusal('complaint-refused', first))
  refused(student('7'))
  for (const each of commit(cases, first, 'yes')) each()
  clock.at = nextDeadline(cases)!
  catchUp(cases)
  // It can be appealed, and is not final.
  refused(student('7'))
  clock.at = nextDeadline(cases)!
  catchUp(cases)
  expect(caseNumbered(cases, first).state.outcome).toBe('upheld')
  refused(student('7'), { contest: 'week-2' })
  const kept = fileCase(cases, student('7'), { ...about, asks: [] })
  catchUp(cases)
  const barred = kept.entries.flatMap(({ b: { act } }) => (act.do === 'barred' ? [act] : []))
  expect(barred.map(({ because }) => because)).toEqual(['ruling', 'ruling'])
  expect(barred.map(({ person: id }) => kept.secrets.people[id]).toSorted()).toEqual([idOf('2'), idOf('3')])
  expect(() => fileCase(cases, student('8'), { ...about, asks: [] })).toThrow(refusal('complaint-refused', kept.id))
  await home.close()
})

test('a text of a stranger is text in the transcript', async () => {
  const { home, cases } = await classIn('hostile')
  const kept = fileCase(cases, student('2'), { ...wish(), text: '<script>alert(1)</script>"\u2028' })
  expect(transcript(kept)).not.toContain('<script')
  expect(recordText(kept).split('\n')).toHaveLength(2)
  await home.close()
})

test('the clock ends stages while the class is open, and no longer', async () => {
  const { home, cases, clock } = await classIn('clock')
  const { state } = fileCase(cases, student('2'), wish())
  const kept = caseNumbered(cases, 'case-1')
  const waking: { readonly at: number; readonly call: () => void }[] = []
  const deadlines = followDeadlines(cases, (at, call) => {
    waking.push({ at, call })
    return () => void waking.pop()
  })
  deadlines.look()
  expect(waking).toMatchObject([{ at: Date.parse(state.deadline!) }])
  // A timer may be early.
  waking[0]!.call()
  expect(kept.state.stage).toBe('filed')
  clock.at = waking[0]!.at
  waking[0]!.call()
  expect(kept.state.stage).toBe('answer')
  expect(waking).toMatchObject([{ at: nextDeadline(cases) }])
  deadlines.stop()
  expect(waking).toEqual([])
  await home.close()
})

test('a team has two complaints a term, whatever it filed in the terms before', async () => {
  const { home, cases, clock } = await classIn('terms')
  const terms = [
    { name: 'Autumn', from: '2026-09-01T00:00:00.000Z' },
    { name: 'Spring', from: '2027-01-31T23:00:00.000Z' },
  ]
  const { content } = cases.home
  const withTerms = { ...content, settings: { ...content.settings, terms } }
  ;(cases.home as { content: ClassFolder['content'] }).content = withTerms
  const left = (): number => complaintsLeft(cases, idOf('a'), idOf('2'))
  for (const each of [1, 2]) {
    fileCase(cases, student('2'), wish())
    expect(left()).toBe(2 - each)
  }
  expect(() => fileCase(cases, student('2'), wish())).toThrow(refusal('complaints-used'))
  // Up to the very beginning of the next term.
  clock.at = Date.parse('2027-01-31T23:00:00.000Z') - 1
  expect(left()).toBe(0)
  clock.at += 1
  expect(left()).toBe(2)
  fileCase(cases, student('2'), wish())
  expect(left()).toBe(1)
  await home.close()
})

test('staff takes no judge off a case by its teams or out of the class; who joins a team of themselves is replaced', async () => {
  const { home, cases, clock } = await classIn('pruned')
  const { teams } = cases.home.content
  const [red, blue] = [teams[0]!, teams[1]!]
  teams.push({ id: idOf('c'), name: 'Green', members: [idOf('a')], formed: red.formed })
  const id = toTheVote(cases, clock, { panel: 3 })
  const kept = caseNumbered(cases, id)
  clock.at -= 1
  const judge = kept.secrets.people[kept.state.panel[0]!]!
  const [reserve] = kept.state.reserve.map((each) => kept.secrets.people[each]!)
  const refused = refusal('person-judges', id)
  for (const person of [judge, reserve!])
    for (const team of [red, blue])
      expect(() => checkNewMembers(cases, team.id, [...team.members, person])).toThrow(refused)
  // Other teams, and people who are in the team anyway, are not concerned.
  expect(() => checkNewMembers(cases, idOf('c'), [judge])).not.toThrow()
  expect(() => checkNewMembers(cases, null, [judge])).not.toThrow()
  expect(() => checkNewMembers(cases, red.id, red.members)).not.toThrow()
  // The reserve can leave the class, the panel cannot before its votes are counted.
  expect(() => checkLeaving(cases, reserve!)).not.toThrow()
  expect(() => checkLeaving(cases, judge)).toThrow(refused)
  for (const each of commit(cases, id, 'no')) each()
  expect(kept.state.stage).toBe('ruling')
  expect(() => checkLeaving(cases, judge)).not.toThrow()
  // An appeal may draw others: their part is over only with the case.
  expect(() => checkNewMembers(cases, red.id, [reserve!])).toThrow(refused)
  while (kept.state.stage !== 'closed') {
    clock.at = nextDeadline(cases)!
    catchUp(cases)
  }
  expect(() => checkNewMembers(cases, red.id, [judge, reserve!])).not.toThrow()
  await home.close()
})

test('a damaged case, whose votes are never counted, keeps nobody in the class or out of a team', async () => {
  const { home, cases, clock } = await classIn('damaged-panel')
  const id = toTheVote(cases, clock, { panel: 3 })
  const { path, secrets, state } = caseNumbered(cases, id)
  const judge = secrets.people[state.panel[0]!]!
  const [red] = cases.home.content.teams
  const again = (): ClassCases => openCases(cases.home, hooksOf(clock))
  expect(() => checkLeaving(again(), judge)).toThrow(refusal('person-judges', id))
  // The last byte before its line break: the signature does not fit any more.
  const record = readFileSync(path, 'utf8')
  writeFileSync(path, `${record.slice(0, -5)}${record.at(-5) === '0' ? '1' : '0'}${record.slice(-4)}`)
  const damaged = again()
  const kept = caseNumbered(damaged, id)
  expect([kept.damage, kept.state.stage, kept.state.panel]).toEqual([expect.any(String), 'hearing', state.panel])
  expect(() => checkLeaving(damaged, judge)).not.toThrow()
  expect(() => checkNewMembers(damaged, red!.id, [...red!.members, judge])).not.toThrow()
  await home.close()
})

test('under hidden names a refusal to remove somebody does not tell who is on the panel', async () => {
  const { home, cases, clock } = await classIn('hidden-leaving')
  const id = toTheVote(cases, clock, { panel: 3, hideNames: true })
  const { state, secrets } = caseNumbered(cases, id)
  for (const each of [...state.panel, ...state.reserve])
    if (secrets.people[each] !== null)
      expect(() => checkLeaving(cases, secrets.people[each]!)).toThrow(refusal('person-judges', id))
  await home.close()
})

test('nobody fills a record: a person and a side have a part of each stage, and a full one stops the questions of the panel alone', async () => {
  const { home, cases, clock } = await classIn('full')
  cases.home.content.teams[0]!.members.push(idOf('4'), idOf('5'))
  const { id } = fileCase(cases, student('2'), wish())
  const settings = { ...defaultSettings.writing, panel: 3 as const }
  actInCase(cases, id, host, { do: 'admitted', reason: 'So be it.', penalties: [[], asks], settings })
  const kept = caseNumbered(cases, id)
  const pass = (): void => {
    clock.at = nextDeadline(cases)!
    catchUp(cases)
  }
  const text = 'x'.repeat(10_000)
  const fill = (digit: string, times: number): void => {
    for (let i = 0; i < times; i++) actInCase(cases, id, student(digit), { do: 'replied', to: null, text })
  }
  const say = (digit: string) => (): unknown =>
    actInCase(cases, id, student(digit), { do: 'replied', to: null, text: 'So.' })
  const chair = (): CaseActor => ({ person: kept.secrets.people[kept.state.chair!]!, role: 'student' })
  const ask = (): unknown => actInCase(cases, id, chair(), { do: 'asked', to: 'filer', text: 'Why?' })
  pass()
  expect(ask).not.toThrow()
  // A reply that was asked for costs nobody anything: the last of thirteen statements goes over the part of a person.
  actInCase(cases, id, student('2'), { do: 'replied', to: kept.entries.length, text })
  fill('2', 13)
  expect(say('2')).toThrow(refusal('limit-reached', 128, id))
  fill('4', 12)
  // The part of one side is not that of the other.
  expect(say('5')).toThrow(refusal('limit-reached', 256, id))
  expect(say('3')).not.toThrow()
  kept.length = 4 * 1_024 * 1_024
  expect(ask).toThrow(refusal('limit-reached', id))
  expect(say('3')).not.toThrow()
  pass()
  for (const each of commit(cases, id, 'yes')) each()
  pass()
  // The appeal is heard: sides, staff and the chair do all that is theirs.
  actInCase(cases, id, student('2'), { do: 'appealed', text: 'Read it again.', salt: null })
  actInCase(cases, id, student('3'), { do: 'refused', person: null, salt: null })
  pass()
  expect(kept.state).toMatchObject({ stage: 'hearing', instance: 2 })
  expect(ask).toThrow(refusal('limit-reached', id))
  for (const digit of '23') expect(say(digit)).not.toThrow()
  const to = new Date(Date.parse(kept.state.deadline!) + 1_000).toISOString()
  const { n } = actInCase(cases, id, host, { do: 'deadline', to, reason: 'Much to read.' })
  actInCase(cases, id, host, { do: 'undone', n })
  actInCase(cases, id, chair(), { do: 'ended', stage: 'hearing' })
  expect(kept.state.stage).toBe('voting')
  await home.close()
})

test('a member of the panel declares a conflict in the hearing, and the next one of the lot takes the place', async () => {
  const { home, cases, clock } = await classIn('conflict')
  const { id } = fileCase(cases, student('2'), wish())
  const settings = { ...defaultSettings.writing, panel: 3 as const }
  actInCase(cases, id, host, { do: 'admitted', reason: 'So be it.', penalties: [[], asks], settings })
  clock.at = nextDeadline(cases)!
  catchUp(cases)
  const kept = caseNumbered(cases, id)
  expect(kept.state.stage).toBe('hearing')
  const { panel, reserve } = kept.state
  const actorOf = (pseudonym: string): CaseActor => ({ person: kept.secrets.people[pseudonym]!, role: 'student' })
  const offered = (pseudonym: string) => viewCase(cases, kept, actorOf(pseudonym)).steps.includes('conflict')
  expect([...panel, ...reserve.slice(0, 1)].map(offered)).toEqual([true, true, true, false])
  actInCase(cases, id, actorOf(panel[1]!), { do: 'conflict', reason: 'Blue is my sister.' })
  expect(kept.state.panel).toEqual([panel[0], panel[2], reserve[0]])
  expect(viewCase(cases, kept, actorOf(panel[1]!))).toMatchObject({ part: null, steps: [], undoable: [] })
  expect(viewCase(cases, kept, actorOf(reserve[0]!)).steps).toEqual(expect.arrayContaining(['asked', 'conflict']))
  clock.at = nextDeadline(cases)!
  catchUp(cases)
  expect(kept.state.stage).toBe('voting')
  expect(offered(panel[0]!)).toBe(false)
  await home.close()
})
