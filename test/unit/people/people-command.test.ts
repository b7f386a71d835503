import { scryptSync } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { closeAccounts, openAccounts } from '../../../main/administrator/people/accounts.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { backUp } from '../../../main/services/archive/back-up.ts'
import { addAttempt, planAttempt } from '../../../main/administrator/people/attempts.ts'
import type { Classroom, StoredAgentVersion } from '../../../main/contract/procedures/classroom.ts'
import { formTeam } from '../../../main/services/people/teams.ts'
import { erasePerson } from '../../../main/services/people/erase-person.ts'
import type { ListedPerson } from '../../../main/services/people/people-command.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'

let data: string
let file: string
beforeEach(() => {
  data = join(temporaryFolder('people'), 'class')
  file = `${data}.csv`
  writeFileSync(
    file,
    'name,email\nAda Lovelace,ada@school.example\nBert,bert@school.example\n=1+1,eve@school.example\n',
  )
})

const verb = (name: string, ...args: readonly string[]) => run('class', 'people', name, ...args, '--data', data)
async function json<T>(name: string, ...args: readonly string[]): Promise<T> {
  const { stdout } = await verb(name, ...args, '--json')
  return JSON.parse(stdout) as T
}
const listed = async (): Promise<readonly ListedPerson[]> =>
  (await json<{ people: readonly ListedPerson[] }>('list')).people
/** The traces of a student who handed in for a team of their own, under a pseudonym: all of them name the student but the record. */
async function leaveTraces(person: string): Promise<void> {
  expect((await run('class', 'pseudonyms', '--all', 'on', '--data', data)).code).toBe(0)
  const home = await openClassFolder(data)
  const accounts = openAccounts(home)
  const team = await formTeam(home, 'Lovelace and Co', person, new Date())
  const version: StoredAgentVersion = {
    ...{ hash: 'a'.repeat(64), owner: team.id, submitted: '2026-11-01T00:00:00.000Z', smoke: null },
    manifest: { name: team.name, team: team.name, game: 'specker', kind: 'script' },
    handIn: { receipt: 1, by: person, contest: null, time: 'on-time', note: 'Lovelace wrote it' },
  }
  await home.change(({ agents }) => void agents.push(version))
  const attempt = { team: team.id, members: [person], person, contest: null, game: 'specker', sha256: 'a'.repeat(64) }
  const wish = { agent: null, note: 'by Lovelace' }
  const id = addAttempt(accounts.people, { ...attempt, file: 'Lovelace.js', at: 1, wish })
  planAttempt(accounts.people, id, 1, version, null)
  closeAccounts(accounts)
  await home.close()
}

const content = (): string => readFileSync(join(data, 'class.json'), 'utf8')

