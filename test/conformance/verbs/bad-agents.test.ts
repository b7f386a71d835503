import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { historyVerifier } from '../../../main/services/histories/verify-histories.ts'
import { openStage, reportOf, toldIn } from './stage.ts'
import { faultsIn } from './history-file.ts'

const stage = openStage('agents')
afterAll(() => stage.remove())

interface Bad {
  readonly name: string
  readonly source: string | Uint8Array
  readonly kind: string
  readonly says: RegExp
}

const bad: readonly Bad[] = [
  {
    name: 'a syntax error',
    source: 'module.exports = class {\n  oops(',
    kind: 'crash',
    says: /SyntaxError|Unexpected/,
  },
  { name: 'a throw while loading', source: 'throw new Error("no mood today")', kind: 'crash', says: /no mood today/ },
  { name: 'a throw of nothing', source: 'throw undefined', kind: 'crash', says: /undefined/ },
  { name: 'nothing exported', source: '// Nothing.', kind: 'crash', says: /./ },
  { name: 'no text at all', source: Buffer.alloc(2_000, 0xff), kind: 'crash', says: /./ },
  { name: 'a loop while loading', source: 'for (;;);', kind: 'timeout', says: /loading/ },
  {
    name: 'a flood of memory while loading',
    source: 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))',
    kind: 'memory',
    says: /MB/,
  },
]

test.each(bad)('an agent with $name: the contest goes on, the fault is told and counted', async (each) => {
  const agent = stage.write('bad.js', each.source)
  const data = join(stage.folder, `data-${bad.indexOf(each)}`)
  const good = ['baby', 'greedy'].map((name) => ({ name, agent: join(stage.agents, `${name}.js`) }))
  const file = stage.contest('contest.json', {
    entrants: [...good, { name: 'bad', agent }],
    // Loading may take long on a loaded machine, but a loop must not take for ever.
    limits: { startMs: each.kind === 'timeout' ? 3_000 : 120_000, moveMs: 120_000, memoryMb: 256 },
  })
  const ended = await stage.run('contest', 'run', file, '--data', data, '--export', join(data, 'export'), '--json')
  expect(ended.code).toBe(0)
  expect(toldIn(ended)).toEqual([])
  const report = reportOf(ended)
  expect(report.matches).toEqual({ total: 3, played: 3, void: 0 })
  const [row, ...others] = [...report.standings].sort((a, b) => b.faults - a.faults)
  expect(row).toMatchObject({ agent: 'bad', matches: 2, removals: 2, rank: 3, points: 0 })
  expect(row?.faults).toBeGreaterThanOrEqual(2)
  for (const other of others) expect(other).toMatchObject({ matches: 2, faults: 0, removals: 0 })

  const verify = historyVerifier([join(data, 'keys', 'class.pub')])
  let told = 0
  for (const { file: history = '' } of report.histories) {
    const verdict = await verify(history)
    expect(verdict).toMatchObject({ ok: true, replayed: true })
    for (const { agent: at, fault } of faultsIn(history)) {
      expect(at).toBe('bad')
      expect(fault).toMatchObject({ kind: each.kind })
      expect(fault.text).toMatch(each.says)
      told++
    }
  }
  expect(told).toBe(row?.faults)
})

test('agents that are all bad play a contest that counts', async () => {
  const agent = stage.write('bad.js', 'throw 1')
  const data = join(stage.folder, 'data-all')
  const file = stage.contest('contest.json', { entrants: ['a', 'b', 'c'].map((name) => ({ name, agent })) })
  const ended = await stage.run('contest', 'run', file, '--data', data, '--json')
  expect(ended.code).toBe(0)
  expect(reportOf(ended).matches).toEqual({ total: 3, played: 3, void: 0 })
  for (const row of reportOf(ended).standings) expect(row).toMatchObject({ matches: 2, faults: 2 })
})
