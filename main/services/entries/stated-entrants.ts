import { versionsOf } from '../../administrator/classroom/active-versions.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../contract/contests/contests.ts'
import { isNameOfEntry, type SignedEntry } from '../../contract/contests/entries.ts'

type Entrant = ContestDescription['entrants'][number]

/**
 * A contest in which each entrant that is the entry of another school has the school's statement about its package, as
 * the class has imported it, and no other entrant has one.
 */
export function withStatements<T extends Pick<ContestDescription, 'game' | 'entrants'>>(
  agents: readonly StoredAgentVersion[],
  description: T,
): T {
  const { game } = description
  const known = Map.groupBy(
    agents.filter(({ manifest }) => manifest.game === game),
    ({ hash }) => hash,
  )
  const entrants = description.entrants.map(({ name, agent }): Entrant => {
    const entry = entryOf(known.get(agent) ?? [], { name, agent })
    return { name, agent, ...(entry === undefined ? {} : { entry }) }
  })
  return { ...description, entrants }
}

function entryOf(versions: readonly StoredAgentVersion[], entrant: Entrant): SignedEntry | undefined {
  const entry = versionsOf(versions, entrant).find((version) => version.entry !== undefined)?.entry
  // A class may enter the same package under a name of its own.
  return entry !== undefined && isNameOfEntry(entrant.name, entry.statement) ? entry : undefined
}
