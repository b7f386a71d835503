import { activePolicies, type ActivePolicies } from '../../administrator/classroom/active-versions.ts'
import type { EntrantId } from '../../contract/ids.ts'
import type { Classroom, ContestEntry } from '../../contract/procedures/classroom.ts'
import { agentOf } from './entrant-agents.ts'

/** A contest in which an agent is entered, with its entrants there. */
export interface EnteredContest {
  readonly entry: ContestEntry
  readonly own: ReadonlySet<EntrantId>
}

/** Facts that follow from the records of a class, found once for everybody who looks before the next change. */
export interface SettledClass {
  readonly active: ActivePolicies
  /** The contests of an agent, oldest first. */
  entered(agent: EntrantId): readonly EnteredContest[]
}

/** Every change of the class makes new content. */
const settled = new WeakMap<Pick<Classroom, 'agents' | 'contests'>, SettledClass>()

/** The facts of a class that has been written; never of a draft within a change, whose records may still be altered. */
export function settledClass(content: Pick<Classroom, 'agents' | 'contests'>): SettledClass {
  let facts = settled.get(content)
  if (facts === undefined) {
    facts = factsOf(content)
    settled.set(content, facts)
  }
  return facts
}

function factsOf(content: Pick<Classroom, 'agents' | 'contests'>): SettledClass {
  let active: ActivePolicies | undefined
  let entered: ReadonlyMap<EntrantId, readonly EnteredContest[]> | undefined
  return {
    get active() {
      return (active ??= activePolicies(content.agents))
    },
    entered: (agent) => (entered ??= enteredByAgent(content)).get(agent) ?? [],
  }
}

function enteredByAgent(
  content: Pick<Classroom, 'agents' | 'contests'>,
): ReadonlyMap<EntrantId, readonly EnteredContest[]> {
  const agent = agentOf(content)
  const found = new Map<EntrantId, EnteredContest[]>()
  for (const entry of content.contests) {
    const own = Map.groupBy(entry.description.entrants, agent)
    for (const [name, entrants] of own) {
      if (name === null) continue
      const contests = found.get(name) ?? []
      contests.push({ entry, own: new Set(entrants.map((each) => each.name)) })
      found.set(name, contests)
    }
  }
  return found
}
