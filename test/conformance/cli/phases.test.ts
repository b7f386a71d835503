import { appendFileSync, copyFileSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { cli, tartaglia, writeContest, type Ended } from './process.ts'
import { refusedCommand, saying } from '../../refusal.ts'

interface Row {
  readonly agent: string
  readonly rank: number
  readonly points: number
}
interface Report {
  readonly contest: string
  readonly seed: string
  readonly standings: readonly Row[]
  readonly matches: { readonly total: number }
  readonly histories: readonly { readonly file: string }[]
  readonly phases: {
    readonly contests: readonly string[]
    readonly weights: readonly number[]
    readonly deadline: string | null
    readonly combined: readonly (Row & { readonly byPhase: readonly (number | null)[] })[]
  }
}
interface Blob {
  readonly value: {
    readonly maxTurns?: number
    readonly phase?: object
    readonly entrants?: readonly { readonly name: string; readonly agent: string }[]
  }
}

const names = ['baby', 'greedy', 'sampler', 'gambler']
let folder = ''
beforeAll(() => {
  folder = temporaryFolder('phases')
  // Versions of their own, so that students can adapt them.
  for (const name of names)
    copyFileSync(join(dirname(cli), 'agents', 'specker', `${name}.js`), join(folder, `${name}.js`))
})

const entrants = names.map((name) => ({ name, agent: `${name}.js` }))
const run = (file: string, ...more: readonly string[]): Promise<Ended> =>
  tartaglia('contest', 'run', file, '--json', '--data', join(folder, 'data'), ...more).ended
const reportOf = ({ code, stdout, stderr }: Ended): Report => {
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as Report
}
/** The config and the description of an exported match. */
const blobsOf = (file: string): readonly Blob['value'][] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, 2)
    .map((text) => (JSON.parse(text) as { b: Blob }).b.value)

test('two phases: the rules change, and both count with their weights', async () => {
  const phases = [{}, { weight: 2.5, config: { maxTurns: 3 }, format: { type: 'single' } }]
  const exported = join(folder, 'exported')
  const ended = await run(writeContest(folder, { entrants, phases }), '--export', exported)
  const report = reportOf(ended)
  expect(ended.stderr).toEqual(saying('Phase 1 of 2', 'finished', 'four-at-a-table-of-two-1'))
  const { contests, weights, deadline, combined } = report.phases
  expect({ contests, weights, deadline }).toEqual({
    contests: ['four-at-a-table-of-two-1', 'four-at-a-table-of-two-2'],
    weights: [1, 2.5],
    deadline: null,
  })
  expect(report).toMatchObject({ contest: contests[1], matches: { total: 1 } })
  // Six matches of two with a point each, then one of four with six points.
  const sums = [0, 1].map((phase) => combined.reduce((sum, { byPhase }) => sum + byPhase[phase]!, 0))
  expect(sums).toEqual([6, 6])
  for (const { agent, points, byPhase } of combined) {
    expect(points).toBe(byPhase[0]! + 2.5 * byPhase[1]!)
    expect(report.standings.find((row) => row.agent === agent)?.points).toBe(byPhase[1])
  }
  expect(combined.map(({ points }) => points)).toEqual(combined.map(({ points }) => points).sort((a, b) => b - a))

  const files = [1, 2].map((phase) => join(exported, `phase-${phase}`, 'match-0000.jsonl'))
  const key = join(exported, 'phase-1', 'class.pub')
  expect((await tartaglia('history', 'verify', ...files, '--key', key).ended).code).toBe(0)
  const [first, second] = files.map(blobsOf)
  expect(first!.map(({ maxTurns }) => maxTurns)).toContain(2)
  expect(second!.map(({ maxTurns }) => maxTurns)).toContain(3)
  expect(second!.map(({ phase }) => phase)).toContainEqual({ after: contests[0], weights: [1, 2.5] })
})

test('entries are adapted until the deadline, and the first phase is not played again', async () => {
  const withDeadline = (deadline: string): string =>
    writeContest(folder, { title: 'Adapted', entrants, phases: [{}, { config: { maxTurns: 3 }, deadline }] })
  const far = '2999-01-01T12:00:00+01:00'
  const first = reportOf(await run(withDeadline(far)))
  expect(first).toMatchObject({ contest: 'adapted-1', phases: { contests: ['adapted-1'], deadline: far } })
  expect(first.phases.combined).toEqual(
    first.standings.map(({ agent, rank, points }) => ({ agent, rank, points, byPhase: [points] })),
  )
  const early = await run(withDeadline(far))
  expect(early.code).toBe(2)
  expect(JSON.parse(early.stdout)).toEqual(refusedCommand('too-early', 2, far))

  appendFileSync(join(folder, 'greedy.js'), '\n// Adapted to longer matches.\n')
  const exported = join(folder, 'adapted')
  const second = reportOf(await run(withDeadline('2020-01-01T00:00:00Z'), '--export', exported))
  expect(second.phases).toMatchObject({ contests: ['adapted-1', 'adapted-2'], deadline: null })
  expect(second.phases.combined.map(({ byPhase }) => byPhase[0])).toEqual(
    second.phases.combined.map(({ agent }) => first.standings.find((row) => row.agent === agent)?.points),
  )
  // The seed of a phase tells nothing of that of another.
  expect(second.seed).not.toBe(first.seed)
  const played = blobsOf(join(exported, 'phase-2', 'match-0000.jsonl')).flatMap(({ entrants: all = [] }) => all)
  const { stdout } = await tartaglia(
    'history',
    'export',
    'adapted-1',
    '0',
    '--data',
    join(folder, 'data'),
    '--to',
    join(folder, 'before'),
    '--json',
  ).ended
  const [before] = (JSON.parse(stdout) as { histories: readonly { file: string }[] }).histories
  const pinned = blobsOf(before!.file).flatMap(({ entrants: all = [] }) => all)
  const changed = played.filter(({ agent }, at) => agent !== pinned[at]?.agent)
  expect(changed.map(({ name }) => name)).toEqual(['greedy'])
})

test('what is wrong with a phase is said with its number', async () => {
  const wrong = async (phases: readonly object[], ...says: readonly string[]): Promise<void> => {
    const { code, stderr } = await run(writeContest(folder, { title: 'Wrong', entrants, phases }))
    expect(code).toBe(2)
    for (const each of says) expect(stderr).toContain(each)
  }
  await wrong([{}], 'phases')
  await wrong([{ deadline: '2020-01-01T00:00:00Z' }, {}], 'phases')
  await wrong([{}, { deadline: 'tomorrow' }], 'phases.1.deadline', 'Z')
  await wrong([{}, { weight: -1 }], 'phases.1.weight')
  await wrong([{}, { config: { maxTurns: 0 } }], 'maxTurns', '2')
  await wrong([{}, { format: { type: 'round-robin', seats: 9 } }], 'format', '2')
})
