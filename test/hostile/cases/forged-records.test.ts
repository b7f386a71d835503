import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CaseEntry, SignedCaseEntry } from '../../../main/contract/cases/case-record.ts'
import { signCaseEntry } from '../../../main/histories/case-lines.ts'
import { generateKey, keyText, signingKey } from '../../../main/histories/keys.ts'
import { foldLines } from '../../../main/services/cases/fold.ts'
import { lotOf } from '../../../main/services/cases/case-state.ts'
import { linesIn } from '../../../main/services/cases/verify-case.ts'
import { commitmentOf } from '../../../main/services/cases/votes.ts'
import {
  appealedCase,
  unjudgedAppeal,
  caseKey,
  FILER,
  OTHER,
  STAFF,
  grow,
  heard,
  linesOf,
  opening,
  voteOf,
  wholeCase,
  type Growing,
} from '../../unit/cases/record.ts'
import { settings, tries, walk } from '../../property/cases/walk.ts'
import { run } from '../../unit/cli/environment.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('forged-cases')
const keyFile = join(folder, 'class.pub')
writeFileSync(keyFile, `${keyText(caseKey.publicKey)}\n`)
const { entries } = wholeCase()
const lines = linesOf(entries)

function file(name: string, content: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, content.map((line) => `${line}\n`).join(''))
  return path
}

/** The educator, who holds the key, changes the record and signs all of it again. */
function signedAgain(change: (body: CaseEntry) => CaseEntry, from = entries): SignedCaseEntry[] {
  const made: SignedCaseEntry[] = []
  for (const { b } of from)
    made.push(signCaseEntry({ ...change(structuredClone(b)), previous: made.at(-1)?.h ?? '' }, caseKey))
  return made
}

const changed = <K extends CaseEntry['act']['do']>(
  kind: K,
  change: (body: CaseEntry & { readonly act: Extract<CaseEntry['act'], { do: K }> }) => CaseEntry,
) => {
  let isDone = false
  return signedAgain((body) => {
    if (isDone || body.act.do !== kind) return body
    isDone = true
    return change(body as Parameters<typeof change>[0])
  })
}

const other = signingKey(generateKey())!
/** Records that are not what happened, though all of their hashes and, but for one, their signatures hold. */
const forged: Readonly<Record<string, readonly SignedCaseEntry[]>> = {
  'another key': entries.map(({ b }) => signCaseEntry(b, other)),
  'a vote that was changed': changed('opened', (body) => ({ ...body, act: { ...body.act, choice: 'abstain' } })),
  'a reason that was changed': changed('opened', (body) => ({ ...body, act: { ...body.act, reason: 'Not so.' } })),
  'a ruling against the votes': changed('ruled', (body) => ({
    ...body,
    act: { ...body.act, broken: false, penalty: 0 },
  })),
  'another panel': changed('drawn', (body) => ({ ...body, act: { ...body.act, panel: body.act.panel.toReversed() } })),
  'another seed': changed('drawn', (body) => ({ ...body, act: { ...body.act, seed: '9'.repeat(64) } })),
  'a salt that was changed': changed('answered', (body) => ({ ...body, act: { ...body.act, salt: '9'.repeat(64) } })),
  'words of the rule that were changed': changed('filed', ({ act, ...body }) => ({
    ...body,
    act: { ...act, rule: { ...act.rule, text: 'Anything goes.' } },
  })),
  'a shorter time for the answer': changed('filed', ({ act, ...body }) => ({
    ...body,
    act: {
      ...act,
      settings: { ...act.settings, times: { ...act.settings.times, answer: 10, filed: 10, hearing: 10, voting: 10 } },
    },
  })),
  'another time of an entry': changed('answered', (body) => ({ ...body, at: '2027-01-01T00:00:00.000Z' })),
  'an entry that was left out': signedAgain((body) => body, entries.toSpliced(4, 1)),
  'a deadline taken back that was moved again': changed('undone', (body) => ({
    ...body,
    act: { ...body.act, n: body.act.n - 1 },
  })),
  'a member who votes twice': voteTwice(),
  'a deadline that was moved afterwards': movedAfterwards(),
  'a vote that is kept back, without a word': keptBack([]),
  'a vote that was opened, told as kept back': keptBack('all'),
  'somebody of a side who is left out': following(heard(), null, { do: 'barred', person: FILER, because: 'former' }),
  'a clock that a person sets back': following(heard(), FILER, { do: 'clock', ahead: 1 }),
}

