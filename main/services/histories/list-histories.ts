import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { contestId, type ContestId, type EntrantId, type GameId, type MatchNumber } from '../../contract/ids.ts'
import type { Outcome } from '../../contract/game/outcome.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { createFinishedTable } from '../../histories/segments/finished-table.ts'
import { readKeys } from '../../histories/key-files.ts'
import { scanContest, type ContestScan, type ScanKeeper } from '../../histories/segments/contest-scan.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { contestFolder, recordingsFolder } from '../machine/data-folder.ts'
import { existingClass, requireContest } from '../machine/existing-class.ts'

/** The histories of a contest, or of one recording of an arena. */
export interface ListedHistories {
  readonly contest: ContestId
  /** The number of finished matches. */
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

/** The maximum number of matches in a list; `total` is their real number. */
const LISTED_MATCHES_MAX = 10_000

/**
 * The histories in a data folder: those of its contests in order, then those of its arenas. The folder is only read,
 * and matches may be running in it. Throws ExpectedError 'usage' if there is no such folder, 'verdict' if histories are
 * damaged, and MachineError.
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

/**
 * The finished matches of a contest or a recording, in order. `game`: of the contest; null: it is a recording. Throws like
 * `listHistories`, and ExpectedError 'usage' if there is no such contest.
 */
export async function listMatches(
  data: string,
  contest: string,
): Promise<{ readonly game: GameId | null; readonly total: number; readonly matches: readonly ListedMatch[] }> {
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
  const { contests } = await existingClass(data)
  const game = contests.find(({ id }) => id === contest)?.description.game ?? null
  return { game, total: finished.size, matches: matches.sort((a, b) => a.match - b.match) }
}

/** Reads the histories of a contest or a recording. Throws like `listMatches`. */
export async function scanHistories(data: string, contest: string, keeper?: ScanKeeper): Promise<ContestScan> {
  const dir = await historiesOf(data, contest)
  const key = readKeys(join(data, 'keys')).publicKey
  const scan = await scanContest({ dir, contest, key, ...(keeper === undefined ? {} : { keeper }) })
  if (!scan.ok) throw new ExpectedError('verdict', 'history-damaged', scan.damage.message)
  return scan
}

/** The folder of the histories of a contest or a recording. Throws ExpectedError 'usage' if there is neither. */
async function historiesOf(data: string, contest: string): Promise<string> {
  if (recordingsIn(data).includes(contest)) return join(recordingsFolder(data), contest)
  await requireContest(data, contest)
  return contestFolder(data, contest)
}

/** The recordings of a data folder's arenas, those of each arena in order. */
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
