import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { cli, start, tartaglia, writeContest, type Ended } from './process.ts'
import { refusedCommand, saying } from '../../refusal.ts'

interface Report {
  readonly contest: string
  readonly seed: string
  readonly state: string
  readonly resumed: boolean
  readonly standings: readonly { agent: string; rank: number; points: number; matches: number; faults: number }[]
  readonly histories: readonly { match: number; file?: string }[]
}

let folder = ''
let data = ''
beforeEach(() => {
  folder = temporaryFolder('cli')
  data = join(folder, 'data')
})

const reportOf = (stdout: string): Report => JSON.parse(stdout) as Report

describe('contest run', () => {
  test('prints one JSON object, is listed as over, and its exported histories verify with the class key', async () => {
    const exported = join(folder, 'export')
    const args = ['--json', '--data', data, '--export', exported]
    const { code, stdout } = await tartaglia('contest', 'run', writeContest(folder), ...args).ended
    expect(code).toBe(0)
    expect(stdout.trimEnd()).not.toContain('\n')
    const report = reportOf(stdout)
    expect(report).toMatchObject({ seed: 'conformance', state: 'finished' })
    // Section 4.4: the policy stands wherever results do.
    const policy = { administratorAttack: false, intelligenceAttack: true, mechanismAttack: false }
    expect(report).toMatchObject({ policy, counts: true })
    expect(report.standings.map(({ agent }) => agent).sort()).toEqual(['baby', 'gambler', 'greedy', 'sampler'])
    for (const row of report.standings) expect(row).toMatchObject({ matches: 3, faults: 0 })
    // Six matches, a point each.
    expect(report.standings.reduce((sum, { points }) => sum + points, 0)).toBe(6)
    expect(report.histories.map(({ match }) => match)).toEqual([0, 1, 2, 3, 4, 5])

    const listed = await tartaglia('contest', 'list', '--json', '--data', data).ended
    const { contests } = JSON.parse(listed.stdout) as { contests: readonly { contest: string; state: string }[] }
    expect(contests).toMatchObject([{ contest: report.contest, state: 'ended', entrants: 4 }])
    const cancelled = await tartaglia('contest', 'cancel', report.contest, '--data', data).ended
    expect(cancelled).toMatchObject({ code: 2, stdout: '' })

    const files = report.histories.map(({ file }) => file ?? '')
    const key = join(data, 'keys', 'class.pub')
    expect((await tartaglia('history', 'verify', ...files, '--key', key).ended).code).toBe(0)

    const [first = ''] = files
    const bytes = readFileSync(first)
    const at = bytes.indexOf('"k":"header"')
    bytes[at] = 0x27
    writeFileSync(first, bytes)
    const line = bytes.subarray(0, at).toString('utf8').split('\n').length
    const verified = await tartaglia('history', 'verify', ...files, '--json').ended
    expect(verified.code).toBe(1)
    const verdicts = JSON.parse(verified.stdout) as { ok: boolean; files: readonly { ok: boolean; line?: number }[] }
    expect(verdicts.ok).toBe(false)
    expect(verdicts.files.map(({ ok }) => ok)).toEqual([false, true, true, true, true, true])
    expect(verdicts.files[0]?.line).toBe(line)
  })

  test('practice does not count, and its histories say so', async () => {
    const exported = join(folder, 'export')
    const contest = writeContest(folder, { practice: true, format: { type: 'single' } })
    const { code, stdout } = await tartaglia('contest', 'run', contest, '--json', '--data', data, '--export', exported)
      .ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ counts: false })
    const files = [join(exported, 'match-0000.jsonl'), '--key', join(exported, 'class.pub')]
    const verified = await tartaglia('history', 'verify', ...files).ended
    expect(verified.stdout).toEqual(saying('genuine', 'match 0', 'four-at-a-table-of-two-1', '(practice)'))
  })

  test('an agent of the class is named by its hash: that version plays, whatever was handed in since', async () => {
    const play = (title: string, agent: string): Promise<Ended> => {
      const entrants = [
        { name: 'bruno', agent: 'baby' },
        { name: 'anna', agent },
      ]
      const file = writeContest(folder, { title, format: { type: 'single' }, entrants })
      return tartaglia(
        'contest',
        'run',
        file,
        '--data',
        data,
        '--export',
        join(folder, title),
        '--cores',
        '1',
        '--json',
      ).ended
    }
    const hashIn = (title: string): string =>
      /"agent":"([0-9a-f]{64})","name":"anna"/.exec(
        readFileSync(join(folder, title, 'match-0000.jsonl'), 'utf8'),
      )?.[1] ?? ''
    expect((await play('first', 'sampler')).code).toBe(0)
    expect((await play('second', 'greedy')).code).toBe(0)
    const digits = hashIn('first').slice(0, 8)
    expect(hashIn('second').slice(0, 8)).not.toBe(digits)
    const third = await play('third', `anna@${digits}`)
    expect(third.code, third.stderr).toBe(0)
    expect(hashIn('third')).toBe(hashIn('first'))
    const fourth = await play('fourth', 'anna@00000000')
    expect([fourth.code, JSON.parse(fourth.stdout)]).toEqual([
      2,
      refusedCommand('agent-version-unknown', '"anna"', '00000000'),
    ])
    expect(existsSync(join(folder, 'fourth'))).toBe(false)
  })
})

