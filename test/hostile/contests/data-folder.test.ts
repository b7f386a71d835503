import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { seededChance } from '../../conformance/verbs/chance.ts'
import { start, type Ended } from '../../conformance/cli/process.ts'
import {
  expectRefusal,
  kilobytesOfAgents,
  openStage,
  reportOf,
  toldIn,
  type Report,
} from '../../conformance/verbs/stage.ts'
import { isLong } from '../../long.ts'
import { run as runHere } from '../../unit/cli/environment.ts'
import { processesWith } from './processes.ts'
import { refusedCommand, saying } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

const stage = openStage('data')
const contest = stage.contest('contest.json', { format: { type: 'round-robin', seats: 2, repeats: 2 } })
const matches = 12
/** A resume of another folder, which can be held up in its midst. */
const longer = stage.contest('longer.json', { format: { type: 'round-robin', seats: 2, repeats: 4 } })
/** In this process; only the workers are others. */
const run = (data: string): Promise<Ended> =>
  runHere('contest', 'run', contest, '--data', data, '--cores', '1', '--json')

/** A data folder of the contest stopped by Ctrl-C, gone on with and stopped again: two segments. */
const stopped = join(stage.folder, 'stopped')
const firstSegment = join('contests', 'hostile-contest-1', 'segment-000001.jsonl')
const lastSegment = join('contests', 'hostile-contest-1', 'segment-000002.jsonl')
let whole: Report

/** null: it was over, or further, before it could be stopped. */
async function stopAt(data: string, quarter: string): Promise<Ended | null> {
  const running = stage.begin('contest', 'run', contest, '--data', data, '--cores', '1', '--json')
  await running.said(`${quarter} of ${matches} matches`).catch(() => undefined)
  running.child.kill('SIGINT')
  const ended = await running.ended
  return ended.code === 0 ? null : ended
}

let first: Ended
beforeAll(async () => {
  whole = reportOf(await run(join(stage.folder, 'whole')))
  // If others use the cores, a signal may come too late.
  let stops: readonly (Ended | null)[] = []
  while (stops.length < 2 || stops.includes(null)) {
    rmSync(stopped, { recursive: true, force: true })
    stops = [await stopAt(stopped, '3'), await stopAt(stopped, '6')]
  }
  expect(stops.map((each) => each?.code)).toEqual([130, 130])
  first = stops[0]!
  expect(existsSync(join(stopped, lastSegment))).toBe(true)
}, 300_000)
afterAll(() => stage.remove())

let copies = 0
/** A copy of the stopped contest's data folder, to be damaged. */
function copy(): string {
  const data = join(stage.folder, `copy-${++copies}`)
  cpSync(stopped, data, { recursive: true })
  return data
}

/** Every file of a folder and what it holds, but for those of the lock. */
function contentsOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((item) => item.isFile())
  const paths = files.map((item) => join(item.parentPath, item.name)).sort()
  return new Map(
    paths
      .map((path) => [relative(folder, path), readFileSync(path, 'latin1')] as const)
      .filter(([name]) => !/^(lock|holder\.json)/.test(name)),
  )
}

/** Expects a finished contest that is as the uninterrupted one. */
function expectWhole(ended: Ended): Report {
  expect(ended).toMatchObject({ code: 0 })
  const report = reportOf(ended)
  expect(report.matches).toEqual({ total: matches, played: matches, void: 0 })
  expect(report.histories.map(({ match }) => match)).toEqual([...Array(matches).keys()])
  expect(report.standings).toEqual(whole.standings)
  return report
}

/** Expects a refusal that leaves every file as it was. */
async function expectUntouched(
  data: string,
  code: number,
  ...says: readonly (string | RegExp | object)[]
): Promise<void> {
  const before = contentsOf(data)
  expectRefusal(await run(data), code, ...says)
  expect(contentsOf(data)).toEqual(before)
}

test('Ctrl-C ends a run with code 130, says how it goes on, and leaves no process; the same command ends it', async () => {
  expect(reportOf(first)).toMatchObject({ state: 'stopped', resumed: false })
  expect(toldIn(first)).toEqual([saying('Stopping', 'same command', 'resume')])
  // The system takes a moment to remove killed processes.
  await vi.waitFor(() => expect(processesWith(stage.folder)).toEqual([]), { timeout: 60_000 })
  const report = expectWhole(await run(copy()))
  expect(report).toMatchObject({ state: 'finished', resumed: true, contest: reportOf(first).contest })
})

