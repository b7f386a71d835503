import type { ErasedGame } from '../contract/game/game.ts'
import type { Json } from '../contract/json.ts'
import { eventsAt, type MatchPlace } from '../histories/segments/match-place.ts'
import type { FoldCommand, FoldReport, Folds } from './protocol.ts'

/** Computes from a match's history what a fold of it gives. Never throws. */
export function foldMatch(
  game: Pick<ErasedGame, 'analyses'> | undefined,
  { into, place, config, players }: Omit<FoldCommand, 'type' | 'game'>,
): FoldReport<keyof Folds> {
  try {
    return { type: 'folded', items: game?.analyses[into]?.(config, players, inputsAt(place)) ?? [], broken: null }
  } catch (error) {
    return { type: 'folded', items: [], broken: error instanceof Error ? error.message : String(error) }
  }
}

function* inputsAt(place: MatchPlace): Generator<Json> {
  for (const { line, kind } of eventsAt(place)) {
    if (kind !== 'input') continue
    const { b: body } = JSON.parse(line.toString('utf8')) as { readonly b: { readonly input: Json } }
    yield body.input
  }
}
