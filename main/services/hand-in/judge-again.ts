import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { setLateDays, usedLateDays } from '../../administrator/people/attempts.ts'
import type { PeopleDatabase } from '../../administrator/people/people-database.ts'
import type { TimeVerdict } from '../../contract/people/time-verdict.ts'
import type { ContestId } from '../../contract/ids.ts'
import type { HandInRecord } from '../../contract/people/hand-in.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { timeVerdict } from './receive.ts'

/** A class and the late days that its hand-ins use. */
interface Room {
  readonly home: ClassFolder
  readonly people: PeopleDatabase
}

const RANK = { 'on-time': 0, late: 1, kept: 2 } as const

/** True if a verdict is better for the team than the recorded one: an earlier time, or fewer late days. */
function isBetter(verdict: TimeVerdict, { time, uses }: HandInRecord): boolean {
  if (RANK[verdict.is] !== RANK[time]) return RANK[verdict.is] < RANK[time]
  return verdict.is === 'late' && (verdict.uses?.days ?? 0) < (uses?.days ?? 0)
}

/**
 * Judges the versions again that were late or too late for a contest, after its deadline or an extension has changed: more time counts
 * also for what was handed in before it was granted. No version gets a worse time, and receipts keep the verdict of their moment. Returns
 * the versions that are in the contest now and were not before.
 */
export async function judgeAgain(room: Room, contest: ContestId): Promise<readonly StoredAgentVersion[]> {
  const { home, people } = room
  const counting: StoredAgentVersion[] = []
  await home.change((content) => {
    counting.length = 0
    let used = usedLateDays(people)
    for (const version of content.agents) {
      const { handIn, owner, submitted, inactive } = version
      const team = content.teams.find(({ id }) => id === owner)
      if (handIn?.contest !== contest || handIn.time === 'on-time' || team === undefined) continue
      const others = used.filter(({ receipt }) => receipt !== handIn.receipt)
      const verdict = timeVerdict(
        { home: { folder: home.folder, content }, people },
        team,
        contest,
        Date.parse(submitted),
        others,
      )
      if (!isBetter(verdict, handIn)) continue
      const uses = verdict.is === 'late' ? verdict.uses : null
      handIn.time = verdict.is
      if (uses === null) delete handIn.uses
      else handIn.uses = uses
      used = uses === null ? others : [...others, { ...uses, team: team.id, receipt: handIn.receipt }]
      if (inactive !== 'kept') continue
      version.inactive = 'candidate'
      counting.push(version)
    }
  })
  settleLateDays(room)
  return counting
}

/** Makes the hand-ins use the late days that their versions record. A process may have been killed between the two. */
export function settleLateDays({ home, people }: Room): void {
  const recorded = new Set(usedLateDays(people).map(({ receipt }) => receipt))
  for (const { handIn } of home.content.agents)
    if (handIn !== undefined && (handIn.uses !== undefined || recorded.has(handIn.receipt)))
      setLateDays(people, handIn.receipt, handIn.uses ?? null)
}