test('a second process on the folder is refused with its name and the number of the first', async () => {
  // From its beginning: it has all its matches before it when the first line is seen.
  const data = join(stage.folder, 'held')
  const running = stage.begin('contest', 'run', longer, '--data', data, '--cores', '1', '--json')
  await running.said(' matches')
  const pid = String(running.child.pid)
  // It holds the folder however long the others take.
  running.child.kill('SIGSTOP')
  expectRefusal(await run(data), 3, refusedCommand('data-folder-in-use', data, pid))
  expectRefusal(
    await stage.run('contest', 'cancel', 'hostile-contest-1', '--data', data, '--json'),
    3,
    refusedCommand('data-folder-in-use', data, pid),
  )
  running.child.kill('SIGCONT')
  expect(await running.ended).toMatchObject({ code: 0 })
})

test('a holder that is dead holds nothing', async () => {
  const data = copy()
  writeFileSync(join(data, 'holder.json'), JSON.stringify({ pid: 1, since: '2011-02-13T00:00:00.000Z' }))
  expectWhole(await run(data))
})

describe('class.json', () => {
  const good = (): string => readFileSync(join(stopped, 'class.json'), 'utf8')
  const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length
  const cases: [string, () => string | Uint8Array, () => RegExp, ErrorCode?][] = [
    ['empty', () => '', () => /class\.json:1:1: /],
    ['cut off', () => good().slice(0, -20), () => /class\.json:\d{2,}:\d+: /],
    [
      'with a stray character',
      () => good().replace('"agents"', 'x"agents"'),
      () => new RegExp(`class\\.json:${lineOf(good(), '"agents"')}:3: `),
    ],
    ['zeros', () => Buffer.alloc(1_000), () => /class\.json:1:1: /],
    ['null', () => 'null', () => /class\.json:1:1: /],
    ['of a newer program', () => '{"format":"tartaglia-class/9"}', () => /class\.json/, 'data-folder-newer'],
    ['of another kind', () => '{"format":"tartaglia-class/0"}', () => /class\.json:1:11: format: /],
    [
      'with a wrong state',
      () => good().replace('"open"', '"opened"'),
      () => new RegExp(`class\\.json:${lineOf(good(), '"open"')}:\\d+: contests\\.0\\.state: `),
    ],
    [
      'with an impossible seed',
      () => good().replace('"Brescia, 1512: a seed that nobody guesses"', '"\\ud800"'),
      () => /class\.json:\d+:\d+: contests\.0\.description\.seed: /,
    ],
    [
      'that is not text',
      () => Buffer.concat([Buffer.from(good()), Buffer.from([0xff])]),
      () => /class\.json/,
      'not-utf8',
    ],
  ]
  test.each(cases)('%s', async (_name, content, says, code = 'json-invalid') => {
    const data = copy()
    writeFileSync(join(data, 'class.json'), content())
    const refused = refusedCommand(code, join(data, 'class.json'))
    await expectUntouched(data, 2, says(), refused)
    expectRefusal(await runHere('contest', 'list', '--data', data, '--json'), 2, says(), refused)
  })

  test('a folder in its place', async () => {
    const data = copy()
    rmSync(join(data, 'class.json'))
    cpSync(join(data, 'keys'), join(data, 'class.json'), { recursive: true })
    await expectUntouched(data, 3, join(data, 'class.json'))
  })

  const id = 'hostile-contest-1'
  test('gone: it is rebuilt from what lies beside it, and the contest goes on', async () => {
    const data = copy()
    rmSync(join(data, 'class.json'))
    const listed = await runHere('contest', 'list', '--data', data, '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject({ contests: [{ contest: id, state: 'open' }] })
    expect(toldIn(listed)[0]).toContain(`${join(data, 'class.json')} was missing`)
    const ended = await run(data)
    expect(expectWhole(ended)).toMatchObject({ contest: id, resumed: true })
    expect(toldIn(ended)[0]).toContain('rebuilt with 1 contest')
  })

  test('gone with all copies: the histories are listed, and the contest begins again only if that is asked for', async () => {
    const data = copy()
    for (const name of ['class.json', 'class-copies', 'class-records'])
      rmSync(join(data, name), { recursive: true, force: true })
    const histories = segmentsOf(data)
    const refused = await run(data)
    expect(refused.code).toBe(2)
    expect(JSON.parse(refused.stdout)).toEqual(refusedCommand('seed-lost', id, '--again'))
    const listed = await runHere('contest', 'list', '--data', data, '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject({ contests: [{ contest: id, state: 'cancelled' }] })
    const again = await runHere('contest', 'run', contest, '--data', data, '--cores', '1', '--json', '--again')
    expect(expectWhole(again)).toMatchObject({ contest: 'hostile-contest-2', resumed: false })
    expect(segmentsOf(data)).toEqual(histories)
  })

  test('gone after the end: a contest that is rebuilt from its histories has ended, with the same matches', async () => {
    const data = join(stage.folder, 'whole-without-class')
    cpSync(join(stage.folder, 'whole'), data, { recursive: true })
    for (const name of ['class.json', 'class-copies', 'class-records'])
      rmSync(join(data, name), { recursive: true, force: true })
    const refused = await runHere('contest', 'rerun', id, '--data', data, '--json')
    expect(refused.code).toBe(2)
    expect(JSON.parse(refused.stdout)).toEqual(refusedCommand('seed-lost', id))
    const listed = await runHere('contest', 'list', '--data', data, '--json')
    expect(JSON.parse(listed.stdout)).toMatchObject({ contests: [{ contest: id, state: 'ended' }] })
    const history = await runHere('history', 'list', id, '--data', data, '--json')
    expect((JSON.parse(history.stdout) as { matches: unknown[] }).matches).toHaveLength(matches)
  })
})

/** The histories of the contest. */
function segmentsOf(data: string): ReadonlyMap<string, string> {
  const all = contentsOf(join(data, 'contests', 'hostile-contest-1'))
  return new Map([...all].filter(([name]) => name.startsWith('segment-')))
}

describe('agents and keys', () => {
  test('a stored agent that was changed is put back, and it is said', async () => {
    const data = copy()
    const [name = ''] = readdirSync(join(data, 'agents'))
    const path = join(data, 'agents', name)
    const before = readFileSync(path)
    writeFileSync(path, 'module.exports = null')
    const ended = await run(data)
    expectWhole(ended)
    expect(toldIn(ended)).toEqual([expect.stringContaining(`${path} had been changed`) as string])
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  const pem = join('keys', 'class.pem')
  test.each([
    ['empty', ''],
    ['cut off', readAtMost(40)],
    ['of another kind', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
    ['zeros', '\0'.repeat(200)],
  ])('a private key that is %s', async (_name, content) => {
    const data = copy()
    const text = typeof content === 'string' ? content : content(join(data, pem))
    writeFileSync(join(data, pem), text)
    await expectUntouched(data, 3, join(data, pem))
  })

  test('a private key that is gone is not replaced while the public one is there', async () => {
    const data = copy()
    rmSync(join(data, pem))
    await expectUntouched(data, 3, join(data, pem))
  })

  test("another class's key: the histories are not gone on with", async () => {
    const data = copy()
    cpSync(join(stage.folder, 'whole', 'keys'), join(data, 'keys'), { recursive: true })
    await expectUntouched(data, 1, join(data, firstSegment), 'line 1', 'key')
  })

  test('a public key that is damaged is written again from the private one', async () => {
    const data = copy()
    const good = readFileSync(join(data, 'keys', 'class.pub'), 'utf8')
    writeFileSync(join(data, 'keys', 'class.pub'), 'tartaglia-ed25519:?')
    expectWhole(await run(data))
    expect(readFileSync(join(data, 'keys', 'class.pub'), 'utf8')).toBe(good)
  })
})

function readAtMost(bytes: number): (path: string) => string {
  return (path) => readFileSync(path, 'utf8').slice(0, bytes)
}

describe('segments', () => {
  const chance = seededChance('segments')

  test('a last record that was torn is cut back, which is said, and what it held is played again', async () => {
    for (let i = 0; i < (isLong ? 8 : 2); i++) {
      const data = copy()
      const path = join(data, lastSegment)
      truncateSync(path, statSync(path).size - 1 - chance.below(2_000))
      const torn = !readFileSync(path, 'utf8').endsWith('\n')
      const ended = await run(data)
      expectWhole(ended)
      if (torn) expect(toldIn(ended)[0]).toMatch(/segment-000002\.jsonl\b.*\(line \d+, byte \d+\)/)
    }
  })

  test('a last segment of which nothing is left', async () => {
    const data = copy()
    truncateSync(join(data, lastSegment), 0)
    expectWhole(await run(data))
  })

  test('one changed byte: its segment and line are told, and nothing is written', async () => {
    for (let i = 0; i < 8; i++) {
      const data = copy()
      const name = i % 2 === 0 ? firstSegment : lastSegment
      const bytes = readFileSync(join(data, name))
      const at = chance.below(bytes.length)
      bytes[at] = bytes[at]! ^ (1 << chance.below(8))
      writeFileSync(join(data, name), bytes)
      const line = bytes.subarray(0, at).filter((byte) => byte === 10).length + 1
      await expectUntouched(data, 1, `${join(data, name)}, line ${line}: `, 'Nothing was changed')
    }
  })

  test('a segment that ends early although another follows', async () => {
    const data = copy()
    const path = join(data, firstSegment)
    truncateSync(path, statSync(path).size - 10)
    await expectUntouched(data, 1, path)
  })

  test('a line that was taken out, two that were swapped, one that is there twice', async () => {
    const changes: readonly ((lines: string[]) => void)[] = [
      (lines) => lines.splice(7, 1),
      (lines) => lines.splice(7, 2, lines[8]!, lines[7]!),
      (lines) => lines.splice(7, 1, lines[7]!, lines[7]!),
    ]
    for (const change of changes) {
      const data = copy()
      const path = join(data, firstSegment)
      const lines = readFileSync(path, 'utf8').split('\n')
      change(lines)
      writeFileSync(path, lines.join('\n'))
      await expectUntouched(data, 1, new RegExp(`segment-000001\\.jsonl, line ([89]|10): `))
    }
  })

  test('the first segment is gone', async () => {
    const data = copy()
    rmSync(join(data, firstSegment))
    await expectUntouched(data, 1, 'segment-000001.jsonl', 'missing')
  })

  test('the two have changed their names', async () => {
    const data = copy()
    const [one, two] = [readFileSync(join(data, firstSegment)), readFileSync(join(data, lastSegment))]
    writeFileSync(join(data, firstSegment), two)
    writeFileSync(join(data, lastSegment), one)
    await expectUntouched(data, 1, join(data, firstSegment), 'line 1')
  })

  test("the contest's folder is gone: it is played from the beginning", async () => {
    const data = copy()
    rmSync(join(data, 'contests'), { recursive: true })
    expect(expectWhole(await run(data)).resumed).toBe(false)
  })

  test("a file in the place of the contest's folder", async () => {
    const data = copy()
    rmSync(join(data, 'contests'), { recursive: true })
    writeFileSync(join(data, 'contests'), '')
    await expectUntouched(data, 3, join(data, 'contests'))
  })
})

const isRoot = process.getuid?.() === 0
const namespaces = isRoot && spawnSync('unshare', ['-m', 'true']).status === 0
const otherUser = isRoot && spawnSync('setpriv', ['--reuid=65534', '--clear-groups', 'true']).status === 0

/** A shell script in a mount namespace of its own; $1 to $n are the arguments. */
const inNamespace = (script: string, ...args: readonly string[]): Promise<Ended> =>
  start('unshare', ['-m', 'sh', '-c', script, 'sh', ...args]).ended

describe('disks', () => {
  test.skipIf(!namespaces)('a read-only folder (needs root and unshare)', async () => {
    const data = copy()
    const script = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 99
      exec "$2" "$3" contest run "$4" --data "$1" --json`
    const before = contentsOf(data)
    expectRefusal(await inNamespace(script, data, process.execPath, stage.cli, contest), 3, data)
    expect(contentsOf(data)).toEqual(before)
    const list = script.replace('run "$4"', 'list')
    const listed = await inNamespace(list, data, process.execPath, stage.cli)
    expect(listed).toMatchObject({ code: 0, stderr: '' })
  })

  test.skipIf(!otherUser)("another user's folder (needs root and setpriv)", async () => {
    const data = copy()
    const as = ['--reuid=65534', '--regid=65534', '--clear-groups', '--', process.execPath, stage.cli]
    const ended = await start('setpriv', [...as, 'contest', 'run', contest, '--data', data, '--json']).ended
    expectRefusal(ended, 3, refusedCommand('access-denied', data))
    const below = join(data, 'not-there')
    const made = await start('setpriv', [...as, 'contest', 'run', contest, '--data', below, '--json']).ended
    expectRefusal(made, 3, refusedCommand('access-denied', below))
    const listed = await start('setpriv', [...as, 'contest', 'list', '--data', data, '--json']).ended
    expectRefusal(listed, 3, refusedCommand('access-denied', join(data, 'class.json')))
  })

  test.skipIf(!namespaces)(
    'a full disk under the export: nothing half-written is left (needs root and unshare)',
    async () => {
      const data = copy()
      const [disk, out] = [join(stage.folder, 'disk-export'), join(stage.folder, 'out-export')]
      const script = `mkdir -p "$1" "$5" && mount -t tmpfs -o size=100k tartaglia "$1" || exit 99
      "$2" "$3" contest run "$4" --data "$6" --export "$1/export" --json; code=$?
      cp -r "$1/export" "$5"; exit $code`
      const full = await inNamespace(script, disk, process.execPath, stage.cli, contest, out, data)
      expectRefusal(full, 3, join(disk, 'export', 'match-'), 'the disk is full')
      const files = readdirSync(join(out, 'export')).map((name) => join(out, 'export', name))
      expect(files.length).toBeGreaterThan(0)
      const key = join(data, 'keys', 'class.pub')
      expect(await stage.run('history', 'verify', ...files, '--key', key)).toMatchObject({ code: 0 })
      expect(expectWhole(await run(data)).resumed).toBe(true)
    },
  )

  // From a disk that cannot take the lock to one that is full in mid-contest.
  const inMidContest = kilobytesOfAgents(contest) + 115
  const sizes = isLong ? [4, 16, 40, 96, 160, inMidContest - 300, inMidContest] : [4, inMidContest]
  test.skipIf(!namespaces).each(sizes)(
    'a full disk of %i KB: one sentence, and with more room the same command ends the contest (needs root and unshare)',
    async (size) => {
      const [disk, out] = [join(stage.folder, `disk-${size}`), join(stage.folder, `out-${size}`)]
      const script = `mkdir -p "$1" "$5" && mount -t tmpfs -o size=${size}k tartaglia "$1" || exit 99
        run() { "$2" "$3" contest run "$4" --data "$1/data" --cores 1 --json; }
        run "$1" "$2" "$3" "$4" > "$5/full.out" 2> "$5/full.err"; echo $? > "$5/full.code"
        mount -o remount,size=64m "$1" || exit 99
        run "$1" "$2" "$3" "$4" > "$5/room.out" 2> "$5/room.err"; echo $? > "$5/room.code"
        "$2" "$3" contest list --data "$1/data" --json > "$5/list.out"`
      const shell = await inNamespace(script, disk, process.execPath, stage.cli, contest, out)
      expect(shell).toMatchObject({ code: 0, stderr: '' })
      const read = (name: string): string => readFileSync(join(out, name), 'utf8')
      const ended = (name: string): Ended => {
        return { code: Number(read(`${name}.code`)), stdout: read(`${name}.out`), stderr: read(`${name}.err`) }
      }
      expectRefusal(ended('full'), 3, join(disk, 'data'), 'the disk is full')
      const report = expectWhole(ended('room'))
      // Played matches of a contest for which the disk had room count.
      const played = read('full.err').includes(` of ${matches} matches`)
      const inMidst = size === inMidContest
      expect({ played, ...report }).toMatchObject({ played: inMidst, ...(inMidst ? { resumed: true } : {}) })
      expect(JSON.parse(read('list.out'))).toMatchObject({
        contests: [{ contest: 'hostile-contest-1', state: 'ended' }],
      })
    },
  )
})
