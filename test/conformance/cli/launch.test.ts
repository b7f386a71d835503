import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { interrupted, start, tartaglia, writeContest, type Running } from './process.ts'

let folder = ''
let data = ''
beforeEach(() => {
  folder = temporaryFolder('launch')
  data = join(folder, 'data')
})

const script = join(import.meta.dirname, '../../../scripts/tartaglia.mjs')
const older = `data:text/javascript,Object.defineProperty(process,'version',{value:'v20.20.0'})`

/** The bin as it runs under the system's older Node: with the command line in a process of its own. */
function launched(...args: readonly string[]): Running {
  return start(process.execPath, ['--import', older, script, ...args])
}

function longContest(): string {
  return writeContest(folder, { format: { type: 'round-robin', seats: 2, repeats: 3 } })
}

/** A contest from its beginning. */
function begun(contest: string): Running {
  rmSync(data, { recursive: true, force: true })
  return launched('contest', 'run', contest, '--json', '--cores', '1', '--data', data)
}

test('exit codes, output and errors pass through', async () => {
  const { code, stdout, stderr } = await launched('history', 'verify', join(folder, 'none'), '--json').ended
  expect(code).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject({ ok: false })
  expect(stderr).toContain(join(folder, 'none'))
})

test('a signal passes through once', async () => {
  const { code, stdout } = await interrupted(() => begun(longContest()), '5 of 18 matches', 'SIGINT')
  expect(code).toBe(130)
  expect(JSON.parse(stdout)).toMatchObject({ state: 'stopped' })
})

test('when the bin is killed nothing goes on without it', async () => {
  const contest = longContest()
  // It has ended when its streams close, and they do when the last process that holds them has ended.
  await interrupted(() => begun(contest), '5 of 18 matches', 'SIGKILL')
  const { code, stdout } = await tartaglia('contest', 'run', contest, '--json', '--data', data).ended
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ state: 'finished', resumed: true, matches: { played: 18 } })
})
