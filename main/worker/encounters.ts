import type { SeatEncounter } from '../contract/encounter.ts'
import type { ErasedGame } from '../contract/game.ts'
import type { Json } from '../contract/json.ts'
import { eventsAt, type MatchPlace } from '../histories/match-place.ts'
import type { EncountersReport } from './protocol.ts'

/** Computes the encounters of the players of a match from its history. Never throws. */
export function readEncounters(
  game: Pick<ErasedGame, 'encounters'> | undefined,
  place: MatchPlace,
  config: Json,
  players: number,
): EncountersReport {
  try {
    const encounters: readonly SeatEncounter[] = game?.encounters?.(config, players, inputsAt(place)) ?? []
    return { type: 'encounters', encounters, broken: null }
  } catch (error) {
    return { type: 'encounters', encounters: [], broken: error instanceof Error ? error.message : String(error) }
  }
}

function* inputsAt(place: MatchPlace): Generator<Json> {
  for (const { line, kind } of eventsAt(place)) {
    if (kind !== 'input') continue
    const { b: body } = JSON.parse(line.toString('utf8')) as { readonly b: { readonly input: Json } }
    yield body.input
  }
}
