import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { beforeAll, expect, test } from 'vitest'
import { openClassFolder, readClass } from '../../../main/administrator/classroom/classroom.ts'
import { refusedCommand } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'
import { contentsOf, makeClass } from './made-class.ts'

// The verbs of a class over years, as a terminal calls them.

const folder = temporaryFolder('archive-verbs')
const data = join(folder, 'data')
const archive = join(folder, 'class.tar.gz')
beforeAll(() => makeClass(data))

/** The exit code of a verb, and its output with --json. */
async function told(...args: readonly string[]): Promise<readonly [number, unknown]> {
  const { code, stdout } = await run('class', ...args, '--json')
  return [code, JSON.parse(stdout)]
}

test('export and import give the same class; nothing is overwritten without being asked', async () => {
  const [code, written] = await told('export', archive, '--data', data)
  const counts = { people: 2, teams: 0, agents: 0, components: 0, contests: 0 }
  expect([code, written]).toEqual([
    0,
    { file: archive, encrypted: false, counts, files: expect.any(Number) as number, leftOut: [] },
  ])
  const bytes = readFileSync(archive)
  expect(await told('export', archive, '--data', data)).toEqual([2, refusedCommand('file-exists', archive)])
  expect(readFileSync(archive)).toEqual(bytes)
  expect(await told('export', archive, '--data', data, '--overwrite')).toMatchObject([0, { counts }])

  const to = join(folder, 'imported')
  expect(await told('import', archive, '--data', to)).toMatchObject([
    0,
    { data: to, program: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string, counts },
  ])
  // Contents, too; sessions and the code of the class stay where they were given.
  const [before, after] = [contentsOf(data), contentsOf(to)]
  expect(after['people.db']).toBeDefined()
  expect({ ...after, 'people.db': null }).toEqual({ ...before, 'people.db': null })
  expect(await told('import', archive, '--data', to)).toEqual([2, refusedCommand('data-folder-not-empty', to)])
  const foreign = join(folder, 'foreign.tar.gz')
  writeFileSync(foreign, 'hello')
  const nowhere = join(folder, 'nowhere')
  expect(await told('import', foreign, '--data', nowhere)).toEqual([2, refusedCommand('archive-not-of-class', foreign)])
  expect(existsSync(nowhere)).toBe(false)
})

test('an encrypted export is imported with the identity in a file', async () => {
  const identity = await generateX25519Identity()
  const [file, key, to] = ['class.age', 'key.txt', 'decrypted'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(key, `# created: today\n${identity}\n`)
  const recipient = await identityToRecipient(identity)
  expect(await told('export', file, '--age', recipient, '--data', data)).toMatchObject([0, { encrypted: true }])
  expect(await told('import', file, '--data', to)).toEqual([2, refusedCommand('archive-encrypted', file)])
  expect(await told('import', file, '--identity', key, '--data', to)).toMatchObject([0, { counts: { people: 2 } }])
  expect(await told('export', join(folder, 'x'), '--age', 'age1x', '--data', data)).toEqual([
    2,
    refusedCommand('age-key-invalid', 'age1x'),
  ])
})

const noAge = spawnSync('age', ['--version']).error !== undefined
test.skipIf(noAge)('the program age reads an encrypted export (needs age)', async () => {
  const identity = await generateX25519Identity()
  const [file, key] = [join(folder, 'for-age.age'), join(folder, 'for-age.txt')]
  writeFileSync(key, `${identity}\n`, { mode: 0o600 })
  await told('export', file, '--age', await identityToRecipient(identity), '--data', data)
  const { status, stdout } = spawnSync('age', ['--decrypt', '--identity', key, file], { maxBuffer: 64_000_000 })
  expect([status, [...stdout.subarray(0, 2)]]).toEqual([0, [0x1f, 0x8b]])
})

test('a new term of an old class has its settings and no people', async () => {
  const to = join(folder, 'term')
  const args = ['new-term', '--from', data, '--data', to]
  expect((await run('class', ...args, '--first-day', '2027-02-30')).code).toBe(2)
  expect(existsSync(to)).toBe(false)
  const before = contentsOf(data)
  expect(await told(...args, '--first-day', '2027-02-22', '--old-agents')).toMatchObject([
    0,
    { data: to, contests: [], agents: [], leftOut: [] },
  ])
  const made = await readClass(to)
  expect([made.people, made.settings.school]).toEqual([[], 'Algebra'])
  expect(contentsOf(data)).toEqual(before)
  expect(await told(...args)).toEqual([2, refusedCommand('data-folder-not-empty', to)])
  const none = join(folder, 'none')
  expect(await told('new-term', '--from', none, '--data', join(folder, 'y'))).toEqual([
    2,
    refusedCommand('data-folder-unknown', none),
  ])
})

test('a sample term is made in an empty folder, and in no other', async () => {
  const to = join(folder, 'sample')
  mkdirSync(to)
  writeFileSync(join(to, 'notes.txt'), 'mine')
  expect(await told('sample-term', '--data', to)).toEqual([2, refusedCommand('data-folder-not-empty', to)])
  expect(readFileSync(join(to, 'notes.txt'), 'utf8')).toBe('mine')
})

test('a class that is open elsewhere is not exported, and says so', async () => {
  const home = await openClassFolder(data)
  expect(await told('export', join(folder, 'open.tar.gz'), '--data', data)).toEqual([
    3,
    refusedCommand('data-folder-in-use', data),
  ])
  await home.close()
})