/** A record with one more entry, which the rules refuse. */
function following({ entries: before, now }: Growing, by: string | null, act: CaseEntry['act']): SignedCaseEntry[] {
  const { b, h } = before.at(-1)!
  const at = new Date(now).toISOString()
  return [...before, signCaseEntry({ ...b, n: b.n + 1, previous: h, at, by, act }, caseKey)]
}

/** All commit, and all but one open their votes. `told`: those whom the program names. */
function keptBack(told: readonly string[] | 'all'): readonly SignedCaseEntry[] {
  const growing = heard()
  growing.lapse()
  const { panel } = growing.state
  const votes = panel.map((member) => voteOf(growing.state, member, 'broken', 'yes'))
  for (const vote of votes)
    growing.must(vote.voter, { do: 'voted', question: 'broken', commitment: commitmentOf(vote) })
  growing.lapse()
  for (const vote of votes.slice(1)) growing.must(vote.voter, opening(vote))
  growing.now = Date.parse(growing.state.deadline!)
  return following(growing, null, { do: 'lapsed', stage: 'opening', unopened: [...(told === 'all' ? panel : told)] })
}

function voteTwice(): readonly SignedCaseEntry[] {
  const growing = heard()
  growing.lapse()
  const [member = ''] = growing.state.panel
  const votes = ['yes', 'no'].map((choice) => voteOf(growing.state, member, 'broken', choice))
  growing.must(member, { do: 'voted', question: 'broken', commitment: commitmentOf(votes[0]!) })
  return following(growing, member, { do: 'voted', question: 'broken', commitment: commitmentOf(votes[1]!) })
}

/** The deadline passed without an answer; the educator writes an earlier entry with a later deadline. */
function movedAfterwards(): readonly SignedCaseEntry[] {
  const at = entries.findIndex(({ b }) => b.act.do === 'lapsed')
  const { b } = entries[at]!
  const moved: CaseEntry = {
    ...b,
    by: b.by ?? entries[1]!.b.by,
    act: { do: 'deadline', to: '2027-06-01T00:00:00.000Z', reason: 'They were ill.' },
  }
  const rest = entries.slice(at).map(({ b: each }) => ({ b: { ...each, n: each.n + 1 }, h: '', s: '' }))
  return signedAgain((body) => body, [...entries.slice(0, at), { b: moved, h: '', s: '' }, ...rest])
}

const hasPython = [['python3', '--version'] as const, ['openssl', 'version'] as const].every(
  ([command, argument]) => spawnSync(command, [argument]).status === 0,
)
const script = join(import.meta.dirname, '../../../docs/hearings/verify-case.py')
/** The line that the verifier in Python names; null: genuine. */
function lineInPython(path: string, ...key: readonly string[]): number | null {
  const { status, stdout, stderr } = spawnSync('python3', [script, path, ...key], { encoding: 'utf8' })
  if (status === 0) {
    expect(stdout).toContain('case-1')
    return null
  }
  return Number(/:(\d+): not genuine/.exec(stderr)?.[1] ?? `0 ${stderr}`)
}

test('a whole case is genuine, in the program and in Python', async () => {
  const path = file('whole.jsonl', lines)
  const { code, stdout } = await run('history', 'verify', path, '--key', keyFile, '--data', folder, '--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { ok: true, files: [{ verdict: 'genuine', case: 'case-1', outcome: 'rejected', entries: lines.length }] },
  ])
  expect((await run('history', 'verify', path, '--data', join(folder, 'none'), '--json')).code).toBe(4)
  if (hasPython) expect(lineInPython(path, keyFile)).toBeNull()
})

