import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { openClassFolder, readClass, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { sessionsOf } from '../../../main/administrator/people/sessions.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { signingKey, type SigningKey } from '../../../main/histories/keys.ts'
import { lockData } from '../../../main/histories/lock.ts'
import { exportClass, exportOpenClass } from '../../../main/services/archive/export-class.ts'
import { importClass, type ImportOptions } from '../../../main/services/archive/import-class.ts'
import { manifestText, type ArchiveManifest } from '../../../main/services/archive/manifest.ts'
import { readTar } from '../../../main/services/packages/tar.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { contentsOf, makeClass, packed, rowsOf, type Member } from './made-class.ts'

const folder = temporaryFolder('archive')
const data = join(folder, 'data')
const archive = join(folder, 'class.tar.gz')
const plain = { identities: null }
let key: SigningKey
let members: readonly Member[]
let manifest: ArchiveManifest

beforeAll(async () => {
  await makeClass(data)
  await exportClass(data, { path: archive, overwrite: false }, null)
  key = signingKey(readFileSync(join(data, 'keys/class.pem'), 'utf8'))!
  const read = readTar(gunzipSync(readFileSync(archive)))
  if (!Array.isArray(read)) throw new Error('not read')
  members = (read as readonly Member[]).map(({ path, bytes }) => ({ path, bytes }))
  manifest = JSON.parse(Buffer.from(members[0]!.bytes).toString()) as ArchiveManifest
})

let places = 0
/** A new place for a class, alone in a folder. */
function place(): { readonly around: string; readonly to: string } {
  const around = join(folder, `place-${++places}`)
  mkdirSync(around)
  return { around, to: join(around, 'class') }
}

/** Imports bytes, which are refused: nothing is left at the destination or beside it. */
async function refusedWith(bytes: Uint8Array, options: ImportOptions = plain): Promise<unknown> {
  const { around, to } = place()
  const file = join(folder, 'tried.tar.gz')
  writeFileSync(file, bytes)
  const error: unknown = await importClass(file, to, options).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(readdirSync(around)).toEqual([])
  return error
}

/** The archive with another list, signed by the class, and other files. */
function changed(change: (manifest: ArchiveManifest, files: Member[]) => unknown): Buffer {
  const [list, files] = [structuredClone(manifest), members.slice(2)]
  change(list, files)
  const text = JSON.stringify(list)
  return packed([
    { path: 'manifest.json', bytes: Buffer.from(text) },
    { path: 'manifest.sig', bytes: Buffer.from(key.sign(text)) },
    ...files,
  ])
}

/** Adds a file to list and archive. */
function adding(
  path: string,
  more: Partial<Member> & { size?: number } = {},
): (manifest: ArchiveManifest, files: Member[]) => void {
  return ({ files }, all) => {
    const bytes = more.bytes ?? Buffer.from('hello')
    files.push({ path, size: more.size ?? bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
    all.push({ path: `class/${path}`, bytes, ...(more.type !== undefined && { type: more.type }) })
  }
}

test('an export gives the same class in another folder: each file and each row, without sessions and the code of the class', async () => {
  const { to } = place()
  const list = await importClass(archive, to, plain)
  const [before, after] = [contentsOf(data), contentsOf(to)]
  const rows = before['people.db'] as Readonly<Record<string, readonly unknown[]>>
  expect([rows['session'], rows['class_code']]).toMatchObject([{ length: 1 }, { length: 1 }])
  expect(after).toEqual({ ...before, 'people.db': { ...rows, session: [], class_code: [] } })
  expect(Object.keys(after).toSorted()).toEqual(list.files.map(({ path }) => path).toSorted())
  expect(list.counts).toMatchObject({ people: 2, contests: 0 })
  expect(readFileSync(join(to, 'people.db')).includes('Netscape 4')).toBe(false)
  // It opens, with the same key, and a second export lists the same files.
  const home = await openClassFolder(to)
  expect(home.key.publicKey).toBe(key.publicKey)
  expect(home.notices).toEqual([])
  await home.close()
  const again = join(folder, 'again.tar.gz')
  await exportClass(to, { path: again, overwrite: false }, null)
  const { to: third } = place()
  await importClass(again, third, plain)
  expect(contentsOf(third)).toEqual(after)
  if (process.platform !== 'win32')
    expect([archive, join(to, 'class.json')].map((path) => statSync(path).mode & 0o77)).toEqual([0, 0])
})

test('nothing of class.json changes while records are copied, and a change that waited is written afterwards', async () => {
  const from = join(folder, 'at-rest')
  await importClass(archive, from, plain)
  const home = await openClassFolder(from)
  const before = readFileSync(join(from, 'class.json'), 'utf8')
  const { change, held } = await home.atRest(async () => {
    let isEdited = false
    const removed = home.change(({ people }) => {
      isEdited = true
      people.pop()
    })
    // An edit is called at once when its turn has come.
    for (let times = 0; times < 5; times++) await setImmediate()
    return { change: removed, held: [isEdited, readFileSync(join(from, 'class.json'), 'utf8') === before] }
  })
  expect(held).toEqual([false, true])
  await change
  expect((await readClass(from)).people.length).toBe(home.content.people.length)
  expect(readFileSync(join(from, 'class.json'), 'utf8')).not.toBe(before)
  await home.close()
})

test('whoever waited for a change has gone on before records are copied', async () => {
  const from = join(folder, 'joined')
  await importClass(archive, from, plain)
  const home = await openClassFolder(from)
  let hasPassword = false
  const admit = async (): Promise<void> => {
    await home.change(({ people }) => void people.pop())
    hasPassword = true
  }
  const joined = admit()
  expect(await home.atRest(async () => hasPassword)).toBe(true)
  await joined
  await home.close()
})

test('an export of a class that is open holds one moment: no contest that was added since', async () => {
  const [from, out, { to }] = [join(folder, 'running'), join(folder, 'running.tar.gz'), place()]
  await importClass(archive, from, plain)
  const home = await openClassFolder(from)
  const description = contestDescription.parse({
    ...{ title: 'Cup', game: 'haggle', format: { type: 'round-robin', seats: 2 }, seed: 's' },
    entrants: [{ name: 'a', agent: '0'.repeat(64) }],
  })
  const cup = {
    id: 'cup',
    description,
    added: '2026-11-28T08:00:00.000Z',
    nonce: '0'.repeat(64),
    state: 'open' as const,
  }
  const late: ClassFolder = {
    ...home,
    get content() {
      return home.content
    },
    // It comes when the records were copied, and before the other files are listed.
    async atRest(task) {
      const done = await home.atRest(task)
      await home.change(({ contests }) => void contests.push(cup))
      mkdirSync(join(from, 'contests/cup'), { recursive: true })
      writeFileSync(join(from, 'contests/cup/history.jsonl'), 'first\n')
      return done
    },
  }
  const { counts } = await exportOpenClass(late, { path: out, overwrite: false }, null)
  expect([counts.contests, home.content.contests.length]).toEqual([0, 1])
  await home.close()
  await importClass(out, to, plain)
  expect((await readClass(to)).contests).toEqual([])
  expect(existsSync(join(to, 'contests', 'cup'))).toBe(false)
  expect(existsSync(join(to, 'contests', 'deep'))).toBe(true)
})

test('an encrypted export opens with its key only', async () => {
  const [identity, other] = [await generateX25519Identity(), await generateX25519Identity()]
  const file = join(folder, 'class.age')
  await exportClass(data, { path: file, overwrite: false }, await identityToRecipient(identity))
  const bytes = readFileSync(file)
  expect(bytes.toString('latin1', 0, 21)).toBe('age-encryption.org/v1')
  const { to } = place()
  await importClass(file, to, { identities: `# a comment\n${identity}\n` })
  expect(Object.keys(contentsOf(to))).toEqual(Object.keys(contentsOf(data)))
  expect(await refusedWith(bytes)).toEqual(refusal('archive-encrypted'))
  expect(await refusedWith(bytes, { identities: other })).toEqual(refusal('age-key-wrong'))
  expect(await refusedWith(bytes, { identities: 'secret' })).toEqual(refusal('age-key-invalid'))
  for (const cut of [1, 100, bytes.length >> 1])
    expect(await refusedWith(bytes.subarray(0, -cut), { identities: identity })).toEqual(refusal('archive-damaged'))
  const flipped = Buffer.from(bytes)
  flipped[bytes.length >> 1]! ^= 1
  expect(await refusedWith(flipped, { identities: identity })).toEqual(refusal('archive-damaged'))
  await expect(exportClass(data, { path: join(folder, 'none'), overwrite: false }, 'age1x')).rejects.toEqual(
    refusal('age-key-invalid', 'age1x'),
  )
})

test('an archive that is cut off at any place is refused', async () => {
  const bytes = readFileSync(archive)
  for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 25)) {
    const error = await refusedWith(bytes.subarray(0, at))
    expect([refusal('archive-cut-off'), refusal('archive-not-of-class')]).toContainEqual(error)
  }
  expect(await refusedWith(bytes.subarray(0, -1))).toEqual(refusal('archive-cut-off'))
})

test('an archive with a changed byte is refused, or gives the same class', async () => {
  const bytes = readFileSync(archive)
  const expected = contentsOf(data)
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, difference) => {
      const tampered = Buffer.from(bytes)
      tampered[at]! ^= difference
      const { around, to } = place()
      const file = join(folder, 'flipped.tar.gz')
      writeFileSync(file, tampered)
      const done = await importClass(file, to, plain).then(
        () => true,
        () => false,
      )
      if (!done) expect(readdirSync(around)).toEqual([])
      else expect({ ...contentsOf(to), 'people.db': null }).toEqual({ ...expected, 'people.db': null })
    }),
    { numRuns: 30 },
  )
})

