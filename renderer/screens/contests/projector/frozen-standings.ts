import type { ContestId } from '../../../../main/contract/ids.ts'
import type { ContestDetail } from '../../../../main/contract/procedures/procedures.ts'

/** Frozen standings of projectors, by contest: leaving the screen for a moment must not reveal the result. */
const held = new Map<ContestId, ContestDetail>()

export const frozenStandings = {
  get: (contest: ContestId): ContestDetail | null => held.get(contest) ?? null,
  hold: (contest: ContestId, detail: ContestDetail): void => void held.set(contest, detail),
  release: (contest: ContestId): void => void held.delete(contest),
}
