import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { openExportFolder } from '../../../main/services/files/export-folder.ts'
import { writeExports } from '../../../main/services/histories/export-histories.ts'
import { checkOutFile, writeNewFile, writeOutFile } from '../../../main/services/files/output-file.ts'
import { keyText } from '../../../main/histories/keys.ts'
import { scanContest, type ContestScan } from '../../../main/histories/segments/contest-scan.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openToy, playToy, testKey } from '../histories/toy.ts'
import { refusal } from '../../refusal.ts'

const key = testKey()
let folder: string
let to = ''
beforeEach(() => {
  folder = temporaryFolder('histories')
  to = join(folder, 'export')
})

/** A finished contest of `matches` matches. */
async function contest(matches: number): Promise<ContestScan> {
  const dir = join(folder, `of-${matches}`)
  const { scan, writer } = await openToy(dir, key)
  for (let match = 0; match < matches; match++) writer.append(playToy(match, scan.nextRun + match))
  await writer.commit()
  await writer.close()
  const read = await scanContest({ dir, contest: 'toy-1', key: key.publicKey })
  if (!read.ok) throw new Error(read.damage.message)
  return read
}

/** The files of the folder, by name. */
const held = (): Record<string, string> =>
  Object.fromEntries(readdirSync(to).map((name) => [name, readFileSync(join(to, name), 'utf8')]))

const all = (): boolean => true
const own = { contest: 'toy-1', key: key.publicKey }

describe('a folder of exported matches', () => {
  test('is made, and takes the same contest again when it has gone on', async () => {
    expect(openExportFolder(to, { ...own, contest: null }, all)).toBe(to)
    await writeExports(await contest(1), key, to, 'none')
    const [first] = Object.values(held())
    await writeExports(await contest(2), key, to, 'none')
    // The proof of the first match is another one now: it is of two.
    expect(held()['match-0000.jsonl']).not.toBe(first)
    expect(Object.keys(held()).sort()).toEqual(['class.pub', 'match-0000.jsonl', 'match-0001.jsonl'])
  })

  test.each<[string, { contest: string | null; key: string }, RegExp]>([
    [
      'another contest of the class',
      { ...own, contest: 'toy-2' },
      /match-0000\.jsonl belongs to another contest, toy-1, /,
    ],
    ['one that is to begin', { ...own, contest: null }, /match-0000\.jsonl belongs to another contest, toy-1, /],
    [
      'the same of another class',
      { ...own, key: '1'.repeat(64) },
      /match-0000\.jsonl belongs to a contest of another class/,
    ],
  ])('refuses %s, and nothing in it changes', async (_name, owner, says) => {
    await writeExports(await contest(2), key, to, 'none')
    const before = held()
    expect(() => openExportFolder(to, owner, all)).toThrow(says)
    expect(held()).toEqual(before)
  })

  test('lets matches of another contest be that have other numbers', async () => {
    await writeExports(await contest(2), key, to, 'none')
    expect(openExportFolder(to, { ...own, contest: 'toy-2' }, (match) => match > 1)).toBe(to)
  })

  test.each<[string, string, string, RegExp]>([
    ['a text in the place of a match', 'match-0000.jsonl', 'my notes', /match-0000\.jsonl is not an exported match/],
    [
      'a match that was not written to its end',
      'match-0000.jsonl',
      '{"b":',
      /match-0000\.jsonl is not an exported match/,
    ],
    [
      'the key of another class',
      'class.pub',
      keyText('1'.repeat(64)),
      /class\.pub is not the public key of this class/,
    ],
  ])('with %s is refused before anything is written', async (_name, name, text, says) => {
    mkdirSync(to)
    writeFileSync(join(to, name), text)
    await expect(writeExports(await contest(2), key, to, 'none')).rejects.toThrow(says)
    expect(held()).toEqual({ [name]: text })
  })

  test('with a folder in the place of a match is refused', async () => {
    mkdirSync(join(to, 'match-0001.jsonl'), { recursive: true })
    await expect(writeExports(await contest(2), key, to, 'none')).rejects.toThrow(
      /match-0001\.jsonl is not an exported match/,
    )
  })

  test('keeps what is in no match’s way', async () => {
    mkdirSync(to)
    for (const name of ['notes.txt', 'match-1.jsonl', 'match-00000.jsonl', 'match-0002.jsonl'])
      writeFileSync(join(to, name), name)
    await writeExports(await contest(2), key, to, 'none')
    expect(held()).toMatchObject({
      'notes.txt': 'notes.txt',
      'match-1.jsonl': 'match-1.jsonl',
      'match-0002.jsonl': 'match-0002.jsonl',
    })
  })
})

describe('a file that a verb writes', () => {
  const at = (name: string): string => join(folder, name)

  test('is written whole, and never over another that nobody gave up', () => {
    writeOutFile({ path: at('a'), overwrite: false }, 'one')
    const again = { path: at('a'), overwrite: false }
    expect(() => checkOutFile(again)).toThrow(refusal('file-exists', at('a'), '--overwrite'))
    expect(() => writeOutFile(again, 'two')).toThrow(refusal('file-exists', at('a')))
    expect(() => writeNewFile(at('a'), 'two')).toThrow(refusal('file-exists', at('a')))
    expect(readFileSync(at('a'), 'utf8')).toBe('one')
    writeOutFile({ path: at('a'), overwrite: true }, 'two')
    expect(readFileSync(at('a'), 'utf8')).toBe('two')
    expect(readdirSync(folder)).toEqual(['a'])
  })

  test.skipIf(process.platform === 'win32')('replaces a link, not what it leads to', () => {
    writeFileSync(at('precious'), 'precious')
    symlinkSync(at('precious'), at('link'))
    writeOutFile({ path: at('link'), overwrite: true }, 'new')
    expect([readFileSync(at('precious'), 'utf8'), readFileSync(at('link'), 'utf8')]).toEqual(['precious', 'new'])
  })

  test('is refused before the work where it cannot be written, and says why', () => {
    expect(() => checkOutFile({ path: folder, overwrite: true })).toThrow(refusal('file-unreadable', folder))
    const lost = { path: join(at('none'), 'x'), overwrite: false }
    expect(() => checkOutFile(lost)).toThrow(refusal('path-unusable', lost.path, at('none')))
    writeFileSync(at('file'), '')
    expect(() => checkOutFile({ path: join(at('file'), 'x'), overwrite: false })).toThrow(
      'a part of the path is not a folder',
    )
    writeNewFile(join(at('made'), 'x'), 'made')
    expect(readFileSync(join(at('made'), 'x'), 'utf8')).toBe('made')
  })

  test.skipIf(process.platform !== 'linux')('is refused where a file system takes nothing new', () => {
    for (const path of ['/proc/x.zip', '/proc/x/y.zip'])
      expect(() => writeNewFile(path, '')).toThrow(`Cannot write ${path}: `)
    expect(() => writeNewFile('/proc/x.zip', '')).toThrow('nothing can be created in /proc.')
  })

  test.skipIf(process.platform === 'win32')('may be a device', () => {
    for (const overwrite of [false, true]) writeOutFile({ path: '/dev/null', overwrite }, 'gone')
  })
})
