import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { CombinedRow } from '../../../contract/contests/standings.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { canonicalText } from '../../../histories/canonical.ts'
import { withNewSettings } from '../descriptions/new-contest.ts'
import { withReferences } from '../../texts/kept-texts.ts'

/** A phase of a contest file, as a contest of its own. */
export interface PlannedPhase {
  /** Without `phase`, which names the contest before. */
  readonly description: ContestDescription
  readonly weight: number
  /** Until when entries may be adapted; null: the phase follows at once. */
  readonly deadline: string | null
}

/** How far a contest in phases is. */
export interface PhasesReport {
  /** The contests of the phases so far, oldest first. */
  readonly contests: readonly ContestId[]
  /** The weights of all phases. */
  readonly weights: readonly number[]
  /** Until when entries of the next phase may be adapted; null: no phase is left, or it need not wait. */
  readonly deadline: string | null
  /** Over the phases so far, with their weights. */
  readonly combined: readonly CombinedRow[]
}

/** The description of the phase that follows these contests. */
export function nextPhase(plan: readonly PlannedPhase[], before: readonly ContestId[]): ContestDescription {
  const { description } = plan[before.length]!
  const after = before.at(-1)
  if (after === undefined) return description
  return { ...description, phase: { after, weights: plan.slice(0, before.length + 1).map(({ weight }) => weight) } }
}

/**
 * The contests of the phases that have ended, the newest where there are several, in order. Agents may have changed since
 * then. Empty if all phases have ended: then the contest begins anew.
 */
export function endedPhases(contests: readonly ContestEntry[], plan: readonly PlannedPhase[]): readonly ContestId[] {
  const ended = contests.filter(({ state, rerun }) => state === 'ended' && rerun === undefined)
  const before: ContestId[] = []
  while (before.length < plan.length) {
    const wanted = withoutAgents(nextPhase(plan, before))
    const found = ended.findLast(({ description }) => withoutAgents(description) === wanted)
    if (found === undefined) return before
    before.push(found.id)
  }
  return []
}

function withoutAgents(description: ContestDescription): string {
  const { entrants, ...rest } = withNewSettings(withReferences(description))
  return canonicalText({ ...rest, entrants: entrants.map(({ name }) => name) })
}

/** Why the next phase cannot begin yet, in a sentence; null: it can. `now`: ms since the epoch. */
export function waitsForEntries(
  plan: readonly PlannedPhase[],
  before: readonly ContestId[],
  now: number,
): string | null {
  const deadline = plan[before.length]?.deadline ?? null
  if (deadline === null || now >= Date.parse(deadline)) return null
  const phase = `Phase ${before.length + 1} of ${plan.length}`
  return `${phase} begins after ${deadline}: until then entries may be adapted. Run the same command again after that.`
}

/** Like `waitsForEntries`, but throws ExpectedError 'usage' if the next phase cannot begin yet. */
export function checkEntriesClosed(...where: Parameters<typeof waitsForEntries>): void {
  const why = waitsForEntries(...where)
  if (why !== null) throw new ExpectedError('usage', 'too-early', why)
}
