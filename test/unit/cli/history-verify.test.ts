import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createExporter } from '../../../main/histories/export.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { fingerprint, keyText } from '../../../main/histories/keys.ts'
import { tarEnd, tarFill, tarHeader } from '../../../main/services/packages/tar.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openToy, otherKey, playToy, testKey } from '../histories/toy.ts'
import { run, type Ran } from './environment.ts'

const folder = temporaryFolder('histories')
const key = testKey()
const good = join(folder, 'match-0001.jsonl')
const bad = join(folder, 'changed.jsonl')
const data = join(folder, 'data')

beforeAll(async () => {
  const contest = join(folder, 'contest')
  mkdirSync(contest)
  const { writer } = await openToy(contest, key, 3_000)
  writer.append(playToy(1, 1, { turns: 2 }))
  await writer.close()
  const scan = await scanContest({ dir: contest, contest: 'toy-1', key: key.publicKey })
  if (!scan.ok) throw new Error(scan.damage.message)
  await (await createExporter(scan, key)).write(1, 'none', good)
  writeFileSync(bad, readFileSync(good, 'utf8').replace('"k":"input"', '"k":"imput"'))
})

/** The data folder of a class that has this key, or trusts these. */
function classFolder(own: string | null, trustedKeys: readonly { name: string; key: string }[]): void {
  rmSync(data, { recursive: true, force: true })
  mkdirSync(join(data, 'keys'), { recursive: true })
  if (own !== null) writeFileSync(join(data, 'keys', 'class.pub'), `${keyText(own)}\n`)
  const settings = { appearance: 'system', locale: '', tourSeen: true, isolation: 'bubblewrap', trustedKeys }
  const content = { format: 'tartaglia-class/1', settings, agents: [], contests: [] }
  writeFileSync(join(data, 'class.json'), JSON.stringify(content))
}

const verify = (...args: string[]): Promise<Ran> => run('history', 'verify', ...args)
const verdictsOf = ({ stdout }: Ran): unknown =>
  (JSON.parse(stdout) as { files: { verdict: string }[] }).files.map(({ verdict }) => verdict)

test('with the key that it is signed with a history is genuine', async () => {
  const ran = await verify(good, '--key', keyText(key.publicKey))
  expect(ran.code).toBe(0)
  expect(ran.stdout).toContain(`${good}: genuine, match 1 of toy-1`)
  expect(ran.stdout).toContain(`Signed by the given key, fingerprint ${fingerprint(key.publicKey)}.`)
})

test('without a known signer it is intact at most, which has an exit code of its own', async () => {
  classFolder(otherKey().publicKey, [])
  const ran = await verify(good, '--data', data)
  expect(ran.code).toBe(4)
  expect(ran.stdout).toContain(`${good}: intact, signer unknown, match 1 of toy-1`)
  expect(ran.stdout).not.toContain('genuine')
  expect(ran.stdout).toContain(`Signed by nobody known, fingerprint ${fingerprint(key.publicKey)}.`)
  expect(ran.stdout).toContain(keyText(key.publicKey))
})

test("the class's own key and those that it trusts make it genuine, with their names", async () => {
  classFolder(key.publicKey, [])
  expect((await verify(good, '--data', data)).stdout).toContain('Signed by this class, fingerprint')
  classFolder(otherKey().publicKey, [{ name: 'Class 4b', key: keyText(key.publicKey) }])
  const ran = await verify(good, '--data', data)
  expect(ran.code).toBe(0)
  expect(ran.stdout).toContain('Signed by Class 4b, fingerprint')
})

test('a history that is changed, or signed by another key than was given, is not genuine', async () => {
  const changed = await verify(bad, '--key', keyText(key.publicKey))
  expect(changed).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/changed\.jsonl:\d+: not genuine: /) as string,
  })
  expect((await verify(good, '--key', keyText(otherKey().publicKey))).code).toBe(1)
})

test('of several files the worst counts: unreadable, not genuine, signer unknown, genuine', async () => {
  classFolder(null, [])
  const none = join(folder, 'none.jsonl')
  const all = await verify(good, bad, none, '--data', data, '--json')
  expect([all.code, verdictsOf(all)]).toEqual([2, ['signer-unknown', 'not-genuine', 'unreadable']])
  const two = await verify(good, bad, '--data', data)
  expect(two.code).toBe(1)
  expect(two.stdout).toContain('0 genuine, 1 intact with an unknown signer, 1 not.')
})

test('the help has the verdicts and their exit codes', async () => {
  const { stdout } = await verify('--help')
  for (const line of ['0  genuine', '4  intact, signer unknown', '1  not genuine']) expect(stdout).toContain(line)
})

test('a folder and an archive are verified as the histories in them, each with its name', async () => {
  const whole = join(folder, 'whole')
  mkdirSync(whole)
  writeFileSync(join(whole, 'match-0001.jsonl'), readFileSync(good))
  const archive = join(folder, 'whole.tar')
  const [bytes, changed] = [readFileSync(good), readFileSync(bad)]
  const members = [['a/good.jsonl', bytes] as const, ['a/bad.jsonl', changed] as const]
  const parts = members.flatMap(([path, content]) => [
    tarHeader(path, content.length),
    content,
    tarFill(content.length),
  ])
  writeFileSync(archive, Buffer.concat([...parts, tarEnd]))
  const ran = await verify(whole, archive, '--key', keyText(key.publicKey), '--json')
  expect([ran.code, verdictsOf(ran)]).toEqual([1, ['genuine', 'genuine', 'not-genuine']])
  const { files } = JSON.parse(ran.stdout) as { files: { file: string }[] }
  expect(files.map(({ file }) => file)).toEqual([
    join(whole, 'match-0001.jsonl'),
    `${archive}/a/good.jsonl`,
    `${archive}/a/bad.jsonl`,
  ])
})