describe('bad input is one sentence, and nothing is written', () => {
  /** The output of --json; its sentence is the one on stderr. */
  const refused = async (...args: readonly string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await tartaglia(...args, '--data', data, '--json').ended
    const said = JSON.parse(stdout) as { error: string }
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${said.error}\n` })
    expect(existsSync(data)).toBe(false)
    return said
  }

  test('a file that is not there', async () => {
    const file = join(folder, 'none.json')
    expect(await refused('contest', 'run', file)).toEqual(refusedCommand('file-unreadable', file))
  })

  test('a file that is not JSON', async () => {
    const file = join(folder, 'bad.json')
    writeFileSync(file, '{\n  "title": "x",\n  oops\n}')
    expect(await refused('contest', 'run', file)).toEqual(refusedCommand('json-invalid', `${file}:3:3: `))
  })

  test('a field that is wrong', async () => {
    const file = writeContest(folder, { format: { type: 'round-robin', seats: 'two' } })
    expect(await refused('contest', 'run', file)).toEqual(refusedCommand('json-invalid', file, 'format.seats: '))
  })

  test('an agent that is not there', async () => {
    const file = writeContest(folder, {
      entrants: [
        { name: 'a', agent: 'a.js' },
        { name: 'b', agent: 'b.js' },
      ],
    })
    expect(await refused('contest', 'run', file)).toEqual(refusedCommand('agent-unknown', join(folder, 'a.js')))
  })

  test('an option with a wrong value', async () => {
    expect(await refused('contest', 'run', 'sample', '--cores', '0')).toEqual(
      refusedCommand('input-invalid', '--cores', "'0'"),
    )
    expect(await refused('contest', 'run', 'sample', '--isolation', 'hope')).toEqual(
      refusedCommand('input-invalid', '--isolation', "'hope'", 'bubblewrap'),
    )
    expect(await refused('contest', 'run', 'sample', '--isolation', 'shared')).toEqual(
      refusedCommand('isolation-refused', 'isolation "shared"'),
    )
    expect(await refused('match', 'play', 'baby', 'baby', '--isolation', 'shared')).toEqual(
      refusedCommand('input-invalid', '--isolation', "'shared'"),
    )
  })
})

describe('the machine in the way is one sentence and exit code 3', () => {
  test('a data folder that cannot be made', async () => {
    writeFileSync(join(folder, 'file'), '')
    const args = ['contest', 'run', writeContest(folder), '--data', join(folder, 'file', 'data'), '--json']
    const { code, stdout, stderr } = await tartaglia(...args).ended
    expect([code, JSON.parse(stdout)]).toEqual([3, refusedCommand('path-unusable', join(folder, 'file'))])
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  const namespaces = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

  test.skipIf(!namespaces)('a read-only data folder (needs root and unshare)', async () => {
    const script = `mount -t tmpfs -o ro tartaglia "$1" || exit 99; "$2" "$3" contest run "$4" --data "$1/data" --json`
    const args = ['-m', 'sh', '-c', script, 'sh', folder, process.execPath, cli, 'sample']
    const { code, stdout } = await start('unshare', args).ended
    expect([code, JSON.parse(stdout)]).toEqual([3, refusedCommand('access-denied', join(folder, 'data'))])
  })

  test.skipIf(!existsSync('/dev/full'))('an output that cannot be written (needs /dev/full)', async () => {
    const { code, stderr } = await start('sh', [
      '-c',
      '"$0" "$1" challenge print max-csp > /dev/full',
      process.execPath,
      cli,
    ]).ended
    expect(code).toBe(3)
    // Not even --json could say it.
    expect(stderr).toMatch(/^[^\n]+\.\n$/)
    expect(stderr).not.toContain('ENOSPC')
  })
})

test('a reader that closes the pipe early causes no error', async () => {
  const running = tartaglia('challenge', 'print', 'max-csp')
  running.child.stdout?.destroy()
  const { code, stderr } = await running.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('exports are files of whole lines, one a match, and no other contest replaces them', async () => {
  const exported = join(folder, 'export')
  await tartaglia('contest', 'run', writeContest(folder), '--data', data, '--export', exported).ended
  const files = readdirSync(exported).filter((name) => name.endsWith('.jsonl'))
  expect(files).toHaveLength(6)
  const texts = (): readonly string[] => files.map((file) => readFileSync(join(exported, file), 'utf8'))
  const first = texts()
  for (const text of first) expect(text.endsWith('}\n')).toBe(true)

  // The contest is over: the same file is another contest now, and is refused before it is one.
  const again = await tartaglia('contest', 'run', writeContest(folder), '--data', data, '--export', exported, '--json')
    .ended
  expect([again.code, JSON.parse(again.stdout)]).toEqual([
    2,
    refusedCommand('file-exists', join(exported, 'match-0000.jsonl'), 'four-at-a-table-of-two-1'),
  ])
  expect(texts()).toEqual(first)
  const { stdout } = await tartaglia('contest', 'list', '--data', data, '--json').ended
  expect((JSON.parse(stdout) as { contests: unknown[] }).contests).toHaveLength(1)
})