test.each(Object.keys(forged))('found in the program and in Python: %s', async (name) => {
  const path = file('forged.jsonl', linesOf(forged[name]!))
  const folded = foldLines(linesOf(forged[name]!), caseKey.publicKey)
  expect(folded).toMatchObject({ ok: false })
  const { code } = await run('history', 'verify', path, '--key', keyFile, '--data', folder, '--json')
  expect(code).toBe(1)
  // Signatures take most of the time, and only one of these is wrong by them.
  const key = name === 'another key' ? [keyFile] : []
  if (!folded.ok && hasPython) expect(lineInPython(path, ...key)).toBe(folded.line)
})

test('a record with U+FFFD is genuine, but not with other bytes in its place', () => {
  const growing = heard({}, 6)
  growing.must(growing.state.panel[0]!, { do: 'asked', to: 'other', text: 'Is \ufffd a name?' })
  const bytes = Buffer.from(
    linesOf(growing.entries)
      .map((line) => `${line}\n`)
      .join(''),
  )
  const path = join(folder, 'replaced.jsonl')
  const at = bytes.indexOf('\ufffd')
  const others = [
    Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at + 3)]),
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  ]
  for (const [n, content] of [bytes, ...others].entries()) {
    const folded = foldLines(linesIn(content), caseKey.publicKey)
    expect(folded.ok).toBe(n === 0)
    writeFileSync(path, content)
    if (hasPython) expect(lineInPython(path)).toBe(folded.ok ? null : folded.line)
  }
})

test('impossible records of whoever holds the key are found in the program and in Python', () => {
  const growing = heard({}, 6)
  for (const by of [FILER, OTHER]) growing.must(by, { do: 'replied', to: null, text: 'We have said it.' })
  const { entries: begun } = growing
  const last = begun.at(-1)!
  const next = (change: object, act: object): string => {
    const body = { ...last.b, n: last.b.n + 1, previous: last.h, ...change, act } as unknown as CaseEntry
    return linesOf([signCaseEntry(body, caseKey)])[0]!
  }
  const [by, member] = growing.state.panel
  const ended = { do: 'ended', stage: 'hearing' }
  const lapsed = { do: 'lapsed', stage: 'hearing' }
  const due = begun.length + 1
  for (const line of [
    next({ by }, { ...ended, more: 1 }),
    next({ by, at: last.b.at.replace('Z', '+00:00') }, ended),
    next({ by: null }, { ...lapsed, stage: 'voting' }),
    next({ by }, { do: 'ended', stage: 'ruling' }),
    next({ by, extra: true }, ended),
    next({ by: null }, { ...lapsed, unopened: [] }),
    next({ by: null }, { do: 'lapsed', stage: 'opening' }),
    next({ by: null }, { do: 'barred', person: member, because: 'we do not like them' }),
    next({ by: null }, { do: 'clock', ahead: 0 }),
    next({ by: null }, { do: 'clock', ahead: 1.5 }),
  ]) {
    const all = [...linesOf(begun), line]
    expect(foldLines(all, caseKey.publicKey)).toMatchObject({ ok: false, line: due })
    if (hasPython) expect(lineInPython(file('impossible.jsonl', all))).toBe(due)
  }
  const whole = [...linesOf(begun), next({ by }, ended)]
  expect(foldLines(whole, caseKey.publicKey)).toMatchObject({ ok: true })
  if (hasPython) expect(lineInPython(file('impossible.jsonl', whole))).toBeNull()
})

test('a flipped byte in any line is found, in the program and in Python', () => {
  const wrong: (readonly string[])[] = []
  for (const [line, text] of lines.entries()) {
    const bytes = Buffer.from(text)
    const place = (line * 7_919) % bytes.length
    bytes[place] = bytes[place]! ^ 1
    const flipped = lines.with(line, bytes.toString())
    const folded = foldLines(flipped, caseKey.publicKey)
    expect(folded, `${line}:${place}`).toMatchObject({ ok: false, line: line + 1 })
    wrong.push(flipped)
  }
  if (!hasPython) return
  for (const line of [0, 3, 14, lines.length - 1])
    expect(lineInPython(file('flipped.jsonl', wrong[line]!), keyFile)).toBe(line + 1)
})

