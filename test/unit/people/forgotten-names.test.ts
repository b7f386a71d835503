import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder, readClass } from '../../../main/administrator/classroom/classroom.ts'
import { withForgottenNames } from '../../../main/administrator/classroom/class-names.ts'
import { changeGradebook } from '../../../main/administrator/classroom/gradebook-file.ts'
import { openClassToLookAt } from '../../../main/administrator/classroom/read-only-class.ts'
import { countAudit } from '../../../main/administrator/people/audit.ts'
import type { Gradebook } from '../../../main/contract/grades/gradebook.ts'
import {
  lockedPerson,
  lockedTeam,
  namelessPerson,
  namelessTeam,
  namesState,
} from '../../../main/contract/people/locked-names.ts'
import { erasedName, type PersonId } from '../../../main/contract/people/people.ts'
import type { Classroom } from '../../../main/contract/procedures/classroom.ts'
import { newCodeFor, withAccounts } from '../../../main/services/people/people-command.ts'
import { signIn } from '../../../main/administrator/people/sign-in.ts'
import { refusal, refusedCommand } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'

const ADA: PersonId = 'a'.repeat(16)
const BERT: PersonId = 'b'.repeat(16)
const TEAM = 'c'.repeat(16)
const at = '2026-11-01T00:00:00.000Z'
const PASSWORD = 'a password of Ada'

/** A class of two students whose names are locked: one has a password, a grade by hand, and a team under a pseudonym. */
async function lockedClass(): Promise<string> {
  const data = temporaryFolder('forgotten')
  const home = await openClassFolder(data)
  await home.change((content) => {
    const ada = { id: ADA, name: 'Ada Lovelace', email: 'ada@example.org', ids: { school: '004711' } } as const
    content.people.push({ ...ada, role: 'student', added: at, section: 'A' })
    content.people.push({ id: BERT, name: 'Bert Miller', ids: {}, role: 'student', added: at })
    content.teams.push({ id: TEAM, name: 'Amber Heron', called: "Ada's best", members: [ADA], formed: at })
    content.agents.push({
      ...{ hash: 'd'.repeat(64), owner: TEAM, submitted: at, smoke: null },
      manifest: { name: 'Amber Heron', team: 'Amber Heron', game: 'specker', kind: 'script' },
      handIn: { receipt: 1, by: ADA, contest: null, time: 'on-time', note: 'by Ada' },
    })
    content.extensions.push({
      ...{ of: { who: 'person', person: ADA }, contest: 'cup-1', reason: 'Ada is ill', by: null, at, until: at },
    })
  })
  await changeGradebook(home, (file) => ({ ...file, manual: [{ person: ADA, value: 90, reason: 'oral exam' }] }))
  await home.close()
  const { code } = await newCodeFor(data, 'ada@example.org')
  await withAccounts(data, async (accounts) => {
    const place = { address: '192.0.2.7', agent: 'test' }
    await signIn(accounts, { name: 'Ada Lovelace', code, newPassword: PASSWORD }, place, [])
  })
  const again = await openClassFolder(data)
  await again.setPassphrase(null, 'four words and a lamp')
  await again.close()
  return data
}

test('a class whose passphrase is lost goes on without the names, and loses nothing else', async () => {
  const data = await lockedClass()
  const before = await readClass(data)
  const gradebook = readFileSync(join(data, 'gradebook.json'))
  const passphrase = ['class', 'passphrase', '--data', data] as const
  // Asking changes nothing.
  expect(JSON.parse((await run(...passphrase, '--forget', '--json')).stdout)).toMatchObject({ names: 'locked' })
  expect(await readClass(data)).toEqual(before)
  expect(JSON.parse((await run(...passphrase, '--forget', '--yes', '--json')).stdout)).toMatchObject({ names: 'none' })

  const { names: lock, ...after } = await readClass(data)
  const { names: _, ...locked } = before
  const told = { name: namelessPerson(ADA), ids: {} }
  expect(lock).toBeUndefined()
  const [version] = locked.agents
  const { note: __, ...handIn } = version!.handIn!
  expect(after).toEqual({
    ...{ ...locked, revision: after.revision },
    people: [
      { ...locked.people[0], ...told },
      { ...locked.people[1], name: namelessPerson(BERT) },
    ],
    teams: [{ ...locked.teams[0], called: namelessTeam(TEAM) }],
    agents: [{ ...version, handIn }],
    extensions: [{ ...locked.extensions[0], reason: 'forgotten' }],
  })
  expect(readFileSync(join(data, 'gradebook.json'))).toEqual(gradebook)
  await withAccounts(data, async (accounts, home) => {
    expect([namesState(home.content), countAudit(accounts.people, 'names.forget', 0)]).toEqual(['none', 1])
  })
  // Whoever finds the passphrase finds the names in the copies of former days, which the next start keeps.
  const copies = readdirSync(join(data, 'class-copies')).map((name) =>
    readFileSync(join(data, 'class-copies', name), 'utf8'),
  )
  expect(copies.some((text) => text.includes(before.names!.key))).toBe(true)
})

