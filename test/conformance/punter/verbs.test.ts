import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { mapText, pathMap } from '../../unit/punter/stage.ts'
import { refusedCommand, type Fact } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

const folder = temporaryFolder('punter-verbs')
const map = join(folder, 'path.json')
writeFileSync(map, pathMap(4))
const bot = `${import.meta.dirname}::${process.execPath} offline-bot.mjs`

test('play prints how a game of offline programs ended', async () => {
  const times = ['--setup-timeout', '60', '--move-timeout', '60']
  const { code, stdout } = await run(
    'punter',
    'play',
    '--map',
    map,
    '--offline',
    bot,
    '--offline',
    bot,
    ...times,
    '--json',
  )
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    scores: [5, 0],
    futures: [0, 0],
    credits: [0, 2],
    options: [1, 1],
    zombies: [null, null],
    moves: 4,
    refused: [
      { punter: 1, move: 1, text: 'The river 0-1 belongs to punter 0.' },
      { punter: 1, move: 3, text: 'The river 1-2 belongs to punter 0.' },
    ],
  })
}, 60_000)

test('play shows what programs print', async () => {
  const { code, stderr } = await run('punter', 'play', '--map', map, '--offline', 'echo oops >&2', '--offline', bot)
  expect(code).toBe(0)
  expect(stderr).toContain('Punter 0: oops\n')
}, 60_000)

test('rescore says for each log whether its scores are the official ones', async () => {
  const log = (score: number): string => {
    const file = join(folder, `${score}.json`)
    const moves = [0, 1, 0, 1].map((punter, at) => ({ claim: { punter, source: at, target: at + 1 } }))
    const team = (punter: number) => ({ punter, team: 'T' })
    const scores = {
      scores: [
        { punter: 0, score },
        { punter: 1, score: 0 },
      ],
    }
    const game = [{ map: 'path.json' }, team(0), team(1), { gameplay: 'start' }, ...moves, { gameplay: 'stop' }, scores]
    writeFileSync(file, JSON.stringify({ game }))
    return file
  }
  const none = join(folder, 'none.json')
  writeFileSync(none, JSON.stringify({ game: [{ map: 'no-mines.json' }] }))
  writeFileSync(join(folder, 'no-mines.json'), mapText([0, 1], [[0, 1]], []))
  const maps = ['--maps', folder, '--json']
  const scored = await run('punter', 'rescore', log(1), log(2), ...maps)
  expect(scored.code).toBe(1)
  const results = (stdout: string): object[] =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
  expect(results(scored.stdout)).toMatchObject([
    { scores: [1, 0], ok: true },
    { ok: false, differences: ['Punter 0, scores: 1, officially 2.'] },
  ])
  // A file that cannot be scored does not end the others.
  const mixed = await run('punter', 'rescore', none, map, log(1), ...maps)
  expect(mixed.code).toBe(2)
  expect(results(mixed.stdout)).toMatchObject([{ file: none, ok: false }, { file: map, ok: false }, { ok: true }])
})

test.each<[string[], ErrorCode, ...Fact[]]>([
  [['play', '--map', map, '--offline', 'x'], 'option-out-of-range', '--offline'],
  [
    ['play', '--map', map, ...Array.from({ length: 1_001 }, () => ['--offline', 'x']).flat()],
    'option-out-of-range',
    1000,
    1001,
  ],
  [
    ['play', '--map', map, '--offline', 'x', '--offline', 'y', '--edition', '1.0', '--futures'],
    'settings-invalid',
    'futures: ',
    '1.0',
  ],
  [['play', '--map', map, '--offline', 'x', '--offline', 'x::'], 'input-invalid', '--offline "x::"'],
  [['play', '--map', map, '--offline', 'x', '--offline', 'no-folder::x'], 'file-unreadable', 'no-folder'],
  [['play', '--map', map, '--timeouts', 'some'], 'input-invalid', '--timeouts', 'total, in-a-row'],
  [['serve', '--map', map, '--port', '70000'], 'input-invalid', '--port', 65535],
  [['serve', '--map', map, '--move-timeout', '0'], 'input-invalid', '--move-timeout', '0.001', 600],
])('what cannot be done is refused in a sentence: %.200j', async (args, refused, ...facts) => {
  const { code, stdout } = await run('punter', ...args, '--json')
  expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand(refused, ...facts)])
})

test('a file that is not a log is not rescored, in a sentence', async () => {
  const { code, stdout } = await run('punter', 'rescore', map, '--maps', folder, '--json')
  const refused = { file: map, ok: false, ...refusedCommand('file-invalid') }
  expect([code, JSON.parse(stdout)]).toEqual([2, refused])
})

test('map prints a map in the official format, with --json on one line, and writes a new file', async () => {
  const options = ['web', '--sites', '20', '--mines', '2', '--seed', 'a']
  const [plain, json] = [await run('punter', 'map', ...options), await run('punter', 'map', ...options, '--json')]
  expect([plain.code, json.code]).toEqual([0, 0])
  const made = JSON.parse(plain.stdout) as Record<string, unknown[]>
  expect(JSON.parse(json.stdout)).toEqual(made)
  expect(Object.keys(made)).toEqual(['sites', 'rivers', 'mines'])
  expect(made.sites![0]).toEqual({ id: 0, x: 0, y: 0 })
  expect(made.mines!.length).toBe(2)
  const out = join(folder, 'web.json')
  expect((await run('punter', 'map', ...options, '--out', out)).code).toBe(0)
  expect(readFileSync(out, 'utf8')).toBe(plain.stdout)
  const again = await run('punter', 'map', ...options, '--out', out, '--json')
  expect(JSON.parse(again.stdout)).toEqual(refusedCommand('file-exists', out))
})

test.each<[string[], ErrorCode, ...Fact[]]>([
  [['star'], 'input-invalid', "'star'", 'grid, geometric, gabriel'],
  [['web', '--sites', '3'], 'settings-invalid', 'sites: '],
  [['web', '--thin', '2'], 'input-invalid', '--thin', 0, 1],
])('map refuses %j', async (options, refused, ...facts) => {
  const { code, stdout } = await run('punter', 'map', ...options, '--json')
  expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand(refused, ...facts)])
})