describe('class people', () => {
  test('imports a roster, and once more with nothing to do', async () => {
    expect(await json('import', file)).toMatchObject({ unchanged: 0, gone: [], changed: [], added: { length: 3 } })
    const before = await listed()
    expect(before.map(({ name }) => name)).toEqual(['=1+1', 'Ada Lovelace', 'Bert'])
    expect(new Set(before.map(({ id }) => id)).size).toBe(3)
    expect(await json('import', file)).toMatchObject({ added: [], changed: [], gone: [], unchanged: 3 })
    expect(await listed()).toEqual(before)
  })

  test('shows with --dry-run the same, and writes nothing', async () => {
    const shown = await json('import', file, '--dry-run')
    expect(statSync(data, { throwIfNoEntry: false })).toBeUndefined()
    expect(await json('import', file)).toEqual({ ...(shown as object), dryRun: false })
  })

  test('erases the personal data of somebody who left, for good, and says so in the audit log', async () => {
    await verb('import', file)
    const [ada] = (await listed()).filter(({ name }) => name === 'Ada Lovelace')
    expect(await json('erase', 'Ada Lovelace', '--yes')).toMatchObject({ code: 'person-protected' })
    await leaveTraces(ada!.id)
    await verb('remove', 'Ada Lovelace')
    // Without --yes nothing changes.
    const before = content()
    expect(await json('erase', 'Ada Lovelace')).toMatchObject({ person: ada!.id, erased: false })
    expect(content()).toBe(before)
    expect(await json('erase', 'Ada Lovelace', '--yes')).toMatchObject({ person: ada!.id, erased: true })
    const kept = (JSON.parse(content()) as { people: { id: string }[] }).people.find(({ id }) => id === ada!.id)
    expect(Object.keys(kept!).toSorted()).toEqual(['added', 'erased', 'id', 'ids', 'name', 'removed', 'role'])
    const everything = (folder: string): string =>
      readdirSync(folder, { withFileTypes: true })
        .map((each) => join(folder, each.name))
        .map((path) => (statSync(path).isDirectory() ? everything(path) : readFileSync(path, 'latin1')))
        .join('\n')
    for (const word of ['Lovelace', 'ada@school'])
      expect([word, everything(data).includes(word)]).toEqual([word, false])
    expect(everything(data)).toContain('bert@school')
    expect(everything(data)).toContain('people.erase')
    const [version] = (JSON.parse(content()) as Classroom).agents
    expect(version!.handIn).toMatchObject({ by: ada!.id, receipt: 1 })
    expect((JSON.parse(content()) as Classroom).teams[0]).toMatchObject({ name: version!.manifest.team, members: [] })
    expect(await json('erase', 'Ada Lovelace', '--yes')).toMatchObject({ code: 'person-unknown' })
    // A roster that names them makes somebody new.
    expect(await json('import', file)).toMatchObject({ added: { length: 1 }, changed: [] })
  })

  test('says how an erasing that was broken off is finished, and forgets the networks of the person', async () => {
    await verb('import', file)
    const ada = (await listed()).find(({ name }) => name === 'Ada Lovelace')!
    await verb('remove', 'Ada Lovelace')
    const home = await openClassFolder(data)
    const accounts = openAccounts(home)
    const guess = accounts.people.database.prepare('INSERT INTO guess (key, at) VALUES (?, 1)')
    for (const key of [`known:${ada.id} 10.0.0.0`, `everywhere:${ada.id}`, 'known:other 10.0.0.0']) guess.run(key)
    const other = new DatabaseSync(join(data, 'people.db'))
    const broken = {
      ...accounts,
      home: {
        ...home,
        content: home.content,
        async change(edit: Parameters<typeof home.change>[0]) {
          await home.change(edit)
          other.exec('BEGIN IMMEDIATE')
        },
      },
    }
    await expect(erasePerson(broken, home, ada.id, hostCaller)).rejects.toThrow(ada.id)
    other.exec('ROLLBACK')
    other.close()
    closeAccounts(accounts)
    await home.close()
    expect(await json('erase', ada.id, '--yes')).toMatchObject({ person: ada.id, erased: true })
    const database = new DatabaseSync(join(data, 'people.db'), { readOnly: true })
    const keys = database.prepare('SELECT key FROM guess').all()
    database.close()
    expect(keys).toEqual([{ key: 'known:other 10.0.0.0' }])
  })

  test('imports all of a roster or nothing, and lists every line that is wrong', async () => {
    await verb('import', file)
    const before = content()
    writeFileSync(file, 'name,email\nCarla,carla@school.example\nDan,nobody\n,x@school.example\n')
    const refused = await json<{ code: string; details: string }>('import', file)
    expect(refused.code).toBe('roster-invalid')
    expect(refused.details.match(/^Line \d+/gm)).toEqual(['Line 3', 'Line 4'])
    expect(content()).toBe(before)
  })

  test('makes a code that is shown once: what is kept cannot be turned back, and a new one ends it', async () => {
    await verb('import', file)
    const first = await verb('code', 'ada lovelace')
    const code = first.stdout.trim()
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{8}$/)
    const kept = () => {
      const database = new DatabaseSync(join(data, 'people.db'), { readOnly: true })
      const rows = database.prepare('SELECT * FROM one_time_code').all()
      database.close()
      return rows
    }
    const isCode = (text: string) => {
      const [row] = kept()
      const [, N, r, p, salt, hash] = String(row!['hash']).split('$')
      const made = scryptSync(text, Buffer.from(salt!, 'hex'), 32, { N: +N!, r: +r!, p: +p!, maxmem: 2 ** 26 })
      return made.toString('hex') === hash
    }
    expect([kept().length, isCode(code), content().includes(code)]).toEqual([1, true, false])
    const days = (Date.parse((await listed())[1]!.codeUntil!) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(14, 1)
    const { code: second } = await json<{ code: string }>('code', 'ADA@school.example')
    expect([kept().length, isCode(code), isCode(second)]).toEqual([1, false, true])
    expect(statSync(join(data, 'people.db')).mode & 0o777).toBe(0o600)
  })

  test('removes a person with their code, and a roster brings them back as the same person', async () => {
    await verb('import', file)
    const [, ada] = await listed()
    await verb('code', 'Ada Lovelace')
    expect(await json('remove', 'Ada Lovelace')).toEqual({ person: ada!.id, name: 'Ada Lovelace' })
    expect((await listed())[1]).toMatchObject({ removed: expect.any(String) as string, codeUntil: null })
    expect(await json('code', 'Ada Lovelace')).toMatchObject({ code: 'person-unknown' })
    expect(await json('import', file)).toMatchObject({ changed: [{ returns: true }] })
    expect((await listed())[1]).toEqual(ada)
  })

  test('does not guess who is meant', async () => {
    writeFileSync(file, 'name,email\nAna,ana@a.example\nAna,ana@b.example\n')
    await verb('import', file)
    expect(await json('remove', 'Ana')).toMatchObject({ code: 'person-ambiguous' })
    expect(await json('remove', 'ana@b.example')).toMatchObject({ name: 'Ana' })
    expect(await json('code', 'Ana')).toMatchObject({ name: 'Ana' })
    expect(await json('code', 'Anna')).toMatchObject({ code: 'person-unknown' })
  })

  test('is in backups, with its codes', async () => {
    await verb('import', file)
    await verb('code', 'Bert')
    const before = await listed()
    const home = await openClassFolder(data)
    const { folder } = await backUp(home)
    await home.close()
    data = folder
    expect(before.filter(({ codeUntil }) => codeUntil !== null)).toHaveLength(1)
    expect(await listed()).toEqual(before)
  })

  test('leaves a database of a newer program as it is', async () => {
    await verb('import', file)
    await verb('code', 'Bert')
    const path = join(data, 'people.db')
    const database = new DatabaseSync(path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    const before = readFileSync(path)
    expect(await json('code', 'Bert')).toMatchObject({ code: 'data-folder-newer' })
    expect(readFileSync(path)).toEqual(before)
  })
})
