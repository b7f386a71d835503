import type { Json } from '../contract/json.ts'
import { eventsAt, type MatchPlace } from '../histories/match-place.ts'
import { encountersOf } from '../referees/specker/encounters.ts'
import { input, type Input } from '../referees/specker/input.ts'
import { specker } from '../referees/specker/specker.ts'
import type { EncountersReport } from './protocol.ts'

/** What a match of the Specker Challenge Game shows of how its players treat each other. Never throws. */
export function readEncounters(place: MatchPlace, config: Json, players: number): EncountersReport {
  try {
    const encounters = encountersOf(specker.config.parse(config), players, inputsAt(place))
    return { type: 'encounters', encounters, broken: null }
  } catch (error) {
    return { type: 'encounters', encounters: [], broken: error instanceof Error ? error.message : String(error) }
  }
}

function* inputsAt(place: MatchPlace): Generator<Input> {
  for (const { line, kind } of eventsAt(place)) {
    if (kind !== 'input') continue
    const { b: body } = JSON.parse(line.toString('utf8')) as { readonly b: { readonly input: Json } }
    yield input.parse(body.input)
  }
}
