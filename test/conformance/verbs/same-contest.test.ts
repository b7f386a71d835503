import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { FileVerdict } from '../../../main/services/histories/verify-histories.ts'
import { canonicalText } from '../../../main/histories/canonical.ts'
import { isLong } from '../../long.ts'
import { openStage, reportOf } from './stage.ts'

const stage = openStage('same')
afterAll(() => stage.remove())

interface Played {
  readonly standings: string
  /** Canonical, in schedule order. */
  readonly outcomes: readonly string[]
  /** The entrants by seat. */
  readonly tables: readonly string[]
}

let runs = 0
/** Runs a contest, verifies each exported match with the class's key, and gives what must not depend on the machine. */
async function play(contest: string, ...more: readonly string[]): Promise<Played> {
  const data = join(stage.folder, `data-${++runs}`)
  const exported = join(data, 'export')
  const ended = await stage.run('contest', 'run', contest, '--data', data, '--export', exported, '--json', ...more)
  expect(ended.code).toBe(0)
  const report = reportOf(ended)
  const files = report.histories.map(({ file = '' }) => file)
  expect(files).toHaveLength(report.matches.total)
  expect(readdirSync(exported).sort()).toEqual(['class.pub', ...files.map((file) => file.slice(exported.length + 1))])
  const verified = await stage.run('history', 'verify', ...files, '--key', join(exported, 'class.pub'), '--json')
  expect(verified).toMatchObject({ code: 0, stderr: '' })
  const { files: verdicts } = JSON.parse(verified.stdout) as { files: readonly FileVerdict[] }
  const good = verdicts.flatMap((verdict) => (verdict.ok ? [verdict] : []))
  expect(good.map(({ match }) => match)).toEqual([...Array(report.matches.total).keys()])
  return {
    standings: JSON.stringify(report.standings),
    outcomes: good.map(({ outcome }) => canonicalText(outcome)),
    tables: good.map(({ seats }) => seats.map(({ name }) => name).join()),
  }
}

const threes = {
  format: { type: 'round-robin', seats: 3, repeats: 3 },
  config: { challenge: 'max-sat', maxTurns: 4 },
}

test('one seed gives one contest, on any number of cores; another seed another', async () => {
  const contest = stage.contest('contest.json', threes)
  const one = await play(contest, '--cores', '1')
  expect(one.outcomes).toHaveLength(12)
  // Two cores: the test below.
  expect(await play(contest, '--cores', '3')).toEqual(one)
  const other = await play(stage.contest('other.json', { ...threes, seed: 'another' }))
  expect(other.tables).not.toEqual(one.tables)
  expect(other.outcomes).not.toEqual(one.outcomes)
})

const shipped = ['baby', 'cautious', 'gambler', 'greedy', 'minmax', 'reoffer-only', 'sampler', 'tartaglia']

test('the agents of the sample contest play the same on one core and on two', { timeout: 300_000 }, async () => {
  const contest = isLong
    ? 'sample'
    : stage.contest('sample.json', {
        format: { type: 'round-robin', seats: 7 },
        config: {
          challenge: 'max-csp',
          challengeConfig: { maxVars: 12, maxConstraints: 220, maxWeight: 10 },
          maxTurns: 8,
        },
        entrants: shipped.map((name) => ({ name, agent: join(stage.agents, `${name}.js`) })),
      })
  const one = await play(contest, '--cores', '1')
  expect(one.outcomes).toHaveLength(isLong ? 70 : 8)
  expect(await play(contest, '--cores', '2')).toEqual(one)
})
