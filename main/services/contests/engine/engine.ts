import type { FinishedMatch } from '../../../contract/contests/finished-match.ts'
import type { EntrantId, SeatId, Sha256 } from '../../../contract/ids.ts'
import type { RunsInPlay } from '../../../contract/game/live-match.ts'
import { ATTEMPTS_MAX } from '../schedule/scheduled-match.ts'
import type { ByteTransport, RemoteEvent, SeatTransport } from '../../../contract/players/seat-transport.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { configOfJob, type AgentCode, type ContestSetup, type WorkerReport } from '../../../worker/protocol.ts'
import { createInterruptions, INTERRUPTIONS_MAX } from './interruptions.ts'
import type { Ticket, Tickets } from './ticket.ts'
import { createTicketQueue } from './ticket-queue.ts'
import type { WorkerProcess } from '../../machine/worker-process.ts'

export interface EngineOptions {
  readonly setup: ContestSetup
  readonly tickets: Tickets
  readonly workers: number
  launch(): WorkerProcess
  /** Every agent that a ticket names. */
  readonly agents: ReadonlyMap<Sha256, AgentCode>
  /** Opens a run: returns a number unique in the contest, and a nonce. */
  openRun(ticket: Ticket): { readonly run: number; readonly nonce: Sha256 }
  /** Appends whole lines of a run to the contest's history. */
  append(text: string, run: number): void
  /** Resolves when everything appended so far is on disk. */
  commit(): Promise<void>
  /** Called for a match whose complete history is on disk. */
  onFinished(finished: FinishedMatch): void
  /** Called instead for tickets with `isReplay`. */
  onReplayed?(finished: FinishedMatch): void
  onVoid(ticket: Ticket, reason: string): void
  /** Passes messages to and from remote players; absent: there are none. */
  readonly seatTransport?: SeatTransport
  /** Passes bytes to and from agents on other machines; absent: there are none. */
  readonly byteTransport?: ByteTransport
  /** Follows the matches that are being played; absent: nobody can. Matches of a sample that is played again are not told. */
  readonly runsInPlay?: RunsInPlay
  readonly signal: AbortSignal
  /** No more matches are begun after it; those that are being played are finished. Absent: never. */
  readonly finishing?: AbortSignal | undefined
}

/**
 * Interruptions without a finished match between them after which the contest stops with a problem of the machine. Kills
 * of an agent's process do not count: they end by themselves (interruptions.ts).
 */
const INTERRUPTIONS_IN_A_ROW_MAX = 60
const FAILED_STARTS_MAX = 3
/** Matches queued in a worker besides those that it plays, so that it is never idle. */
const AHEAD = 1

interface Slot {
  worker: WorkerProcess
  readonly inFlight: Map<number, Ticket>
  readonly agentsSent: Set<Sha256>
  ready: boolean
}

/** The playing of a list of tickets. */
interface Engine {
  readonly options: EngineOptions
  /** Settles when nothing is left to play and all workers have exited. */
  readonly result: PromiseWithResolvers<void>
  readonly queue: ReturnType<typeof createTicketQueue>
  readonly interruptions: ReturnType<typeof createInterruptions>
  readonly slots: Set<Slot>
  /** The runs that have been reported to `runsInPlay` and have not ended. */
  readonly inPlay: Set<number>
  /** The number of tickets taken from the queue and neither put back nor settled. */
  taken: number
  /** Workers in a row that exited before they were ready. */
  failedStarts: number
  /** Interruptions since the last finished match. */
  interruptionsInARow: number
  /** Aborted when no more reports are wanted; it removes the listeners of the options' signals. */
  readonly over: AbortController
  /** The reason for the end; null: there is nothing left to play, or the signal has aborted. */
  failure: unknown
}

