import { SvelteMap } from 'svelte/reactivity'
import type { ContestDetail, StandingRow } from '../../../../main/contract/procedures/procedures.ts'
import type { LadderPlaces } from '../../../charts/ladder.ts'
import { call } from '../../../connection/client.ts'
import { reportFailure } from '../../../connection/resource.svelte.ts'
import type { ContestId } from '../../../../main/contract/ids.ts'

/** Places per page. */
const size = 100

/**
 * All places of a contest: the first ones are in its detail, the others are loaded when they are shown, and again after more
 * matches or a ruling; the old ones stay until then. `asPlayed`: without rulings. Call only during component initialization.
 */
export function placesOf(detail: () => ContestDetail, asPlayed: () => boolean = () => false): LadderPlaces {
  const pages = new SvelteMap<number, { readonly after: string; readonly rows: readonly StandingRow[] }>()
  const underway = new Set<number>()

  /** Changes with the results. */
  const stateOf = ({ summary, ruled }: ContestDetail): string => `${summary.progress.done} ${ruled?.after ?? 0}`

  function fetch(page: number, { contest }: ContestDetail['summary'], after: string): void {
    underway.add(page)
    call('contests.standings', { contest, offset: page * size, limit: size, ...(asPlayed() && { asPlayed: true }) })
      .then(({ items }) => pages.set(page, { after, rows: items }))
      .catch(reportFailure)
      .finally(() => underway.delete(page))
  }

  return {
    get count() {
      return detail().summary.entrants
    },
    at: (place) => detail().standings[place] ?? pages.get(Math.floor(place / size))?.rows[place % size],
    need(from, to) {
      const { summary, standings } = detail()
      const after = stateOf(detail())
      for (let page = Math.floor(from / size); page * size < Math.min(to, summary.entrants); page++) {
        if ((page + 1) * size <= standings.length || underway.has(page)) continue
        if (pages.get(page)?.after !== after) fetch(page, summary, after)
      }
    },
  }
}

/** Frozen standings of projectors, by contest: leaving the screen for a moment must not reveal the result. */
const held = new Map<ContestId, ContestDetail>()

export const frozenStandings = {
  get: (contest: ContestId): ContestDetail | null => held.get(contest) ?? null,
  hold: (contest: ContestId, detail: ContestDetail): void => void held.set(contest, detail),
  release: (contest: ContestId): void => void held.delete(contest),
}
