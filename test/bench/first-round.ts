import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { runContest } from '../../main/services/contests/engine/contest-run.ts'
import type { ContestRecord } from '../../main/services/contests/standings/contest-record.ts'
import { haggleConfig } from '../../main/services/games/haggle/scenarios.ts'
import { resources } from '../../main/services/machine/resources.ts'
import { workersAtATime } from '../../main/services/machine/workers.ts'
import { contestDescription } from '../../main/contract/contests/contests.ts'
import { eraseGame } from '../../main/contract/game/erased-game.ts'
import type { IsolationTier } from '../../main/contract/limits.ts'
import { hashOf, sha256 } from '../../main/histories/canonical.ts'
import { createFinishedTable } from '../../main/histories/segments/finished-table.ts'
import { generateKey, signingKey } from '../../main/histories/keys.ts'
import type { FinishedRun } from '../../main/histories/segments/run-index.ts'
import { haggle } from '../../main/referees/haggle/haggle.ts'
import { withFolder } from './folder.ts'
import { rowOf, type Row } from './row.ts'

/** The first round of 2018. */
const ENTRIES = 186
const SEEDS = 500
/** How long it is played, and how long the contests are whose memory alone is of interest; counted from the first match on. */
const MINUTE_MS = 60_000
const MOMENT_MS = 10_000
/** Finished matches whose rows are weighed. */
const ROWS = 2_000_000

/** The progress of a contest within a time. */
interface Begun {
  readonly scheduled: number
  readonly played: number
  readonly perSecond: number
  /** ms from the call to the first match that was on disk. */
  readonly startMs: number
  /** The growth of this process's memory, in MB: heap and buffers. */
  readonly held: number
}

/** The first minute of the real first round, through the engine and onto disk, and what scheduled and finished matches take. */
export async function firstRoundRows(tier: IsolationTier, inProcess: number): Promise<readonly Row[]> {
  const few = await begin(tier, { entries: 2, seeds: 5_000 }, MOMENT_MS)
  const long = await begin(tier, { entries: 2, seeds: 5_000_000 }, MOMENT_MS)
  const round = await begin(tier, { entries: ENTRIES, seeds: SEEDS }, MINUTE_MS)
  const name = `first round of 2018 (${ENTRIES} entries, ${SEEDS} seeds)`
  const memoryOf = ({ scheduled, held }: Begun) => {
    return { name: `memory with ${inMillions(scheduled)} matches scheduled`, value: held, unit: 'MB' }
  }
  return [
    rowOf(
      { name: `${name}: its first minute, tier ${tier}`, value: round.perSecond, unit: 'sessions/s' },
      { name: 'a light agent in this process, one core', value: inProcess, unit: 'sessions/s' },
    ),
    rowOf(
      { name: `${name} at that rate`, value: round.scheduled / round.perSecond / 3_600, unit: 'hours' },
      {
        name: 'a light agent in this process, one core',
        value: round.scheduled / inProcess / 3_600,
        unit: 'hours',
      },
    ),
    rowOf(
      { name: `${name}: up to its first session`, value: round.startMs / 1_000, unit: 's' },
      { name: `${inMillions(few.scheduled)} matches scheduled`, value: few.startMs / 1_000, unit: 's' },
    ),
    rowOf(memoryOf(round), memoryOf(few)),
    rowOf(memoryOf(long), memoryOf(few)),
    rowOf(
      { name: 'a finished match of two in memory', value: bytesOfRow(), unit: 'bytes' },
      { name: 'the same as a line of JSON', value: JSON.stringify(finished(ROWS)).length, unit: 'bytes' },
      { of: 'value', below: 64 },
    ),
  ]
}

const inMillions = (count: number): string => `${(count / 1e6).toFixed(count < 1e6 ? 2 : 1)} million`

/** Plays a contest of ordered pairs for so long after its first match. */
async function begin(
  isolation: IsolationTier,
  { entries, seeds }: { readonly entries: number; readonly seeds: number },
  ms: number,
): Promise<Begun> {
  const sources = sourcesOf(entries)
  const description = contestDescription.parse({
    title: 'First round',
    game: haggle.id,
    format: { type: 'ordered-pairs', seeds, finalists: Math.min(50, entries), finalSeeds: 500 },
    seed: 'bench',
    isolation,
    entrants: sources.map((source, at) => ({ name: `entry ${at + 1}`, agent: sha256(source) })),
  })
  const workers = availableParallelism()
  const before = held()
  const stop = new AbortController()
  const start = performance.now()
  let first: { readonly at: number; readonly done: number } | null = null
  let measured: Begun | null = null
  const measure = (record: ContestRecord, from: { readonly at: number; readonly done: number }): void => {
    const [at, played] = [performance.now(), record.done]
    measured = {
      scheduled: record.total,
      played,
      perSecond: ((played - from.done) * 1_000) / (at - from.at),
      startMs: from.at - start,
      held: held() - before,
    }
    stop.abort()
  }
  await withFolder((folder) =>
    runContest({
      folder,
      contest: 'first-round-1',
      description,
      nonce: hashOf('bench'),
      seeds: 'hmac',
      config: haggleConfig({}),
      isolation,
      key: signingKey(generateKey())!,
      workers,
      lanes: eraseGame(haggle).matches.lanes,
      repeatable: true,
      agents: new Map(sources.map((source) => [sha256(source), source])),
      launch: workersAtATime(workers),
      signal: stop.signal,
      onNotice: (text) => console.error(text),
      onProgress(record) {
        if (first !== null || record.done === 0) return
        const from = { at: performance.now(), done: record.done }
        first = from
        setTimeout(() => measure(record, from), ms)
      },
    }),
  )
  if (measured === null) throw new Error('the contest was over too soon')
  return measured
}

/** Entries that differ: those of 2018 are not ours to ship. The agents that are, in turn, each under many names. */
function sourcesOf(count: number): readonly string[] {
  const texts = ['baby', 'conceder', 'hard', 'learner', 'tartaglia'].map((name) =>
    readFileSync(join(resources.agents, 'haggle', `${name}.js`), 'utf8'),
  )
  return Array.from({ length: count }, (_, at) => `${texts[at % texts.length]!}\n// entry ${at + 1}\n`)
}

/** Heap and buffers of this process, in MB, when nothing is left to be collected. */
function held(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

const HEAD = sha256('head')

function finished(match: number): FinishedRun {
  const places = [0, 1].map((seat) => ({ seat, rank: 1, score: 5, removed: false }))
  return {
    match,
    attempt: 1,
    run: match + 1,
    head: HEAD,
    outcome: { agreed: true, places },
    state: HEAD,
    entrants: [0, 1].map((seat) => `entry ${((match * 7 + seat) % ENTRIES) + 1}`),
    faults: [0, 0],
    printed: [0, 0],
    isolation: 'bubblewrap',
    ms: 3,
    from: { segment: 1, byte: match * 2_000 },
    to: { segment: 1, byte: (match + 1) * 2_000 },
  }
}

/** The memory that a finished match keeps. */
function bytesOfRow(): number {
  const before = held()
  const table = createFinishedTable()
  for (let match = 0; match < ROWS; match++) table.add(finished(match))
  const bytes = ((held() - before) * 1e6) / ROWS
  if (table.size !== ROWS) throw new Error('rows were lost')
  return bytes
}
