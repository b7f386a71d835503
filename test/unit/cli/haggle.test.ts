import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { zip } from '../../conformance/service/zip.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from './environment.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { refusedCommand, type Fact } from '../../refusal.ts'

let folder = ''
const scripts: Record<string, string> = {}
const add = (name: string, source: string): void => {
  scripts[name] = join(folder, `${name}.js`)
  writeFileSync(scripts[name], source)
}
beforeAll(() => {
  folder = temporaryFolder('haggle')
  add(
    'takes',
    'module.exports = class { constructor(me, counts) { this.all = counts } offer(o) { return o ? undefined : this.all } }',
  )
  add('hard', 'module.exports = class { constructor(me, counts) { this.all = counts } offer() { return this.all } }')
  add('throws', 'module.exports = class { offer() { throw new Error("no") } }')
  add(
    'notes',
    `module.exports = class { constructor(me, counts, values, rounds, log) { this.log = log; this.all = counts; log({ b: 1, a: values }) }
      offer(o) {
        console.error('\u25b8 "forged"'); console.error('printed\\n\u25b8 "forged"'); console.log('[1]')
        this.log('a\\nb'); this.log(undefined); this.log(1, 2); return this.all } }`,
  )
})

const haggle = (...args: readonly string[]) => run('haggle', ...args, '--isolation', 'none', '-t', '20000')
const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