describe('hostile archives are refused, each with its code, and nothing is written', () => {
  const anything = Buffer.from('x')
  const cases: readonly (readonly [string, () => Buffer, Parameters<typeof refusal>[0]])[] = [
    ['a text', () => Buffer.from('hello, class'), 'archive-not-of-class'],
    ['an archive of other files', () => packed([{ path: 'a.txt', bytes: anything }]), 'archive-not-of-class'],
    [
      'a list that is not one',
      () => packed(members.with(0, { ...members[0]!, bytes: anything })),
      'archive-not-of-class',
    ],
    [
      'a later form of archives',
      () => changed((list) => Object.assign(list, { format: 'tartaglia-archive/2' })),
      'archive-newer',
    ],
    ['a later form of class.json', () => changed((list) => void (list.data.class = 99)), 'archive-newer'],
    ['a later form of people.db', () => changed((list) => void (list.data.people = 99)), 'archive-newer'],
    ['a damaged list', () => changed((list) => void (list.files[0]!.sha256 = 'x')), 'archive-list-damaged'],
    ['a way out', () => changed(adding('agents/../../out')), 'path-leaves-package'],
    ['an absolute path', () => changed(adding('/etc/passwd')), 'path-absolute'],
    ['a drive of Windows', () => changed(adding('C:/windows')), 'path-absolute'],
    ['a backslash', () => changed(adding('agents\\..\\out')), 'path-characters'],
    ['a device of Windows', () => changed(adding('agents/con')), 'path-device-name'],
    ['a name twice', () => changed(adding('class.json')), 'path-twice'],
    ['names that differ in case', () => changed(adding('agents/deep/FILE.bin')), 'paths-alike'],
    ['a file that is a folder', () => changed(adding('agents/deep/file.bin/a')), 'path-file-and-folder'],
    ['a file of no class', () => changed(adding('.bashrc')), 'archive-file-unknown'],
    ['the lock of a folder', () => changed(adding('lock')), 'archive-file-unknown'],
    ['a symbolic link', () => changed(adding('agents/link', { bytes: Buffer.alloc(0), type: '2' })), 'archive-link'],
    ['a hard link', () => changed(adding('agents/link', { bytes: Buffer.alloc(0), type: '1' })), 'archive-link'],
    ['a name for the next file', () => changed(adding('agents/x', { type: 'x' })), 'archive-link'],
    [
      'a file of which most is not there',
      () => changed(adding('agents/big', { size: 64 * 1024 * 1024 })),
      'archive-differs',
    ],
    [
      'more than its list says',
      () => changed(adding('agents/big', { size: 5, bytes: Buffer.alloc(1024 * 1024) })),
      'archive-differs',
    ],
    [
      'another file',
      () => changed((_list, files) => void files.splice(3, 1, { path: files[3]!.path, bytes: anything })),
      'archive-differs',
    ],
    [
      'another content',
      () =>
        changed(
          (_list, files) => void files.splice(3, 1, { ...files[3]!, bytes: Buffer.alloc(files[3]!.bytes.length, 1) }),
        ),
      'archive-differs',
    ],
    ['files in another order', () => changed((_list, files) => files.reverse()), 'archive-differs'],
    ['a file too few', () => changed((_list, files) => files.pop()), 'archive-cut-off'],
    [
      'a file too many',
      () => changed((_list, files) => files.push({ path: 'class/agents/x', bytes: anything })),
      'archive-differs',
    ],
    ['other counts', () => changed((list) => void (list.counts.people = 3)), 'archive-differs'],
    [
      'a list that nobody signed',
      () => packed(members.with(1, { ...members[1]!, bytes: Buffer.from('0'.repeat(128)) })),
      'archive-differs',
    ],
    [
      'a class without its key',
      () => changed((list, files) => without(list, files, 'keys/class.pem')),
      'archive-differs',
    ],
    [
      'a class that cannot be read',
      () => changed((list, files) => replacing(list, files, 'class.json', '{"format": 1}')),
      'json-invalid',
    ],
    [
      'accounts that are damaged',
      () => changed((list, files) => replacing(list, files, 'people.db', 'SQLite format 3\0')),
      'archive-damaged',
    ],
    [
      'a gradebook that cannot be read',
      () => changed(adding('gradebook.json', { bytes: Buffer.from('{"format": 1}') })),
      'json-invalid',
    ],
    [
      'a later form of the gradebook',
      () => changed(adding('gradebook.json', { bytes: Buffer.from('{"format": "tartaglia-gradebook/2", "x": 1}') })),
      'data-folder-newer',
    ],
  ]
  test.each(cases)('%s', async (_what, bytes, code) => {
    expect(await refusedWith(bytes())).toEqual(refusal(code))
  })
})

