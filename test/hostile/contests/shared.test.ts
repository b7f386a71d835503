import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { replayMatch } from '../../../main/services/matches/replay/replay.ts'
import { playContestFile, type RunContestOptions } from '../../../main/services/contests/command/contest-command.ts'
import type { ContestReport } from '../../../main/services/contests/command/contest-report.ts'
import { defaultPolicy } from '../../../main/contract/contests/policy.ts'
import { readHistoryLine } from '../../../main/histories/read-line.ts'
import { eachLine } from '../../../main/histories/read-lines.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { descendants } from '../../../main/players/proc.ts'
import { games } from '../../../main/referees/games.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { has } from '../players/programs.ts'
import { refusal, saying } from '../../refusal.ts'

const folder = temporaryFolder('shared')

/** Leaves a token, different in each match, and says what it finds. */
const gossip = `module.exports = class {
  constructor(me, counts, values, rounds, log) { this.me = me; this.counts = counts; this.log = log; this.token = String(Math.random()); shared.write('of' + me, this.token); log('own ' + this.token) }
  offer(offered) {
    const [other] = shared.list().filter((name) => name !== 'of' + this.me)
    if (other !== undefined) this.log('found ' + shared.list().length + ' ' + shared.read(other))
    return offered !== undefined && offered.some((n) => n > 0) ? undefined : this.counts.map((n) => n >> 1)
  }
}`

const MATCHES = 12
const described = {
  title: 'In common',
  game: 'haggle',
  format: { type: 'round-robin', seats: 2, repeats: MATCHES },
  seed: 'shared',
  sample: 1,
  limits: { startMs: 120_000, moveMs: 120_000 },
  entrants: ['anna', 'bert'].map((name) => ({ name, agent: 'gossip.js' })),
}
const mechanism = { isolation: 'shared', policy: { ...defaultPolicy, mechanismAttack: true } }

function written(name: string, more: object): string {
  const file = join(folder, `${name}.json`)
  writeFileSync(join(folder, 'gossip.js'), gossip)
  writeFileSync(file, JSON.stringify({ ...described, ...more }))
  return file
}

const run = (name: string, more: object, options: Partial<RunContestOptions> = {}): Promise<ContestReport> =>
  playContestFile({
    contest: written(name, more),
    data: join(folder, name),
    cores: 2,
    exportTo: join(folder, `${name}-matches`),
    consoles: 'all',
    signal: new AbortController().signal,
    onNotice: () => undefined,
    onProgress: () => undefined,
    ...options,
  })

/** The tier in a match's history, and the lines that each seat printed. */
function told(file: string): { readonly isolation: string; readonly printed: readonly string[] } {
  let isolation = ''
  const printed = ['', '']
  eachLine(readFileSync(file), (line) => {
    const read = readHistoryLine(line)
    if (!read.ok) throw new Error(read.message)
    if (read.body.k === 'header') isolation = read.body.isolation
    if (read.body.k === 'console') printed[read.body.post.seat] += read.body.text
    return true
  })
  return { isolation, printed }
}

const filesOf = ({ histories }: ContestReport): readonly string[] =>
  histories.map((history) => ('file' in history ? history.file : ''))

function expectWhole(report: ContestReport): void {
  expect(report).toMatchObject({ state: 'finished', isolation: 'shared', matches: { played: MATCHES, void: 0 } })
  for (const row of report.standings) expect(row).toMatchObject({ faults: 0, removals: 0 })
}

test.skipIf(!has('shared'))(
  'agents of a match meet in its folder and nowhere else; nothing is played again',
  async () => {
    const report = await run('meeting', mechanism)
    expectWhole(report)
    expect(report.playedAgain).toBe(null)
    const tokens = filesOf(report).flatMap((file) => {
      const { isolation, printed } = told(file)
      expect(isolation).toBe('shared')
      expect(verifyMatch(readFileSync(file), { games: (id) => games.get(id) })).toMatchObject({ ok: true })
      const own = printed.map((text) => /own (\S+)$/m.exec(text)![1]!)
      const found = printed.flatMap((text) =>
        [...text.matchAll(/found (\d+) (\S+)$/gm)].map(([, n, token]) => [n, token]),
      )
      // Whoever looked found two files, and in the other's what the other had left in this very match.
      expect(found.length).toBeGreaterThan(0)
      for (const [count, token] of found) {
        expect(count).toBe('2')
        expect(own).toContain(token)
      }
      return own
    })
    const again = { seat: 0, until: 1, agent: join(folder, 'gossip.js'), isolation: 'none', debug: false } as const
    const asked = replayMatch({ ...again, history: filesOf(report)[0]!, onNotice: () => undefined })
    await expect(asked).rejects.toThrow(refusal('shared-folder-unrecorded'))
    expect(new Set(tokens).size).toBe(2 * MATCHES)
  },
)

test.skipIf(!has('shared'))('who kills what makes the folders costs nobody anything', async () => {
  let killed = 0
  let over = false
  const killer = async (): Promise<void> => {
    while (!over) {
      for (const pid of descendants(process.pid)) if (killed < 5 && isMaker(pid) && kill(pid)) killed += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  let killing = Promise.resolve()
  // Not before the tier has been tried: a machine where that fails has no such tier.
  const onHeld = (): void => void (killing = killer())
  const report = await run('killed', mechanism, { onHeld }).finally(() => (over = true))
  await killing
  expectWhole(report)
  // How many it meets is the system's to say: they live for a moment.
  expect(killed).toBeGreaterThan(0)
})

test('a contest whose policy forbids attacks on mechanisms has no such folder, whoever asks for it', async () => {
  const refused = { kind: 'usage', message: saying('isolation "shared"', 'attacks on decisions') }
  // The policy and the isolation contradict each other in the contest file, or the command line does what the file forbids.
  await expect(run('refused', { isolation: 'shared' })).rejects.toMatchObject({ ...refused, code: 'json-invalid' })
  await expect(run('refused', {}, { isolation: 'shared' })).rejects.toMatchObject({
    ...refused,
    code: 'isolation-refused',
  })
})

function isMaker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('nr_inodes=')
  } catch {
    return false
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
