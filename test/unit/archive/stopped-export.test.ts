import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import type { ExportProgress } from '../../../main/contract/procedures/classes.ts'
import { exportOpenClass } from '../../../main/services/archive/export-class.ts'
import { requireRooms } from '../../../main/services/archive/room.ts'
import { createOngoingTasks } from '../../../main/services/ongoing-tasks.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('stopped-export')

test('an export that is stopped while its file grows leaves nothing of it, and the class can be exported again', async () => {
  const data = join(folder, 'data')
  const home = await openClassFolder(data)
  mkdirSync(join(data, 'texts'), { recursive: true })
  writeFileSync(join(data, 'texts', 'large'), randomBytes(24 * 1024 * 1024))
  const [out, scratch] = [join(folder, 'out'), join(data, 'tartaglia-scratch')]
  mkdirSync(out)
  const path = join(out, 'class.tar.gz')
  const tasks = createOngoingTasks()
  const exported = tasks.run('export', (following) =>
    exportOpenClass(home, { path, overwrite: false }, null, following),
  )
  exported.catch(() => undefined)
  await expect.poll(() => readdirSync(out).length, { interval: 1 }).toBe(1)
  expect([tasks.list(), existsSync(path), readdirSync(scratch).length]).toEqual([['export'], false, 1])
  await tasks.stop('export')
  await expect(exported).rejects.toEqual(refusal('stopped'))
  expect([tasks.list(), readdirSync(out), readdirSync(scratch)]).toEqual([[], [], []])

  const stopped = { signal: AbortSignal.abort() }
  await expect(exportOpenClass(home, { path, overwrite: false }, null, stopped)).rejects.toEqual(refusal('stopped'))
  const told: (ExportProgress | null)[] = []
  const followed = createOngoingTasks((task) => task === 'export' && void told.push(followed.exporting()))
  await followed.run('export', (following) => exportOpenClass(home, { path, overwrite: false }, null, following))
  const none = { bytes: 0, listed: 0, packed: 0 }
  expect([told[0], told.at(-1)]).toEqual([none, null])
  const { bytes } = told.at(-2)!
  expect(bytes).toBeGreaterThan(24 * 1024 * 1024)
  expect(told.at(-2)).toEqual({ bytes, listed: bytes, packed: bytes })
  // Each piece counts once, and nothing is packed before the list is whole.
  const steps = told.slice(1, -1).map((each) => each!)
  expect(steps.every(({ listed, packed }) => packed === 0 || listed === bytes)).toBe(true)
  const sums = steps.map(({ listed, packed }) => listed + packed)
  expect(sums.length).toBeGreaterThan(100)
  expect(sums.every((sum, index) => sum > (sums[index - 1] ?? 0))).toBe(true)
  expect(readdirSync(out)).toEqual(['class.tar.gz'])
  await home.close()
})

test('the end of a class stops an export, waits for a backup, and not for a file that somebody sends', async () => {
  const tasks = createOngoingTasks()
  const [backup, file] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()]
  const done: string[] = []
  const work = [
    tasks.run('import', () => file.promise).then(() => done.push('import')),
    tasks.run('backup', () => backup.promise).then(() => done.push('backup')),
    tasks
      .run('export', ({ signal }) => new Promise((_, reject) => (signal.onabort = () => reject(new Error('stopped')))))
      .catch(() => done.push('export')),
  ]
  expect(tasks.list()).toEqual(['import', 'backup', 'export'])
  const closed = tasks.close().then(() => done.push('closed'))
  await work[2]
  expect([done, tasks.list()]).toEqual([['export'], ['import', 'backup']])
  backup.resolve(null)
  await closed
  expect([done.toSorted(), tasks.list()]).toEqual([['backup', 'closed', 'export'], ['import']])
  file.resolve(null)
  await Promise.all(work)
})

test('the room for copies and for what is made of them is added up on one disk', async () => {
  const [copies, out] = [join(folder, 'copies'), join(folder, 'made')]
  for (const path of [copies, out]) mkdirSync(path)
  const { bavail, bsize } = statfsSync(folder)
  const bytes = Math.ceil(0.6 * bavail * bsize)
  await requireRooms([{ folder: copies, bytes }], 'it')
  await expect(
    requireRooms(
      [
        { folder: copies, bytes },
        { folder: out, bytes },
      ],
      'it',
    ),
  ).rejects.toEqual(refusal('disk-full'))
})
