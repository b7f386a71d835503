import type { FinishedMatch } from '../../../contract/contests/finished-match.ts'
import type { SeatId, Sha256 } from '../../../contract/ids.ts'
import type { RunsInPlay } from '../../../contract/game/live-match.ts'
import { ATTEMPTS_MAX } from '../schedule/scheduled-match.ts'
import type { ByteTransport, SeatTransport } from '../../../contract/players/seat-transport.ts'
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

/**
 * Plays all tickets on worker processes. A match is reported finished once, after its complete history is on disk; when
 * a worker exits, another one plays its matches again from the start. Resolves when nothing is left and no more tickets
 * can come, or soon after the signal (running matches are then discarded: their unfinished lines in the history are
 * ignored). Rejects with `ExpectedError` if workers cannot start or no match can be finished, or with the writer's
 * error.
 */
export function playMatches(options: EngineOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const queue = createTicketQueue(options.tickets)
    const interruptions = createInterruptions()
    const slots = new Set<Slot>()
    const inPlay = new Set<number>()
    /** The number of tickets taken from the queue and neither put back nor settled. */
    let taken = 0
    let failedStarts = 0
    let interruptionsInARow = 0
    let ended = false
    let failure: Error | null = null

    const runOver = (run: number): void => {
      if (inPlay.delete(run)) options.runsInPlay?.ended(run)
    }
    const close = (): void => {
      if (slots.size > 0) return
      if (failure === null) resolve()
      else reject(failure)
    }
    /** Kills all workers; the promise settles when they have exited. */
    const end = (error?: Error): void => {
      if (ended) return
      ended = true
      failure = error ?? null
      options.signal.removeEventListener('abort', stop)
      options.finishing?.removeEventListener('abort', endIfDone)
      for (const slot of slots) slot.worker.kill()
      inPlay.forEach(runOver)
      close()
    }
    const stop = (): void => end()

    const endIfDone = (): void => {
      const mayGrow = options.tickets.growing?.open() === true && !isFinishing()
      if (taken === 0 && !isMore() && !mayGrow) end()
    }

    const settled = (): void => {
      taken -= 1
      endIfDone()
    }

    const isFinishing = (): boolean => options.finishing?.aborted === true

    const take = (): Ticket | undefined => {
      if (isFinishing()) return undefined
      const inFlight = [...slots].flatMap((slot) => [...slot.inFlight.values()])
      const ticket = queue.take(new Set(inFlight.flatMap(({ engaged = [] }) => engaged)))
      if (ticket !== undefined) taken += 1
      return ticket
    }

    const putBack = (ticket: Ticket): void => {
      taken -= 1
      queue.putBack(ticket)
    }

    /** Whether any ticket is waiting, including those with engaged entrants. */
    const isMore = (): boolean => {
      if (isFinishing()) return false
      const ticket = queue.take(new Set())
      if (ticket !== undefined) queue.putBack(ticket)
      return ticket !== undefined
    }

    const assign = (slot: Slot): void => {
      while (!ended && slot.ready && slots.has(slot) && slot.inFlight.size < options.setup.lanes + AHEAD) {
        const ticket = take()
        if (ticket === undefined) return
        const { run, nonce } = options.openRun(ticket)
        slot.inFlight.set(run, ticket)
        for (const { agent } of ticket.entrants) {
          if (slot.agentsSent.has(agent)) continue
          slot.agentsSent.add(agent)
          slot.worker.send({ type: 'agent', agent, code: options.agents.get(agent)! })
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

    const finish = async (ticket: Ticket, finished: FinishedMatch): Promise<void> => {
      interruptionsInARow = 0
      if (ticket.isReplay !== true) await options.commit()
      if (ended) return
      if (ticket.isReplay === true) options.onReplayed?.(finished)
      else options.onFinished(finished)
      runOver(finished.run)
      settled()
    }

    const reportVoid = (ticket: Ticket, reason: string): void => {
      if (ticket.isReplay !== true) options.onVoid(ticket, reason)
    }

    const voided = async (ticket: Ticket, reason: string): Promise<void> => {
      await options.commit()
      if (ended) return
      reportVoid(ticket, reason)
      if (ticket.noRetry !== true && ticket.attempt < ATTEMPTS_MAX) {
        putBack({ ...ticket, attempt: ticket.attempt + 1 })
        // The last worker may have exited in the meantime, when nothing was waiting.
        if (slots.size === 0) open()
      } else settled()
    }

    /**
     * Puts an interrupted match back to the front of the queue. After too many interruptions it is void, which a worker
     * then records, because the next stage may depend on it.
     */
    const interrupted = (ticket: Ticket, how: string, seat?: SeatId): void => {
      if (ticket.noRetry === true) {
        reportVoid(ticket, `it was interrupted. ${how}`)
        return settled()
      }
      if (seat === undefined && ++interruptionsInARow >= INTERRUPTIONS_IN_A_ROW_MAX)
        return end(new ExpectedError('host', 'match-failed', `No match can be finished. ${how}`))
      const again = interruptions.after(ticket, seat)
      if (again !== null) return putBack(again)
      if (ticket.isReplay === true) return settled()
      const reason = `it was interrupted ${INTERRUPTIONS_MAX} times. ${how}`
      putBack({ ...ticket, attempt: ATTEMPTS_MAX, voided: reason })
    }

    const handle = (slot: Slot, report: WorkerReport): void => {
      if (ended) return
      if (report.type === 'ready') {
        slot.ready = true
        failedStarts = 0
        return assign(slot)
      }
      const ticket = slot.inFlight.get(report.run)
      if (ticket === undefined) return
      if (report.type === 'lines') {
        if (ticket.isReplay !== true) options.append(report.text, report.run)
        return
      }
      if (report.type === 'begun') {
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
      if (report.type === 'frame') {
        if (inPlay.has(report.run)) options.runsInPlay?.frame(report.run, report.frame)
        return
      }
      if (report.type === 'remote') {
        const { run, post, call } = report
        return options.seatTransport?.(
          call,
          (event) => slot.worker.send({ type: 'remote', run, post, event }),
          post.body,
        )
      }
      if (report.type === 'line') {
        const { place, call } = report
        return options.byteTransport?.(place, call, (event) => slot.worker.send({ type: 'line', place, event }))
      }
      slot.inFlight.delete(report.run)
      if (report.type !== 'finished') runOver(report.run)
      if (report.type === 'interrupted') interrupted(ticket, report.reason, report.seat)
      else if (report.type === 'finished') finish(ticket, report).catch(end)
      else voided(ticket, report.reason).then(() => proceed(), end)
      assign(slot)
      // Other workers may have waited for an entrant that was engaged in it.
      if (ticket.engaged !== undefined) slots.forEach(assign)
      // A match that was put back is not played any more.
      if (isFinishing()) endIfDone()
    }

    const proceed = (): void => {
      slots.forEach(assign)
      if (isFinishing()) endIfDone()
    }

    /** Whether to start another worker. A worker killed from outside does not count as a failed start. */
    const mayStart = (how: string): boolean =>
      how.startsWith('signal') ? ++interruptionsInARow < INTERRUPTIONS_IN_A_ROW_MAX : ++failedStarts < FAILED_STARTS_MAX

    const exited = (slot: Slot, how: string, stderr: string): void => {
      slots.delete(slot)
      if (ended) return close()
      const what = `A match worker ended (${how}). ${tail(stderr)}`
      const { lanes } = options.setup
      const held = [...slot.inFlight.values()]
      for (const run of slot.inFlight.keys()) runOver(run)
      for (const ticket of held.slice(lanes).reverse()) putBack(ticket)
      if (held.length > 0) for (const ticket of held.slice(0, lanes)) interrupted(ticket, what)
      else if (!slot.ready && !mayStart(how)) return end(new ExpectedError('host', 'match-failed', what))
      if (isMore()) open()
      slots.forEach(assign)
      endIfDone()
    }

    const open = (): void => {
      if (ended) return
      const worker = options.launch()
      const slot: Slot = { worker, inFlight: new Map(), agentsSent: new Set(), ready: false }
      slots.add(slot)
      worker.onReport((report) => handle(slot, report))
      worker.onExit((how, stderr) => exited(slot, how, stderr))
      worker.send({ type: 'contest', setup: options.setup })
    }

    /** Called when there are new tickets, or when the list is complete. */
    const grown = (): void => {
      if (ended) return
      if (slots.size < options.workers && isMore()) open()
      slots.forEach(assign)
      endIfDone()
    }

    if (options.signal.aborted) return end()
    // Start no more workers than there are matches.
    const first: Ticket[] = []
    while (first.length < options.workers) {
      const ticket = take()
      if (ticket === undefined) break
      first.push(ticket)
    }
    for (const ticket of first.toReversed()) putBack(ticket)
    options.signal.addEventListener('abort', stop)
    options.finishing?.addEventListener('abort', endIfDone)
    options.tickets.growing?.onChange(grown)
    first.forEach(open)
    endIfDone()
  })
}

/** The line of a worker's error output with the error message; Node prints a stack trace and its version below it. */
function tail(stderr: string): string {
  const lines = stderr.split('\n').filter((each) => each.trim() !== '' && !/^\s+at |^Node\.js v/.test(each))
  const line = lines.findLast((each) => /^\w*Error\b/.test(each)) ?? lines.at(-1)
  return line === undefined ? '' : `Its error output: ${line.slice(0, 300)}`
}
