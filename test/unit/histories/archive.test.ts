import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createExporter, type Exporter } from '../../../main/histories/export.ts'
import { keyText } from '../../../main/histories/keys.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { archiveMembers, archivePieces, isArchive } from '../../../main/services/histories/history-archive.ts'
import { givenHistories, type GivenHistory } from '../../../main/services/histories/given-histories.ts'
import { COMMENTS_MAX } from '../../../main/contract/histories/comments.ts'
import {
  createCommentStore,
  deleteComments,
  exportedComments,
} from '../../../main/services/histories/match-comments.ts'
import { indexMatch } from '../../../main/services/matches/match-index.ts'
import { compareFiles } from '../../../main/services/matches/compare-files.ts'
import { bringComments, unpackArchive } from '../../../main/services/matches/listed-files.ts'
import { createOpenedFiles } from '../../../main/services/matches/opened-files.ts'
import { tarEnd, tarFill, tarHeader } from '../../../main/services/packages/tar.ts'
import { writeZip } from '../../../main/services/packages/zip.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openToy, playToy, testKey } from './toy.ts'

const folder = temporaryFolder('archive')
const key = testKey()
const archive = join(folder, 'week.tar')
let exporter: Exporter

const collected = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  for await (const piece of pieces) parts.push(Buffer.from(piece))
  return Buffer.concat(parts)
}
async function textOf(match: number): Promise<string> {
  let text = ''
  for await (const piece of exporter.pieces(match, 'none')) text += piece
  return text
}
const listed = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
const member = (path: string, text: string): Buffer =>
  Buffer.concat([tarHeader(path, Buffer.byteLength(text)), Buffer.from(text), tarFill(Buffer.byteLength(text))])

beforeAll(async () => {
  const contest = join(folder, 'contest')
  mkdirSync(contest)
  const { writer } = await openToy(contest, key, 3_000)
  writer.append(playToy(1, 1, { turns: 2 }))
  writer.append(playToy(2, 2, { turns: 2 }))
  await writer.close()
  const scan = await scanContest({ dir: contest, contest: 'toy-1', key: key.publicKey })
  if (!scan.ok) throw new Error(scan.damage.message)
  exporter = await createExporter(scan, key)
  const matches = [1, 2].map((match) => ({ contest: 'toy-1', match }))
  const source = {
    key: key.publicKey,
    exporter: async () => exporter,
    scratch: async () => join(folder, 'scratch.jsonl'),
    comments: async () => null,
  }
  writeFileSync(archive, await collected(archivePieces(matches, source)))
})

test('an archive has the key and each match as it is exported alone, for any program that unpacks tar', async () => {
  const to = join(folder, 'unpacked')
  mkdirSync(to)
  execFileSync('tar', ['-xf', archive, '-C', to])
  expect(readFileSync(join(to, 'histories', 'class.pub'), 'utf8')).toBe(`${keyText(key.publicKey)}\n`)
  for (const match of [1, 2])
    expect(readFileSync(join(to, 'histories', 'toy-1', `match-000${match}.jsonl`), 'utf8')).toBe(await textOf(match))
  expect(existsSync(join(folder, 'scratch.jsonl'))).toBe(false)
  expect([await isArchive(archive), await isArchive(join(to, 'histories', 'class.pub'))]).toEqual([true, false])
})

test('one match at a time is in an unfinished archive, and stopping it leaves no file', async () => {
  const asked: number[] = []
  const watched: Exporter = {
    ...exporter,
    write: (match, consoles, file) => (asked.push(match), exporter.write(match, consoles, file)),
  }
  const scratch = async (): Promise<string> => join(folder, 'stopped.jsonl')
  const matches = [1, 2].map((match) => ({ contest: 'toy-1', match }))
  const pieces = archivePieces(matches, {
    key: key.publicKey,
    exporter: async () => watched,
    scratch,
    comments: async () => null,
  })
  // The key with its header and fill, and the header of the first match.
  for (let piece = 0; piece < 4; piece++) await pieces.next()
  expect(asked).toEqual([1])
  await pieces.return(undefined)
  expect(existsSync(await scratch())).toBe(false)
})

test('folders and archives are read as the histories in them; links in them are not followed', async () => {
  const to = join(folder, 'given')
  mkdirSync(join(to, 'deep'), { recursive: true })
  writeFileSync(join(to, 'deep', 'a.jsonl'), 'a')
  writeFileSync(join(to, 'notes.txt'), 'b')
  symlinkSync('/etc/passwd', join(to, 'link.jsonl'))
  const seen: unknown[] = []
  for await (const { name, path } of givenHistories([to, archive]))
    seen.push([name, path === null ? null : readFileSync(path, 'utf8')])
  expect(seen).toEqual([
    [join(to, 'deep', 'a.jsonl'), 'a'],
    [`${archive}/histories/toy-1/match-0001.jsonl`, await textOf(1)],
    [`${archive}/histories/toy-1/match-0002.jsonl`, await textOf(2)],
  ])
})

