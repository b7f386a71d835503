import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { beforeAll, describe, expect, test } from 'vitest'
import { runContest, type ContestRun } from '../../../main/services/contests/engine/contest-run.ts'
import { scheduleOf } from '../../../main/services/contests/schedule/schedule.ts'
import { launchWorker } from '../../../main/services/machine/worker-process.ts'
import { chooseTier } from '../../../main/services/machine/isolation.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { endingInHistory } from '../../../main/histories/match-ending.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { readHistoryLine } from '../../../main/histories/read-line.ts'
import { descendants } from '../../../main/players/proc.ts'
import { games } from '../../../main/referees/games.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { agent, honest, villains } from './villains.ts'

const folder = temporaryFolder('villains')

interface Played {
  readonly dir: string
  readonly run: ContestRun
  /** Kinds of faults by match and seat. */
  readonly faults: ReadonlyMap<string, string>
}

/** A contest of all, or of the honest ones with harmless ones in the villains' places: the schedule is the same. */
async function play(name: string, bodies: Readonly<Record<string, string>>): Promise<Played> {
  const config = games.get('haggle')!.config({})
  if (!config.ok) throw new Error(config.error)
  const dir = join(folder, name)
  const run = await runContest({
    folder: dir,
    contest: 'villains-1',
    description: descriptionOf(bodies),
    nonce: 'a'.repeat(64),
    seeds: 'hmac',
    config: config.value,
    isolation: await chooseTier('permission'),
    key: signingKey(generateKey())!,
    workers: 2,
    lanes: 2,
    repeatable: false,
    agents: new Map(Object.values(bodies).map((text) => [sha256(text), text])),
    launch: () => launchWorker(process.execPath, resources.worker),
    signal: new AbortController().signal,
    onNotice: (text) => void notices.push(text),
    onProgress: () => undefined,
  })
  return { dir, run, faults: faultsIn(dir, run) }
}
const notices: string[] = []

function descriptionOf(bodies: Readonly<Record<string, string>>) {
  return contestDescription.parse({
    title: 'Villains',
    game: 'haggle',
    format: { type: 'round-robin', seats: 2 },
    seed: 'villains',
    isolation: 'permission',
    limits: { startMs: 1_000, moveMs: 1_000, memoryMb: 96, messageBytes: 1_000_000 },
    entrants: Object.entries(bodies).map(([name, text]) => ({ name, agent: sha256(text) })),
  })
}

function faultsIn(dir: string, { record }: ContestRun): ReadonlyMap<string, string> {
  const matchOf = new Map([...record.finished.values()].map(({ run, match }) => [run, match]))
  const faults = new Map<string, string>()
  for (const file of readdirSync(dir)) {
    for (const line of readFileSync(join(dir, file), 'utf8').split('\n')) {
      const read = readHistoryLine(Buffer.from(line))
      if (!read.ok || read.body.k !== 'fault') continue
      faults.set(`${matchOf.get(read.body.r)!} ${read.body.post.seat}`, read.body.fault.kind)
    }
  }
  return faults
}

const everybody = { ...honest, ...Object.fromEntries(Object.entries(villains).map(([name, [text]]) => [name, text])) }
const harmless = Object.fromEntries(
  Object.keys(villains).map((name, at) => [
    name,
    agent(`return offered === undefined ? this.counts : undefined // ${at}`),
  ]),
)
const names = Object.keys(everybody)
const scheduled = scheduleOf(descriptionOf(everybody))
if (typeof scheduled === 'string') throw new Error(scheduled)
const schedule = [...scheduled]
let among: Played
let without: Played
let leftBehind: readonly number[]

beforeAll(async () => {
  const before = descendants(process.pid)
  among = await play('among', everybody)
  leftBehind = descendants(process.pid).filter((pid) => !before.includes(pid))
  without = await play('without', { ...honest, ...harmless })
}, 480_000)

describe('a contest with more villains than honest agents', () => {
  test('ends: every match is played, none is void, nothing goes on running', () => {
    expect(among.run.state).toBe('finished')
    expect(notices).toEqual([])
    expect(among.run.record.finished.size).toBe(schedule.length)
    expect(among.run.record.voided).toEqual([])
    expect(notices).toEqual([])
    expect(leftBehind).toEqual([])
  })

  test('comes to the very results that the honest have among themselves without them', async () => {
    const own = schedule.filter(({ entrants }) => entrants.every((entrant) => names[entrant]! in honest))
    expect(own).toHaveLength(3)
    const ends = ({ dir, run }: Played): Promise<readonly unknown[]> =>
      Promise.all(
        own.map(async ({ match }) => {
          const { outcome, state } = await endingInHistory(dir, run.record.finished.get(match)!)
          return [outcome, state]
        }),
      )
    expect(await ends(among)).toEqual(await ends(without))
  })

  test('blames nobody who is honest', () => {
    for (const { match, entrants } of schedule) {
      for (const [seat, entrant] of entrants.entries()) {
        if (names[entrant]! in honest)
          expect([match, names[entrant], among.faults.get(`${match} ${seat}`)]).toEqual([
            match,
            names[entrant],
            undefined,
          ])
      }
    }
  })

  test.each(Object.entries(villains))('%s: the right fault, or none', (name, [, kind]) => {
    const mine = schedule.flatMap(({ match, entrants }) =>
      entrants.flatMap((entrant, seat) => (names[entrant] === name ? [among.faults.get(`${match} ${seat}`)] : [])),
    )
    expect(mine).toHaveLength(names.length - 1)
    // If the other one was out before it was asked, it had no fault.
    const had = new Set(mine.filter((each) => each !== undefined))
    expect(had).toEqual(new Set(kind === null ? [] : [kind]))
  })
})
