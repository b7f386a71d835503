import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hasEnded, MARK, ownMark } from '../../../main/histories/processes.ts'
import { dropUnmade } from '../../../main/services/archive/new-folder.ts'
import { growingName, removeLeftovers } from '../../../main/services/record/leftovers.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const [host = '', run = '', pid = '', start = ''] = ownMark().split('-')
const marked = (...parts: readonly (string | number)[]): string => parts.join('-')
const uuid = '00000000-0000-4000-8000-000000000000'

/** The id of a process that has ended. */
async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid!
}

test('a mark tells a process that runs from one that has ended, also if another process has its id now', async () => {
  expect(ownMark()).toMatch(new RegExp(`^(?:${MARK})$`))
  expect(hasEnded(ownMark())).toBe(false)
  expect(hasEnded(marked(host, run, await endedPid(), start))).toBe(true)
  // This process has the id of one of an earlier start of the machine, and of a stranger.
  expect(hasEnded(marked(host, 'ffffffff', pid, start))).toBe(true)
  expect(hasEnded(marked('ffffffff', run, pid, start))).toBeNull()
  // Names that earlier programs wrote.
  expect([hasEnded(pid), hasEnded(String(await endedPid()))]).toEqual([false, true])
})

test.runIf(process.platform === 'linux')('a process that got the id of an earlier one is not that one', () => {
  expect(Number(start)).toBeGreaterThan(0)
  expect(hasEnded(marked(host, run, pid, Number(start) - 1))).toBe(true)
})

test('the leavings of ended processes are deleted; what runs, and what another machine makes, stays until it is old', async () => {
  const folder = temporaryFolder('marks')
  const ended = marked(host, run, await endedPid(), start)
  const elsewhere = marked('ffffffff', run, pid, start)
  const making = (mark: string): string => join(folder, `.import-${mark}-${uuid}.new`)
  for (const mark of [ownMark(), ended, elsewhere]) mkdirSync(making(mark))
  const isThere = () => [ownMark(), ended, elsewhere].map((mark) => existsSync(making(mark)))
  await dropUnmade(folder)
  expect(isThere()).toEqual([true, false, true])
  const old = Date.now() / 1_000 - 8 * 24 * 3_600
  // Outside Linux marks have no start: another process may have got the id.
  const unsure = marked(host, run, pid, 0)
  mkdirSync(making(unsure))
  await dropUnmade(folder)
  expect(existsSync(making(unsure))).toBe(true)
  for (const mark of [ownMark(), elsewhere, unsure]) utimesSync(making(mark), old, old)
  await dropUnmade(folder)
  expect([...isThere().slice(1), existsSync(making(unsure))]).toEqual([false, false, false])
  if (start !== '0') expect(isThere()[0]).toBe(true)

  const database = join(folder, 'events.db')
  const growing = [growingName(database), `${database}.${ended}.${uuid}.new`, `${database}.${elsewhere}.${uuid}.new`]
  for (const path of growing) writeFileSync(path, '')
  await removeLeftovers(database)
  expect(growing.map((path) => existsSync(path))).toEqual([true, false, true])
})

test('temporary folders of ended processes are deleted where the system has its own', async () => {
  const folder = temporaryFolder('marks-tmp')
  vi.stubEnv('TMPDIR', folder)
  vi.stubEnv('TEMP', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { dropPassing, passingFolder } = await import('../../../main/administrator/classroom/scratch.ts')
  const own = passingFolder('export')
  const left = [marked(host, run, await endedPid(), start), String(await endedPid())].map((mark) =>
    join(folder, `tartaglia-passing-export-${mark}-aB3dE6`),
  )
  for (const path of left) mkdirSync(path)
  await dropPassing()
  expect([own, ...left].map((path) => existsSync(path))).toEqual([true, false, false])
})
