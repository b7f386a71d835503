import type { ContestId } from '../../../main/contract/ids.ts'
import type { ContestDetail } from '../../../main/contract/procedures.ts'

/** Standings that a projector holds on to, by contest: leaving the screen for a moment must not give the end away. */
const held = new Map<ContestId, ContestDetail>()

export const frozenStandings = {
  get: (contest: ContestId): ContestDetail | null => held.get(contest) ?? null,
  hold: (contest: ContestId, detail: ContestDetail): void => void held.set(contest, detail),
  release: (contest: ContestId): void => void held.delete(contest),
}
