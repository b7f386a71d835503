import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { canonicalText } from '../../../main/histories/canonical.ts'
import { entriesText } from '../../../main/histories/keys.ts'
import { importEntries } from '../../../main/services/entries/import-entries.ts'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import { readEntries } from '../../../main/services/entries/entries-file.ts'
import { writeTar } from '../../../main/services/packages/tar.ts'
import { writeZip } from '../../../main/services/packages/zip.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { given, newKey, script, signedFile, statement } from '../../unit/entries/school.ts'
import { refusal, type Fact } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

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

const files: [string, Uint8Array, ErrorCode, ...Fact[]][] = [
  ['an empty file', Buffer.alloc(0), 'entries-list-missing'],
  ['zeros', Buffer.alloc(1_000_000), 'entries-list-missing'],
  ['a line without an end', Buffer.alloc(5_000_000, '{'), 'too-large'],
  ['a zip', writeZip(new Map([['../../evil.js', script('evil')]])), 'entries-list-missing'],
  ['a bomb of brackets', Buffer.from(`{"manifest":${'['.repeat(1_000_000)}\n`), 'json-invalid'],
  ['a line that is not UTF-8', withLine((line) => line.replace('anna', '\ud800')), 'json-invalid'],
  ['half of a manifest', file.subarray(0, 200), 'entries-list-missing'],
  ['a package that is cut off', file.subarray(0, file.length - 1), 'archive-cut-off'],
  ['bytes after the last package', Buffer.concat([file, Buffer.from('x')]), 'entries-bytes-left'],
  [
    'a newer form',
    signedFile(key, [good], { format: 'tartaglia-entries/2' }),
    'entries-form-unknown',
    'tartaglia-entries/2',
  ],
  ['another form', signedFile(key, [good], { format: 'zip' }), 'json-invalid', 'manifest.format'],
  ['a field that is not known', signedFile(key, [good], { path: '/etc/passwd' }), 'json-invalid', '"path"'],
  ['no entries', signedFile(key, []), 'json-invalid', 'manifest.entries'],
  [
    'too many entries',
    signedFile(
      key,
      Array.from({ length: 1_001 }, (_, at) => given(key, script('a'), { name: `a${at}` })),
    ),
    'json-invalid',
    'manifest.entries',
  ],
  ['white space in the manifest', withLine((line) => line.replace(':', ': ')), 'entries-not-canonical'],
  [
    'members in another order',
    withLine((line) => line.replace(/"bytes":(\d+),("signature":"[0-9a-f]+")/, '$2,"bytes":$1')),
    'entries-not-canonical',
  ],
  [
    'a manifest that was changed',
    withLine((line) => line.replaceAll('Liceo Padova', 'Liceo Verona')),
    'entries-signature-invalid',
  ],
  ['a manifest that another key signed', forged(), 'entries-signature-invalid'],
  [
    'an entry that another key signed',
    signedFile(key, [
      { ...good, entry: { ...good.entry, signature: other.sign(canonicalText(good.entry.statement)) } },
    ]),
    'entry-signature-invalid',
    '"anna"',
  ],
  ['an entry of another school', signedFile(key, [given(other, script('anna'))]), 'json-invalid', 'manifest'],
  [
    'an entry with another name of the school',
    signedFile(key, [given(key, script('anna'), { school: 'Verona' })]),
    'json-invalid',
    'manifest',
  ],
  [
    'a package with another hash',
    signedFile(key, [{ ...good, bytes: script('bert') }]),
    'entry-hash-differs',
    '"anna"',
  ],
  [
    'a size that is too small',
    signedFile(key, [{ ...good, size: good.bytes.length - 1 }]),
    'entry-hash-differs',
    '"anna"',
  ],
  ['a size beyond the file', signedFile(key, [{ ...good, size: 1e15 }]), 'archive-cut-off'],
  ['a size of zero', signedFile(key, [{ ...good, size: 0 }]), 'json-invalid', 'bytes'],
  ['one pseudonym twice', signedFile(key, [good, given(key, script('other'))]), 'name-taken', '"anna"'],
  [
    'pseudonyms that differ in case',
    signedFile(key, [good, given(key, script('x'), { name: 'ANNA' })]),
    'name-taken',
    '"anna"',
    '"ANNA"',
  ],
  [
    'a pseudonym with a path',
    signedFile(key, [given(key, script('x'), { name: '../anna' })]),
    'json-invalid',
    'statement.name',
  ],
  [
    'a pseudonym that turns the text',
    signedFile(key, [given(key, script('x'), { name: 'an\u202ena' })]),
    'json-invalid',
    'statement.name',
  ],
  [
    'a school with a long name',
    signedFile(key, [given(key, script('x'), { school: 'x'.repeat(41) })], { school: 'x'.repeat(41) }),
    'json-invalid',
    'school',
    40,
  ],
  [
    'a game that is not known',
    signedFile(key, [given(key, script('x'), { game: 'chess' })]),
    'game-unknown',
    '"chess"',
  ],
  [
    'a kind that cannot be packed',
    signedFile(key, [given(key, script('x'), { kind: 'web' as 'script' })]),
    'json-invalid',
    'kind',
  ],
  ['a script that is binary', signedFile(key, [given(key, Buffer.from([1, 0, 2]))]), 'package-not-text', '"anna"'],
  ['a script of 17 MB', signedFile(key, [given(key, Buffer.alloc(17 * 1024 * 1024, '/'))]), 'too-large', '16 MB'],
  [
    'a program that is not an archive',
    signedFile(key, [given(key, script('x'), { kind: 'program' })]),
    'archive-cut-off',
    '"anna"',
  ],
  ['a program without agent.json', program([{ path: 'x', bytes: script('x') }]), 'manifest-missing', 'agent.json'],
  [
    'a program that says it is a script',
    program([agentJson({ ...manifestJson(), kind: 'script', command: undefined })]),
    'kind-not-accepted',
    'script',
  ],
  [
    'a program of another game',
    program([agentJson({ ...manifestJson(), game: 'haggle' })]),
    'other-game',
    'haggle',
    'specker',
  ],
  [
    'a program with an agent.json that is not JSON',
    program([{ path: 'agent.json', bytes: Buffer.from('{') }]),
    'manifest-invalid',
    'agent.json:1:',
  ],
  ...(
    [
      ['../evil', 'path-leaves-package'],
      ['/etc/passwd', 'path-absolute'],
      ['con', 'path-device-name'],
      ['a\\b', 'path-characters'],
    ] as const
  ).map(([path, code]): [string, Uint8Array, ErrorCode, Fact] => [
    `a program with the path ${path}`,
    signedFile(key, [given(key, badTar(path), { kind: 'program' })]),
    code,
    JSON.stringify(path),
  ]),
]

