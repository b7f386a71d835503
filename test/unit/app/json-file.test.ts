import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { readJsonFile } from '../../../main/services/files/read-file.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'

let folder: string
beforeAll(() => {
  folder = temporaryFolder('json-file')
})

const schema = z.strictObject({
  title: z.string(),
  entrants: z.array(z.strictObject({ name: z.string(), agent: z.string().min(1) })),
})

/** The complaint about a file with this content, without the path. */
async function complaint(content: string): Promise<string> {
  const path = join(folder, 'contest.json')
  await writeFile(path, content)
  const error: unknown = await readJsonFile(path, schema).catch((thrown: unknown) => thrown)
  return error instanceof Error ? error.message.replace(path, 'FILE') : 'accepted'
}

test('a good file is read', async () => {
  expect(await complaint('{"title": "x", "entrants": []}')).toBe('accepted')
})

test.each([
  ['{"title": "x",\n "entrants": [,]}', /^FILE:2:15: not JSON: Unexpected token ','/],
  ['{"title": "x"', /^FILE:1:14: not JSON: /],
  ['', /^FILE:1:1: not JSON: Unexpected end of JSON input/],
  ['{"title": 7, "entrants": []}', /^FILE:1:11: title: expected text, found 7$/],
  [
    '{\n  "title": "a \\" } [",\n  "entrants": [\n    {"name": "a", "agent": "b"},\n    {"name": "c", "agent": ""}\n  ]\n}',
    /^FILE:5:28: entrants\.1\.agent: /,
  ],
  ['{"title": "x", "entrants": [{"name": "a"}]}', /^FILE:1:29: entrants\.0\.agent: it is missing; expected text$/],
  ['[1]', /^FILE:1:1: expected an object, found a list$/],
])('%j is refused with its place', async (content, expected) => {
  expect(await complaint(content)).toMatch(expected)
})

test('a file that is not UTF-8 is named', async () => {
  const path = join(folder, 'contest.json')
  await writeFile(path, new Uint8Array([0x7b, 0xff, 0x7d]))
  await expect(readJsonFile(path, schema)).rejects.toThrow(refusal('not-utf8', path, 'UTF-8'))
})

test('a file that is not there and a folder are named', async () => {
  await expect(readJsonFile(join(folder, 'none.json'), schema)).rejects.toThrow(refusal('file-unreadable', 'none.json'))
  await expect(readJsonFile(folder, schema)).rejects.toThrow(refusal('file-unreadable', folder))
})
