import { targeting, type Encounter } from '../statistics/targeting.ts'
import type { ContestRecord } from '../standings/contest-record.ts'
import type { TargetingReport } from '../../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { GameId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import { policyOf } from '../../../contract/contests/policy.ts'
import { games } from '../../../referees/games.ts'
import { startFolding } from '../../matches/match-folding.ts'

/** The maximum number of encounters in memory; beyond it only the first matches of a contest are examined. */
const ENCOUNTERS_MAX = 300_000
/** The maximum number of agents in a report, the clearest cases first, and of events per finding. */
const AGENTS_MAX = 100
const EVENTS_MAX = 5
/** The maximum number of characters of an event's description. */
const WORDS_MAX = 300

/** True if a contest's policy forbids attacks on decisions and its game can report encounters. */
export function reportsTargeting(description: ContestDescription): boolean {
  return games.get(description.game)?.analyses.encounters !== undefined && !policyOf(description).intelligenceAttack
}

/**
 * Tests, from the histories of a contest that is over, whether its agents treat others differently. Equal histories
 * give equal reports. A worker folds the matches. null: stopped. Throws ExpectedError 'host' if a match cannot be read.
 */
export async function targetingReport(
  {
    game,
    folder,
    record,
    config,
  }: { readonly game: GameId; readonly folder: string; readonly record: ContestRecord; readonly config: Json },
  signal: AbortSignal,
): Promise<TargetingReport | null> {
  const reader = startFolding('encounters', { game, folder, purpose: 'the report on targeting' })
  signal.addEventListener('abort', reader.close)
  const encounters: Encounter[] = []
  let matches = 0
  try {
    for (const run of record.finished.values()) {
      if (signal.aborted) return null
      const { match, entrants } = run
      for (const each of await reader.fold(run, config))
        encounters.push({ ...each, agent: entrants[each.seat]!, other: entrants[each.other]!, match })
      matches += 1
      if (encounters.length > ENCOUNTERS_MAX) break
    }
  } catch (error) {
    if (signal.aborted) return null
    throw error
  } finally {
    signal.removeEventListener('abort', reader.close)
    reader.close()
  }
  const agents: TargetingReport['agents'] = []
  for (const own of Map.groupBy(encounters, ({ agent }) => agent).values()) {
    // Yields after each agent, so that screens remain responsive.
    await new Promise((resolve) => setImmediate(resolve))
    const [{ agent, p, flagged, findings }] = targeting(own) as [ReturnType<typeof targeting>[number]]
    const [clearest] = findings
    if (clearest === undefined) continue
    const { about, other, mean, expected, events } = clearest
    const shown = events.slice(0, EVENTS_MAX).map((event) => ({ ...event, what: event.what.slice(0, WORDS_MAX) }))
    const finding = { about, other: other ?? '', mean, expected, events: shown }
    agents.push({ agent, p, flagged, finding })
  }
  agents.sort((a, b) => a.p - b.p || (a.agent < b.agent ? -1 : 1))
  return { matches, agents: agents.slice(0, AGENTS_MAX) }
}
