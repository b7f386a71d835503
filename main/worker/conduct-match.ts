import { availableParallelism } from 'node:os'
import type { ErasedGame, Replayer } from '../contract/game/game.ts'
import type { MatchLog, Seat, SeatRecord } from '../contract/game/table.ts'
import type { Sha256 } from '../contract/ids.ts'
import type { GroupsVersion } from '../contract/limits.ts'
import type { TableSpectators } from '../contract/game/live-match.ts'
import type { MatchFacts } from '../contract/histories/history.ts'
import type { Player, PlayerEvent } from '../contract/players/player.ts'
import type { ToolchainVersions } from '../contract/players/toolchains.ts'
import { seedOfPlayer } from '../histories/derived-seeds.ts'
import { createRecorder, type Recorder, createUnkeptRecorder, type UnkeptBody } from '../histories/recorder.ts'
import { configOfJob, type ContestSetup, type MatchJob, type WorkerReport } from './protocol.ts'
import { createTable, HostFault, Interrupted } from './table.ts'

/** Inputs between two state hashes in a history. */
const CHECKPOINT_EVERY = 256
const host = { node: process.version, platform: `${process.platform} ${process.arch}`, cores: availableParallelism() }
/** Characters of history after which they are sent to the engine. */
const CHUNK = 65_536

export interface PlayOptions {
  readonly setup: ContestSetup
  readonly job: MatchJob
  readonly game: ErasedGame
  /** The control groups that agents run in. Absent: not recorded. */
  readonly groups?: GroupsVersion
  /** The versions of the toolchains of its programs. Absent: there are none. */
  readonly toolchains?: ToolchainVersions
  /** Absent: nobody can watch the match. */
  readonly spectators?: TableSpectators
  /** True for an agent that runs on another machine. Absent: none does. */
  isElsewhere?(agent: Sha256): boolean
  /** Creates the player of a seat. `seedOf`: the seed of each of its bodies; a player for all bodies uses the first. */
  seatPlayer(seat: SeatRecord, seedOf: (body: number) => string, emit: (event: PlayerEvent) => void): Player
  /** Called when there is an outcome and the players are still connected. */
  onOver?(end: Replayer): void
  /** Called with what happens in a match that nobody keeps, as it happens. Absent: lines of it are reported. */
  tell?(body: UnkeptBody): void
  report(report: WorkerReport): void
}

/** Plays one match and reports its history and its end. Rejects only because of a bug. */
export async function conductMatch(options: PlayOptions): Promise<void> {
  const { setup, job, game, report } = options
  const seats = seatRecords(options)
  const { run, seed, nonce } = job
  const recorder =
    setup.unkept === true
      ? createUnkeptRecorder(run, seats.length, options.tell?.bind(options))
      : createRecorder({ run, facts: factsOf(options, seats), seed, nonce })
  const faults = seats.map(() => 0)
  const flush = (): void => {
    if (recorder.pending > 0) report({ type: 'lines', run: job.run, text: recorder.lines() })
  }
  const voided = (reason: string): void => {
    const head = recorder.voided(reason)
    flush()
    report({ type: 'void', run: job.run, head, reason })
  }
  if (job.voided !== undefined) {
    voided(job.voided)
    return
  }
  const table = createTable({
    seats: seats.map(({ id, entrant, role, bodies }): Seat => ({ id, entrant, role, bodies })),
    seed: job.seed,
    seeds: setup.seeds,
    allowance: setup.limits,
    crashing: job.crashing ?? [],
    log: logOf(recorder, faults, flush),
    ...(options.spectators === undefined ? {} : { spectators: options.spectators }),
    seatPlayer({ id }, emit) {
      return options.seatPlayer(seats[id]!, (body) => seedOfPlayer(job.seed, { seat: id, body }, setup.seeds), emit)
    },
  })
  try {
    await table.ready()
    const end = await game.conduct(table, configOfJob(setup, job).config, job.seed, setup.limits)
    const outcome = end.outcome()
    if (outcome === null) throw new Error(`the referee of ${game.id} left a match without an outcome`)
    options.onOver?.(end)
    table.close()
    const ms = table.now()
    const { head, state } = recorder.finish(ms, outcome, end.save(), end.removals())
    flush()
    const { match, attempt } = job
    const entrants = seats.map(({ name }) => name)
    const counts = {
      faults,
      printed: recorder.printed,
      ...(options.groups === undefined ? {} : { groups: options.groups }),
      ...recordedToolchains(options.toolchains),
    }
    const { isolation } = setup
    report({ type: 'finished', run, match, attempt, head, outcome, state, entrants, ...counts, isolation, ms })
  } catch (error) {
    table.close()
    if (error instanceof Interrupted) {
      report({ type: 'interrupted', run: job.run, reason: error.message, seat: error.seat })
    } else if (error instanceof HostFault) {
      voided(error.message)
    } else {
      throw error
    }
  }
}

function seatRecords({ game, setup, job, isElsewhere }: PlayOptions): readonly SeatRecord[] {
  const seats = game.seats(configOfJob(setup, job).config, job.entrants.length)
  if (typeof seats === 'string') throw new Error(seats)
  return seats.map((seat) => {
    const entrant = job.entrants[seat.entrant]!
    return { ...seat, ...entrant, ...(isElsewhere?.(entrant.agent) === true ? { elsewhere: true } : {}) }
  })
}

function factsOf({ setup, job, game, groups, toolchains }: PlayOptions, seats: readonly SeatRecord[]): MatchFacts {
  return {
    contest: setup.contest,
    match: job.match,
    attempt: job.attempt,
    game: game.id,
    version: game.version,
    config: configOfJob(setup, job).configHash,
    description: setup.contestHash,
    seats: [...seats],
    limits: setup.limits,
    isolation: setup.isolation,
    ...(groups === undefined ? {} : { groups }),
    clock: setup.clock,
    ...(setup.seeds === 'hmac' ? { seeds: setup.seeds } : {}),
    host: { ...host, ...recordedToolchains(toolchains) },
  }
}

/** A match whose programs need none has none in its history. */
const recordedToolchains = (toolchains: ToolchainVersions = {}): { readonly toolchains?: ToolchainVersions } =>
  Object.keys(toolchains).length === 0 ? {} : { toolchains }

/** A log that writes to the recorder, adds checkpoints, counts the faults of each seat, and flushes when needed. */
function logOf(recorder: Recorder, faults: number[], flush: () => void): MatchLog {
  const written = (): void => {
    if (recorder.pending > CHUNK) flush()
  }
  return {
    input(at, audience, input, save, found) {
      recorder.input(at, audience, input, found)
      if (recorder.inputs % CHECKPOINT_EVERY === 0) recorder.checkpoint(save)
      written()
    },
    fault(at, post, question, fault) {
      faults[post.seat] = (faults[post.seat] ?? 0) + 1
      recorder.fault(at, post, question, fault)
      written()
    },
    console(at, post, text) {
      recorder.console(at, post, text)
      written()
    },
  }
}
