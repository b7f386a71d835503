import { randomBytes } from 'node:crypto'
import type { ContestDescription } from '../../contract/contests.ts'
import type { ContestId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import { Trouble } from '../../contract/trouble.ts'
import { hashOf, sha256 } from '../../histories/canonical.ts'
import type { SigningKey } from '../../histories/keys.ts'
import { openSegments } from '../../histories/open.ts'
import type { ContestSetup } from '../../worker/protocol.ts'
import { ATTEMPTS_MAX, playMatches, type Ticket } from './engine.ts'
import { matchSeed, scheduleOf, type ScheduledMatch } from './schedule.ts'
import type { PlayedMatch } from './standings.ts'
import type { WorkerProcess } from './worker-process.ts'

export interface ContestRunOptions {
  /** The contest's own folder; the data folder that it lies in is locked by this process. */
  readonly folder: string
  readonly contest: ContestId
  readonly description: ContestDescription
  /** Hides the seed in the published description until the educator reveals both. */
  readonly nonce: Sha256
  /** The description's config with the game's defaults filled in. */
  readonly config: Json
  /** The tier to use, as the machine has it. */
  readonly isolation: IsolationTier
  readonly key: SigningKey
  readonly workers: number
  /** Source text of every agent of the description. */
  readonly agents: ReadonlyMap<Sha256, string>
  launch(): WorkerProcess
  readonly signal: AbortSignal
  /** Something that the educator should know, in one sentence. */
  onNotice(text: string): void
  onProgress(progress: Progress): void
}

export interface Progress {
  readonly done: number
  readonly total: number
}

/** What a contest's histories hold when the run has ended. */
export interface ContestRun {
  readonly state: 'finished' | 'stopped'
  readonly total: number
  /** Finished matches by number; each with its run. */
  readonly played: ReadonlyMap<MatchNumber, PlayedMatch & { readonly run: number }>
  /** Matches that the host spoilt at every attempt: they count for nobody. */
  readonly voided: readonly MatchNumber[]
  /** Whether there was something from an earlier run. */
  readonly resumed: boolean
}

/**
 * Plays what a contest still lacks: all of it, or what an earlier, ended or killed, run has left. Every scheduled match is
 * counted once, whatever happened before. Throws Trouble where the description has no schedule or the histories are damaged
 * (they are then left as they are), and HostTrouble where the disk is in the way.
 */
export async function runContest(options: ContestRunOptions): Promise<ContestRun> {
  const { description, contest, config, signal } = options
  const schedule = scheduleOf(description)
  if (typeof schedule === 'string') throw new Trouble('usage', schedule)
  const published = publishedDescription(options)
  const opened = await openSegments({
    dir: options.folder,
    contest,
    key: options.key,
    blobs: [published, config],
  })
  if (!opened.ok)
    throw new Trouble('verdict', `${opened.damage.message} Nothing was changed; the contest cannot go on.`)
  const { scan, writer } = opened
  for (const repair of scan.repairs) options.onNotice(repair)

  const played = new Map<MatchNumber, PlayedMatch & { readonly run: number }>()
  for (const { match, run, outcome, faults } of scan.finished.values()) {
    const scheduled = schedule[match]
    if (scheduled === undefined)
      throw new Trouble('verdict', `The histories hold a match ${match} that is not scheduled.`)
    played.set(match, { match, run, entrants: scheduled.entrants, outcome, faults })
  }
  const attempts = new Map<MatchNumber, number>()
  for (const { match, attempt } of scan.voided) attempts.set(match, Math.max(attempt, attempts.get(match) ?? 0))
  const resumed = scan.nextSegment > 1

  const isVoid = ({ match }: ScheduledMatch): boolean =>
    !played.has(match) && (attempts.get(match) ?? 0) >= ATTEMPTS_MAX
  const voided = new Set(schedule.filter(isVoid).map(({ match }) => match))
  const progress = (): void => options.onProgress({ done: played.size + voided.size, total: schedule.length })
  const open = schedule.filter(({ match }) => !played.has(match) && !voided.has(match))
  let nextRun = scan.nextRun
  progress()
  try {
    await playMatches({
      setup: setupOf(options, hashOf(published), hashOf(config)),
      tickets: open.map((scheduled) => ticketOf(description, scheduled, attempts.get(scheduled.match) ?? 0)),
      workers: options.workers,
      agents: options.agents,
      launch: () => options.launch(),
      openRun: () => ({ run: nextRun++, nonce: randomBytes(32).toString('hex') }),
      append: (text) => writer.append(text),
      commit: () => writer.commit(),
      onFinished({ ticket: { match }, run, outcome, faults }) {
        played.set(match, { match, run, entrants: schedule[match]!.entrants, outcome, faults })
        progress()
      },
      onVoid({ match, attempt }, reason) {
        options.onNotice(`Match ${match}, attempt ${attempt}, does not count: ${reason}`)
        if (attempt >= ATTEMPTS_MAX) voided.add(match)
        progress()
      },
      signal,
    })
  } finally {
    await writer.close()
  }
  const state = played.size + voided.size === schedule.length ? 'finished' : 'stopped'
  return { state, total: schedule.length, played, voided: [...voided], resumed }
}

/**
 * The description as histories carry it: the config by its hash, since it is a value of its own, and the seed as SHA-256 of
 * `seed:` nonce and seed, since it tells all matches to come.
 */
function publishedDescription({ description, config, nonce }: ContestRunOptions): Json {
  return { ...description, config: hashOf(config), seed: sha256(`seed:${nonce}${description.seed}`) }
}

function setupOf(options: ContestRunOptions, contestHash: Sha256, configHash: Sha256): ContestSetup {
  const { contest, description, config, isolation } = options
  const { game, limits, clock } = description
  return { contest, contestHash, configHash, game, config, limits, isolation, clock }
}

function ticketOf(description: ContestDescription, { match, entrants }: ScheduledMatch, voided: number): Ticket {
  return {
    match,
    attempt: voided + 1,
    seed: matchSeed(description.seed, match),
    entrants: entrants.map((entrant) => description.entrants[entrant]!),
  }
}
