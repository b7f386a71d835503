import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { inNewFolder } from '../../../main/services/archive/new-folder.ts'
import { backUp, backupsOf } from '../../../main/services/archive/back-up.ts'
import { exportClass } from '../../../main/services/archive/export-class.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { makeClass } from './made-class.ts'

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

test('temporary files with names that a killed program left are deleted by the next one', async () => {
  const [data, place, system] = [temporaryFolder('killed'), temporaryFolder('place'), temporaryFolder('system')]
  await makeClass(data)
  const child = spawn(process.execPath, ['test/unit/archive/killed-class.ts', data, place], {
    // Windows reads the other two.
    env: { ...process.env, TMPDIR: system, TEMP: system, TMP: system },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'close')
  const leftBy = (name: string): boolean => name.includes(`-${child.pid}-`)
  // The archive, the copy of the accounts, and the class that was being made.
  expect(filesIn(join(data, 'tartaglia-scratch'))).toHaveLength(1)
  const [copy] = readdirSync(system).filter(leftBy)
  expect(filesIn(join(system, copy!))).toContain('people.db')
  expect(readdirSync(place).filter(leftBy)).toHaveLength(1)

  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, system)
  // Those of a program that runs stay.
  const running = `tartaglia-passing-people-${process.pid}-abcdef`
  writeFileSync(join(system, running), '')
  await (await openClassFolder(data)).close()
  expect(existsSync(join(data, 'tartaglia-scratch'))).toBe(false)
  expect(readdirSync(system)).toEqual([running])
  await inNewFolder(join(place, 'next'), async () => undefined)
  expect(readdirSync(place)).toEqual(['next'])
  vi.unstubAllEnvs()
}, 120_000)

test.skipIf(process.platform === 'win32')(
  'a disk without room is told before anything is exported or backed up (needs files with holes)',
  async () => {
    const [data, place] = [temporaryFolder('large'), temporaryFolder('place')]
    await makeClass(data)
    // A file with a hole that takes no room: a TB more than is free.
    const { bavail, bsize } = statfsSync(data)
    writeFileSync(join(data, 'agents', 'large'), '')
    truncateSync(join(data, 'agents', 'large'), bavail * bsize + 1024 ** 4)
    const out = { path: join(place, 'class.tar.gz'), overwrite: false }
    await expect(exportClass(data, out, null)).rejects.toMatchObject({ code: 'disk-full' })
    expect(readdirSync(place)).toEqual([])
    const home = await openClassFolder(data)
    await expect(backUp(home)).rejects.toMatchObject({ code: 'disk-full' })
    await home.close()
    expect(readdirSync(backupsOf(data))).toEqual([])
  },
)
