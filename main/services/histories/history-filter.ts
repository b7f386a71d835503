import type { ContestEntry } from '../../contract/procedures/classroom.ts'
import type { EntrantId } from '../../contract/ids.ts'
import { nameKey, searchKey } from '../../contract/names.ts'
import type { HistoryFilter } from '../../contract/procedures/procedures.ts'
import type { RowFilter } from '../../histories/segments/finished-table.ts'
import { games } from '../../referees/games.ts'

/** Which matches of a contest a filter wants; null: none. An empty filter wants all. */
export function wantedIn({ id, description }: ContestEntry, filter: HistoryFilter): RowFilter | null {
  const { search, game, subject, agents, faults } = filter
  if (game !== '' && description.game !== game) return null
  if (subject !== '' && subjectOf(description) !== subject) return null
  const names = description.entrants.map(({ name }) => name)
  const players = agents.filter((agent) => agent !== '').map((agent) => entrantsCalled(names, agent))
  const wanted = search.toLowerCase()
  const found = id.includes(wanted) || description.title.toLowerCase().includes(wanted)
  if (!found) players.push(partlyCalled(names, search))
  return players.some(({ size }) => size === 0) ? null : { players, faults }
}

/** True if it wants all matches of its contests, so that their number is known without reading them. */
export function wantsWhole({ players = [], faults = false }: RowFilter): boolean {
  return players.length === 0 && !faults
}

/** The subject of a contest's matches, such as the name of their challenge; null: it has no name. */
export function subjectOf({ game, config }: ContestEntry['description']): string | null {
  return games.get(game)?.settings.subject(config) ?? null
}

/** The entrants with exactly this name; if there are none, those whose names contain it. */
function entrantsCalled(names: readonly EntrantId[], wanted: string): ReadonlySet<EntrantId> {
  const key = nameKey(wanted)
  const exact = names.filter((name) => nameKey(name) === key)
  return exact.length > 0 ? new Set(exact) : partlyCalled(names, wanted)
}

function partlyCalled(names: readonly EntrantId[], part: string): ReadonlySet<EntrantId> {
  const key = searchKey(part)
  return new Set(names.filter((name) => searchKey(name).includes(key)))
}
