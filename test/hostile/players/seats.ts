import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Json } from '../../../main/contract/json.ts'
import { limits, type ClockMode, type Limits } from '../../../main/contract/limits.ts'
import type { Player, PlayerEvent, TimeBank } from '../../../main/contract/players/player.ts'
import type { CommonFolder } from '../../../main/players/isolation/launch.ts'
import type { AgentFiles } from '../../../main/players/isolation/detect.ts'
import type { ScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { openEar } from './ear.ts'

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
  ask(message?: Json, limitMs?: number, bank?: TimeBank): Promise<PlayerEvent>
}

export interface Script {
  readonly agent?: string
  readonly seed?: string
  readonly clock?: ClockMode
  readonly limits?: Partial<Limits>
  readonly adapter?: string
  readonly bodies?: number
  readonly common?: CommonFolder
}

export async function seat(pool: ScriptPool, source: string, script: Script = {}): Promise<Seated> {
  const { emit, next, console } = openEar()
  let question = 0
  const player = pool.seat({
    agent: script.agent ?? source.length.toString(16).padStart(64, '0'),
    source,
    adapter: script.adapter ?? '(exported, log) => (message) => exported(message, log)',
    seed: script.seed ?? 'seed',
    clock: script.clock ?? 'frozen',
    bodies: script.bodies ?? 1,
    limits: limits.parse(script.limits ?? {}),
    common: script.common,
    emit,
  })
  await player.ready()
  return {
    player,
    console,
    next,
    ask(message = null, limitMs = 20_000, bank?: TimeBank) {
      question += 1
      player.ask(question, message, limitMs, bank)
      return next()
    },
  }
}
