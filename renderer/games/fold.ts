import type { Rules } from '../../main/contract/game/game.ts'
import type { Seat } from '../../main/contract/game/table.ts'
import type { Sha256 } from '../../main/contract/ids.ts'
import type { Json } from '../../main/contract/json.ts'
import type { MatchEvent } from '../../main/contract/procedures/procedures.ts'
import { audienceOf, mayRead, seesAs, type Viewer } from '../../main/contract/histories/viewer.ts'

/** The start of a match, as its history states it. */
export interface Beginning {
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly seed: Sha256
}

/** Reads a game's events. S: the state, D: a digest, B: the facts needed of the state before. */
export interface Reader<S, D, B> {
  /** Called before the event is applied; whatever it returns is handed to `after`. */
  before(state: S): B
  /** `viewer` could read the event at its moment; what else of the state they knew is for the rules' `view` to say. */
  after(state: S, event: MatchEvent, before: B, viewer: Viewer): D
}

/** Some of a match's events, folded through its game's rules. Positions count events of the whole match. */
export interface FoldedStretch<V, D> {
  readonly from: number
  /** One for each of its events, null where the viewer could not read it at its moment; fewer where it breaks. */
  readonly digests: readonly (D | null)[]
  /** Why it cannot be folded to its end; null: it was. */
  readonly broken: string | null
  /** The viewer's knowledge at a position from `from` to the one after the last digest. */
  viewAt(position: number): V
}

/**
 * Folds a stretch as a viewer sees it. It begins at position `from`, where the saved state of the rules is `saved`; null: the
 * beginning of the match. An input that the rules refuse or fail on ends it with a reason.
 */
export function foldStretch<C, S, I, V, D, B>(
  rules: Rules<C, S, I, V>,
  { config, seats, seed }: Beginning,
  viewer: Viewer,
  reader: Reader<S, D, B>,
  from: number,
  saved: Json | null,
  events: readonly MatchEvent[],
): FoldedStretch<V, D> {
  // Config, inputs and states come from the program, which has read the history.
  const begin = (): S =>
    saved === null ? rules.initial(config as C, seats, seed) : rules.load(saved, config as C, seats)
  const digests: (D | null)[] = []
  let broken: string | null = null
  const state = begin()
  for (const [at, event] of events.entries()) {
    const before = reader.before(state)
    const fault = apply(rules, state, event)
    if (fault !== null) {
      broken = `Event ${from + at + 1} ${fault}`
      break
    }
    digests.push(mayRead(audienceOf(event), viewer) ? reader.after(state, event, before, viewer) : null)
  }
  /** The state requested last: a step forwards continues from it. */
  let cursor = { position: from, state: begin() }
  return {
    from,
    digests,
    broken,
    viewAt(position) {
      if (position < cursor.position) cursor = { position: from, state: begin() }
      for (; cursor.position < position; cursor.position++) {
        apply(rules, cursor.state, events[cursor.position - from]!)
      }
      return rules.view(cursor.state, seesAs(viewer))
    },
  }
}

/** The problem of an event, to be appended to its number; null: it was applied, or changes nothing. */
function apply<C, S, I, V>(rules: Rules<C, S, I, V>, state: S, event: MatchEvent): string | null {
  if (event.kind !== 'input') return null
  try {
    const refusal = rules.apply(state, event.input as I)
    return refusal === null ? null : `does not follow the rules: ${refusal}`
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}
