import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { canonicalText } from '../../../main/histories/canonical.ts'
import { entriesText } from '../../../main/histories/keys.ts'
import { importEntries } from '../../../main/services/entries/import-entries.ts'
import { readEntries } from '../../../main/services/entries/entries-file.ts'
import { writeTar } from '../../../main/services/packages/tar.ts'
import { writeZip } from '../../../main/services/packages/zip.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { given, newKey, script, signedFile, statement } from '../../unit/entries/school.ts'

let data = ''
beforeEach(() => (data = temporaryFolder('entries')))

const key = newKey()
const other = newKey()
const good = given(key, script('anna'))
const file = signedFile(key, [good])
const firstLine = (bytes: Buffer): string => bytes.toString('utf8', 0, bytes.indexOf(10))
/** The file with another text in its first line. */
const withLine = (change: (line: string) => string): Buffer =>
  Buffer.concat([Buffer.from(change(firstLine(file))), file.subarray(file.indexOf(10))])
const manifestJson = (name = 'anna'): object => ({ name, game: 'specker', kind: 'program', command: ['./x'] })
const program = (files: readonly { path: string; bytes: Uint8Array }[], over: object = {}): Buffer => {
  const bytes = writeTar(files)
  return signedFile(key, [given(key, bytes, { kind: 'program', ...over })])
}
const agentJson = (value: unknown) => ({ path: 'agent.json', bytes: Buffer.from(JSON.stringify(value)) })

/** A tar whose one file has a path that no package may have. */
function badTar(path: string): Buffer {
  const tar = Buffer.from(writeTar([{ path: 'x'.repeat(path.length), bytes: Buffer.from('x') }]))
  tar.write(path, 0)
  tar.write('        ', 148)
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return tar
}

const files: readonly (readonly [string, Uint8Array, string])[] = [
  ['an empty file', Buffer.alloc(0), 'does not begin with the list'],
  ['zeros', Buffer.alloc(1_000_000), 'does not begin with the list'],
  ['a line without an end', Buffer.alloc(5_000_000, '{'), 'first line is too long'],
  ['a zip', writeZip(new Map([['../../evil.js', script('evil')]])), 'does not begin with the list'],
  ['a bomb of brackets', Buffer.from(`{"manifest":${'['.repeat(1_000_000)}\n`), 'nested more than'],
  [
    'a line that is not UTF-8',
    withLine((line) => line.replace('anna', '\ud800')),
    'does not begin|signature|canonical|name',
  ],
  ['half of a manifest', file.subarray(0, 200), 'does not begin with the list'],
  ['a package that is cut off', file.subarray(0, file.length - 1), 'it is cut off'],
  ['bytes after the last package', Buffer.concat([file, Buffer.from('x')]), 'more bytes in it'],
  ['a newer form', signedFile(key, [good], { format: 'tartaglia-entries/2' }), 'its form is tartaglia-entries/2'],
  ['another form', signedFile(key, [good], { format: 'zip' }), 'line 1, column'],
  ['a field that is not known', signedFile(key, [good], { path: '/etc/passwd' }), 'path'],
  ['no entries', signedFile(key, []), 'entries'],
  [
    'too many entries',
    signedFile(
      key,
      Array.from({ length: 1_001 }, (_, at) => given(key, script('a'), { name: `a${at}` })),
    ),
    'entries',
  ],
  ['white space in the manifest', withLine((line) => line.replace(':', ': ')), 'canonical'],
  [
    'members in another order',
    withLine((line) => line.replace(/"bytes":(\d+),("signature":"[0-9a-f]+")/, '$2,"bytes":$1')),
    'canonical',
  ],
  [
    'a manifest that was changed',
    withLine((line) => line.replaceAll('Liceo Padova', 'Liceo Verona')),
    'its signature does not hold',
  ],
  ['a manifest that another key signed', forged(), 'its signature does not hold'],
  [
    'an entry that another key signed',
    signedFile(key, [
      { ...good, entry: { ...good.entry, signature: other.sign(canonicalText(good.entry.statement)) } },
    ]),
    'the entry "anna": its signature does not hold',
  ],
  ['an entry of another school', signedFile(key, [given(other, script('anna'))]), 'an entry is of another school'],
  [
    'an entry with another name of the school',
    signedFile(key, [given(key, script('anna'), { school: 'Verona' })]),
    'an entry is of another school',
  ],
  [
    'a package with another hash',
    signedFile(key, [{ ...good, bytes: script('bert') }]),
    'another hash than was signed',
  ],
  [
    'a size that is too small',
    signedFile(key, [{ ...good, size: good.bytes.length - 1 }]),
    'another hash than was signed',
  ],
  ['a size beyond the file', signedFile(key, [{ ...good, size: 1e15 }]), 'it is cut off'],
  ['a size of zero', signedFile(key, [{ ...good, size: 0 }]), 'bytes'],
  ['one pseudonym twice', signedFile(key, [good, given(key, script('other'))]), '"anna" occurs twice'],
  [
    'pseudonyms that differ in case',
    signedFile(key, [good, given(key, script('x'), { name: 'ANNA' })]),
    'differ only in case',
  ],
  ['a pseudonym with a path', signedFile(key, [given(key, script('x'), { name: '../anna' })]), 'a name'],
  ['a pseudonym that turns the text', signedFile(key, [given(key, script('x'), { name: 'an\u202ena' })]), 'a name'],
  [
    'a school with a long name',
    signedFile(key, [given(key, script('x'), { school: 'x'.repeat(41) })], { school: 'x'.repeat(41) }),
    'at most 40 characters',
  ],
  [
    'a game that is not known',
    signedFile(key, [given(key, script('x'), { game: 'chess' })]),
    'there is no game "chess"',
  ],
  ['a kind that cannot be packed', signedFile(key, [given(key, script('x'), { kind: 'web' as 'script' })]), 'kind'],
  ['a script that is binary', signedFile(key, [given(key, Buffer.from([1, 0, 2]))]), 'not text'],
  ['a script of 17 MB', signedFile(key, [given(key, Buffer.alloc(17 * 1024 * 1024, '/'))]), 'larger than 16 MB'],
  [
    'a program that is not an archive',
    signedFile(key, [given(key, script('x'), { kind: 'program' })]),
    'not one that a class stores',
  ],
  ['a program without agent.json', program([{ path: 'x', bytes: script('x') }]), 'no agent.json'],
  [
    'a program that says it is a script',
    program([agentJson({ ...manifestJson(), kind: 'script', command: undefined })]),
    'it is a script',
  ],
  [
    'a program of another game',
    program([agentJson({ ...manifestJson(), game: 'haggle' })]),
    'plays haggle, not specker',
  ],
  [
    'a program with an agent.json that is not JSON',
    program([{ path: 'agent.json', bytes: Buffer.from('{') }]),
    'agent.json:1:',
  ],
  ...['../evil', '/etc/passwd', 'con', 'a\\b'].map(
    (path) =>
      [
        `a program with the path ${path}`,
        signedFile(key, [given(key, badTar(path), { kind: 'program' })]),
        'not one that a class stores',
      ] as const,
  ),
]

