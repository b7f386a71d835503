import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { readClass } from '../../../main/administrator/classroom/classroom.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { tartaglia } from '../cli/process.ts'
import { peace, traders } from './traders.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('targeting')
})

interface Report {
  readonly targeting: {
    readonly matches: number
    readonly agents: readonly { readonly agent: string; readonly p: number; readonly flagged: boolean }[]
  } | null
}

/** Contests in which dora buys as `buys` says. */
async function run(buys: string, intelligenceAttack: boolean, name = 'data') {
  const entrants = traders(folder, buys)
  const contest = {
    ...peace,
    title: 'Targeting',
    isolation: 'none',
    policy: { ...peace.policy, intelligenceAttack },
    entrants,
  }
  const file = join(folder, 'contest.json')
  writeFileSync(file, JSON.stringify(contest))
  const data = join(folder, name)
  const { stdout, stderr } = await tartaglia('contest', 'run', file, '--json', '--data', data).ended
  expect(stderr).not.toContain('rror')
  return { report: JSON.parse(stdout) as Report, data, file }
}

describe('where intelligence must not be attacked, a contest ends with a report on targeting', () => {
  test('an agent that buys of one only is found, with its victim and the matches; the same histories give the same report', async () => {
    const { report, data, file } = await run('price === 420000000', false)
    expect(report.targeting).toMatchObject({ matches: 60 })
    const [first, ...others] = report.targeting!.agents
    expect(first).toMatchObject({
      agent: 'dora',
      flagged: true,
      finding: {
        about: 'purchases',
        other: 'berta',
        events: expect.arrayContaining([
          expect.objectContaining({ what: expect.stringMatching(/^bought challenge \d+ at 0\.42/) as unknown }),
        ]) as unknown,
      },
    })
    expect(first!.p).toBeLessThan(0.01)
    for (const { flagged } of others) expect(flagged).toBe(false)
    const kept = (await readClass(data)).contests.map(({ targeting }) => targeting)
    expect(kept).toEqual([report.targeting])
    expect((await run('price === 420000000', false, 'other')).report.targeting).toEqual(report.targeting)

    const told = await tartaglia('contest', 'run', file, '--again', '--data', data).ended
    expect(told.stdout).toMatch(/what dora does DEPENDS on its opponent, p = 0\.00\d+: purchases, most with berta/)
    expect(told.stdout).toMatch(/ {4}match \d+, input \d+: bought challenge \d+ at 0\.42/)
  }, 180_000)

  test('a player that treats all alike is not', async () => {
    const { report } = await run('price > 300000000', false)
    for (const { flagged } of report.targeting!.agents) expect(flagged).toBe(false)
  }, 120_000)

  test('where it may be attacked, nobody looks', async () => {
    const { report } = await run('price === 420000000', true)
    expect(report.targeting).toBeNull()
  }, 120_000)
})