test('a folder or an archive without histories says so, and so does a zip, which is not a damaged history', async () => {
  const [empty, bare, zip] = [join(folder, 'empty'), join(folder, 'bare.tar'), join(folder, 'dossier.zip')]
  mkdirSync(empty)
  writeFileSync(zip, writeZip(new Map([['dossier.json', Buffer.from('{}')]])))
  writeFileSync(bare, Buffer.concat([member('x.txt', 'x'), tarEnd]))
  const problems = (await listed<GivenHistory>(givenHistories([empty, bare, zip]))).map(({ problem }) => problem?.code)
  expect(problems).toEqual(['file-unreadable', 'file-unreadable', 'file-unreadable'])
})

test('where an archive is cut off or damaged, the histories before it are still read', async () => {
  const whole = readFileSync(archive)
  const damaged = Buffer.from(whole)
  const second = whole.indexOf('histories/toy-1/match-0002.jsonl')
  damaged.fill(0x41, second + 124, second + 136)
  for (const [name, bytes, code] of [
    ['cut.tar', whole.subarray(0, second + 600), 'archive-cut-off'],
    ['endless.tar', whole.subarray(0, second), 'archive-cut-off'],
    ['damaged.tar', damaged, 'archive-damaged'],
  ] as const) {
    const path = join(folder, name)
    writeFileSync(path, bytes)
    const seen = await listed<GivenHistory>(givenHistories([path]))
    expect(seen.map(({ problem }) => problem?.code)).toEqual([undefined, code])
    await expect(listed(archiveMembers(path))).rejects.toThrow(refusal(code))
  }
})

test('an opened archive becomes opened files; another file gets a sentence, and the rest is opened', async () => {
  const link = tarHeader('evil.jsonl', 0)
  link.write('2', 156)
  let sum = 0
  for (let at = 0; at < 512; at++) sum += at >= 148 && at < 156 ? 32 : link[at]!
  link.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const opened = createOpenedFiles()
  const bytes = Buffer.concat([
    link,
    member('../../up.jsonl', 'up'),
    member('x.exe', 'x'),
    member('last.jsonl', 'last'),
    tarEnd,
  ])
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  const handle = await opened.add('mixed.tar', pieces())
  const files = (await unpackArchive(opened, { bring: () => null }, handle))!
  expect(
    files.map(({ name, file }) => [name, file === null ? null : readFileSync(opened.get(file).path, 'utf8')]),
  ).toEqual([
    ['evil.jsonl', null],
    ['../../up.jsonl', 'up'],
    ['x.exe', null],
    ['last.jsonl', 'last'],
  ])
  for (const { message, file } of files) expect(message === null).toBe(file !== null)
  expect(() => opened.get(handle)).toThrow(refusal('file-not-open'))
  async function* one(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{}\n')
  }
  expect(await unpackArchive(opened, { bring: () => null }, await opened.add('one.jsonl', one()))).toBeNull()
  await opened.close()
})

test('two files are compared line by line, whatever their length and wherever they differ', async () => {
  const compare = async (first: string, second: string): Promise<unknown> => {
    const files = [first, second].map((text, at) => {
      const path = join(folder, `compared-${at}`)
      writeFileSync(path, text)
      return { path, whole: Promise.resolve(), same: () => Promise.resolve() }
    })
    return compareFiles(files[0]!, files[1]!)
  }
  expect(await compare('one\ntwo\n', 'one\ntwo\n')).toEqual({ same: true })
  expect(await compare('', '')).toEqual({ same: true })
  expect(await compare('one\ntwo\n', 'one\ntoo\n')).toEqual({ same: false, line: 2, first: 'two', second: 'too' })
  expect(await compare('one\n', 'ane\n')).toEqual({ same: false, line: 1, first: 'one', second: 'ane' })
  expect(await compare('one\n', 'one\ntwo\n')).toEqual({ same: false, line: 2, first: '', second: 'two' })
  const long = 'line\n'.repeat(300_000)
  expect(await compare(`${long}a`, `${long}b`)).toEqual({ same: false, line: 300_001, first: 'a', second: 'b' })
})