test('Python comes to the same state, whatever happened', () => {
  if (!hasPython) return
  for (const settings of [{ chair: 'elected', panel: 3 }, { panel: 'all' }] as const) {
    const growing = heard(settings, 6)
    if (growing.state.stage === 'election') growing.lapse()
    growing.must(null, { do: 'left', person: growing.state.chair! })
    growing.lapse()
    const [first = ''] = growing.state.panel
    const vote = voteOf(growing.state, first, 'broken', 'yes')
    growing.must(first, { do: 'voted', question: 'broken', commitment: commitmentOf(vote) })
    growing.lapse()
    expect(growing.state.stage).toBe('voting')
    const path = file('odd.jsonl', linesOf(growing.entries))
    const { stdout } = spawnSync('python3', [script, path, keyFile], { encoding: 'utf8' })
    expect(stdout).toContain(`stage voting, open, head ${growing.entries.at(-1)!.h}`)
    growing.lapse()
    growing.lapse()
    growing.must(growing.state.filed.people.find(({ side }) => side === 'filer')!.id, {
      do: 'appealed',
      text: 'No.',
      salt: null,
    })
    growing.lapse()
    const lot = lotOf(growing.state, '2'.repeat(64))
    growing.draw()
    expect(growing.state.panel).toEqual(lot.panel)
    expect(lineInPython(file('odd.jsonl', linesOf(growing.entries)), keyFile)).toBeNull()
  }
})

test('Python keeps the first ruling, too, if an appeal has no quorum or nobody to judge it', () => {
  if (!hasPython) return
  for (const choice of ['yes', 'no']) {
    const growing = appealedCase((_, question) => (question === 'broken' ? choice : '1'))
    growing.draw()
    for (let deadlines = 0; deadlines < 3; deadlines++) growing.lapse()
    for (const [n, { entries: appeal }] of [growing, unjudgedAppeal(choice)].entries()) {
      const path = file(`appeal-${n}.jsonl`, linesOf(appeal))
      const { stdout } = spawnSync('python3', [script, path], { encoding: 'utf8' })
      expect(stdout).toContain(`stage closed, ${choice === 'yes' ? 'upheld' : 'rejected'}, head`)
    }
  }
})

/** Verifies many records in one process; returns what the verifier says of each: stage, outcome and head, or the faulty line. */
const many = `
import importlib.util, sys
spec = importlib.util.spec_from_file_location("verify_case", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
for file in sys.argv[2:]:
    try:
        module.main(file)
    except SystemExit as why:
        print(why)
`

