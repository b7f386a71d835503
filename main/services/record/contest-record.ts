import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId, GameId } from '../../contract/ids.ts'
import type { PublicKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
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
import type { ComparedVersions, CompareOrder } from './compare-versions.ts'
import {
  buildEventsJob,
  buildTextsJob,
  checkEventsJob,
  compareJob,
  queryJob,
  searchJob,
  writeRowsJob,
  type OfGame,
} from './jobs.ts'
import type { QueryAnswer, QueryOrder } from './query.ts'
import { boundParameters, questionNamed } from './questions.ts'
import { schemaOf } from './schema.ts'
import type { FoundTexts, SearchOrder } from './text-search.ts'
import type { WriteOrder, WrittenRows } from './write-rows.ts'

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

/** A query of a person's own, or a question that is ready with the chosen values of parameters. */
export type AskedQuery =
  { readonly sql: string } | { readonly question: string; readonly parameters: Readonly<Record<string, string>> }

/** The wanted part of an answer: see QueryOrder. */
export interface WantedRows {
  readonly offset: number
  readonly rowsMax: number
  readonly cellMax: number | null
  /** Stops the query, which then rejects with ExpectedError 'stopped'. Absent: nobody stops it. */
  readonly signal?: AbortSignal
}

/** The rows of an answer, and the number of matches that were asked about. */
export interface ContestAnswer extends QueryAnswer {
  readonly matches: number
}

/** A comparison of two versions: see CompareOrder. */
export interface WantedComparison
  extends Pick<CompareOrder, 'game' | 'versions' | 'rowsMax' | 'cellMax'>, Pick<WantedRows, 'signal'> {
  /** A ready question about one agent. */
  readonly question: string
}

/** The answers, and the contests that were left out because their histories are damaged. */
export interface ComparedContests extends ComparedVersions {
  readonly damaged: readonly string[]
}

/** A search: see SearchOrder. */
export type WantedTexts = Pick<SearchOrder, 'words' | 'offset' | 'rowsMax'> & Pick<WantedRows, 'signal'>

/**
 * The databases of contests, which are built from their histories and brought up to date before each answer. All work is done in other
 * processes with limits of time and memory. Calls reject with ExpectedError: 'verdict' if the histories are damaged,
 * 'usage' if the query is wrong or takes too much, and MachineError.
 */
export interface ContestRecords {
  /** Brings the events database up to date. `anew`: builds it from the beginning, and removes that of texts, which the next search builds. */
  refresh(contest: RecordedContest, anew?: boolean): Promise<BuiltDatabase>
  ask(contest: RecordedContest, asked: AskedQuery, wanted: WantedRows): Promise<ContestAnswer>
  /** Asks the same about two versions, over their matches against the same opponents in all of these contests but damaged ones. */
  compare(contests: readonly RecordedContest[], wanted: WantedComparison): Promise<ComparedContests>
  /** Writes the rows of an answer into a new file. */
  write(
    contest: RecordedContest,
    asked: AskedQuery,
    file: Pick<WriteOrder, 'path' | 'as'> & Pick<WantedRows, 'rowsMax' | 'signal'>,
  ): Promise<WrittenRows>
  /** Searches the sentences about events and the output of agents. */
  search(contest: RecordedContest, viewer: RecordViewer, wanted: WantedTexts): Promise<FoundTexts>
  /** Brings the events database up to date and compares it with the segments, while the contest may go on. */
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
    async refresh(contest, anew = false) {
      if (anew) await removeTexts(contest)
      return refreshed(records, contest, EVENTS_FILE, anew)
    },
    async ask(contest, asked, { signal, ...wanted }) {
      const query = orderFor(contest, asked, wanted)
      const { matches } = await stoppable(refreshed(records, contest, EVENTS_FILE, false), signal)
      return { ...(await limited(readIn(records.queries, queryJob, query, signal))), matches }
    },
    async compare(contests, { question: name, game, signal, ...wanted }) {
      const question = questionNamed(game, name)
      const { sql } = question
      // The name of the agent is found with the matches.
      const parameters = boundParameters(question, { agent: '' })
      const damaged = new Set<string>()
      for (const contest of contests)
        await stoppable(refreshed(records, contest, EVENTS_FILE, false), signal).catch((error: unknown) => {
          if (!(error instanceof ExpectedError) || error.kind !== 'verdict') throw error
          damaged.add(contest.contest)
        })
      const whole = contests.filter(({ contest }) => !damaged.has(contest))
      const files = whole.map(({ store }) => join(store, EVENTS_FILE))
      const order = { ...wanted, game, files, sql, parameters }
      return { ...(await limited(readIn(records.queries, compareJob, order, signal))), damaged: [...damaged] }
    },
    async write(contest, asked, { path, as, rowsMax, signal }) {
      const query = orderFor(contest, asked, { offset: 0, rowsMax, cellMax: null })
      await stoppable(refreshed(records, contest, EVENTS_FILE, false), signal)
      return limited(readIn(records.queries, writeRowsJob, { query, path, as }, signal))
    },
    async search(contest, viewer, { words, offset, rowsMax, signal }) {
      await stoppable(refreshed(records, contest, TEXTS_FILE, false), signal)
      const [file, own] = [join(contest.store, TEXTS_FILE), viewer.as === 'staff' ? null : viewer.own]
      return limited(readIn(records.queries, searchJob, { file, words, own, offset, rowsMax }, signal))
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

async function removeTexts({ store }: RecordedContest): Promise<void> {
  const file = join(store, TEXTS_FILE)
  await rm(file, { force: true }).catch((error: unknown) => {
    throw machineErrorFrom(error, 'delete', file)
  })
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
  const built = readIn(records.builders, job, order)
    .catch((error: unknown) => {
      throw ofBuild(error)
    })
    .finally(() => {
      if (records.underway.get(order.file) === built) records.underway.delete(order.file)
    })
  records.underway.set(order.file, built)
  return built
}

/** The error of a build; one that took too long has kept its parts. */
function ofBuild(error: unknown): unknown {
  const tookTooLong =
    error instanceof ExpectedError && error.code === 'reading-limit' && !error.message.includes('memory')
  if (!tookTooLong) return error
  const kept = 'The matches that were read are kept: ask again, and it goes on from there.'
  return new ExpectedError('usage', 'reading-limit', `${error.message} ${kept}`)
}

/** Throws ExpectedError 'usage' if there is no such question, or a parameter of it is wrong. */
function orderFor(
  { game, store }: RecordedContest,
  asked: AskedQuery,
  wanted: Pick<QueryOrder, 'offset' | 'rowsMax' | 'cellMax'>,
): QueryOrder {
  const place = { file: join(store, EVENTS_FILE), tables: schemaOf(game).map(({ name }) => name) }
  if ('sql' in asked) return { ...place, ...wanted, sql: asked.sql, parameters: {} }
  const question = questionNamed(game, asked.question)
  return { ...place, ...wanted, sql: question.sql, parameters: boundParameters(question, asked.parameters) }
}

/** Waits for a database until somebody stops waiting; others may wait for the same one, which is completed. */
async function stoppable<T>(building: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return building
  const stopped = Promise.withResolvers<never>()
  const onStop = (): void =>
    stopped.reject(new ExpectedError('stopped', 'stopped', 'The question was stopped before it was answered.'))
  if (signal.aborted) onStop()
  signal.addEventListener('abort', onStop)
  try {
    return await Promise.race([building, stopped.promise])
  } finally {
    signal.removeEventListener('abort', onStop)
  }
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
