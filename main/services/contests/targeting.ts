import { targeting, type Encounter } from '../../administrator/statistics/targeting.ts'
import type { ContestRecord } from '../../administrator/contests/contest-record.ts'
import type { TargetingReport } from '../../contract/classroom.ts'
import type { ContestDescription } from '../../contract/contests.ts'
import type { GameId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { policyOf } from '../../contract/policy.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { FinishedRow } from '../../histories/finished-table.ts'
import { games } from '../../referees/games.ts'
import type { EncountersReport } from '../../worker/protocol.ts'
import { startWorker } from '../machine/workers.ts'
import { matchLocation } from '../matches/match-location.ts'

/** The maximum number of encounters in memory; beyond it only the first matches of a contest are examined. */
const ENCOUNTERS_MAX = 300_000
/** The maximum number of agents in a report, the clearest cases first, and of events per finding. */
const AGENTS_MAX = 100
const EVENTS_MAX = 5
/** The maximum number of characters of an event's description. */
const WORDS_MAX = 300

/** Whether a contest's policy forbids attacks on decisions and its game can report encounters. */
export function reportsTargeting(description: ContestDescription): boolean {
  return games.get(description.game)?.encounters !== undefined && !policyOf(description).intelligenceAttack
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
  const reader = startReader()
  signal.addEventListener('abort', reader.close)
  const encounters: Encounter[] = []
  let matches = 0
  try {
    for (const run of record.finished.values()) {
      if (signal.aborted) return null
      encounters.push(...(await reader.read(game, folder, run, config)))
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

/** Starts a worker that reads matches one after the other. */
function startReader() {
  const worker = startWorker<EncountersReport>()
  let waiting: PromiseWithResolvers<EncountersReport> | null = null
  let gone: ExpectedError | null = null
  worker.onReport((report) => waiting?.resolve(report))
  worker.onExit((how) => {
    gone = new ExpectedError('host', `The histories could not be read for the report on targeting (${how}).`)
    waiting?.reject(gone)
  })
  return {
    async read(game: GameId, folder: string, run: FinishedRow, config: Json): Promise<readonly Encounter[]> {
      if (gone !== null) throw gone
      waiting = Promise.withResolvers()
      const { match, entrants } = run
      worker.send({ type: 'encounters', game, place: matchLocation(folder, run), config, players: entrants.length })
      const { encounters, broken } = await waiting.promise
      if (broken !== null)
        throw new ExpectedError('host', `Match ${match} cannot be read for the report on targeting: ${broken}`)
      return encounters.map((each) => ({ ...each, agent: entrants[each.seat]!, other: entrants[each.other]!, match }))
    },
    close: () => worker.kill(),
  }
}
