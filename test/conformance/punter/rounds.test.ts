import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileSource } from '../../../main/histories/history-source.ts'
import { readExportedMatch } from '../../../main/histories/match-file.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { mapText, pathMap } from '../../unit/punter/stage.ts'
import { saying, type Fact } from '../../refusal.ts'

const folder = temporaryFolder('punter-rounds')
const data = join(folder, 'data')

interface Report {
  readonly contest: string
  readonly state: string
  readonly matches: { readonly total: number; readonly played: number }
  readonly standings: readonly { readonly agent: string; readonly stage: number; readonly matches: number }[]
  readonly histories: readonly { readonly match: number; readonly file: string }[]
  readonly [table: string]: unknown
}

const maps = { a: pathMap(3), b: pathMap(4), c: pathMap(5), d: pathMap(6) }
for (const [name, text] of Object.entries(maps)) writeFileSync(join(folder, `${name}.json`), text)

function contest(settings: object): string {
  const file = join(folder, 'contest.json')
  const entrants = ['baby', 'greedy', 'tartaglia', 'baby'].map((agent, at) => ({ name: `${agent} ${at}`, agent }))
  const format = { type: 'game', name: 'rounds', settings }
  writeFileSync(
    file,
    JSON.stringify({ title: 'Three rounds', game: 'punter', seed: 'a', isolation: 'none', format, entrants }),
  )
  return file
}

test('a contest in rounds is played on the maps of each round, and every match keeps its own', async () => {
  const settings = {
    seats: 2,
    games: 2,
    small: ['a.json', 'b.json'],
    larger: ['c.json'],
    fiendish: ['d.json', 'sample'],
  }
  const files = join(folder, 'matches')
  const { code, stdout, stderr } = await run(
    ...['contest', 'run', contest(settings), '--data', data, '--export', files, '--json'],
  )
  expect([code, stderr.includes('cannot')]).toEqual([0, false])
  const report = JSON.parse(stdout) as Report
  expect(report.state).toBe('finished')
  expect(report.matches.played).toBe(report.matches.total)
  // Four entrants play two games in pairs on each of two maps.
  const first = report.histories.filter(({ match }) => match < 8)
  const mapOf = (file: string): unknown => {
    const read = readExportedMatch(fileSource(file), () => undefined)
    return read.ok ? (read.file.config as { readonly map: string }).map : read
  }
  expect(first.map(({ file }) => mapOf(file))).toEqual(
    [...Array<string>(4).fill(maps.a), ...Array<string>(4).fill(maps.b)].map(asText),
  )
  const last = report.histories.at(-1)!
  expect(mapOf(last.file)).toBe(readFileSync('agents/punter/maps/sample.json', 'utf8'))
  const verified = await run('history', 'verify', first[7]!.file, '--key', join(files, 'class.pub'), '--json')
  expect(verified.code).toBe(0)
  const stages = report.standings.map(({ stage }) => stage)
  expect(stages).toEqual([...stages].sort((a, b) => b - a))
  expect(Object.keys(report)).toEqual(expect.arrayContaining(['Round 1, small maps', 'Round 2, larger maps']))
}, 120_000)

/** A text without a line break gets one, which tells it from a name. */
const asText = (text: string): string => (text.includes('\n') ? text : `${text}\n`)

test.each<[object, ...Fact[]]>([
  [{ small: ['nowhere'] }, 'format.small: ', '"nowhere"'],
  [{ small: ['dirty.json'] }, 'config: map: '],
  [{ seats: 1 }, 'format: settings: seats: '],
])('settings %j are refused before anything is played', async (settings, ...facts) => {
  writeFileSync(join(folder, 'dirty.json'), mapText([0, 1], [[0, 1]], []))
  const { code, stderr } = await run('contest', 'run', contest(settings), '--data', data, '--json')
  expect([code, stderr]).toEqual([2, saying(...facts)])
})