/** The verifier in Python says the same of each record as the program: genuine, or the faulty line. */
function agreeOn(records: readonly (readonly string[])[], isGenuine: (at: number) => boolean): void {
  const folded = records.map((each) => foldLines(each, null))
  for (const [at, found] of folded.entries()) expect(found.ok, String(at)).toBe(isGenuine(at))
  if (!hasPython) return
  const paths = records.map((each, at) => file(`agree-${at}.jsonl`, each))
  const { stdout, stderr } = spawnSync('python3', ['-c', many, script, ...paths], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const said = stdout.trimEnd().split('\n')
  for (const [at, found] of folded.entries())
    expect(said[at]).toContain(found.ok ? 'intact' : `agree-${at}.jsonl:${found.line}: not genuine`)
}

/** The first entry of a record at a time, with a change, signed. */
const filedAt = (at: string, change: object = {}): string[] => {
  const { b } = entries[0]!
  return linesOf([signCaseEntry({ ...b, at, act: { ...b.act, ...change } } as CaseEntry, caseKey)])
}

test('dates that do not exist, years outside 1 to 9000 and deep JSON are refused in both', () => {
  const times = ['9000-12-31T23:59:59.999Z', '2028-02-29T00:00:00.000Z', '0001-01-01T00:00:00.000Z']
  const wrong = ['9001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00.000Z']
  const noDates = ['2026-02-29T00:00:00.000Z', '2026-13-01T00:00:00.000Z', '2026-01-01T24:00:00.000Z']
  const [deep, shown] = ['['.repeat(100_000) + ']'.repeat(100_000), lines[0]!.split('"h":').at(-1)!]
  agreeOn(
    [...[...times, ...wrong, ...noDates].map((at) => filedAt(at)), [`{"b":{"act":${deep}},"h":${shown}`]],
    (at) => at < times.length,
  )
})

test('values of settings, people, salts and deadlines that do not exist are refused in both', () => {
  const { b } = entries[0]!
  if (b.act.do !== 'filed') throw new Error(b.act.do)
  const { settings: usual, people } = b.act
  const ofSettings = (change: object): string[] => filedAt(b.at, { settings: { ...usual, ...change } })
  const ofPerson = (change: object): string[] =>
    filedAt(b.at, { people: people.with(-1, { ...people.at(-1)!, ...change }) })
  const growing = grow()
  const before = linesOf(growing.entries)
  growing.lapse()
  const answered = linesOf(growing.entries)
  /** A record with one more entry, in any form. */
  const more = (by: string, act: object): string[] => {
    const last = growing.entries.at(-1)!
    const body = { ...last.b, n: last.b.n + 1, previous: last.h, by, act } as unknown as CaseEntry
    return [...answered, linesOf([signCaseEntry(body, caseKey)])[0]!]
  }
  const moved = (to: unknown): string[] => more(STAFF, { do: 'deadline', to, reason: 'Later.' })
  const salted = (salt: unknown): string[] => more(OTHER, { do: 'answered', text: 'No.', evidence: [], salt })
  const genuine = [
    ...[before, answered, ofSettings({ panel: 7, chair: 'elected', majority: 'two-thirds', mode: 'live' })],
    ...[ofPerson({ role: 'assistant', side: 'other' }), salted('7'.repeat(64)), salted(null)],
    moved('2026-12-20T20:00:00.000Z'),
  ]
  const wrong = [
    ...[1, 4, '3', true, 'none', null].map((panel) => ofSettings({ panel })),
    ...['none', null, 2].map((majority) => ofSettings({ majority })),
    ...['none', null].flatMap((value) => [ofSettings({ chair: value }), ofSettings({ mode: value })]),
    ...['volunteersFirst', 'castingVote', 'hideNames'].map((name) => ofSettings({ [name]: 1 })),
    ...['guest', null, 'Student'].map((role) => ofPerson({ role })),
    ...['both', '', false].map((side) => ofPerson({ side })),
    ...[ofPerson({ name: 'Ada' }), ofPerson({ id: 'f'.repeat(15) })],
    ...['7'.repeat(63), 'G'.repeat(64), '', 7, false].map(salted),
    ...['2026-12-32T20:00:00.000Z', '2026-12-20T20:00:00Z', '2026-12-20', '', 7].map(moved),
  ]
  agreeOn([...genuine, ...wrong], (at) => at < genuine.length)
})

test('the program and Python agree on cases in which people do what they like, and on each with one entry left out', () => {
  if (!hasPython) return
  const cases = fc
    .sample(fc.tuple(settings, tries), { numRuns: 40, seed: 36 })
    .map(([wanted, attempts]) => walk(wanted, attempts))
  const paths: string[] = []
  const expected: RegExp[] = []
  for (const [n, growing] of cases.entries()) {
    const { state, entries: whole } = growing
    paths.push(file(`walk-${n}.jsonl`, linesOf(whole)))
    expected.push(new RegExp(`stage ${state.stage}, ${state.outcome}, head ${whole.at(-1)!.h}$`))
    const left = 1 + (n % Math.max(1, whole.length - 2))
    const cut = signedAgain((body) => ({ ...body, n: body.n - (body.n > left ? 1 : 0) }), whole.toSpliced(left, 1))
    const folded = foldLines(linesOf(cut), null)
    paths.push(file(`cut-${n}.jsonl`, linesOf(cut)))
    expected.push(
      folded.ok
        ? new RegExp(`stage ${folded.state.stage}, ${folded.state.outcome}, head `)
        : new RegExp(`:${folded.line}: not genuine`),
    )
  }
  const { stdout, stderr } = spawnSync('python3', ['-c', many, script, ...paths], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const said = stdout.trimEnd().split('\n')
  expect(said).toHaveLength(paths.length)
  for (const [at, text] of said.entries()) expect(text, paths[at]).toMatch(expected[at]!)
  expect(new Set(cases.map(({ state }) => state.stage)).size).toBeGreaterThan(4)
})
