import { unsharedTier, isolationTier, limits, type ApartTier, type IsolationTier } from '../../contract/limits.ts'
import type { PlayerEvent } from '../../contract/players/player.ts'
import { createScriptPool } from '../scripts/script-pool.ts'
import { createCommonFolder } from './common-folder.ts'

export interface TierReport {
  readonly tier: IsolationTier
  readonly available: boolean
  /** Says that it works, or why it does not. */
  readonly reason: string
}

/** The files that make up every agent's process. */
export interface AgentFiles {
  /** A Node 26 binary. */
  readonly nodeBinary: string
  /** dist/host.cjs */
  readonly hostFile: string
}

/** The tiers that work on this machine, strongest first. Each is tested by letting a small agent answer in it. */
export function availableTiers(files: AgentFiles): Promise<readonly TierReport[]> {
  return Promise.all(isolationTier.options.map((tier) => tryTier(tier, files)))
}

/** The reports of the tiers down to the strongest available one, or down to `weakest`; weaker tiers are not tested. */
export async function strongestTier(files: AgentFiles, weakest: ApartTier): Promise<readonly TierReport[]> {
  const reports: TierReport[] = []
  for (const tier of unsharedTier.options.slice(0, unsharedTier.options.indexOf(weakest) + 1)) {
    const report = await tryTier(tier, files)
    reports.push(report)
    if (report.available) break
  }
  return reports
}

/** A test that ends because of somebody's signal says nothing about the machine and is repeated. */
const TRIES_MAX = 5

/** Tries a tier on this machine; see `availableTiers`. */
export async function tryTier(tier: IsolationTier, files: AgentFiles): Promise<TierReport> {
  let event = await firstEvent(tier, files)
  for (let tries = 1; event.type === 'interrupted' && tries < TRIES_MAX; tries++) event = await firstEvent(tier, files)
  if (event.type === 'answer' && event.value === 2) return { tier, available: true, reason: 'works' }
  return { tier, available: false, reason: reasonOf(event) }
}

function reasonOf(event: PlayerEvent): string {
  if (event.type === 'fault') return event.fault.text
  return event.type === 'interrupted' ? event.reason : 'The agent in it gave a wrong answer.'
}

/** The first event of an agent that is asked to add 1 to 1. */
async function firstEvent(tier: IsolationTier, files: AgentFiles): Promise<PlayerEvent> {
  const common = tier === 'shared' ? await createCommonFolder() : undefined
  if (typeof common === 'string') return { type: 'interrupted', reason: common }
  const pool = createScriptPool({ ...files, tier, warmMax: 0, recycleAfter: 1, trusted: true })
  const first = Promise.withResolvers<PlayerEvent>()
  const player = pool.seat({
    agent: '0'.repeat(64),
    source: 'module.exports = (message) => message + 1',
    adapter: '(exported) => exported',
    seed: tier,
    clock: 'frozen',
    limits: limits.parse({}),
    common,
    emit: first.resolve,
  })
  await player.ready()
  player.ask(1, 1, 10_000)
  const event = await first.promise
  player.close()
  await pool.close()
  common?.close()
  return event
}
