import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../../main/contract/json.ts'
import { limits, type IsolationTier, type Limits } from '../../../main/contract/limits.ts'
import type { Player, PlayerEvent, TimeBank } from '../../../main/contract/players/player.ts'
import type { CommonFolder } from '../../../main/players/isolation/launch.ts'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import { createProgramHost, type ProgramAgent, type ProgramHost } from '../../../main/players/program-player.ts'
import { wire } from '../../../main/referees/specker/language/wire.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openEar } from './ear.ts'
import { files } from './seats.ts'

const tiers = await availableTiers(files)
export const has = (tier: IsolationTier): boolean =>
  tiers.some((found) => found.tier === tier && found.available) && process.platform === 'linux'
/** The system's own: what else is on the path may lie in a home, where a box has nothing. */
export const hasPython = existsSync('/usr/bin/python3')

export const programHost = (tier: IsolationTier): ProgramHost =>
  createProgramHost({ nodeBinary: files.nodeBinary, tier })

/** A package of one file, thrown away by `remove`. */
export function packageOf(name: string, text: string): { readonly folder: string; remove(): void } {
  const folder = temporaryFolder('program')
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, name), text)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A seated program whose events are awaited one by one. Console texts are kept apart. */
export interface SeatedProgram {
  readonly player: Player
  readonly console: string[]
  /** The next event that is not console text. */
  next(): Promise<PlayerEvent>
  /** Asks a question of the Specker wire and awaits the next event. */
  ask(message?: Json, limitMs?: number, bank?: TimeBank): Promise<PlayerEvent>
}

export async function seatProgram(
  host: ProgramHost,
  program: Partial<ProgramAgent> & Pick<ProgramAgent, 'folder' | 'command'>,
  own: Partial<Limits> = {},
  common?: CommonFolder,
): Promise<SeatedProgram> {
  const { emit, next, console } = openEar()
  let question = 0
  const player = host.seat({
    program: { process: 'match', ...program },
    seed: 'seed',
    wire: wire() as Parameters<ProgramHost['seat']>[0]['wire'],
    limits: limits.parse(own),
    common,
    emit,
  })
  await player.ready()
  return {
    player,
    console,
    next,
    ask(message = { type: 'turn' }, limitMs = 20_000, bank?: TimeBank) {
      question += 1
      player.ask(question, message, limitMs, bank)
      return next()
    },
  }
}
