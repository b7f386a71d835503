import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namesForWriting, storeWritten, writeAgent } from '../../../main/administrator/classroom/agents.ts'
import { writeJob } from '../../../main/services/agents/handed-in-files.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('a reading process names no file that is renamed: its answer only says what was written', async () => {
  const data = temporaryFolder('written')
  const names = namesForWriting(data)
  const report = await writeAgent({ kind: 'script', bytes: Buffer.from('1') }, Buffer.from('2'), names)
  expect(report).toEqual({ kind: 'script', agent: report.agent, hasSource: true })
  const manifest = { name: 'x', game: 'haggle', kind: 'script' }
  expect(writeJob.result.safeParse({ manifest, written: report, withdrawn: false }).success).toBe(true)
  const foreign = { ...report, file: '/etc/hostname' }
  expect(writeJob.result.safeParse({ manifest, written: foreign, withdrawn: false }).success).toBe(false)
  await storeWritten(data, { ...report, ...names })
  const stored = readdirSync(join(data, 'agents')).sort()
  expect(stored).toEqual([`${report.agent}.js`, `${report.agent}.source`])
  expect(stored.map((each) => readFileSync(join(data, 'agents', each), 'utf8'))).toEqual(['1', '2'])
})