/**
 * Plays all tickets on worker processes. A match is reported finished once, after its complete history is on disk; when
 * a worker exits, another one plays its matches again from the start. Resolves when nothing is left and no more tickets
 * can come, or soon after the signal (running matches are then discarded: their unfinished lines in the history are
 * ignored). Rejects with `ExpectedError` if workers cannot start or no match can be finished, or with the writer's
 * error.
 */
export function playMatches(options: EngineOptions): Promise<void> {
  const { tickets, workers, signal, finishing } = options
  const engine: Engine = {
    options,
    result: Promise.withResolvers(),
    queue: createTicketQueue(tickets),
    interruptions: createInterruptions(),
    slots: new Set(),
    inPlay: new Set(),
    taken: 0,
    failedStarts: 0,
    interruptionsInARow: 0,
    over: new AbortController(),
    failure: null,
  }
  if (signal.aborted) {
    end(engine)
    return engine.result.promise
  }
  // Start no more workers than there are matches.
  const first: Ticket[] = []
  while (first.length < workers) {
    const ticket = take(engine)
    if (ticket === undefined) break
    first.push(ticket)
  }
  for (const ticket of first.toReversed()) putBack(engine, ticket)
  const whileOpen = { signal: engine.over.signal }
  signal.addEventListener('abort', () => end(engine), whileOpen)
  finishing?.addEventListener('abort', () => endIfDone(engine), whileOpen)
  tickets.growing?.onChange(() => grown(engine))
  for (let started = 0; started < first.length; started++) open(engine)
  endIfDone(engine)
  return engine.result.promise
}

const isOver = ({ over }: Engine): boolean => over.signal.aborted

function runOver(engine: Engine, run: number): void {
  if (engine.inPlay.delete(run)) engine.options.runsInPlay?.ended(run)
}

function close(engine: Engine): void {
  if (engine.slots.size > 0) return
  if (engine.failure === null) engine.result.resolve()
  else engine.result.reject(engine.failure)
}

/** Kills all workers; the promise settles when they have exited. */
function end(engine: Engine, error: unknown = null): void {
  if (isOver(engine)) return
  engine.over.abort()
  engine.failure = error
  for (const slot of engine.slots) slot.worker.kill()
  for (const run of engine.inPlay) runOver(engine, run)
  close(engine)
}

function endIfDone(engine: Engine): void {
  const mayGrow = engine.options.tickets.growing?.open() === true && !isFinishing(engine)
  if (engine.taken === 0 && !isMore(engine) && !mayGrow) end(engine)
}

function settled(engine: Engine): void {
  engine.taken -= 1
  endIfDone(engine)
}

function isFinishing(engine: Engine): boolean {
  return engine.options.finishing?.aborted === true
}

function take(engine: Engine): Ticket | undefined {
  if (isFinishing(engine)) return undefined
  const busy = new Set<EntrantId>()
  for (const { inFlight } of engine.slots)
    for (const { engaged = [] } of inFlight.values()) for (const name of engaged) busy.add(name)
  const ticket = engine.queue.take(busy)
  if (ticket !== undefined) engine.taken += 1
  return ticket
}

function putBack(engine: Engine, ticket: Ticket): void {
  engine.taken -= 1
  engine.queue.putBack(ticket)
}

/** True if any ticket is waiting, including those with engaged entrants. */
function isMore(engine: Engine): boolean {
  if (isFinishing(engine)) return false
  const ticket = engine.queue.take(new Set())
  if (ticket !== undefined) engine.queue.putBack(ticket)
  return ticket !== undefined
}

function assign(engine: Engine, slot: Slot): void {
  const { setup, agents, openRun } = engine.options
  while (!isOver(engine) && slot.ready && engine.slots.has(slot) && slot.inFlight.size < setup.lanes + AHEAD) {
    const ticket = take(engine)
    if (ticket === undefined) return
    const { run, nonce } = openRun(ticket)
    slot.inFlight.set(run, ticket)
    for (const { agent } of ticket.entrants) {
      if (slot.agentsSent.has(agent)) continue
      slot.agentsSent.add(agent)
      slot.worker.send({ type: 'agent', agent, code: agents.get(agent)! })
    }
    const { match, attempt, seed, entrants, variant, voided, isReplay: fresh = false, crashing = [] } = ticket
    slot.worker.send({
      type: 'play',
      job: {
        ...{ run, match, attempt, seed, nonce, entrants, variant, fresh, crashing },
        ...(voided === undefined ? {} : { voided }),
      },
    })
  }
}

