import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storeAgent } from '../../../main/administrator/classroom/agents.ts'
import { unpackJob } from '../../../main/services/packages/codes.ts'
import { writeTar } from '../../../main/services/packages/tar.ts'
import { unpackInto } from '../../../main/services/packages/unpacked.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('a program is unpacked although a process that was killed had begun to', async () => {
  const [data, folder] = [temporaryFolder('unpack-data'), temporaryFolder('unpack-folder')]
  const manifest = { name: 'program', game: 'haggle', kind: 'program', command: ['lib/run'] }
  const files = [
    { path: 'agent.json', bytes: Buffer.from(JSON.stringify(manifest)) },
    { path: 'lib/run', bytes: Buffer.from('whole') },
  ]
  const { agent } = await storeAgent(data, { kind: 'program', bytes: writeTar(files) })
  await unpackInto(folder, [
    { path: 'lib/run', bytes: Buffer.from('ha') },
    { path: 'left', bytes: Buffer.from('') },
  ])
  expect(await unpackJob.read({ data, agent, folder }, () => undefined)).toMatchObject({ command: ['lib/run'] })
  expect(readdirSync(folder).sort()).toEqual(['agent.json', 'lib'])
  expect(readFileSync(join(folder, 'lib', 'run'), 'utf8')).toBe('whole')
})
