import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOpenedFiles } from '../../../main/services/matches/opened-files.ts'
import { ExpectedError } from '../../../main/contract/expected-error.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('opened-test')
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => void vi.unstubAllEnvs())

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}
const left = (): readonly string[] => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)))

test('a file is copied piece by piece, and the copy goes with the classroom', async () => {
  const opened = createOpenedFiles()
  const handle = await opened.add('../a.jsonl', pieces('one ', '', 'two'))
  const { name, path, bytes } = opened.get(handle)
  expect([name, bytes, readFileSync(path, 'utf8')]).toEqual(['../a.jsonl', 7, 'one two'])
  expect(handle).toMatch(/^[a-z0-9-]+$/)
  await opened.close()
  expect(existsSync(path)).toBe(false)
  expect(() => opened.get(handle)).toThrow(refusal('file-not-open'))
})

test('nothing is left of a file that does not come to its end, or is too large', async () => {
  const opened = createOpenedFiles(1_000)
  async function* cut(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half')
    throw new ExpectedError('stopped', 'upload-incomplete', 'The upload was not completed.')
  }
  await expect(opened.add('cut', cut())).rejects.toThrow('The upload was not completed.')
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.alloc(300)
  }
  await expect(opened.add('endless', endless())).rejects.toMatchObject({ name: 'ExpectedError', kind: 'usage' })
  expect(left()).toEqual([])
  await opened.close()
})

test('beyond the room that there is, the file that was opened first is forgotten', async () => {
  const opened = createOpenedFiles(10)
  const first = await opened.add('first', pieces('123456'))
  const second = await opened.add('second', pieces('123456'))
  expect(() => opened.get(first)).toThrow(refusal('file-not-open'))
  expect(opened.get(second).name).toBe('second')
  expect(left()).toHaveLength(1)
  await opened.close()
})

test('a file that was announced and does not come is given up', async () => {
  const opened = createOpenedFiles(1_000, 1)
  const handle = await opened.expect('late', 10, Buffer.from('end'))
  const { whole } = opened.get(handle)
  await expect(whole).rejects.toThrow(refusal('upload-incomplete', 'late'))
  expect(() => opened.get(handle)).toThrow(refusal('file-not-open'))
  await expect(opened.arrive(handle, pieces('0123456end'))).rejects.toThrow(refusal('file-not-open'))
  await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 30_000 })
  await opened.close()
})

test('whoever reads a file that comes is told when there is more of it, and that it is whole', async () => {
  const opened = createOpenedFiles()
  const handle = await opened.expect('a.jsonl', 6, Buffer.from('six'))
  const { path, bytes, coming, whole } = opened.get(handle)
  expect([bytes, readFileSync(path, 'utf8')]).toEqual([6, ''])
  const rest = Promise.withResolvers<string>()
  async function* slowly(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('one')
    yield Buffer.from(await rest.promise)
  }
  const taken = opened.arrive(handle, slowly())
  expect(await coming!.more(0)).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe('one')
  const more = coming!.more(3)
  rest.resolve('six')
  expect(await more).toBe(true)
  expect(await taken).toBe(handle)
  await whole
  expect(await coming!.more(6)).toBe(false)
  expect(opened.get(handle).coming).toBeNull()
  await opened.close()
})

test('whoever waits for more when the classroom closes is told', async () => {
  const opened = createOpenedFiles()
  const handle = await opened.expect('a.jsonl', 6, Buffer.from('six'))
  const more = opened.get(handle).coming!.more(0)
  opened.abandon()
  await expect(more).rejects.toThrow(refusal('file-not-open'))
  await opened.close()
})

test('a file that is read where it lies is dropped like others, and stays where it is', async () => {
  const path = join(folder, 'own.jsonl')
  writeFileSync(path, 'text')
  const opened = createOpenedFiles()
  const first = await opened.open(path)
  for (let more = 0; more < 1_000; more++) await opened.open(path)
  expect(() => opened.get(first)).toThrow(refusal('file-not-open'))
  await opened.close()
  expect(readFileSync(path, 'utf8')).toBe('text')
})
