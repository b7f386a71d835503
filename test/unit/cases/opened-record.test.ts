import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { caseRecordJob } from '../../../main/services/cases/opened-record.ts'
import { run } from '../cli/environment.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { grow, linesOf } from './record.ts'

const folder = temporaryFolder('opened-records')

test('a record that is too large for the window names the command, which reads it', async () => {
  const growing = grow()
  const [first = ''] = linesOf(growing.entries)
  const path = join(folder, 'long.jsonl')
  const read = () => Promise.resolve(caseRecordJob.read({ path, name: 'long.jsonl', known: [] }, () => undefined))
  writeFileSync(path, `${first}\n`)
  expect(await read()).toMatchObject({ verdict: 'signer-unknown', problem: null })
  // Its second line is 9 MB of nothing.
  writeFileSync(path, `${first}\n${'x'.repeat(9 * 1024 * 1024)}\n`)
  await expect(read()).rejects.toThrow(
    refusal('too-large', 'long.jsonl', 8, 'tartaglia case verify', 'tartaglia case show'),
  )
  // Not genuine, and not too large.
  expect((await run('case', 'verify', path, '--data', folder)).code).toBe(1)
})
