import { execFileSync } from 'node:child_process'
import { appendFile, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { platform } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { readBytes } from '../../../main/services/files/read-file.ts'
import { readJsonText } from '../../../main/contract/json-text.ts'
import { readPublicKey } from '../../../main/histories/key-files.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'

const any = z.custom<unknown>()

describe('JSON text of any size and shape has an answer', () => {
  test('a string of many megabytes', () => {
    const text = JSON.stringify({ title: 'a'.repeat(20_000_000) })
    expect(readJsonText(text, any)).toMatchObject({ ok: true })
  })

  // Once quadratic: 300 seconds for a file of 800 kB.
  test.each([
    ['escaped quotes in a string that never ends', `{"a":"${'\\"'.repeat(2_000_000)}`],
    ['a string that never ends', `["${'a'.repeat(4_000_000)}`],
    ['a backslash at the end', '["\\'],
    ['a string that ends in a backslash', '["a\\"'],
  ])('%s', (_what, text) => {
    expect(readJsonText(text, any)).toMatchObject({ ok: false, line: 1, column: text.length + 1 })
  })

  test('brackets in strings do not nest, nor do brackets behind escaped quotes', () => {
    const text = JSON.stringify({ a: '['.repeat(2_000), b: `\\"${'{'.repeat(2_000)}` })
    expect(readJsonText(text, any)).toEqual({ ok: true, value: JSON.parse(text) as unknown })
  })

  test('depth is counted up and down', () => {
    expect(readJsonText('[' + '[],'.repeat(5_000) + '[]]', any)).toMatchObject({ ok: true })
    const deep = '"[",' + '['.repeat(600)
    expect(readJsonText(`[${deep}`, any)).toMatchObject({ ok: false, line: 1, column: 1 + 4 + 512 })
  })
})

describe.skipIf(platform === 'win32')('anything but a file', () => {
  let folder = ''
  let pipe = ''
  beforeAll(async () => {
    folder = temporaryFolder('files')
    pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
  })

  test('a pipe that nobody writes to is empty, not waited for', async () => {
    expect(await readBytes(pipe, 100)).toEqual(Buffer.alloc(0))
    expect(readPublicKey(pipe)).toMatchObject({ ok: false })
  })

  test('a pipe with a writer is read to its end, however slowly it comes', async () => {
    // Open for both, so that opening does not wait for a reader.
    const writer = await open(pipe, 'r+')
    await writer.write('one ')
    const read = readBytes(pipe, 100)
    await setTimeout(1_000)
    await writer.write('two')
    await writer.close()
    expect((await read).toString()).toBe('one two')
  })

  test('a device that never ends is refused, as a file and as a key', async () => {
    await expect(readBytes('/dev/zero', 3_000_000)).rejects.toThrow(refusal('too-large', '/dev/zero'))
    expect(readPublicKey('/dev/zero')).toMatchObject({ ok: false })
  })

  test('a key file is read as far as a key goes', async () => {
    const file = join(folder, 'key')
    await writeFile(file, `tartaglia-ed25519:${'ab'.repeat(32)}\n`)
    expect(readPublicKey(file)).toEqual({ ok: true, key: 'ab'.repeat(32) })
    await appendFile(file, 'x')
    expect(readPublicKey(file)).toMatchObject({ ok: false })
  })
})
