import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../../main/contract/json.ts'
import { limits, type ClockMode, type Limits } from '../../../main/contract/limits.ts'
import type { Player, PlayerEvent } from '../../../main/contract/player.ts'
import type { AgentFiles } from '../../../main/players/isolation/detect.ts'
import type { ScriptPool } from '../../../main/players/script-pool.ts'

export const files: AgentFiles = {
  nodeBinary: process.execPath,
  hostFile: fileURLToPath(new URL('../../../dist/host.cjs', import.meta.url)),
}

/** A seated agent whose events are awaited one by one. Console texts are kept apart. */
export interface Seated {
  readonly player: Player
  readonly console: string[]
  /** The next event that is not console text. */
  next(): Promise<PlayerEvent>
  /** Asks and awaits the next event. */
  ask(message?: Json, limitMs?: number): Promise<PlayerEvent>
}

export interface Script {
  readonly agent?: string
  readonly seed?: string
  readonly clock?: ClockMode
  readonly limits?: Partial<Limits>
  readonly adapter?: string
}

export async function seat(pool: ScriptPool, source: string, script: Script = {}): Promise<Seated> {
  const events: PlayerEvent[] = []
  const waiting: ((event: PlayerEvent) => void)[] = []
  const console: string[] = []
  let question = 0
  const player = pool.seat({
    agent: script.agent ?? source.length.toString(16).padStart(64, '0'),
    source,
    adapter: script.adapter ?? '(exported, log) => (message) => exported(message, log)',
    seed: script.seed ?? 'seed',
    clock: script.clock ?? 'frozen',
    limits: limits.parse(script.limits ?? {}),
    emit(event) {
      if (event.type === 'console') console.push(event.text)
      else if (waiting.length > 0) waiting.shift()!(event)
      else events.push(event)
    },
  })
  const next = (): Promise<PlayerEvent> => {
    const event = events.shift()
    return event === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(event)
  }
  await player.ready()
  return {
    player,
    console,
    next,
    ask(message = null, limitMs = 20_000) {
      question += 1
      player.ask(question, message, limitMs)
      return next()
    },
  }
}
