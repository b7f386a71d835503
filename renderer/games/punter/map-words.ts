import { number } from '../../words.ts'
import { riverName, type Layout } from './layout.ts'
import type { DrawnFuture } from './map-painter.ts'
import type { RiverView } from './rules.ts'

/** The owner of a river in words, and since when. `taken` undefined: nobody. */
export function riverWords(
  layout: Layout,
  river: number,
  taken: RiverView | undefined,
  names: readonly string[],
): string {
  const name = `River ${riverName(layout, river)}`
  if (taken === undefined) return `${name}: free`
  const { owner, claimedAt, holder, soldAt } = taken
  const claim = `${name}: claimed by ${nameOf(names, owner)} in move ${number(claimedAt + 1)}`
  if (holder === null || soldAt === null) return claim
  return `${claim}, option of ${nameOf(names, holder)} since move ${number(soldAt + 1)}`
}

/** A site, and the futures that are about it. */
export function siteWords(
  { sites }: Layout,
  site: number,
  futures: readonly DrawnFuture[],
  names: readonly string[],
): string {
  const { id, isMine } = sites[site]!
  const bets = futures
    .filter(({ mine, target }) => mine === site || target === site)
    .map(({ seat, mine, target, kept }) => {
      const what = `${nameOf(names, seat)} bets on ${sites[mine]!.id} to ${sites[target]!.id}`
      return kept ? `${what} and has joined them` : what
    })
  return [`${isMine ? 'Mine' : 'Site'} ${id}`, ...bets].join('; ')
}

const nameOf = (names: readonly string[], seat: number): string => names[seat] ?? `seat ${seat}`
