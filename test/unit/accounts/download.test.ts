import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addAttempt } from '../../../main/administrator/people/attempts.ts'
import { audit } from '../../../main/administrator/people/accounts.ts'
import { addPractice } from '../../../main/administrator/people/practice-matches.ts'
import { ownKinds } from '../../../main/contract/people/kept-data.ts'
import { gradebookFile } from '../../../main/contract/grades/gradebook.ts'
import { ownDataZip } from '../../../main/services/homes/own-data.ts'
import { readZip, type ZipEntry } from '../../../main/services/packages/zip.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openTestClass, person, START } from './class.ts'

const ada = person('a', 'Ada', { email: 'ada@school.example', pseudonym: true })
const bert = person('b', 'Bert')
const contents = 'console.log(1)'
const sha256 = 'f'.repeat(64)

/** The files of a zip by their paths, those of JSON parsed. */
function filesOf(zip: Uint8Array): Readonly<Record<string, unknown>> {
  const files = readZip(zip) as readonly ZipEntry[]
  return Object.fromEntries(
    files.map(({ path, size, read }) => {
      const text = Buffer.from(read(size) as Uint8Array).toString('utf8')
      return [path, path.endsWith('.json') ? (JSON.parse(text) as unknown) : text]
    }),
  )
}

test('the download about oneself has each kind of data, one’s files, and nothing of others', async () => {
  const room = openTestClass([ada, bert])
  const folder = temporaryFolder('own-data')
  mkdirSync(join(folder, 'handed-in'))
  writeFileSync(join(folder, 'handed-in', sha256), contents)
  const formed = '2026-09-01T00:00:00.000Z'
  const team = { id: '1'.repeat(16), name: 'Amber Heron', called: 'The Byrons', formed }
  room.home.content.teams = [
    { ...team, members: [ada.id, bert.id], joined: { [ada.id]: '2026-09-02T00:00:00.000Z' } },
    { id: '2'.repeat(16), name: 'Formers', members: [bert.id], former: [ada.id], formed },
    { id: '3'.repeat(16), name: 'Strangers', members: [bert.id], formed },
  ]
  room.home.content.agents = []
  room.home.content.extensions = [ada, bert].map(({ id }) => ({
    ...{ of: { who: 'person' as const, person: id }, contest: 'week-1', until: '2026-12-01T00:00:00.000Z' },
    ...{ reason: `about ${id}`, by: null, at: '2026-11-01T00:00:00.000Z' },
  }))
  for (const { id, name } of [ada, bert]) {
    addAttempt(room.people, {
      ...{ team: team.id, members: [ada.id, bert.id], person: id, contest: null, game: 'haggle' },
      ...{ file: `of ${name}.js`, sha256: id === ada.id ? sha256 : 'e'.repeat(64), at: START, wish: { agent: null } },
    })
    addPractice(room.people, [ada.id, bert.id], {
      ...{ team: team.id, person: id, game: 'haggle', agent: `agent of ${name}`, version: sha256, number: 1 },
      ...{ opponent: sha256, against: 'baby', contest: null, at: START },
    })
    audit(room, id, 'handIn.submit', { team: team.id })
    audit(room, null, 'people.change', { person: id, role: true })
  }
  room.people.database.prepare('INSERT INTO guess (key, at) VALUES (?, ?)').run(`known:${ada.id} 192.0.2.7`, START)
  room.people.database.prepare('INSERT INTO guess (key, at) VALUES (?, ?)').run(`known:${bert.id} 192.0.2.9`, START)
  const grade = (id: string, reason: string) => ({ person: id, value: 1, reason })
  const gradebook = gradebookFile.parse({
    ...{ format: 'tartaglia-gradebook/1', scheme: '', manual: [grade(ada.id, 'for Ada'), grade(bert.id, 'for Bert')] },
    release: null,
  })
  const places = { accounts: room, folder, cases: { kept: new Map() }, dossiers: { all: () => [] }, gradebook }
  const zip = await ownDataZip(places, ada.id)
  const files = filesOf(zip)
  const kinds = Object.keys(ownKinds).map((kind) => `${kind}.json`)
  expect(Object.keys(files).toSorted()).toEqual(
    ['README.txt', ...kinds, `handed-in/${sha256.slice(0, 12)}-of-Ada.js`].toSorted(),
  )
  expect(files[`handed-in/${sha256.slice(0, 12)}-of-Ada.js`]).toBe(contents)
  expect(files).toMatchObject({
    'entry.json': { name: 'Ada', email: 'ada@school.example', pseudonym: true },
    'account.json': { hasPassword: false, codeUntil: null, sessions: [] },
    'teams.json': [
      { name: 'Amber Heron', called: 'The Byrons', isMember: true, since: '2026-09-02T00:00:00.000Z' },
      { name: 'Formers', isMember: false },
    ],
    'handIns.json': { attempts: [{ file: 'of Ada.js', state: 'received', receipt: null }], versions: [] },
    'deadlines.json': { extensions: [{ contest: 'week-1', reason: `about ${ada.id}` }], ofTeams: [], lateDays: [] },
    // Nobody sees a grade before it is released.
    'grades.json': { released: null, releasedBefore: [] },
    'practice.json': [{ agent: 'agent of Ada' }],
    'log.json': { byYou: [{ did: 'handIn.submit' }], aboutYou: [{ did: 'people.change' }] },
    'networks.json': [{ kind: 'known', network: '192.0.2.7' }],
  })
  const all = JSON.stringify(files)
  for (const other of [bert.id, 'Bert', 'Strangers', '192.0.2.9']) expect(all).not.toContain(other)
  const readme = String(files['README.txt'])
  for (const kind of kinds) expect(readme).toContain(kind)

  const damaged = filesOf(await ownDataZip({ ...places, gradebook: null }, ada.id))
  expect(damaged['grades.json']).toMatchObject({ released: null, missing: expect.any(String) as string })
  // A grade by hand after a release is not released.
  const release = { at: formed, scheme: '', contests: {}, grades: [] }
  const after = filesOf(await ownDataZip({ ...places, gradebook: { ...gradebook, release } }, ada.id))
  expect(after['grades.json']).toEqual({ released: null, releasedBefore: [] })
})
