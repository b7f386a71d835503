import type { ErasedGame } from '../contract/game/game.ts'
import type { Post, Seat, SeatRecord } from '../contract/game/table.ts'
import type { Json } from '../contract/json.ts'
import type { ClockMode, Limits } from '../contract/limits.ts'
import type { Player, PlayerEvent } from '../contract/players/player.ts'
import { bodiesWire } from '../players/wires/bodies-wire.ts'
import type { CommonFolder } from '../players/isolation/launch.ts'
import { playerOfBodies } from '../players/player-of-bodies.ts'
import type { ProgramAgent, ProgramHost } from '../players/program-player.ts'
import type { ScriptPool } from '../players/scripts/script-pool.ts'
import { seatBudget } from '../players/printed-output.ts'
import { wireHost } from '../players/wires/wire-host.ts'
import { jsonWire } from '../referees/json-wire.ts'

/** The facts common to all agents of a match that the worker runs. */
interface Seating {
  readonly game: ErasedGame
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly limits: Limits
  readonly clock: ClockMode
  /** Use processes that have never played. */
  readonly fresh: boolean
  readonly common: CommonFolder | undefined
}

/** Seats a script: one realm for all bodies of its seat. */
export function seatScriptAgent(
  scripts: ScriptPool,
  source: string,
  { game, limits, clock, fresh, common }: Seating,
  { agent, bodies }: SeatRecord,
  seed: string,
  emit: (event: PlayerEvent) => void,
): Player {
  return scripts.seat({ agent, source, ...game.script, seed, clock, bodies, limits, common, emit, fresh })
}

/** Seats a program: one process for all bodies of its seat, or one for each move of each body. */
export function seatProgramAgent(
  programs: ProgramHost,
  program: ProgramAgent,
  { game, config, seats, limits, common }: Seating,
  seat: SeatRecord,
  seedOf: (body: number) => string,
  emit: (event: PlayerEvent) => void,
): Player {
  const shared = { program, limits, common }
  if (program.process === 'match') {
    return programs.seat({ ...shared, wire: seatWire(game, config, seats, seat), seed: seedOf(0), emit })
  }
  const { moveWire } = game.dialogue
  const budget = seatBudget(limits)
  return playerOfBodies(
    seat.bodies,
    (body, emitOfBody) => {
      const post = { seat: seat.id, body }
      const dialogue =
        moveWire === undefined
          ? { wire: postWire(game, config, seats, post) }
          : { moveWire: (host: Parameters<typeof moveWire>[3]) => moveWire(config, post, seats, host) }
      return programs.seat({ ...shared, ...dialogue, budget, seed: seedOf(body), emit: emitOfBody })
    },
    emit,
  )
}

/** The game's dialogue with one post. */
export function postWire(game: ErasedGame, config: Json, seats: readonly Seat[], post: Post) {
  return game.dialogue.wire?.(config, post, seats, wireHost()) ?? jsonWire()
}

/** The game's dialogue with all bodies of a seat. */
function seatWire(game: ErasedGame, config: Json, seats: readonly Seat[], seat: Seat) {
  const posts = Array.from({ length: seat.bodies }, (_, body): Post => ({ seat: seat.id, body }))
  if (posts.length > 1 && game.dialogue.seatWire !== undefined)
    return game.dialogue.seatWire(config, seat, seats, wireHost())
  const wires = posts.map((post) => postWire(game, config, seats, post))
  return wires.length === 1 ? wires[0]! : bodiesWire(wires)
}
