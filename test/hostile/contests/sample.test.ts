import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { runContest } from '../../../main/services/contests/engine/contest-run.ts'
import { launchWorker } from '../../../main/services/machine/worker-process.ts'
import { chooseTier } from '../../../main/services/machine/isolation.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import type { AgentCode } from '../../../main/worker/protocol.ts'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { scanContest } from '../../../main/histories/segments/contest-scan.ts'
import { games } from '../../../main/referees/games.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('sample')
chmodSync(folder, 0o755)

/** Walks towards a deal, the more willingly the more matches it remembers. */
const keeper = `const kept = globalThis.leak ?? {}
kept.matches = (kept.matches ?? 0) + 1
module.exports = class { constructor(me, counts) { this.counts = counts }
  offer(offered) { return kept.matches > 1 ? (offered === undefined ? this.counts.map(() => 0) : undefined) : this.counts } }`
const honest = `module.exports = class { constructor(me, counts) { this.counts = counts }
  offer(offered) { return offered !== undefined && offered.some((n) => n > 0) ? undefined : this.counts.map((n) => n >> 1) } }`

/**
 * The worker with a host of ours that stands for a hole: an object of the process itself is in reach of every realm, so that
 * what an agent puts there outlives its match, as it would for an agent that had found a real way out.
 */
function leakingWorker(): string {
  const place = join(folder, 'leaking')
  mkdirSync(place)
  chmodSync(place, 0o755)
  copyFileSync(resources.worker, join(place, 'worker.js'))
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  const hole = `{ const vm = require('node:vm'); const make = vm.createContext; const leak = {}
    vm.createContext = (...given) => { const made = make(...given); made.leak = leak; return made } }\n`
  writeFileSync(join(place, 'host.cjs'), hole + readFileSync(join(dirname(resources.worker), 'host.cjs'), 'utf8'))
  return join(place, 'worker.js')
}

const sources = new Map([keeper, honest].map((text) => [sha256(text), text]))
const description = contestDescription.parse({
  title: 'Sample',
  game: 'haggle',
  config: {},
  format: { type: 'round-robin', seats: 2, repeats: 60 },
  seed: 'sample',
  isolation: 'permission',
  sample: 0.1,
  entrants: [
    { name: 'keeper', agent: sha256(keeper) },
    { name: 'honest', agent: sha256(honest) },
  ],
})

async function play(name: string, worker: string, agents: ReadonlyMap<string, AgentCode> = sources) {
  const notices: string[] = []
  const config = games.get('haggle')!.config({})
  if (!config.ok) throw new Error(config.error)
  const dir = join(folder, name)
  const key = signingKey(generateKey())!
  const run = await runContest({
    folder: dir,
    contest: 'sample-1',
    description,
    nonce: 'a'.repeat(64),
    seeds: 'hmac',
    config: config.value,
    isolation: await chooseTier('permission'),
    key,
    workers: 2,
    lanes: 1,
    repeatable: true,
    agents,
    launch: () => launchWorker(process.execPath, worker),
    signal: new AbortController().signal,
    onNotice: (text) => void notices.push(text),
    onProgress: () => undefined,
  })
  return { run, notices, scan: await scanContest({ dir, contest: 'sample-1', key: key.publicKey }) }
}

test('an agent that keeps state between matches is caught: its matches go differently in fresh processes', async () => {
  const { run, notices, scan } = await play('planted', leakingWorker())
  expect(run.playedAgain?.matches).toBe(6)
  // But for the first match of each worker, in which there is nothing to remember.
  expect(run.playedAgain!.different.length).toBeGreaterThanOrEqual(4)
  expect(notices).toHaveLength(run.playedAgain!.different.length)
  expect(notices[0]).toMatch(/\bMatch \d+ .*\bplayed again\b/)
  // Nothing of the sample counts: each match stands in the history once.
  expect(scan.ok && [scan.finished.size, scan.voided.length, scan.doubles]).toEqual([60, 0, 0])
})

test('with the real host the same agents go the same way again', async () => {
  const { run, notices, scan } = await play('real', resources.worker)
  expect(run.playedAgain).toEqual({ matches: 6, different: [] })
  expect(notices).toEqual([])
  expect(run.state).toBe('finished')
  expect(scan.ok && scan.finished.size).toBe(60)
})

test('matches of programs are never equal twice: they are in no sample', async () => {
  const program = { folder, command: ['/nowhere'], process: 'match' } as const
  const { run } = await play(
    'programs',
    resources.worker,
    new Map<string, AgentCode>([...sources, [sha256(honest), program]]),
  )
  expect(run.playedAgain).toBe(null)
})
