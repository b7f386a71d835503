import type { Rules, Seat } from '../../../main/contract/game.ts'
import type { Sha256 } from '../../../main/contract/ids.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { MatchEvent } from '../../../main/contract/procedures.ts'

/** What a match's rules start from, as its history tells it. */
export interface Beginning {
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly seed: Sha256
}

/** What a game's viewer keeps of every event, so that lists and charts need no states. D: a digest, S: the state. */
export interface Reader<S, D> {
  /** Called before the event is applied; whatever it returns is handed to `after`. */
  before(state: S): number
  after(state: S, event: MatchEvent, index: number, before: number): D
}

/**
 * A match folded through its game's rules, page by page. Positions count events: position 0 is the start of the match,
 * position k the state after the first k events.
 */
export interface Fold<V, D> {
  /** One for each event folded so far. */
  readonly digests: readonly D[]
  /** Why the match cannot be folded any further; null while all is well. */
  readonly broken: string | null
  /**
   * Folds the events that follow the ones folded so far, at least one, until `enough` says so. Returns how many it took;
   * fewer than given where `enough` or a broken event stopped it.
   */
  push(events: readonly MatchEvent[], enough: () => boolean): number
  /**
   * What everybody may see at a position that has been folded. `read` gets events from one index up to before another;
   * it is asked for those behind the nearest snapshot only.
   */
  viewAt(position: number, read: (from: number, to: number) => Promise<readonly MatchEvent[]>): Promise<V>
}

/** Snapshots beyond which every other one is dropped, so that a match of any length takes the same room. */
const SNAPSHOTS = 512

/** `every`: events between two snapshots at first; the distance doubles whenever there are too many. */
export function createFold<C, S, I, V, D>(
  rules: Rules<C, S, I, V>,
  { config, seats, seed }: Beginning,
  reader: Reader<S, D>,
  every = 32,
): Fold<V, D> {
  // Config and inputs come from a history that main has read; what the rules refuse or choke on ends the fold in words.
  const state = rules.initial(config as C, seats, seed)
  const digests: D[] = []
  let snapshots = [rules.save(state)]
  let distance = every
  let broken: string | null = null
  /** The state that was asked for last: a step forwards needs no snapshot. */
  let cursor: { position: number; readonly state: S } | null = null

  function apply(to: S, event: MatchEvent, index: number): string | null {
    if (event.kind !== 'input') return null
    try {
      const refusal = rules.apply(to, event.input as I)
      return refusal === null ? null : `Event ${index + 1} does not follow the rules: ${refusal}`
    } catch (error) {
      return `Event ${index + 1} cannot be read: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  function take(event: MatchEvent): boolean {
    const index = digests.length
    const before = reader.before(state)
    broken = apply(state, event, index)
    if (broken !== null) return false
    digests.push(reader.after(state, event, index, before))
    if (digests.length % distance === 0) snapshots.push(rules.save(state))
    if (snapshots.length > SNAPSHOTS) {
      snapshots = snapshots.filter((_, at) => at % 2 === 0)
      distance *= 2
    }
    return true
  }

  return {
    digests,
    get broken() {
      return broken
    },
    push(events, enough) {
      let taken = 0
      for (const event of events) {
        if (broken !== null || !take(event)) break
        taken += 1
        if (enough()) break
      }
      return taken
    },
    async viewAt(position, read) {
      const nearest = Math.floor(position / distance)
      const near =
        cursor !== null && cursor.position <= position && cursor.position >= nearest * distance
          ? cursor
          : { position: nearest * distance, state: rules.load(snapshots[nearest]!) }
      // Taken while it is being moved: a second call must not move the same state.
      cursor = null
      const events = await read(near.position, position)
      for (const [at, event] of events.entries()) apply(near.state, event, near.position + at)
      cursor = { position, state: near.state }
      return rules.view(near.state, 'public')
    },
  }
}