test('a roster with former names gives people their names again, with the grades and passwords that they had', async () => {
  const data = await lockedClass()
  await run('class', 'passphrase', '--forget', '--yes', '--data', data)
  const roster = `${data}.csv`
  const rowsOf = (...rows: readonly string[]): void =>
    writeFileSync(roster, ['former name,name,email', ...rows].join('\n'))
  // Two rows for one person: nothing is imported.
  rowsOf(`${namelessPerson(ADA)},Ada Lovelace,ada@example.org`, `${namelessPerson(ADA)},Eve,eve@example.org`)
  const refused = await run('class', 'people', 'import', roster, '--json', '--data', data)
  expect(JSON.parse(refused.stdout)).toMatchObject(refusedCommand('roster-invalid', 3))
  rowsOf(`${namelessPerson(ADA)},Ada Lovelace,ada@example.org`, `${namelessPerson(BERT)},Bert Miller,`, ',Eve,')
  // The second time they have their names already.
  for (const time of ['first', 'second'])
    expect((await run('class', 'people', 'import', roster, '--data', data)).code, time).toBe(0)
  const content = await readClass(data)
  expect(content.people.slice(0, 2)).toMatchObject([
    { id: ADA, name: 'Ada Lovelace', email: 'ada@example.org' },
    { id: BERT, name: 'Bert Miller' },
  ])
  expect(content.people.map(({ name }) => name).slice(2)).toEqual(['Eve'])
  await withAccounts(data, async (accounts) => {
    const place = { address: '192.0.2.7', agent: 'test' }
    const { person } = await signIn(accounts, { name: 'ada@example.org', password: PASSWORD }, place, [])
    expect(person).toBe(ADA)
  })
  const { rows } = JSON.parse((await run('class', 'gradebook', 'show', '--json', '--data', data)).stdout) as Gradebook
  expect(rows.map(({ person, name, manual }) => [person, name, manual?.value])).toEqual([
    [ADA, 'Ada Lovelace', 90],
    [BERT, 'Bert Miller', undefined],
    [content.people[2]!.id, 'Eve', undefined],
  ])
})

test('names that are not locked are not forgotten, nor those of a class that is only looked at', async () => {
  const data = await lockedClass()
  const looked = await openClassToLookAt(data)
  await expect(looked.forgetNames()).rejects.toEqual(refusal('read-only'))
  const home = await openClassFolder(data)
  await home.unlock('four words and a lamp')
  await expect(home.forgetNames()).rejects.toEqual(refusal('names-not-locked'))
  expect(home.content.people[0]!.name).toBe('Ada Lovelace')
  await home.setPassphrase('four words and a lamp', null)
  await expect(home.forgetNames()).rejects.toEqual(refusal('names-not-locked'))
  await home.close()
})

test('people and teams whose ids begin alike get different names, and erased people stay erased', () => {
  const student = { ids: {}, role: 'student', added: at } as const
  const [first, second, gone] = [`1234${'a'.repeat(12)}`, `1234b${'a'.repeat(11)}`, 'e'.repeat(16)]
  const named = {
    people: [first, second, gone].map((id) => ({ ...student, id, name: lockedPerson(id) })),
    teams: [first, second].map((id) => ({ id, name: id, called: lockedTeam(id), members: [], formed: at })),
    ...{ agents: [], extensions: [] },
  }
  const erased = { ...named.people[2]!, erased: at }
  const content = { ...named, people: [...named.people.slice(0, 2), erased] } as unknown as Classroom
  const { people, teams } = withForgottenNames(content)
  expect(people.map(({ name }) => name)).toEqual([
    namelessPerson(first, 5),
    namelessPerson(second, 5),
    erasedName(gone),
  ])
  expect(new Set(people.map(({ name }) => name)).size).toBe(3)
  expect(teams.map(({ called }) => called)).toEqual([namelessTeam(first, 5), namelessTeam(second, 5)])
})