function without(list: ArchiveManifest, files: Member[], path: string): void {
  list.files = list.files.filter((file) => file.path !== path)
  files.splice(
    files.findIndex((file) => file.path === `class/${path}`),
    1,
  )
}

function replacing(list: ArchiveManifest, files: Member[], path: string, content: string | Buffer): void {
  const bytes = Buffer.from(content)
  const at = list.files.findIndex((file) => file.path === path)
  list.files[at] = { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  files[at] = { path: `class/${path}`, bytes }
}

test('a class is imported into an empty folder, and into no other', async () => {
  const { to } = place()
  mkdirSync(to)
  await importClass(archive, to, plain)
  const before = contentsOf(to)
  await expect(importClass(archive, to, plain)).rejects.toEqual(refusal('data-folder-not-empty', to))
  expect(contentsOf(to)).toEqual(before)
  const { to: file } = place()
  writeFileSync(file, '')
  await expect(importClass(archive, file, plain)).rejects.toEqual(refusal('data-folder-not-empty', file))
})

test('a class that another process has open, a missing one, and an existing file are refused', async () => {
  const out = join(folder, 'other.tar.gz')
  const lock = lockData(data)
  await expect(exportClass(data, { path: out, overwrite: false }, null)).rejects.toMatchObject({
    code: 'data-folder-in-use',
  })
  lock.release()
  await expect(exportClass(join(folder, 'nothing'), { path: out, overwrite: false }, null)).rejects.toEqual(
    refusal('data-folder-unknown'),
  )
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  await expect(exportClass(empty, { path: out, overwrite: false }, null)).rejects.toEqual(
    refusal('data-folder-unknown'),
  )
  expect([readdirSync(empty), existsSync(out)]).toEqual([[], false])
  await expect(exportClass(data, { path: archive, overwrite: false }, null)).rejects.toEqual(refusal('file-exists'))
})

test('a class with files that are compressed very well is exported and imported', async () => {
  const [from, out, { to }] = [join(folder, 'spaces'), join(folder, 'spaces.tar.gz'), place()]
  await importClass(archive, from, plain)
  writeFileSync(join(from, 'handed-in', 'spaces.txt'), Buffer.alloc(16 * 1024 * 1024, ' '))
  await exportClass(from, { path: out, overwrite: false }, null)
  expect(statSync(out).size).toBeLessThan((16 * 1024 * 1024) / 200)
  await importClass(out, to, plain)
  expect(contentsOf(to)).toEqual(contentsOf(from))
})

test('a list of more files than an import takes is not written', () => {
  const file = manifest.files[0]!
  const files = (count: number): ArchiveManifest => ({ ...manifest, files: Array.from({ length: count }, () => file) })
  expect(() => manifestText(files(250_001))).toThrow(refusal('too-large'))
  expect(() => manifestText({ ...manifest, files: [{ ...file, path: 'a'.repeat(1_001) }] })).toThrow(
    refusal('too-large'),
  )
  expect(JSON.parse(manifestText(manifest))).toEqual(manifest)
})

test('the folder for backups of the exported class is not that of the imported one', async () => {
  const [from, out, { to }] = [join(folder, 'copied'), join(folder, 'copied.tar.gz'), place()]
  await importClass(archive, from, plain)
  const home = await openClassFolder(from)
  await home.change(({ settings }) => void (settings.backups = { folder: '/stick', everyHours: 6 }))
  await home.close()
  await exportClass(from, { path: out, overwrite: false }, null)
  await importClass(out, to, plain)
  expect((await readClass(to)).settings.backups).toEqual({ folder: '', everyHours: 0 })
})

test('a class that is imported plays nothing by itself: what ran or recurs where it was exported is paused', async () => {
  const [from, out, { to }] = [join(folder, 'playing'), join(folder, 'playing.tar.gz'), place()]
  await importClass(archive, from, plain)
  const home = await openClassFolder(from)
  const description = contestDescription.parse({
    ...{ title: 'Cup', game: 'haggle', format: { type: 'round-robin', seats: 2 }, seed: 's' },
    entrants: [{ name: 'a', agent: '0'.repeat(64) }],
  })
  const added = '2026-11-28T08:00:00.000Z'
  await home.change(({ contests, recurring }) => {
    const cup = { description, added, nonce: '0'.repeat(64), state: 'open' as const }
    contests.push({ ...cup, id: 'cup', goesOn: true }, { ...cup, id: 'later' })
    const daily = { description, entrants: 'all' as const, days: [1], time: '08:00', until: added }
    recurring.push({ ...daily, id: 'daily', skipped: [] }, { ...daily, id: 'old', skipped: [], paused: true })
  })
  await exportOpenClass(home, { path: out, overwrite: false }, null)
  expect(await importClass(out, to, plain)).toMatchObject({ paused: 2 })
  const { contests, recurring } = await readClass(to)
  expect(contests.map(({ goesOn }) => goesOn)).toEqual([undefined, undefined])
  expect(recurring.map(({ paused }) => paused)).toEqual([true, true])
  // The class that was exported goes on.
  expect(home.content.contests.map(({ goesOn }) => goesOn)).toEqual([true, undefined])
  await home.close()
})

const classForms = join('test/unit/classroom/forms')
const peopleForms = join('test/unit/people/forms')

test.each(readdirSync(classForms))('an archive with %s of an older version is imported and opens', async (name) => {
  const text = readFileSync(join(classForms, name), 'utf8')
  const older = JSON.parse(text) as { settings: object; agents: object[] } & Partial<
    Record<keyof ArchiveManifest['counts'], object[]>
  >
  const file = join(folder, `${name}.tar.gz`)
  writeFileSync(
    file,
    changed((list, files) => {
      replacing(list, files, 'class.json', text)
      list.data.class = Number(/\d+/.exec(name)![0])
      for (const kind of Object.keys(list.counts) as (keyof typeof list.counts)[])
        list.counts[kind] = older[kind]?.length ?? 0
    }),
  )
  const { to } = place()
  await importClass(file, to, plain)
  const home = await openClassFolder(to)
  expect(home.content.settings).toMatchObject(older.settings)
  expect(home.content.agents).toMatchObject(older.agents)
  expect(home.content.people).toMatchObject(older.people ?? [])
  await home.close()
})

test.each(readdirSync(peopleForms))('an archive with %s of an older version is imported and opens', async (name) => {
  const made = join(folder, `${name}.db`)
  const database = new DatabaseSync(made)
  database.exec(readFileSync(join(peopleForms, name), 'utf8'))
  database.close()
  const before = rowsOf(made)
  const file = join(folder, `${name}.tar.gz`)
  writeFileSync(
    file,
    changed((list, files) => {
      replacing(list, files, 'people.db', readFileSync(made))
      list.data.people = Number(/\d+/.exec(name)![0])
    }),
  )
  const { to } = place()
  await importClass(file, to, plain)
  closePeopleDatabase(openPeopleDatabase(to))
  const rows = rowsOf(join(to, 'people.db'))
  expect(rows['one_time_code']).toHaveLength(1)
  expect(rows['account'] ?? []).toHaveLength(before['account']?.length ?? 0)
})

test('files that belong to no class are left out and named', async () => {
  writeFileSync(join(data, 'notes.txt'), 'mine')
  const out = join(folder, 'with-notes.tar.gz')
  const { leftOut } = await exportClass(data, { path: out, overwrite: false }, null)
  expect(leftOut).toEqual(['notes.txt'])
})

test('the sessions of the class itself go on', () => {
  const people = openPeopleDatabase(data)
  const [{ person } = {}] = rowsOf(join(data, 'people.db'))['session'] as readonly { person: string }[]
  expect(sessionsOf(people, person!, Date.now())).toHaveLength(1)
  closePeopleDatabase(people)
})
