import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { PartRow } from '../../../main/contract/game/match-parts.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { e } from '../../unit/specker/match.ts'
import { tartaglia } from '../cli/process.ts'
import { openRoom } from '../service/classroom.ts'
import { peace, traders } from './traders.ts'
import { saying } from '../../refusal.ts'

let folder = ''
beforeAll(() => {
  folder = temporaryFolder('predicates')
})

interface Report {
  readonly contest: string
  readonly breakdowns: Readonly<Record<string, readonly PartRow[]>>
  readonly parts: object
  readonly standings: readonly { readonly agent: string; readonly matches: number; readonly score: number }[]
}

test('what agents earn with predicates is the same in a contest, in its exported histories and in the window', async () => {
  const file = join(folder, 'contest.json')
  const contest = { ...peace, policy: undefined }
  const format = { ...contest.format, repeats: 1 }
  const entrants = traders(folder, 'price < 430000000')
  writeFileSync(file, JSON.stringify({ ...contest, format, title: 'Predicates', isolation: 'none', entrants }))
  const [data, exported] = [join(folder, 'data'), join(folder, 'exported')]
  const run = await tartaglia('contest', 'run', file, '--json', '--data', data, '--export', exported).ended
  const report = JSON.parse(run.stdout) as Report
  const rows = report.breakdowns['By predicate']!
  expect(report.parts).toEqual({ title: 'By predicate', matches: 6, complete: true })

  // All sell one predicate. Raw material with one constraint that is solved is worth 1.
  expect(new Set(rows.map(({ part }) => part))).toEqual(new Set(['relations 22']))
  for (const { deals, solved, quality } of rows) expect([solved, quality]).toEqual([deals, 1])
  for (const { agent, matches, score } of report.standings) {
    const profits = rows.flatMap((row) => (row.agent === agent ? [Number(row['profit'])] : []))
    // Scores are in energy, amounts of predicates in its smallest unit.
    const won = Math.round((score - matches * 10) * e(1))
    expect([agent, profits.reduce((sum, each) => sum + each, 0)]).toEqual([agent, won])
  }
  // Dora buys from berta and anna for less than 0.43; clara is not bought from at 0.44.
  expect(rows[0]).toMatchObject({ agent: 'dora', role: 'buyer' })

  const files = readdirSync(exported).flatMap((name) => (name.endsWith('.jsonl') ? [join(exported, name)] : []))
  const verb = await tartaglia('specker', 'predicates', ...files, '--json').ended
  expect(JSON.parse(verb.stdout)).toEqual({ matches: 6, duplicates: [], predicates: rows })
  const words = await tartaglia('specker', 'predicates', ...files, files[0]!).ended
  expect(words.stdout).toEqual(saying('6 matches', '1 file', 'energy'))
  expect(words.stdout).toMatch(/dora +relations 22 +buyer +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +\d+ +1\.0000/)

  const room = await openRoom(data)
  try {
    const { contest } = report
    const first = await room.call('contests.parts', { contest })
    expect(first).toMatchObject({ title: 'By predicate', matches: 6, complete: true, rows })
    expect(await room.call('contests.parts', { contest })).toEqual(first)
  } finally {
    await room.service.close()
  }
}, 120_000)
