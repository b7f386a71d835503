import type { Breakdowns } from '../../../contract/contests/standings.ts'
import type { ContestId } from '../../../contract/ids.ts'
import { namedIn, textNames, type TextNames } from '../../texts/text-names.ts'
import type { Contests } from '../kept/class-contests.ts'

/** The names of the texts of contests, such as maps, which the class keeps by their hashes. */
interface ContestTextNames {
  of(id: ContestId): Promise<TextNames>
}

/** They are kept in memory, because all texts of the game are read for them. */
export function createTextNames(data: string, contests: Pick<Contests, 'entry'>): ContestTextNames {
  const known = new Map<ContestId, Promise<TextNames>>()
  return {
    of(id) {
      const names = known.get(id) ?? textNames(data, contests.entry(id).description)
      known.set(id, names)
      names.catch(() => known.delete(id))
      return names
    },
  }
}

/** Breakdowns with the names of texts in place of their hashes. */
export function namedBreakdowns(breakdowns: Breakdowns, names: TextNames): Breakdowns {
  return Object.fromEntries(
    Object.entries(breakdowns).map(([title, rows]) => [
      title,
      rows.map((row) => ({ ...row, part: namedIn(row.part, names) })),
    ]),
  )
}