describe('tartaglia haggle', () => {
  test('takes what a kit has: TypeScript, a zip of scripts, and names of agents that ship', async () => {
    const typed = join(folder, 'typed.ts')
    writeFileSync(
      typed,
      'export default class { constructor(readonly me: number, readonly all: number[]) {} offer(o?: number[]) { return o ? undefined : this.all } }',
    )
    const manifest = { name: 'zipped', game: 'haggle', kind: 'script', main: 'agent.ts' }
    const zipped = join(folder, 'zipped.zip')
    const shared = 'export const first = (counts: readonly number[]) => counts'
    const agent = `import { first } from './shared.ts'
      export default class { constructor(me: number, private counts: number[]) {} offer(o?: number[]) { return o ? undefined : first(this.counts) } }`
    writeFileSync(zipped, zip({ 'agent.json': JSON.stringify(manifest), 'agent.ts': agent, 'shared.ts': shared }))
    for (const other of [zipped, 'baby', scripts['takes']!]) {
      const { code, stdout } = await haggle(typed, other, '--seeds', '1', '--json')
      expect([code, lines(stdout)]).toMatchObject([0, [{ first: typed, second: other, reason: null }]])
    }
  })

  test('takes no program', async () => {
    const file = join(folder, 'program.zip')
    const manifest = { name: 'program', game: 'haggle', kind: 'program', command: ['./agent'] }
    writeFileSync(file, zip({ 'agent.json': JSON.stringify(manifest), agent: '' }))
    const { code, stdout } = await haggle(file, 'baby', '--json')
    expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand('not-a-script', 'program.zip')])
  })

  test('-t 0 turns the limit of a turn off', async () => {
    const { takes, hard } = scripts
    const { code, stdout } = await run(
      ...['haggle', takes!, hard!, '--seeds', '1..20', '--json', '--isolation', 'none', '-t', '0'],
    )
    expect(code).toBe(0)
    expect(lines(stdout).map((session) => (session as { reason: unknown }).reason)).toEqual(Array(20).fill(null))
  })

  test('prints one object a session in the order of the seeds', async () => {
    const { takes, hard } = scripts
    const { code, stdout } = await haggle(takes!, hard!, '--seeds', '7,1..2,1', '--json')
    expect(code).toBe(0)
    const sessions = lines(stdout) as Record<string, unknown>[]
    expect(sessions.map(({ seed }) => seed)).toEqual([7, 1, 2, 1])
    expect(sessions[1]).toEqual({
      seed: 1,
      first: takes,
      second: hard,
      counts: [4, 1, 1],
      values: [
        [0, 8, 2],
        [2, 0, 2],
      ],
      max_rounds: 5,
      offers: [[4, 1, 1], [4, 1, 1], null],
      outcome: 'agreed',
      score: [0, 10],
      aborted_by: null,
      reason: null,
      turns: 3,
    })
    expect(sessions[3]).toEqual(sessions[1])
  })

  test('lets all pairs of more agents meet and says at the end who fared how', async () => {
    const { takes, hard, throws } = scripts
    const { code, stdout } = await haggle(takes!, hard!, throws!, '--seeds', '1..2', '-q')
    expect(code).toBe(0)
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.trim().split(/\s{2,}/))
    expect(rows).toEqual([
      ['Rank', 'Agent', 'Total', 'Sessions', 'Per session', 'Agreements', 'Per agreement', 'Aborts'],
      ['1', hard, '40', '8', '5.0000', '4', '10.0000', '0'],
      ['2', takes, '0', '8', '0.0000', '4', '0.0000', '0'],
      ['2', throws, '0', '8', '0.0000', '0', '-', '8'],
    ])
  })

  test('logs a session as the original did, and tells it from the log as it told it when it was played', async () => {
    const file = join(folder, 'session.json')
    const { notes, takes } = scripts
    const played = await haggle(notes!, takes!, '-s', '0x1', '-l', file)
    expect(played.code).toBe(0)
    const text = readFileSync(file, 'utf8')
    expect(JSON.parse(text)).toEqual([
      ['seed', 1],
      ['init', ['script', 'script'], [4, 1, 1], 5],
      ['info', 0, { b: 1, a: [0, 8, 2] }],
      ['info', 0, 'a\nb'],
      ['info', 0, 1],
      [
        'offer',
        0,
        [
          [4, 1, 1],
          [0, 0, 0],
        ],
      ],
      ['offer', 1],
      ['valuation', 0, [0, 8, 2]],
      ['score', 0, 10],
      ['valuation', 1, [2, 0, 2]],
      ['score', 1, 0],
      ['done', true],
    ])
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 4)}\n`)
    const told = await run('haggle', '--replay', file)
    expect(told).toEqual(played)
    expect(told.stdout).toContain('Alice: I want 4 books, 1 hat and 1 ball; you get nothing.')
    expect((await run('haggle', '-r', file, '--json')).stdout).toBe(`${JSON.stringify(JSON.parse(text))}\n`)
  })

  test('ends well however a session ends', async () => {
    const { throws, hard } = scripts
    const { code, stdout } = await haggle(throws!, hard!, '--seed', '5')
    expect(code).toBe(0)
    expect(stdout).toContain('Alice walked away: Error: no')
  })

  test.each([
    ['1e3', 1000],
    ['0x10', 16],
    ['-1', 4_294_967_295],
    ['4294967297', 1],
    ['2.9', 2],
  ])('takes the seed %s as JavaScript reads it', async (text, seed) => {
    const { stdout } = await run('haggle', 'scenario', '-s', text, '--json')
    expect(lines(stdout)).toEqual([expect.objectContaining({ seed })])
  })

  test('takes any scenario where none is named, and says which', async () => {
    const { stdout } = await run('haggle', 'scenario', '--json')
    const [{ seed }] = lines(stdout) as [{ seed: number }]
    expect(seed >= 1 && seed < 2 ** 31).toBe(true)
  })

  test('scenarios in the order of their seeds', async () => {
    const { stdout } = await run('haggle', 'scenario', '--seeds', '2,1', '-T', '2', '--json')
    expect(
      (lines(stdout) as { seed: number; counts: number[] }[]).map(({ seed, counts }) => [seed, counts.length]),
    ).toEqual([
      [2, 2],
      [1, 2],
    ])
  })

  test.each<[string[], ErrorCode, ...Fact[]]>([
    [['a.js'], 'not-supported', 'two'],
    [[], 'not-supported', 'two'],
    [['a.js', 'wss://example.org/arena'], 'not-supported', 'wss://example.org/arena', 'tartaglia haggle arena'],
    [['a.js', 'b.js', '-I', 'me'], 'not-supported', '--id'],
    [['a.js', 'b.js', '-u'], 'not-supported', '--unsafe', '--isolation none'],
    [['a.js', 'b.js', '-s', '0'], 'option-out-of-range', '"0"', 1, 4_294_967_295],
    [['a.js', 'b.js', '-s', 'abc'], 'option-out-of-range', '"abc"'],
    [['a.js', 'b.js', '-s', '4294967296'], 'option-out-of-range', '"4294967296"', 4_294_967_295],
    [['a.js', 'b.js', '--seeds', '0'], 'option-out-of-range', '"0"', '1..50'],
    [['a.js', 'b.js', '--seeds', '3..1'], 'option-out-of-range', '"3..1"', '1..50'],
    [['a.js', 'b.js', '--seeds', '1', '-s', '1'], 'options-conflict', '--seed', '--seeds'],
    [['a.js', 'b.js', '-T', '1'], 'input-invalid', '--types', "'1'", 2, 10],
    [['a.js', 'b.js', '-T', 'x'], 'input-invalid', '--types', "'x'", 2, 10],
    [['a.js', 'b.js', '-R', '0'], 'input-invalid', '--max-rounds', "'0'", 1, 100_000],
    [['a.js', 'b.js', '-m', '11'], 'input-invalid', '--min-objects', "'11'", 1, 10],
    [['a.js', 'b.js', '-M', '101'], 'input-invalid', '--max-objects', "'101'", 1, 100],
    [['a.js', 'b.js', '-t', '-5'], 'input-invalid', '--timeout', "'-5'", 0, 86_400_000],
    [['a.js', 'b.js', '--start-timeout', '0'], 'input-invalid', '--start-timeout', "'0'", 1, 600_000],
    [['a.js', 'b.js', '-T', '7'], 'settings-invalid', '7 types', '7 objects', 6],
    [['a.js', 'b.js', '-V', '5'], 'settings-invalid', 5, '6 objects'],
    [['a.js', 'b.js', '-l', 'x.json', '--seeds', '1..2'], 'options-conflict', '--log', 2],
    [['a.js', '-r', 'x.json'], 'options-conflict', '--replay'],
    [['-r', 'missing.json'], 'file-unreadable', 'missing.json'],
    [['missing-a.js', 'missing-b.js'], 'file-unreadable', 'missing-a.js'],
  ])('%j is refused in words', async (args, refused, ...facts) => {
    const { code, stdout } = await run('haggle', ...args, '--json')
    expect([code, JSON.parse(stdout)]).toEqual([2, refusedCommand(refused, ...facts)])
  })
})
