import type { ShareRow } from '../../../contract/procedures/components.ts'
import type { EntrantId } from '../../../contract/ids.ts'
import { nameKey } from '../../../contract/names.ts'
import type { StandingRow } from '../../../contract/contests/standings.ts'

/** An entrant, its team, and the teams that published the components in its agent. */
export interface SharingEntrant {
  readonly agent: EntrantId
  readonly team: string
  /** One for each component; a team may occur several times. */
  readonly authors: readonly string[]
}

interface Account {
  readonly team: string
  points: number
  /** In hundredths of a point. */
  given: number
  received: number
}

/** Points are rounded to millionths before the share is computed, so that it does not depend on binary fractions. */
const MILLIONTHS = 1_000_000

/**
 * The standings by teams when each entrant that has won points gives `percent` of them to the authors of the components in
 * its agent. All authors get the same, however many of the components are theirs, in whole hundredths of a point; what
 * cannot be divided is not given. Nothing is given to an entrant's own team, and nothing of points below zero. The sum of
 * all points stays the same. Best first; equal totals have equal ranks.
 */
export function standingsWithShares(
  standings: readonly Pick<StandingRow, 'agent' | 'points'>[],
  entrants: readonly SharingEntrant[],
  percent: number,
): readonly ShareRow[] {
  const accounts = new Map<string, Account>()
  const accountOf = (team: string): Account => {
    const account = accounts.get(nameKey(team)) ?? { team, points: 0, given: 0, received: 0 }
    accounts.set(nameKey(team), account)
    return account
  }
  const known = new Map(entrants.map((entrant) => [entrant.agent, entrant]))
  for (const { agent, points } of standings) {
    const { team, authors } = known.get(agent) ?? { team: agent, authors: [] }
    const own = accountOf(team)
    own.points += points
    const others = new Map(authors.map((author) => [nameKey(author), author]))
    others.delete(nameKey(team))
    if (others.size === 0 || points <= 0) continue
    const part = Math.floor(shareOf(points, percent) / others.size)
    if (part === 0) continue
    own.given += part * others.size
    for (const author of others.values()) accountOf(author).received += part
  }
  const rows = [...accounts.values()].map((row) => ({ ...row, total: row.points + (row.received - row.given) / 100 }))
  return ranked(rows)
}

/** In hundredths of a point. */
function shareOf(points: number, percent: number): number {
  return Number((BigInt(Math.round(points * MILLIONTHS)) * BigInt(percent)) / BigInt(MILLIONTHS))
}

function ranked(rows: readonly Omit<ShareRow, 'rank'>[]): readonly ShareRow[] {
  const sorted = rows.toSorted((a, b) => exact(b) - exact(a) || a.team.localeCompare(b.team, 'en'))
  let rank = 1
  return sorted.map((row, at) => {
    if (at > 0 && exact(row) !== exact(sorted[at - 1]!)) rank = at + 1
    return { rank, ...row }
  })
}

const exact = ({ points, given, received }: Omit<ShareRow, 'rank'>): number =>
  Math.round(points * MILLIONTHS) + ((received - given) * MILLIONTHS) / 100
