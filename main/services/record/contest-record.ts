import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ReadyQuestion } from '../../contract/game/event-tables.ts'
import type { EntrantId, GameId } from '../../contract/ids.ts'
import type { PublicKey } from '../../histories/keys.ts'
import { watchReader } from '../machine/reader.ts'
import {
  closePool,
  createReadingPool,
  readIn,
  type PoolOptions,
  type ReadingJob,
  type ReadingOrder,
  type ReadingPool,
  type ReadingReport,
} from '../machine/reading.ts'
import { resources } from '../machine/resources.ts'
import { launchWorker } from '../machine/worker-process.ts'
import type { BuildOrder, BuiltDatabase } from './build-database.ts'
import type { CheckedEvents } from './check-events.ts'
import { buildEventsJob, buildTextsJob, checkEventsJob, queryJob, searchJob, type OfGame } from './jobs.ts'
import type { QueryAnswer } from './query.ts'
import { boundParameters, questionNamed } from './questions.ts'
import { schemaOf } from './schema.ts'
import type { FoundTexts } from './text-search.ts'

/** The contest whose record is queried. */
export interface RecordedContest {
  readonly contest: string
  readonly game: GameId
  /** The folder of its segments. */
  readonly folder: string
  /** The key of its class. */
  readonly key: PublicKey
  /** The folder for its databases, which exists: the same one, or another where nothing may be written there. */
  readonly store: string
}

/**
 * The caller. The events database has nothing that is hidden from anybody: it contains finished matches, as their histories
 * have them. A caller who is not of the staff finds the output of their own agents alone.
 */
export type RecordViewer = { readonly as: 'staff' } | { readonly as: 'public'; readonly own: readonly EntrantId[] }

/** A query of a person's own. */
export interface OwnQuery {
  readonly sql: string
  readonly rowsMax: number
}

/** A question that is ready, with the chosen values of parameters. */
export interface AskedQuestion {
  readonly name: string
  readonly parameters: Readonly<Record<string, string>>
  readonly rowsMax: number
}

/** The answer to a ready question. */
export interface QuestionAnswer extends QueryAnswer {
  readonly question: ReadyQuestion
}

/**
 * The databases of contests, which are built from their histories and brought up to date before each answer. All work is done in other
 * processes with limits of time and memory. Calls reject with ExpectedError: 'verdict' if the histories are damaged,
 * 'usage' if the query is wrong or takes too much, and MachineError.
 */
export interface ContestRecords {
  /** Brings the events database up to date. `anew`: builds it from the beginning. */
  refresh(contest: RecordedContest, anew?: boolean): Promise<BuiltDatabase>
  query(contest: RecordedContest, query: OwnQuery): Promise<QueryAnswer>
  ask(contest: RecordedContest, asked: AskedQuestion): Promise<QuestionAnswer>
  /** Searches the sentences about events and the output of agents. */
  search(
    contest: RecordedContest,
    viewer: RecordViewer,
    search: { readonly words: string; readonly rowsMax: number },
  ): Promise<FoundTexts>
  /** Compares the events database, as it is, with the segments. */
  check(contest: RecordedContest): Promise<CheckedEvents>
  /** Stops what is running. */
  close(): void
}

const EVENTS_FILE = 'events.db'
const TEXTS_FILE = 'texts.db'

/** The databases beside the segments of a contest. They can be built again, so that backups leave them out. */
export const recordFiles: ReadonlySet<string> = new Set([EVENTS_FILE, TEXTS_FILE])

/** Limits of the processes: memory in MB, time in ms. */
const building = { memoryMb: 1_024, heapMb: 512, longestMs: 1_800_000 }
const querying = { memoryMb: 640, heapMb: 256, longestMs: 10_000 }

/** `queryMs`: the time that a query may take. */
export function createContestRecords({ queryMs = querying.longestMs } = {}): ContestRecords {
  const records: OpenRecords = {
    builders: createReadingPool(poolOptions(building)),
    queries: createReadingPool(poolOptions({ ...querying, longestMs: queryMs })),
    underway: new Map(),
  }
  return {
    refresh: (contest, anew = false) => refreshed(records, contest, EVENTS_FILE, anew),
    query: (contest, query) => answered(records, contest, query.sql, {}, query.rowsMax),
    async ask(contest, { name, parameters, rowsMax }) {
      const question = questionNamed(contest.game, name)
      const values = boundParameters(question, parameters)
      return { question, ...(await answered(records, contest, question.sql, values, rowsMax)) }
    },
    async search(contest, viewer, { words, rowsMax }) {
      await refreshed(records, contest, TEXTS_FILE, false)
      const own = viewer.as === 'staff' ? null : viewer.own
      return limited(readIn(records.queries, searchJob, { file: join(contest.store, TEXTS_FILE), words, own, rowsMax }))
    },
    check: (contest) => readIn(records.builders, checkEventsJob, orderOf(contest, EVENTS_FILE, false)),
    close() {
      closePool(records.builders)
      closePool(records.queries)
    },
  }
}

interface OpenRecords {
  readonly builders: ReadingPool
  readonly queries: ReadingPool
  /** By file: what is being built, so that two callers wait for the same. */
  readonly underway: Map<string, Promise<BuiltDatabase>>
}

function poolOptions({ memoryMb, heapMb, longestMs }: typeof building): PoolOptions {
  return {
    launch: () =>
      watchReader(
        launchWorker<ReadingReport, ReadingOrder>(resources.node, resources.reader, [`--max-old-space-size=${heapMb}`]),
        { memoryMb, silentSeconds: longestMs / 1_000 },
      ),
    ...{ atATime: 2, crowded: 2, waitMs: longestMs, longestMs: { text: longestMs, long: longestMs }, idleMs: 60_000 },
  }
}

function orderOf(
  { contest, game, folder, key, store }: RecordedContest,
  name: string,
  anew: boolean,
): OfGame<BuildOrder> {
  return { contest, game, folder, key, file: join(store, name), anew }
}

function refreshed(
  records: OpenRecords,
  contest: RecordedContest,
  name: string,
  anew: boolean,
): Promise<BuiltDatabase> {
  const order = orderOf(contest, name, anew)
  const known = records.underway.get(order.file)
  if (known !== undefined && !anew) return known
  const job: ReadingJob<OfGame<BuildOrder>, BuiltDatabase> = name === EVENTS_FILE ? buildEventsJob : buildTextsJob
  const built = readIn(records.builders, job, order).finally(() => {
    if (records.underway.get(order.file) === built) records.underway.delete(order.file)
  })
  records.underway.set(order.file, built)
  return built
}

async function answered(
  records: OpenRecords,
  contest: RecordedContest,
  sql: string,
  parameters: Readonly<Record<string, string | number | null>>,
  rowsMax: number,
): Promise<QueryAnswer> {
  await refreshed(records, contest, EVENTS_FILE, false)
  const tables = schemaOf(contest.game).map(({ name }) => name)
  const file = join(contest.store, EVENTS_FILE)
  return limited(readIn(records.queries, queryJob, { file, sql, parameters, tables, rowsMax }))
}

/** The answer to a query, or a sentence about the limit that it passed. */
async function limited<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ExpectedError) || error.code !== 'reading-limit') throw error
    throw new ExpectedError('usage', 'query-limit', error.message.replace(/^Reading the (query|search)/, 'The $1'))
  }
}
