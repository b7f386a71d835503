import type { Replayer, ErasedGame, Seat } from '../contract/game.ts'
import type { Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { Outcome, RemovalRecord } from '../contract/outcome.ts'
import { canonicalText, hashOf } from './canonical.ts'

/** What a match starts from. `config` is complete: defaults filled in. */
export interface ReplayStart {
  readonly config: Json
  readonly seats: readonly Seat[]
  readonly seed: Sha256
}

/** What is replayed, in the order of the history. */
export type ReplayStep =
  | { readonly type: 'input'; readonly input: Json }
  /** `state`: SHA-256 of the canonical saved state here. */
  | { readonly type: 'checkpoint'; readonly state: Sha256 }
  | {
      readonly type: 'outcome'
      readonly state: Sha256
      readonly outcome: Outcome
      /** Absent: the history is older, and says nothing of it. */
      readonly removals?: readonly RemovalRecord[] | undefined
    }

/**
 * Folds a match's inputs through the rules of its game and compares every state and the outcome that the steps claim. Returns
 * in words what does not agree, with the last step that was looked at being the one; null: all does. A game that throws
 * does not agree. Throws nothing but what reading the steps throws.
 */
export function replay(game: ErasedGame, start: ReplayStart, steps: Iterable<ReplayStep>): string | null {
  // Exactly what the rules were given when the match was played: a seat, without name and agent.
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
    const words = error instanceof Error ? error.message : String(error)
    return { ok: false, message: `the rules of ${game.id} fail: ${words}` }
  }
}

function apply(fold: Replayer, step: ReplayStep): string | null {
  if (step.type === 'input') {
    const refusal = fold.apply(step.input)
    return refusal === null ? null : `the rules refuse the input: ${refusal}`
  }
  if (hashOf(fold.save()) !== step.state) return 'replayed through the rules, the match reaches another state'
  if (step.type === 'checkpoint') return null
  const outcome = fold.outcome()
  if (outcome === null) return 'replayed through the rules, the match is not over'
  const claimed: Json = { ...step.outcome }
  if (canonicalText({ ...outcome }) !== canonicalText(claimed))
    return 'replayed through the rules, the match ends otherwise'
  return step.removals === undefined || canonicalText(fold.removals()) === canonicalText(step.removals)
    ? null
    : 'replayed through the rules, players are removed for something else'
}
