import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { historyVerifier, type FileVerdict } from '../../../main/services/histories/verify-histories.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { games } from '../../../main/referees/games.ts'
import { run } from '../../unit/cli/environment.ts'
import { seededChance } from './chance.ts'
import { expectRefusal, openStage, reportOf } from './stage.ts'
import { refusedCommand, saying } from '../../refusal.ts'

const stage = { ...openStage('histories'), run }
const exported = join(stage.folder, 'export')
const key = join(exported, 'class.pub')
let good = ''

beforeAll(async () => {
  const file = stage.contest('contest.json')
  const ended = await stage.run(
    'contest',
    'run',
    file,
    '--data',
    join(stage.folder, 'data'),
    '--export',
    exported,
    '--json',
  )
  expect(ended.code).toBe(0)
  good = reportOf(ended).histories[0]?.file ?? ''
})
afterAll(() => stage.remove())

interface Verdicts {
  readonly ok: boolean
  readonly files: readonly FileVerdict[]
}

describe('history verify: files that are not matches', () => {
  const text = (): string => readFileSync(good, 'utf8')
  const cases: readonly (readonly [string, () => string | Uint8Array, number])[] = [
    ['empty', () => '', 1],
    ['a newline', () => '\n', 1],
    ['100 MB of zeros', () => Buffer.alloc(100_000_000), 1],
    ['100 MB of newlines', () => Buffer.alloc(100_000_000, 10), 1],
    ['a program', () => readFileSync(process.execPath).subarray(0, 1_000_000), 1],
    ['a contest file', () => JSON.stringify({ title: 'x' }, null, 2), 1],
    ['an empty object', () => '{}\n', 1],
    ['brackets that never close', () => '['.repeat(1_000_000), 1],
    ['CRLF line ends', () => text().replaceAll('\n', '\r\n'), 1],
    ['a byte order mark', () => `\ufeff${text()}`, 1],
    ['UTF-16', () => Buffer.from(text(), 'utf16le'), 1],
    ['a line twice', () => text().replace(/^(.*\n)/, '$1$1'), 2],
    ['no last newline', () => text().slice(0, -1), -1],
    ['something after its end', () => `${text()}{}\n`, -2],
    ['no first line', () => text().slice(text().indexOf('\n') + 1), -3],
  ]

  test.each(cases)('%s', async (_name, content, line) => {
    const file = stage.write('strange.jsonl', content())
    const lines = text().split('\n').length - 1
    const expected = line === -1 ? lines : line === -2 ? lines + 1 : line
    const json = await stage.run('history', 'verify', file, '--key', key, '--json')
    expect({ code: json.code, stderr: json.stderr }).toEqual({ code: 1, stderr: '' })
    const [verdict] = (JSON.parse(json.stdout) as Verdicts).files
    expect(verdict).toMatchObject({ file, ok: false })
    // Without its first line, a blob, the fault shows where the header misses it.
    if (line !== -3) expect(verdict).toMatchObject({ line: expected })
    const plain = await stage.run('history', 'verify', file, '--key', key)
    expect({ code: plain.code, stderr: plain.stderr }).toEqual({ code: 1, stderr: '' })
    expect(plain.stdout.startsWith(`${file}:`)).toBe(true)
    expect(plain.stdout.trimEnd().split('\n')).toHaveLength(1)
  })

  test('a segment is not an exported match', async () => {
    const data = join(stage.folder, 'data', 'contests', 'hostile-contest-1')
    const segment = join(data, 'segment-000001.jsonl')
    expect(existsSync(segment)).toBe(true)
    const ended = await stage.run('history', 'verify', segment, '--json')
    expect(ended.code).toBe(1)
    expect((JSON.parse(ended.stdout) as Verdicts).files).toMatchObject([
      { ok: false, line: 1, message: expect.stringContaining('export its matches') as string },
    ])
  })

  test('what cannot be read is exit code 2, and the others are looked at', async () => {
    const folder = join(stage.folder, 'a-folder')
    mkdirSync(folder)
    const gone = join(stage.folder, 'gone.jsonl')
    const ended = await stage.run('history', 'verify', folder, good, gone, '--key', key, '--json')
    expect(ended.code).toBe(2)
    expect(ended.stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining(folder) as string,
      expect.stringContaining(gone) as string,
    ])
    expect((JSON.parse(ended.stdout) as Verdicts).files).toMatchObject([
      { ok: false, code: 'file-unreadable', message: saying(folder) },
      { ok: true },
      { ok: false, code: 'file-unreadable', message: saying(gone) },
    ])
  })

  test.skipIf(!existsSync('/dev/zero'))('a device that never ends (needs /dev/zero)', async () => {
    const ended = await stage.run('contest', 'run', '/dev/zero', '--json')
    expectRefusal(ended, 2, refusedCommand('too-large', '/dev/zero'))
  })
})

describe('history verify --key', () => {
  const cases: readonly (readonly [string, string | Uint8Array])[] = [
    ['empty', ''],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----\n'],
    ['half a key', `tartaglia-ed25519:${'0'.repeat(63)}\n`],
    ['zeros', Buffer.alloc(10_000_000)],
  ]
  test.each(cases)('a key file that is %s', async (_name, content) => {
    const file = stage.write('strange.pub', content)
    expectRefusal(
      await stage.run('history', 'verify', good, '--key', file, '--json'),
      2,
      refusedCommand('key-invalid', '--key', file),
    )
  })

  test('a key that is neither a file nor a text, and a folder', async () => {
    for (const wrong of ['none.pub', '', `tartaglia-ed25519:${'g'.repeat(64)}`, stage.folder])
      expectRefusal(
        await stage.run('history', 'verify', good, '--key', wrong, '--json'),
        2,
        refusedCommand('key-invalid', '--key', wrong),
      )
  })

  test("another class's key", async () => {
    const other = `tartaglia-ed25519:${'1'.repeat(64)}`
    const ended = await stage.run('history', 'verify', good, '--key', other, '--json')
    expect(ended.code).toBe(1)
    const [verdict] = (JSON.parse(ended.stdout) as Verdicts).files
    expect(verdict).toMatchObject({ ok: false })
  })
})

test('a real match: every byte that is changed is found, and its line is told', async () => {
  const bytes = readFileSync(good)
  const lineOf = (at: number): number => bytes.subarray(0, at).filter((byte) => byte === 10).length + 1
  const options = { games: (id: string) => games.get(id) }
  expect(await historyVerifier([key])(good)).toMatchObject({ ok: true, replayed: true })
  const chance = seededChance('flipped bytes')
  const newlines = [...bytes.keys()].filter((at) => bytes[at] === 10)
  const sampled = Array.from({ length: 400 }, () => chance.below(bytes.length))
  for (const at of [...sampled, ...newlines, 0, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = bytes[at]! ^ (1 << chance.below(8))
    const verdict = verifyMatch(changed, options)
    // A newline that is gone joins its line with the next one: told by the first of the two.
    expect({ at, ok: verdict.ok, line: verdict.ok ? 0 : verdict.line }).toEqual({ at, ok: false, line: lineOf(at) })
  }
})