function assignAll(engine: Engine): void {
  for (const slot of engine.slots) assign(engine, slot)
}

async function finish(engine: Engine, ticket: Ticket, finished: FinishedMatch): Promise<void> {
  engine.interruptionsInARow = 0
  if (ticket.isReplay !== true) await engine.options.commit()
  if (isOver(engine)) return
  if (ticket.isReplay === true) engine.options.onReplayed?.(finished)
  else engine.options.onFinished(finished)
  runOver(engine, finished.run)
  settled(engine)
}

function reportVoid(engine: Engine, ticket: Ticket, reason: string): void {
  if (ticket.isReplay !== true) engine.options.onVoid(ticket, reason)
}

async function voided(engine: Engine, ticket: Ticket, reason: string): Promise<void> {
  await engine.options.commit()
  if (isOver(engine)) return
  reportVoid(engine, ticket, reason)
  if (ticket.noRetry !== true && ticket.attempt < ATTEMPTS_MAX) {
    putBack(engine, { ...ticket, attempt: ticket.attempt + 1 })
    // The last worker may have exited in the meantime, when nothing was waiting.
    if (engine.slots.size === 0) open(engine)
  } else settled(engine)
}

/**
 * Puts an interrupted match back to the front of the queue. After too many interruptions it is void, which a worker
 * then records, because the next stage may depend on it.
 */
function interrupted(engine: Engine, ticket: Ticket, how: string, seat?: SeatId): void {
  if (ticket.noRetry === true) {
    reportVoid(engine, ticket, `it was interrupted. ${how}`)
    return settled(engine)
  }
  if (seat === undefined && ++engine.interruptionsInARow >= INTERRUPTIONS_IN_A_ROW_MAX)
    return end(engine, new ExpectedError('host', 'match-failed', `No match can be finished. ${how}`))
  const again = engine.interruptions.after(ticket, seat)
  if (again !== null) return putBack(engine, again)
  if (ticket.isReplay === true) return settled(engine)
  const reason = `it was interrupted ${INTERRUPTIONS_MAX} times. ${how}`
  putBack(engine, { ...ticket, attempt: ATTEMPTS_MAX, voided: reason })
}

function handle(engine: Engine, slot: Slot, report: WorkerReport): void {
  if (isOver(engine)) return
  if (report.type === 'ready') {
    slot.ready = true
    engine.failedStarts = 0
    return assign(engine, slot)
  }
  const ticket = slot.inFlight.get(report.run)
  if (ticket === undefined) return
  if (report.type === 'finished' || report.type === 'void' || report.type === 'interrupted') {
    return runEnded(engine, slot, ticket, report)
  }
  passOn(engine, slot, ticket, report)
}

type RunEnd = Extract<WorkerReport, { type: 'finished' | 'void' | 'interrupted' }>

