import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { contestId, type ContestId, type EntrantId, type MatchNumber } from '../../contract/ids.ts'
import type { Outcome } from '../../contract/outcome.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { createFinishedTable } from '../../histories/finished-table.ts'
import { openKeys } from '../../histories/key-files.ts'
import { scanContest, type ContestScan, type ScanKeeper } from '../../histories/contest-scan.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { contestFolder } from '../contests/class-contests.ts'
import { existingClass, requireContest } from '../contests/existing-class.ts'
import { recordingsFolder } from '../contests/open-ended-recordings.ts'

/** The histories of a contest, or those that one recording of an arena holds. */
export interface ListedHistories {
  readonly contest: ContestId
  /** Finished. */
  readonly matches: number
  readonly bytes: number
}

/** A match whose history is complete. */
export interface ListedMatch {
  readonly match: MatchNumber
  /** By seat. */
  readonly entrants: readonly EntrantId[]
  readonly outcome: Outcome
}

/** So many of its matches are listed; `total` says how many there are. */
const LISTED_MATCHES_MAX = 10_000

/**
 * What a data folder has of histories: of its contests, in their order, then of its arenas. It is only read, also while matches are
 * played in it. Throws ExpectedError 'usage' where there is no such folder, 'verdict' where histories are damaged, and MachineError.
 */
export async function listHistories(data: string): Promise<readonly ListedHistories[]> {
  const { contests } = await existingClass(data)
  const listed: ListedHistories[] = []
  for (const contest of [...contests.map(({ id }) => id), ...recordingsIn(data)]) {
    const { finished, bytes } = await scanHistories(data, contest)
    listed.push({ contest, matches: finished.size, bytes })
  }
  return listed
}

/** The finished matches of one of them, in their order. Throws as `listHistories`, and ExpectedError 'usage' where there is none. */
export async function listMatches(
  data: string,
  contest: string,
): Promise<{ readonly total: number; readonly matches: readonly ListedMatch[] }> {
  const matches: ListedMatch[] = []
  const finished = createFinishedTable()
  await scanHistories(data, contest, {
    finished,
    finish(run) {
      finished.add(run)
      const { match, entrants, outcome } = run
      if (matches.length < LISTED_MATCHES_MAX) matches.push({ match, entrants, outcome })
    },
    voidAttempt: () => undefined,
  })
  return { total: finished.size, matches: matches.sort((a, b) => a.match - b.match) }
}

/** Reads the histories of a contest or a recording. Throws as `listMatches`. */
export async function scanHistories(data: string, contest: string, keeper?: ScanKeeper): Promise<ContestScan> {
  const dir = await historiesOf(data, contest)
  const key = openKeys(join(data, 'keys')).publicKey
  const scan = await scanContest({ dir, contest, key, ...(keeper === undefined ? {} : { keeper }) })
  if (!scan.ok) throw new ExpectedError('verdict', scan.damage.message)
  return scan
}

/** Where the histories of a contest or a recording lie. Throws ExpectedError 'usage' where there is neither. */
async function historiesOf(data: string, contest: string): Promise<string> {
  if (recordingsIn(data).includes(contest)) return join(recordingsFolder(data), contest)
  await requireContest(data, contest)
  return contestFolder(data, contest)
}

/** The recordings of a data folder's arenas, each arena's in their order. */
function recordingsIn(data: string): readonly ContestId[] {
  const folder = recordingsFolder(data)
  try {
    if (!existsSync(folder)) return []
    const names = readdirSync(folder, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? each.name : []))
    return names
      .filter((name) => contestId.safeParse(name).success)
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  } catch (error) {
    throw machineErrorFrom(error, 'read the folder', folder)
  }
}
