import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Move, RiverMap, Settings } from '../../../agents/punter/knowledge/board.ts'
import { lastMoves, setupMessages } from '../../../main/referees/punter/referee.ts'
import { rules } from '../../../main/referees/punter/rules.ts'
import { isOver, scoreOf, turnOf } from '../../../main/referees/punter/state.ts'
import { completed, seatsOf } from '../punter/stage.ts'
import { classOf } from './lessons.ts'

/** The exports of a script of Lambda Punter, or a program that does the same. */
export interface Punter {
  setup(map: RiverMap, settings: Settings): void | Promise<void>
  move(moves: readonly Move[]): Move | Promise<Move>
}

/** A new agent of a script. */
export const punterOf = (script: string): Punter => new (classOf<new () => Punter>(script, () => 0))()

/** The text of a map that ships. */
export const mapNamed = (name: string): string =>
  readFileSync(new URL(`../../../agents/punter/maps/${name}.json`, import.meta.url), 'utf8')

/** The scores after a match on a map, as JSON text. No move is refused. */
export async function playPunters(agents: readonly Punter[], map = mapNamed('grid')): Promise<readonly number[]> {
  const state = rules.initial(completed({ map }), seatsOf(agents.length), '')
  for (const [seat, message] of setupMessages(state).entries()) {
    await agents[seat]!.setup(message.map, { punter: seat, punters: agents.length })
    rules.apply(state, { type: 'ready', seat, futures: [] })
  }
  while (!isOver(state)) {
    const seat = turnOf(state)
    const move = await agents[seat]!.move(lastMoves(state) as readonly Move[])
    rules.apply(state, { type: 'move', seat, move: move as never })
    expect(state.punters[seat]!.refused).toBeNull()
  }
  return state.punters.map(scoreOf)
}