/** Passes on a report of a run that goes on. */
function passOn(
  { options, inPlay }: Engine,
  slot: Slot,
  ticket: Ticket,
  report: Exclude<WorkerReport, RunEnd | { type: 'ready' }>,
): void {
  switch (report.type) {
    case 'lines':
      if (ticket.isReplay !== true) options.append(report.text, report.run)
      return
    case 'begun': {
      if (ticket.isReplay === true) return
      const { run } = report
      inPlay.add(run)
      const { game } = options.setup
      const { config } = configOfJob(options.setup, ticket)
      const entrants = ticket.entrants.map(({ name }) => name)
      return options.runsInPlay?.begun({ run, match: ticket.match, game, config, entrants }, (wanted) =>
        slot.worker.send({ type: 'watch', run, wanted }),
      )
    }
    case 'frame':
      if (inPlay.has(report.run)) options.runsInPlay?.frame(report.run, report.frame)
      return
    case 'remote': {
      const { run, post, call } = report
      const answer = (event: RemoteEvent): void => slot.worker.send({ type: 'remote', run, post, event })
      return options.seatTransport?.(call, answer, post.body)
    }
    case 'line': {
      const { place, call } = report
      return options.byteTransport?.(place, call, (event) => slot.worker.send({ type: 'line', place, event }))
    }
  }
}

function runEnded(engine: Engine, slot: Slot, ticket: Ticket, report: RunEnd): void {
  slot.inFlight.delete(report.run)
  if (report.type !== 'finished') runOver(engine, report.run)
  if (report.type === 'interrupted') interrupted(engine, ticket, report.reason, report.seat)
  else if (report.type === 'finished') finish(engine, ticket, report).catch((error: unknown) => end(engine, error))
  else
    voided(engine, ticket, report.reason).then(
      () => proceed(engine),
      (error: unknown) => end(engine, error),
    )
  assign(engine, slot)
  // Other workers may have waited for an entrant that was engaged in it.
  if (ticket.engaged !== undefined) assignAll(engine)
  // A match that was put back is not played any more.
  if (isFinishing(engine)) endIfDone(engine)
}

function proceed(engine: Engine): void {
  assignAll(engine)
  if (isFinishing(engine)) endIfDone(engine)
}

/** True if another worker is to be started. A worker killed from outside does not count as a failed start. */
function mayStart(engine: Engine, how: string): boolean {
  return how.startsWith('signal')
    ? ++engine.interruptionsInARow < INTERRUPTIONS_IN_A_ROW_MAX
    : ++engine.failedStarts < FAILED_STARTS_MAX
}

function exited(engine: Engine, slot: Slot, how: string, stderr: string): void {
  engine.slots.delete(slot)
  if (isOver(engine)) return close(engine)
  const what = `A match worker ended (${how}). ${tail(stderr)}`
  const { lanes } = engine.options.setup
  const held = [...slot.inFlight.values()]
  for (const run of slot.inFlight.keys()) runOver(engine, run)
  for (const ticket of held.slice(lanes).reverse()) putBack(engine, ticket)
  if (held.length > 0) for (const ticket of held.slice(0, lanes)) interrupted(engine, ticket, what)
  else if (!slot.ready && !mayStart(engine, how)) return end(engine, new ExpectedError('host', 'match-failed', what))
  if (isMore(engine)) open(engine)
  assignAll(engine)
  endIfDone(engine)
}

function open(engine: Engine): void {
  if (isOver(engine)) return
  const worker = engine.options.launch()
  const slot: Slot = { worker, inFlight: new Map(), agentsSent: new Set(), ready: false }
  engine.slots.add(slot)
  worker.onReport((report) => handle(engine, slot, report))
  worker.onExit((how, stderr) => exited(engine, slot, how, stderr))
  worker.send({ type: 'contest', setup: engine.options.setup })
}

/** Called when there are new tickets, or when the list is complete. */
function grown(engine: Engine): void {
  if (isOver(engine)) return
  if (engine.slots.size < engine.options.workers && isMore(engine)) open(engine)
  assignAll(engine)
  endIfDone(engine)
}

/** The line of a worker's error output with the error message; Node prints a stack trace and its version below it. */
function tail(stderr: string): string {
  const lines = stderr.split('\n').filter((each) => each.trim() !== '' && !/^\s+at |^Node\.js v/.test(each))
  const line = lines.findLast((each) => /^\w*Error\b/.test(each)) ?? lines.at(-1)
  return line === undefined ? '' : `Its error output: ${line.slice(0, 300)}`
}
