import type { Replayer, ErasedGame } from '../contract/game/game.ts'
import type { Seat } from '../contract/game/table.ts'
import type { Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { Outcome, RemovalRecord } from '../contract/game/outcome.ts'
import { canonicalText, hashOf } from './canonical.ts'
import { mismatch, type Mismatch } from './mismatch.ts'

/** The start of a match. `config` is complete, with defaults filled in. */
export interface ReplayStart {
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly seed: Sha256
}

/** One step of a replay, in the order of the history. */
export type ReplayStep =
  | {
      readonly type: 'input'
      readonly input: Json
      /** The findings that the rules must reach with it; null: none. Absent in older histories. */
      readonly found?: Json | undefined
    }
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
 * Returns the first difference, which concerns the last step read; null: no difference. An exception in the
 * game's rules counts as a difference; only reading the steps may throw.
 */
export function replay(game: ErasedGame, start: ReplayStart, steps: Iterable<ReplayStep>): Mismatch | null {
  // When the match was played, the rules were given seats without name and agent.
  const seats = start.seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
  const begun = guarded(game, () => game.fold(start.config, seats, start.seed))
  if (!begun.ok) return begun
  for (const step of steps) {
    const applied = guarded(game, () => apply(begun.value, step))
    if (!applied.ok) return applied
    if (applied.value !== null) return applied.value
  }
  return null
}

type Guarded<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Mismatch)

function guarded<T>(game: ErasedGame, work: () => T): Guarded<T> {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { ok: false, message: `the rules of ${game.id} failed: ${message}` }
  }
}

function apply(fold: Replayer, step: ReplayStep): Mismatch | null {
  if (step.type === 'input') {
    const refusal = fold.apply(step.input)
    if (refusal !== null) return { message: `the rules refuse the input: ${refusal}` }
    if (step.found === undefined) return null
    return different('the replay finds out something else', fold.findings(), step.found)
  }
  const state = hashOf(fold.save())
  if (state !== step.state) return mismatch('the replay reaches a different state', state, step.state)
  if (step.type === 'checkpoint') return null
  const outcome = fold.outcome()
  if (outcome === null) return { message: 'the replay does not end here' }
  return (
    different('the replay ends with a different outcome', { ...outcome }, { ...step.outcome }) ??
    (step.removals === undefined
      ? null
      : different('the replay removes players for different reasons', fold.removals(), step.removals))
  )
}

function different(message: string, replayed: Json, claimed: Json): Mismatch | null {
  const [expected, found] = [canonicalText(replayed), canonicalText(claimed)]
  return expected === found ? null : mismatch(message, expected, found)
}
