import type { PlacedDecision } from '../../../contract/contests/decisions.ts'
import { DECISIONS_MAX } from '../../../contract/contests/decisions.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import { hashOf } from '../../../histories/canonical.ts'
import { withMixedSeed } from '../../../histories/seed-commitment.ts'
import { openSegments } from '../../../histories/segments/writer.ts'
import { gameContests } from '../descriptions/new-contest.ts'
import { publishedDescription, writeDecision } from '../engine/contest-run.ts'
import { createRecord } from '../standings/contest-record.ts'
import { entryOf, folderOf, keepDecisions, type Configs, type KeptContests } from './kept-entries.ts'

/** Does something about a contest while nothing else is decided about it, and a run of it waits. */
export async function whileDeciding<T>(kept: KeptContests, id: ContestId, how: () => Promise<T>): Promise<T> {
  await kept.deciding.get(id)
  const work = kept.home.inTurn(async () => {
    // A run that was stopped may have left a match on disk that its record does not have.
    kept.records.forget(id)
    return how()
  })
  const settled = work.catch(() => undefined)
  kept.deciding.set(id, settled)
  return work.finally(() => {
    if (kept.deciding.get(id) === settled) kept.deciding.delete(id)
  })
}

/** Throws ExpectedError 'usage' if a contest cannot have these decisions because they are too many. */
export function checkDecisions(decisions: readonly PlacedDecision[]): void {
  if (decisions.length > DECISIONS_MAX)
    throw new ExpectedError('usage', 'limit-reached', `A contest has at most ${DECISIONS_MAX} decisions.`)
}

/**
 * Lets decisions hold that follow those that held: they are kept in the class and then written to the histories. Everything
 * that may be refused comes before.
 */
export async function holdDecisions(
  kept: KeptContests,
  id: ContestId,
  decisions: readonly PlacedDecision[],
  configs: Configs,
  components?: ContestEntry['components'],
): Promise<void> {
  await keepDecisions(kept, id, decisions, components)
  kept.records.forget(id)
  await writePending(kept, id, configs)
}

/** Writes the decisions to the histories that the class keeps and these do not have. */
async function writePending(kept: KeptContests, id: ContestId, { config, variants }: Configs): Promise<void> {
  const { description, nonce, phrase, decisions = [] } = entryOf(kept, id)
  const published = publishedDescription({ description, config, nonce, phrase, decisions })
  const record = createRecord(withMixedSeed(description, phrase), gameContests(description), decisions)
  const opened = await openSegments({
    dir: folderOf(kept, id),
    contest: id,
    key: kept.home.key,
    blobs: [...new Map([published, config, ...variants].map((blob) => [hashOf(blob), blob])).values()],
    keeper: record,
  })
  if (!opened.ok) throw new ExpectedError('verdict', 'history-damaged', opened.damage.message)
  try {
    for (const placed of record.pending()) await writeDecision(record, opened.writer, placed)
  } finally {
    await opened.writer.close()
  }
}
