import { execFile } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../main/histories/canonical.ts'
import { chainLine, linkHash } from '../../../main/histories/chain.ts'
import { showHistory } from '../../../main/services/histories/verify-histories.ts'
import { startVerifyingProcess } from '../../../main/services/histories/verifying-process.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'

const folder = temporaryFolder('limits')
const file = join(folder, 'history.jsonl')
writeFileSync(file, 'x\n')
/** A line that is a record, whatever it says. */
const blob = `{"k":"blob","sha256":"${sha256('1')}","value":1}`
const readable = chainLine(blob, linkHash('', '-', sha256(blob)))
/** A single line that takes about a second. */
const long = join(folder, 'long.jsonl')
const value = `[${'1,'.repeat(7_000_000)}1]`
const body = `{"k":"blob","sha256":"${sha256(value)}","value":${value}}`
writeFileSync(long, chainLine(body, linkHash('', '-', sha256(body))))

const following = { signal: new AbortController().signal, onPart: () => undefined }
const generous = { memoryMb: 2_048, silentSeconds: 60 }

describe.skipIf(process.platform !== 'linux')(
  "a stranger's history is read in a process with limits (needs Linux)",
  () => {
    test.each([
      [{ ...generous, memoryMb: 20 }, '20 MB'],
      [{ ...generous, silentSeconds: 0.05 }, '0.05 s'],
    ])('that end it with one sentence: %o', async (limits, limit) => {
      const ended = Promise.withResolvers<undefined>()
      const reader = startVerifyingProcess(() => ended.resolve(undefined), limits)
      // It is asked again until it has ended: a start may be faster than the first look at it.
      const ask = async (): Promise<never> => {
        for (;;) await reader.verify(long, null, following)
      }
      await expect(ask()).rejects.toThrow(refusal('verification-limit', limit))
      await ended.promise
      // Later questions get the same answer.
      await expect(reader.verify(file, null, following)).rejects.toThrow(refusal('verification-limit', limit))
    })

    test('that an ordinary file does not reach', async () => {
      const reader = startVerifyingProcess(() => undefined)
      expect(await reader.verify(file, null, following)).toMatchObject({ ok: false, line: 1 })
      reader.close()
    })
  },
)

test('of a file with millions of lines that are not records, only the first are read', async () => {
  const path = join(folder, 'braces.jsonl')
  const braces = '{}\n'.repeat(5_000_000)
  writeFileSync(path, braces)
  await expect(showHistory(path)).rejects.toMatchObject({ code: 'history-invalid' })
  writeFileSync(path, readable + braces)
  const { verdict, lines } = await showHistory(path)
  expect(verdict).toMatchObject({ ok: false, line: 2 })
  expect([...lines]).toHaveLength(1_002)
})

test('a huge file is read piece by piece', async () => {
  const path = join(folder, 'zeros.jsonl')
  writeFileSync(path, readable)
  truncateSync(path, 600 * 1024 * 1024)
  const script = `
    import { historyVerifier } from ${JSON.stringify(join(import.meta.dirname, '../../../main/services/histories/verify-histories.ts'))}
    const verdict = await historyVerifier([])(${JSON.stringify(path)})
    console.log(JSON.stringify([verdict.ok, process.resourceUsage().maxRSS / 1024]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  const [ok, megabytes] = JSON.parse(stdout) as [boolean, number]
  expect(ok).toBe(false)
  // A line may have 64 MB; the program itself takes about 150.
  expect(megabytes).toBeLessThan(400)
})
