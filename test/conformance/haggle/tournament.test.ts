import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { playContestFile } from '../../../main/services/contests/command/contest-command.ts'
import type { ContestReport } from '../../../main/services/contests/command/contest-report.ts'
import { haggleConfig } from '../../../main/services/games/haggle/scenarios.ts'
import { orderedPairs, playSessions, type Session } from '../../../main/services/games/haggle/sessions.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { readFileSync } from 'node:fs'
import { temporaryFolder } from '../../temporary-folder.ts'

const agents = {
  baby: readFileSync(join(resources.agents, 'haggle', 'baby.js'), 'utf8'),
  conceder: readFileSync(join(resources.agents, 'haggle', 'conceder.js'), 'utf8'),
  quitter: 'module.exports = class { offer() { throw new Error("no deal") } }',
}
const names = Object.keys(agents)
const sources = Object.values(agents)
const FIRST = [1, 2, 3, 4]
const FINAL = [11, 12, 4294967295]

let folder = ''
beforeAll(() => {
  folder = temporaryFolder('tournament')
  for (const [name, source] of Object.entries(agents)) writeFileSync(join(folder, `${name}.js`), source)
  const entrants = names.map((name) => ({ name, agent: `${name}.js` }))
  const format = { type: 'ordered-pairs', seeds: FIRST, finalists: 2, finalSeeds: FINAL }
  const limits = { startMs: 60_000, moveMs: 60_000 }
  const contest = { title: 'Tournament', game: 'haggle', format, seed: 'Venice', limits, entrants }
  writeFileSync(join(folder, 'contest.json'), JSON.stringify({ ...contest, isolation: 'permission' }))
})

function run(data: string, stop: (done: number) => boolean = () => false): Promise<ContestReport> {
  const stopper = new AbortController()
  return playContestFile({
    contest: join(folder, 'contest.json'),
    data: join(folder, data),
    cores: 1,
    signal: stopper.signal,
    onNotice: () => undefined,
    onProgress({ done }) {
      if (stop(done)) stopper.abort()
    },
  })
}

/** The sessions of these entries as `tartaglia haggle` plays them. */
async function sessionsOf(pairs: readonly (readonly [number, number])[], seeds: readonly number[]): Promise<Session[]> {
  const sessions: Session[] = []
  await playSessions({
    entries: names.map((name, at) => ({ name, source: sources[at]! })),
    pairs,
    seeds,
    config: haggleConfig({}),
    turnMs: 60_000,
    startMs: 60_000,
    jobs: 2,
    clock: 'frozen',
    chance: 'tournament',
    isolation: 'permission',
    signal: new AbortController().signal,
    onSession: (session) => void sessions.push(session),
  })
  return sessions
}

function scoreOf(entry: number, sessions: readonly Session[]): number {
  return sessions.reduce((sum, { entries, score }) => sum + (score[entries.indexOf(entry)] ?? 0), 0)
}

test('both stages come to what single sessions on their seeds come to, finalists by their sessions with each other', async () => {
  const report = await run('whole')
  const first = await sessionsOf(orderedPairs(3), FIRST)
  const final = await sessionsOf(
    [
      [0, 1],
      [1, 0],
    ],
    FINAL,
  )
  expect(report.matches).toEqual({ total: 6 * 4 + 2 * 3, played: 30, void: 0 })
  const among = [...first.filter(({ entries }) => !entries.includes(2)), ...final]
  const best = [0, 1].toSorted((a, b) => scoreOf(b, among) - scoreOf(a, among))
  expect(report.standings.map(({ agent }) => agent)).toEqual([...best.map((at) => names[at]), 'quitter'])
  for (const [place, entry] of best.entries()) {
    const { score, points, matches, session, counts } = report.standings[place]!
    expect([score, points, matches, session!.final]).toEqual([scoreOf(entry, among), score, 14, true])
    expect(counts!.agreements).toBe(among.filter(({ outcome }) => outcome === 'agreed').length)
  }
  expect(report.standings[2]).toMatchObject({ score: 0, matches: 16, removals: 16, session: { final: false } })
  expect(report.tables.walkedAway).toEqual([{ agent: 'quitter', reason: 'Error: no deal', sessions: 16 }])
  for (const { first: one, second: other, score } of report.tables.pairs!) {
    const [a, b] = [names.indexOf(one), names.indexOf(other)]
    const met = [...first, ...final].filter(({ entries }) => entries[0] === a && entries[1] === b)
    expect(score).toEqual([0, 1].map((seat) => met.reduce((sum, session) => sum + session.score[seat]!, 0)))
  }
}, 120_000)

test('a tournament that was stopped in its final goes on there and comes to the same', async () => {
  const stopped = await run('parts', (done) => done >= 26)
  expect(stopped.state).toBe('stopped')
  const whole = await run('parts')
  expect(whole.resumed).toBe(true)
  expect(whole.standings).toEqual((await run('again')).standings)
  expect(whole.matches.played).toBe(30)
}, 120_000)
