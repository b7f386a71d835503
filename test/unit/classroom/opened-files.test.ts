import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOpenedFiles } from '../../../main/app/classroom-service/opened-files.ts'
import { Trouble } from '../../../main/contract/trouble.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tartaglia-opened-test-'))
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

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
  expect(() => opened.get(handle)).toThrow('not open any more')
})

test('nothing is left of a file that does not come to its end, or is too large', async () => {
  const opened = createOpenedFiles(1_000)
  async function* cut(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half')
    throw new Trouble('stopped', 'The file was not sent to its end.')
  }
  await expect(opened.add('cut', cut())).rejects.toThrow('The file was not sent to its end.')
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.alloc(300)
  }
  await expect(opened.add('endless', endless())).rejects.toMatchObject({ name: 'Trouble', kind: 'usage' })
  expect(left()).toEqual([])
  await opened.close()
})

test('beyond the room that there is, the file that was opened first is forgotten', async () => {
  const opened = createOpenedFiles(10)
  const first = await opened.add('first', pieces('123456'))
  const second = await opened.add('second', pieces('123456'))
  expect(() => opened.get(first)).toThrow('not open any more')
  expect(opened.get(second).name).toBe('second')
  expect(left()).toHaveLength(1)
  await opened.close()
})