test('comments lie beside their history, which does not change, and are read back; only the own ones can be deleted', async () => {
  const [data, other] = [join(folder, 'class'), join(folder, 'other')]
  const [first, second] = [await exporter.head(1), await exporter.head(2)]
  const store = createCommentStore(data, () => 0)
  await store.add(first, { event: 2, line: 0, by: '', text: 'Later' })
  await store.add(first, { event: 1, line: 1, by: 'Panel', text: '</script>\n"quoted"' })
  const matches = [1, 2].map((match) => ({ contest: 'toy-1', match }))
  const source = {
    key: key.publicKey,
    exporter: async () => exporter,
    scratch: async () => join(folder, 'scratch.jsonl'),
    comments: (head: string) => exportedComments(data, head),
  }
  const commented = join(folder, 'commented.tar')
  writeFileSync(commented, await collected(archivePieces(matches, source)))
  const paths = (await listed(archiveMembers(commented))).map(({ path }) => path)
  expect(paths).toEqual([
    'histories/class.pub',
    'histories/toy-1/match-0001.jsonl',
    'histories/toy-1/match-0001.comments.json',
    'histories/toy-1/match-0002.jsonl',
  ])
  const given = await listed<GivenHistory>(givenHistories([commented]))
  expect(given.map(({ name, problem }) => [name.slice(-16), problem])).toEqual([
    ['match-0001.jsonl', null],
    ['match-0002.jsonl', null],
  ])

  const opened = createOpenedFiles()
  const reader = createCommentStore(other)
  const unpacked = (await unpackArchive(opened, reader, await opened.open(commented)))!
  expect(unpacked.map(({ message }) => message)).toEqual([null, null])
  const index = await indexMatch({
    place: {
      run: null,
      stretches: [{ ...opened.get(unpacked[0]!.file!), from: 0, to: opened.get(unpacked[0]!.file!).bytes }],
    },
    name: 'match 1',
  })
  expect(index.head).toBe(first)
  const comments = await reader.list(index.head)
  expect(comments.map(({ event, text, own }) => [event, text, own])).toEqual([
    [1, '</script>\n"quoted"', false],
    [2, 'Later', false],
  ])
  await reader.remove(first, comments[0]!.id)
  expect(await reader.list(first)).toHaveLength(2)
  expect(await reader.list(second)).toEqual([])
  const [own] = await store.list(first)
  await store.remove(first, own!.id)
  expect((await store.list(first)).map(({ text }) => text)).toEqual(['Later'])

  // The same file beside a history in a folder, and those of a match that is deleted.
  const beside = join(folder, 'match-0001.comments.json')
  writeFileSync(beside, (await exportedComments(data, first))!)
  const third = createCommentStore(join(folder, 'third'))
  expect(await bringComments(opened, third, await opened.open(beside))).toBeNull()
  expect((await third.list(first)).map(({ text, own }) => [text, own])).toEqual([['Later', false]])
  writeFileSync(beside, '{}')
  expect(await bringComments(opened, third, await opened.open(beside))).toContain('not comments on a match')
  await store.add(second, { event: 0, line: 0, by: '', text: 'Stays' })
  await deleteComments(data, new Set([first]))
  expect([await exportedComments(data, first), (await store.list(second)).length]).toEqual([null, 1])
  await deleteComments(join(folder, 'none'), new Set([first]))

  await store.remove(second, (await store.list(second))[0]!.id)
  expect(await exportedComments(data, second)).toBeNull()
  await opened.close()
})

test('a match has a limited number of comments, and a bad file of them in an archive has a sentence', async () => {
  const store = createCommentStore(join(folder, 'full'))
  const head = await exporter.head(1)
  for (let i = 0; i < COMMENTS_MAX; i++) await store.add(head, { event: i, line: 0, by: '', text: 'x' })
  await expect(store.add(head, { event: 0, line: 0, by: '', text: 'x' })).rejects.toThrow(refusal('limit-reached'))
  const bad = join(folder, 'bad-comments.tar')
  const long = { id: '00000000-0000-4000-8000-000000000000', event: 0, line: 0, by: '', text: 'x'.repeat(1_001) }
  const file = { format: 'tartaglia-comments/1', head, comments: [{ ...long, written: '2026-01-02T03:04:05.000Z' }] }
  writeFileSync(
    bad,
    Buffer.concat([
      member('a.comments.json', '[1'),
      member('b.comments.json', JSON.stringify(file)),
      member('c.comments.json', ' '.repeat(1024 * 1024 + 1)),
      member('d.comments.json', JSON.stringify({ ...file, comments: Array(COMMENTS_MAX + 1).fill({}) })),
      member(
        'e.comments.json',
        JSON.stringify({
          ...file,
          ...Object.fromEntries(
            Array(20)
              .fill('k')
              .map((k, i) => [k + i, 1]),
          ),
        }),
      ),
      tarEnd,
    ]),
  )
  const opened = createOpenedFiles()
  const unpacked = (await unpackArchive(opened, createCommentStore(folder), await opened.open(bad)))!
  expect(unpacked.map(({ file, message }) => [file, message === null])).toEqual(Array(5).fill([null, false]))
  await opened.close()
})
