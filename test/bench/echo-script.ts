import { limits, type IsolationTier } from '../../main/contract/limits.ts'
import type { Player, PlayerEvent } from '../../main/contract/players/player.ts'
import { resources } from '../../main/services/machine/resources.ts'
import { availableTiers } from '../../main/players/isolation/detect.ts'
import { createScriptPool, type ScriptPool } from '../../main/players/scripts/script-pool.ts'
import { hashOf } from '../../main/histories/canonical.ts'

const files = { nodeBinary: resources.node, hostFile: resources.agentHost }
export const boundaries = limits.parse({ moveMs: 60_000, startMs: 60_000 })

/** A script that gives back what it is asked, held as strongly as this machine can. */
export interface Echoes {
  readonly tier: IsolationTier
  readonly pool: ScriptPool
  /** Seats the script in a fresh realm; resolves when it can be asked. `fresh`: in a process of its own, started now. */
  seat(match: number, fresh?: boolean): Promise<Echo>
}

export interface Echo {
  /** Resolves when the answer is there. */
  ask(message: readonly number[]): Promise<void>
  close(): void
}

/** Has `warm` processes ready before `work` begins and ends them all after it. */
export async function withEchoes<T>(warm: number, work: (echoes: Echoes) => Promise<T>): Promise<T> {
  const tier = (await availableTiers(files)).find(({ available }) => available)?.tier
  if (tier === undefined) throw new Error('no script can be run on this machine')
  // Not recycled: what a new process costs is not what is measured.
  const pool = createScriptPool({ ...files, tier, warmMax: warm, recycleAfter: Infinity })
  try {
    await Promise.all(Array.from({ length: warm }, () => pool.warm(agent, boundaries)))
    return await work({ tier, pool, seat: (match, fresh) => seat(pool, match, fresh) })
  } finally {
    await pool.close()
  }
}

const agent = hashOf('echo')

async function seat(pool: ScriptPool, match: number, fresh = false): Promise<Echo> {
  let heard: (event: PlayerEvent) => void = () => undefined
  let questions = 0
  const player: Player = pool.seat({
    agent,
    fresh,
    source: 'module.exports = (message) => message',
    adapter: '(exported) => exported',
    seed: `match ${match}`,
    clock: 'frozen',
    limits: boundaries,
    emit: (event) => heard(event),
  })
  await player.ready()
  return {
    ask(message) {
      return new Promise((resolve, reject) => {
        heard = (event) => (event.type === 'answer' ? resolve() : reject(new Error(`the script gave a ${event.type}`)))
        player.ask(++questions, message, 60_000)
      })
    },
    close: () => player.close(),
  }
}
