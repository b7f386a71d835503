import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start, type Ended } from '../../conformance/cli/process.ts'
import { openStage, reportOf, toldIn, type Report } from '../../conformance/verbs/stage.ts'
import { historyVerifier } from '../../../main/services/histories/verify-histories.ts'
import { isLong } from '../../long.ts'

const stage = openStage('write-points')
afterAll(() => stage.remove())

// Two stages, so that a kill falls between them too; agents in a text and the histories of four matches.
const contest = stage.contest('contest.json', { format: { type: 'swiss' }, isolation: 'none' })
const matches = 4
const counter = join(import.meta.dirname, 'fixtures', 'write-points.mjs')

/** Runs the contest; its main process is killed at a write (see the fixture). 0: at none. */
function run(data: string, point: number, how: 'before' | 'after' | 'torn'): Promise<Ended> {
  const env = ['env', `WRITE_POINT=${point}`, `WRITE_HOW=${how}`]
  const command = [process.execPath, '--import', counter, stage.cli, 'contest', 'run', contest]
  const options = ['--data', data, '--export', join(data, 'export'), '--cores', '1', '--json']
  return start('/usr/bin/env', [...env.slice(1), ...command, ...options]).ended
}

let whole: Report
let points = 0
beforeAll(async () => {
  const ended = await run(join(stage.folder, 'whole'), 0, 'before')
  expect(ended.code, ended.stderr).toBe(0)
  whole = reportOf(ended)
  points = Number(/^write points: (\d+)$/m.exec(ended.stderr)![1])
}, 60_000)

/** True if everything was done except for releasing the folder. */
function isEnded(data: string): boolean {
  const file = join(data, 'class.json')
  if (!existsSync(file)) return false
  const { contests } = JSON.parse(readFileSync(file, 'utf8')) as { contests: { readonly state: string }[] }
  return contests.some(({ state }) => state === 'ended')
}

/** Expects the history of every match once. */
async function expectExported(data: string): Promise<void> {
  const verify = historyVerifier([join(data, 'keys', 'class.pub')])
  const files = readdirSync(join(data, 'export')).filter((name) => name.endsWith('.jsonl'))
  expect(files).toHaveLength(matches)
  for (const file of files) expect(await verify(join(data, 'export', file))).toMatchObject({ ok: true, count: matches })
}

/** Expects that the contest goes on and comes to what it would have come to, every match once. */
async function expectGoesOn(data: string): Promise<void> {
  const ended = await run(data, 0, 'before')
  expect(ended.code, ended.stderr).toBe(0)
  const report = reportOf(ended)
  expect(report.matches).toEqual({ total: matches, played: matches, void: 0 })
  expect(report.standings).toEqual(whole.standings)
  expect(report.histories.map(({ match }) => match)).toEqual([...Array(matches).keys()])
  await expectExported(data)
  // Nothing but torn ends of files is told.
  expect(toldIn(ended).filter((line) => !/its last complete record|never confirmed|write points/.test(line))).toEqual(
    [],
  )
}

test.skipIf(process.platform === 'win32')(
  'a contest that is killed at a write goes on from there: before it, after it, and in its midst',
  { timeout: 3_600_000 },
  async () => {
    expect(points).toBeGreaterThan(40)
    const hows = ['before', 'after', 'torn'] as const
    // In the short form one point each, in another third of the contest for each how.
    const every = isLong ? 1 : points
    for (const [offset, how] of hows.entries()) {
      for (let point = 1 + offset * Math.floor(every / 3); point <= points; point += every) {
        const data = join(stage.folder, `${how}-${point}`)
        const killed = await run(data, point, how)
        // Groups of a sync differ from run to run, so there may be fewer writes this time.
        if (killed.code !== 0) expect([killed.code, killed.stdout]).toEqual([null, ''])
        if (isEnded(data)) await expectExported(data)
        else await expectGoesOn(data)
      }
    }
  },
)
