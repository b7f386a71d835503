import type { Replayer, ErasedGame, Seat } from '../contract/game.ts'
import type { Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { Outcome, RemovalRecord } from '../contract/outcome.ts'
import { canonicalText, hashOf } from './canonical.ts'

/** The start of a match. `config` is complete, with defaults filled in. */
export interface ReplayStart {
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly seed: Sha256
}

/** One step of a replay, in the order of the history. */
export type ReplayStep =
  | { readonly type: 'input'; readonly input: Json }
  /** `state`: SHA-256 of the canonical saved state here. */
  | { readonly type: 'checkpoint'; readonly state: Sha256 }
  | {
      readonly type: 'outcome'
      readonly state: Sha256
      readonly outcome: Outcome
      /** Absent in older histories. */
      readonly removals?: readonly RemovalRecord[] | undefined
    }

/**
 * Applies a match's inputs to the rules of its game and compares every state hash and the outcome with the steps.
 * Returns the first difference in words, which concerns the last step read; null: no difference. An exception in the
 * game's rules counts as a difference; only reading the steps may throw.
 */
export function replay(game: ErasedGame, start: ReplayStart, steps: Iterable<ReplayStep>): string | null {
  // When the match was played, the rules were given seats without name and agent.
  const seats = start.seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
  const begun = guarded(game, () => game.fold(start.config, seats, start.seed))
  if (!begun.ok) return begun.message
  for (const step of steps) {
    const applied = guarded(game, () => apply(begun.value, step))
    if (!applied.ok) return applied.message
    if (applied.value !== null) return applied.value
  }
  return null
}

type Guarded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }

function guarded<T>(game: ErasedGame, work: () => T): Guarded<T> {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ok: false, message: `the rules of ${game.id} failed: ${message}` }
  }
}

function apply(fold: Replayer, step: ReplayStep): string | null {
  if (step.type === 'input') {
    const refusal = fold.apply(step.input)
    return refusal === null ? null : `the rules refuse the input: ${refusal}`
  }
  if (hashOf(fold.save()) !== step.state) return 'the replay reaches a different state'
  if (step.type === 'checkpoint') return null
  const outcome = fold.outcome()
  if (outcome === null) return 'the replay does not end here'
  const claimed: Json = { ...step.outcome }
  if (canonicalText({ ...outcome }) !== canonicalText(claimed)) return 'the replay ends with a different outcome'
  return step.removals === undefined || canonicalText(fold.removals()) === canonicalText(step.removals)
    ? null
    : 'the replay removes players for different reasons'
}
