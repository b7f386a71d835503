import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../main/histories/canonical.ts'
import { chainLine, linkHash } from '../../../main/histories/chain.ts'
import { startVerifyingProcess } from '../../../main/services/histories/verifying-process.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('limits')
const file = join(folder, 'history.jsonl')
writeFileSync(file, 'x\n')
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
      [{ ...generous, memoryMb: 20 }, 'it took more than 20 MB of memory'],
      [{ ...generous, silentSeconds: 0.05 }, 'it computed for more than 0.05 s without making progress'],
    ])('that end it with one sentence: %o', async (limits, why) => {
      const ended = Promise.withResolvers<undefined>()
      const reader = startVerifyingProcess(() => ended.resolve(undefined), limits)
      // It is asked again until it has ended: a start may be faster than the first look at it.
      const ask = async (): Promise<never> => {
        for (;;) await reader.verify(long, null, following)
      }
      await expect(ask()).rejects.toThrow(`The verification was ended (${why}).`)
      await ended.promise
      // Later questions get the same answer.
      await expect(reader.verify(file, null, following)).rejects.toThrow(why)
    })

    test('that an ordinary file does not reach', async () => {
      const reader = startVerifyingProcess(() => undefined)
      expect(await reader.verify(file, null, following)).toMatchObject({ ok: false, line: 1 })
      reader.close()
    })
  },
)