/** A manifest that names one key and is signed with another. */
function forged(): Buffer {
  const manifest = { ...(JSON.parse(firstLine(file)) as { manifest: Parameters<typeof entriesText>[0] }).manifest }
  const line = canonicalText({ manifest, signature: other.sign(entriesText(manifest)) })
  return Buffer.concat([Buffer.from(line), file.subarray(file.indexOf(10))])
}

test.each(files)('%s is refused in one sentence', (_name, bytes, code, ...facts) => {
  let refused: unknown
  try {
    readEntries('padova.entries', bytes)
  } catch (error) {
    refused = error
  }
  expect(refused).toEqual(refusal(code, 'padova.entries', ...facts))
  const { message } = refused as Error
  expect(message).toMatch(/^[^\n]+\.$/)
  expect(message.length).toBeLessThan(400)
})

test('every byte that is changed is found', () => {
  const small = signedFile(key, [given(key, Buffer.from('x=1'))])
  for (let at = 0; at < small.length; at++) {
    const changed = Buffer.from(small)
    changed[at] = small[at]! ^ 1
    expect(() => readEntries('x', changed), `byte ${at}`).toThrow(ExpectedError)
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
      await expect(importEntries(home, opened, { trust: null })).rejects.toThrow(
        refusal('key-not-trusted', 'Liceo Padova'),
      )
      await expect(importEntries(home, opened, { trust: 'padova' })).rejects.toThrow(
        refusal('input-invalid', '"padova"'),
      )
      await expect(importEntries(home, opened, { trust: '' })).rejects.toThrow(refusal('input-invalid', '""'))
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
      await expect(importEntries(home, opened, { trust: null })).rejects.toThrow(
        refusal('entry-of-other-game', '"bert"', 'Liceo Padova', 'specker'),
      )
      expect([contents(), home.content]).toEqual(before)
    } finally {
      await home.close()
    }
  })

  test('when the class exported it itself', async () => {
    const home = await openClassFolder(data)
    try {
      const own = readEntries('x', signedFile(home.key, [given(home.key, script('anna'))]))
      await expect(importEntries(home, own, { trust: 'me' })).rejects.toThrow(refusal('entries-of-this-class'))
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
      await expect(importEntries(home, opened, { trust: 'P' })).rejects.toThrow(refusal('path-unusable', data))
      expect(home.content.agents).toEqual([])
      expect(home.content.settings.trustedKeys).toEqual([])
      expect(contents()).not.toContain(join('agents', `${statement(key, good.bytes).package}.js`))
    } finally {
      await home.close()
    }
  })
})
