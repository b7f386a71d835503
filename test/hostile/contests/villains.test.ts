import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runContest, type ContestRun } from '../../../main/administrator/contests/contest-run.ts'
import { scheduleOf } from '../../../main/administrator/contests/schedule.ts'
import { launchWorker } from '../../../main/administrator/contests/worker-process.ts'
import { chooseTier } from '../../../main/app/isolation.ts'
import { resources } from '../../../main/app/resources.ts'
import { contestDescription } from '../../../main/contract/contests.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { readLine } from '../../../main/histories/line.ts'
import { descendants } from '../../../main/players/watchdog.ts'
import { games } from '../../../main/referees/games.ts'

const folder = mkdtempSync(join(tmpdir(), 'tartaglia-villains-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An agent whose turn is `offer`, with `more` around it. */
const agent = (offer: string, more = ''): string =>
  `${more}\nmodule.exports = class { constructor(me, counts, values) { this.counts = counts; this.values = values }
  offer(offered) { ${offer} } }`

const leave = 'const give = this.counts.map((n) => n >> 1);'
const honest: Readonly<Record<string, string>> = {
  half: agent(`${leave} return offered?.some((n) => n > 0) ? undefined : give`),
  greedy: agent(
    'return offered === undefined ? this.counts : offered.every((n, i) => n >= this.counts[i] / 2) ? undefined : this.counts',
  ),
  dice: agent(
    'return Math.random() < 0.3 && offered ? undefined : this.counts.map((n) => Math.floor(Math.random() * (n + 1)))',
  ),
}

/** What they do, and the fault that each has in every match in which it is asked; null: none, it has failed before. */
const villains: Readonly<Record<string, readonly [source: string, fault: string | null]>> = {
  spins: [agent('for (;;);'), 'timeout'],
  'spins in microtasks': [
    agent('(function again() { Promise.resolve().then(again) })(); return this.counts'),
    'timeout',
  ],
  explodes: [agent('return /^(a+)+$/.test("a".repeat(60) + "b") ? 1 : 2'), 'timeout'],
  hoards: [agent('const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))'), 'memory'],
  'grows webassembly': [
    agent(
      'for (;;) hoard.push(new WebAssembly.Memory({ initial: 256 }).buffer), new Uint8Array(hoard.at(-1)).fill(1)',
      'const hoard = []',
    ),
    'memory',
  ],
  floods: [agent('for (let n = 0; n < 1e5; n++) console.log("\\x1b[2J<script>".repeat(10)); return this.counts'), null],
  'returns too much': [agent('return "x".repeat(4e6)'), 'protocol'],
  'walks out by import': [
    agent(
      'return out ? [out("return process")().exit(0)] : this.counts',
      'let out; import("x").catch((e) => { try { e.constructor.constructor("return process")(); out = e.constructor.constructor } catch {} })',
    ),
    null,
  ],
  'walks out by stack': [
    agent(
      'new Error().stack; return this.counts',
      'Error.prepareStackTrace = (e, sites) => { for (const s of sites) try { s.getThis().process.exit(0) } catch {} try { sites[0].getFunction().constructor("return process")().exit(0) } catch {} }',
    ),
    null,
  ],
  'tricks with proxies': [
    agent(
      'return new Proxy([], { get: (t, k, r) => { try { r.constructor.constructor("return process")().exit(0) } catch {} return t[k] }, ownKeys: () => { throw 1 } })',
    ),
    null,
  ],
  'changes the language': [
    agent(
      'return this.counts',
      'JSON.stringify = () => "evil"; Array.prototype.map = () => { throw 1 }; Object.prototype.toJSON = () => "evil"; Promise.prototype.then = () => { for (;;); }',
    ),
    'invalid',
  ],
  'lives on': [
    agent(
      'return this.counts',
      'const r = new FinalizationRegistry(() => { for (;;); }); for (let n = 0; n < 1e4; n++) r.register({}, n); Promise.resolve().then(function again() { return new Promise(() => {}).then(again) })',
    ),
    'crash',
  ],
  'waits for ever': [agent('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return this.counts'), null],
  'does not load': ['for (;;);', 'timeout'],
}

interface Played {
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
  return { run, faults: faultsIn(dir, run) }
}
const notices: string[] = []

function descriptionOf(bodies: Readonly<Record<string, string>>) {
  return contestDescription.parse({
    title: 'Villains',
    game: 'haggle',
    format: { type: 'round-robin', seats: 2 },
    seed: 'villains',
    isolation: 'permission',
    limits: { startMs: 300, moveMs: 300, memoryMb: 96, messageBytes: 1_000_000 },
    entrants: Object.entries(bodies).map(([name, text]) => ({ name, agent: sha256(text) })),
  })
}

function faultsIn(dir: string, { record }: ContestRun): ReadonlyMap<string, string> {
  const matchOf = new Map([...record.finished.values()].map(({ run, match }) => [run, match]))
  const faults = new Map<string, string>()
  for (const file of readdirSync(dir)) {
    for (const line of readFileSync(join(dir, file), 'utf8').split('\n')) {
      const read = readLine(Buffer.from(line))
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
const schedule = scheduleOf(descriptionOf(everybody))
if (typeof schedule === 'string') throw new Error(schedule)
let among: Played
let without: Played
let leftBehind: readonly number[]

beforeAll(async () => {
  const before = descendants(process.pid)
  among = await play('among', everybody)
  leftBehind = descendants(process.pid).filter((pid) => !before.includes(pid))
  without = await play('without', { ...honest, ...harmless })
}, 240_000)

describe('a contest with more villains than honest agents', () => {
  test('ends: every match is played, none is void, nothing goes on running', () => {
    expect(among.run.state).toBe('finished')
    expect(notices).toEqual([])
    expect(among.run.record.finished.size).toBe(schedule.length)
    expect(among.run.record.voided).toEqual([])
    expect(notices).toEqual([])
    expect(leftBehind).toEqual([])
  })

  test('comes to the very results that the honest have among themselves without them', () => {
    const own = schedule.filter(({ entrants }) => entrants.every((entrant) => names[entrant]! in honest))
    expect(own).toHaveLength(3)
    const [first, second] = [among, without].map(({ run }) => {
      return own.map(({ match }) => [run.record.finished.get(match)?.outcome, run.record.finished.get(match)?.state])
    })
    expect(first).toEqual(second)
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
    // Where the other one was out before it was asked it had no fault to have.
    const had = new Set(mine.filter((each) => each !== undefined))
    expect(had).toEqual(new Set(kind === null ? [] : [kind]))
  })
})