/** A manifest that names one key and is signed with another. */
function forged(): Buffer {
  const manifest = { ...(JSON.parse(firstLine(file)) as { manifest: Parameters<typeof entriesText>[0] }).manifest }
  const line = canonicalText({ manifest, signature: other.sign(entriesText(manifest)) })
  return Buffer.concat([Buffer.from(line), file.subarray(file.indexOf(10))])
}

test.each(files)('%s is refused in one sentence', (_name, bytes, says) => {
  let message = ''
  try {
    readEntries('padova.entries', bytes)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    expect(error.name).toBe('ExpectedError')
    ;({ message } = error)
  }
  expect(message).toMatch(new RegExp(`^padova\\.entries cannot be accepted as entries: .*(${says}).*\\.$`))
  expect(message.length).toBeLessThan(400)
})

test('every byte that is changed is found', () => {
  const small = signedFile(key, [given(key, Buffer.from('x=1'))])
  for (let at = 0; at < small.length; at++) {
    const changed = Buffer.from(small)
    changed[at] = small[at]! ^ 1
    expect(() => readEntries('x', changed), `byte ${at}`).toThrow('cannot be accepted as entries')
  }
})

describe('nothing is half imported', () => {
  const contents = (): readonly string[] => readdirSync(data, { recursive: true, encoding: 'utf8' }).sort()

  test('when the key is not trusted, or its name is taken', async () => {
    const home = await openClassFolder(data)
    try {
      await home.change(({ settings }) => {
        settings.trustedKeys = [{ name: 'Padova', key: `tartaglia-ed25519:${other.publicKey}` }]
      })
      const before = [contents(), readFileSync(join(data, 'class.json'), 'utf8')]
      const opened = readEntries('x', file)
      await expect(importEntries(home, opened, { trust: null })).rejects.toThrow('does not trust the key')
      await expect(importEntries(home, opened, { trust: 'padova' })).rejects.toThrow('a name can have only one key')
      await expect(importEntries(home, opened, { trust: '' })).rejects.toThrow('a name has at least one')
      expect([contents(), readFileSync(join(data, 'class.json'), 'utf8')]).toEqual(before)
    } finally {
      await home.close()
    }
  })

  test('when the second of two entries cannot be taken', async () => {
    const home = await openClassFolder(data)
    try {
      const bert = script('bert')
      await importEntries(home, readEntries('x', signedFile(key, [given(key, bert, { name: 'bert' })])), { trust: 'P' })
      const before = [contents(), home.content]
      const haggler = given(key, script('haggler'), { name: 'bert', game: 'haggle' })
      const opened = readEntries('x', signedFile(key, [good, haggler]))
      await expect(importEntries(home, opened, { trust: null })).rejects.toThrow('"bert" of Liceo Padova plays specker')
      expect([contents(), home.content]).toEqual(before)
    } finally {
      await home.close()
    }
  })

  test('when the class exported it itself', async () => {
    const home = await openClassFolder(data)
    try {
      const own = readEntries('x', signedFile(home.key, [given(home.key, script('anna'))]))
      await expect(importEntries(home, own, { trust: 'me' })).rejects.toThrow('exported by this very class')
    } finally {
      await home.close()
    }
  })

  test('when a package cannot be stored', async () => {
    const home = await openClassFolder(data)
    try {
      const second = given(key, script('bert'), { name: 'bert' })
      const agent = hash('sha256', second.bytes)
      // A folder is in the way of the second package.
      mkdirSync(join(data, 'agents', `${agent}.js`), { recursive: true })
      const opened = readEntries('x', signedFile(key, [good, second]))
      await expect(importEntries(home, opened, { trust: 'P' })).rejects.toThrow(/store the entries/)
      expect(home.content.agents).toEqual([])
      expect(home.content.settings.trustedKeys).toEqual([])
      expect(contents()).not.toContain(join('agents', `${statement(key, good.bytes).package}.js`))
    } finally {
      await home.close()
    }
  })
})
