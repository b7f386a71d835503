import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { dataLayout } from '../../../main/administrator/classroom/layout.ts'
import { readClass } from '../../../main/administrator/classroom/classroom.ts'
import { makeSampleTerm, type SampleTerm } from '../../../main/app/sample-term/sample-term.ts'
import type { Classroom } from '../../../main/contract/procedures/classroom.ts'
import { exportClass } from '../../../main/services/archive/export-class.ts'
import { importClass } from '../../../main/services/archive/import-class.ts'
import { newTerm } from '../../../main/services/archive/new-term.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { contentsOf, rowsOf } from '../../unit/archive/made-class.ts'

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
  const bytes = filesIn(data).reduce((sum, file) => sum + statSync(join(data, file)).size, 0)
  expect(bytes).toBeLessThan(20 * 1024 * 1024)
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

test('nobody of the roster is named in what leaves the machine', async () => {
  const out = join(folder, 'out')
  const codes: number[] = []
  for (const args of [
    ['history', 'export', term.contests[0]!, '--to', join(out, 'histories')],
    ['history', 'export', '--archive', join(out, 'all.tar')],
    ['case', 'export', term.closedCase, '--to', join(out, 'closed')],
    ['case', 'export', term.openCase, '--to', join(out, 'open')],
  ])
    codes.push((await run(...args, '--data', data)).code)
  expect(codes).toEqual([0, 0, 0, 0])
  await newTerm(data, join(out, 'new-term'), { firstDay: null, oldAgents: true, now, zone: 'UTC' })
  expect(filesIn(out).length).toBeGreaterThan(10)
  expect(namedIn(out)).toEqual([])
  // The search finds names where they are.
  expect(namedIn(data).map(([file]) => file)).toContain('class.json')
  // Records that are published as they are kept.
  for (const part of ['contests', 'cases', 'receipts', 'components', 'agents'])
    expect([part, existsSync(join(data, part)) ? namedIn(join(data, part)) : []]).toEqual([part, []])
})
