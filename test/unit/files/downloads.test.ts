import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { hostCaller, type Caller } from '../../../main/contract/people/caller.ts'
import { createDownloads, type Downloads } from '../../../main/services/files/downloads.ts'
import { refusal } from '../../refusal.ts'

const anna: Caller = { role: 'student', person: 'p-anna', team: null, session: 's', isTerminal: false }
const content = Buffer.from(Array.from({ length: 1_300_000 }, (_, n) => n % 251))

let downloads = createDownloads()
afterEach(() => downloads.close())

/** Begins the download of a temporary file; returns its handle and path. */
async function begun(
  caller: Caller = hostCaller,
  of: Downloads = downloads,
): Promise<{ handle: string; path: string }> {
  let path = ''
  const handle = await of.beginFile(caller, async (given) => writeFileSync((path = given), content, { flag: 'wx' }))
  return { handle, path }
}

test('a file comes in pieces, whatever the number of calls at a time, and is gone after the last', async () => {
  const { handle, path } = await begun()
  const pieces = await Promise.all([downloads.piece(handle), downloads.piece(handle)])
  while (pieces.at(-1)!.last === false) pieces.push(await downloads.piece(handle))
  expect(pieces.length).toBeGreaterThan(2)
  expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece.content, 'base64'))).equals(content)).toBe(true)
  expect(pieces.map(({ part }) => part)).toEqual(pieces.map(({ part }) => part).toSorted((a, b) => a - b))
  expect([pieces[0]!.part < 0.5, pieces.at(-1)!.part]).toEqual([true, 1])
  expect(existsSync(path)).toBe(false)
  await expect(downloads.piece(handle)).rejects.toThrow(refusal('file-not-open'))
})

test('nothing remains of a download that is dropped before its first piece, or that could not be written', async () => {
  const { handle, path } = await begun()
  await downloads.drop(handle)
  expect(existsSync(path)).toBe(false)
  const failing = downloads.beginFile(hostCaller, async (given) => {
    writeFileSync(given, 'half')
    throw new Error('no more')
  })
  await expect(failing).rejects.toThrow('no more')
  expect(readdirSync(dirname(path))).toEqual([])
})

test('a file that is the same for everybody is made once, one such file at a time, and outlives its downloads', async () => {
  const paths: string[] = []
  let writing = 0
  let most = 0
  const write = async (path: string): Promise<void> => {
    most = Math.max(most, ++writing)
    await new Promise((resolve) => setTimeout(resolve, 5))
    writeFileSync(path, content, { flag: 'wx' })
    paths.push(path)
    writing -= 1
  }
  const keys = [...Array.from({ length: 20 }, () => 'a'), 'b']
  const handles = await Promise.all(keys.map((key) => downloads.beginShared(anna, key, write)))
  expect([paths.length, most]).toEqual([2, 1])
  // The oldest of hers are dropped; the file is there for the others.
  for (const handle of handles) await downloads.drop(handle)
  const again = await downloads.beginShared(hostCaller, 'a', write)
  const pieces = [await downloads.piece(again)]
  while (!pieces.at(-1)!.last) pieces.push(await downloads.piece(again))
  expect(Buffer.concat(pieces.map((piece) => Buffer.from(piece.content, 'base64'))).equals(content)).toBe(true)
  expect(paths.map((path) => existsSync(path))).toEqual([true, true])
  // A file that could not be made is made for the next caller.
  const failing = downloads.beginShared(anna, 'c', async () => {
    throw new Error('no more')
  })
  await expect(failing).rejects.toThrow('no more')
  await downloads.beginShared(anna, 'c', write)
  expect(paths).toHaveLength(3)
  await downloads.close()
  expect(paths.map((path) => existsSync(path))).toEqual([false, false, false])
})

test('whoever begins too many loses their own oldest; beyond the number of all, the oldest goes', async () => {
  downloads = createDownloads({ all: 3, ofCaller: 2 })
  const own = await begun()
  const hers = [await begun(anna), await begun(anna), await begun(anna)]
  expect([own, ...hers].map(({ path }) => existsSync(path))).toEqual([true, false, true, true])
  await begun({ ...anna, person: 'p-bert' })
  expect([own, ...hers].map(({ path }) => existsSync(path))).toEqual([false, false, true, true])
  await expect(downloads.piece(own.handle)).rejects.toThrow(refusal('file-not-open'))
})

test('an error of the bytes drops the download', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield content.subarray(0, 10)
    throw new Error('the disk is gone')
  }
  const handle = await downloads.begin(hostCaller, { pieces: broken(), part: () => 0 })
  await expect(downloads.piece(handle)).rejects.toThrow('the disk is gone')
  await expect(downloads.piece(handle)).rejects.toThrow(refusal('file-not-open'))
})
