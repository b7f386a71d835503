import type { FinishedMatch } from '../../contract/finished-match.ts'
import type { Sha256 } from '../../contract/ids.ts'
import type { ByteTransport, SeatTransport } from '../../contract/seat-transport.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { AgentCode, ContestSetup, WorkerReport } from '../../worker/protocol.ts'
import type { Ticket, Tickets } from './ticket.ts'
import { createTicketQueue } from './ticket-queue.ts'
import type { WorkerProcess } from './worker-process.ts'

export interface EngineOptions {
  readonly setup: ContestSetup
  readonly tickets: Tickets
  readonly workers: number
  launch(): WorkerProcess
  /** Every agent that a ticket names. */
  readonly agents: ReadonlyMap<Sha256, AgentCode>
  /** Opens a run: a number that no other run of the contest has, and its nonce. */
  openRun(ticket: Ticket): { readonly run: number; readonly nonce: Sha256 }
  /** Appends whole lines of a run to the contest's history. */
  append(text: string, run: number): void
  /** Resolves when everything appended so far is on disk. */
  commit(): Promise<void>
  /** Its history is on disk, whole. */
  onFinished(finished: FinishedMatch): void
  /** For tickets that say `again`. */
  onReplayed?(finished: FinishedMatch): void
  onVoid(ticket: Ticket, reason: string): void
  /** Carries what is said to and by remote players; absent: there are none. */
  readonly seatTransport?: SeatTransport
  /** Carries what goes to and comes from agents of other machines; absent: there are none. */
  readonly byteTransport?: ByteTransport
  readonly signal: AbortSignal
}

/** A host fault voids a match; this many attempts are made, so that loading the machine buys nobody a rematch. */
export const ATTEMPTS_MAX = 3
/** So often may one match be interrupted (a worker or a player killed from outside) before it is given up as void. */
const INTERRUPTIONS_MAX = 30
/** So many interruptions without a finished match between them: the machine is in the way, not a match. */
const INTERRUPTIONS_IN_A_ROW = 60
const FAILED_STARTS_MAX = 3
/** Matches that wait in a worker beside those that it plays, so that it never idles. */
const AHEAD = 1

interface Slot {
  worker: WorkerProcess
  readonly inFlight: Map<number, Ticket>
  readonly agentsSent: Set<Sha256>
  ready: boolean
}

/**
 * Plays all tickets on worker processes. A match is reported finished once, after its whole history is on disk; when a
 * worker dies, what it had in hand is played again from the start by another. Resolves when nothing is left and nothing more
 * can come, or soon after the signal (what runs then is dropped: its unfinished lines in the history count for nothing). Rejects with `ExpectedError`
 * when workers cannot start or no match can be finished, or with the writer's error.
 */
export function playMatches(options: EngineOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const queue = createTicketQueue(options.tickets)
    const interruptions = new Map<string, number>()
    const slots = new Set<Slot>()
    /** Tickets that were taken from the queue, and neither put back nor settled. */
    let taken = 0
    let failedStarts = 0
    let inARow = 0
    let ended = false
    let failure: Error | null = null

    const close = (): void => {
      if (slots.size > 0) return
      if (failure === null) resolve()
      else reject(failure)
    }
    /** Ends all workers; the promise settles when they are gone. */
    const end = (error?: Error): void => {
      if (ended) return
      ended = true
      failure = error ?? null
      options.signal.removeEventListener('abort', stop)
      for (const slot of slots) slot.worker.kill()
      close()
    }
    const stop = (): void => end()

    const endIfDone = (): void => {
      if (taken === 0 && !isMore() && options.tickets.growing?.open() !== true) end()
    }

    const settled = (): void => {
      taken -= 1
      endIfDone()
    }

    const take = (): Ticket | undefined => {
      const inFlight = [...slots].flatMap((slot) => [...slot.inFlight.values()])
      const ticket = queue.take(new Set(inFlight.flatMap(({ engaged = [] }) => engaged)))
      if (ticket !== undefined) taken += 1
      return ticket
    }

    const putBack = (ticket: Ticket): void => {
      taken -= 1
      queue.putBack(ticket)
    }

    /** Whether anything waits, be it for somebody who is engaged. */
    const isMore = (): boolean => {
      const ticket = queue.take(new Set())
      if (ticket !== undefined) queue.putBack(ticket)
      return ticket !== undefined
    }

    const handOut = (slot: Slot): void => {
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
        const { match, attempt, seed, entrants, isReplay: fresh = false } = ticket
        slot.worker.send({ type: 'play', job: { run, match, attempt, seed, nonce, entrants, fresh } })
      }
    }

    const finish = async (ticket: Ticket, finished: FinishedMatch): Promise<void> => {
      inARow = 0
      if (ticket.isReplay !== true) await options.commit()
      if (ended) return
      if (ticket.isReplay === true) options.onReplayed?.(finished)
      else options.onFinished(finished)
      settled()
    }

    const spoilt = (ticket: Ticket, reason: string): void => {
      if (ticket.isReplay !== true) options.onVoid(ticket, reason)
    }

    const voided = async (ticket: Ticket, reason: string): Promise<void> => {
      await options.commit()
      if (ended) return
      spoilt(ticket, reason)
      if (ticket.noRetry !== true && ticket.attempt < ATTEMPTS_MAX) {
        putBack({ ...ticket, attempt: ticket.attempt + 1 })
        // The last worker may have ended meanwhile, when nothing waited.
        if (slots.size === 0) open()
      } else settled()
    }

    /** Puts a match back to the front of the queue; one that is never left alone counts for nobody. */
    const interrupted = (ticket: Ticket, how: string): void => {
      if (ticket.noRetry === true) {
        spoilt(ticket, `it was interrupted. ${how}`)
        return settled()
      }
      const which = `${ticket.match} ${ticket.isReplay === true}`
      const count = (interruptions.get(which) ?? 0) + 1
      interruptions.set(which, count)
      if (++inARow >= INTERRUPTIONS_IN_A_ROW) return end(new ExpectedError('host', `No match can be finished. ${how}`))
      if (count < INTERRUPTIONS_MAX) return putBack(ticket)
      spoilt({ ...ticket, attempt: ATTEMPTS_MAX }, `it was interrupted ${count} times. ${how}`)
      settled()
    }

    const hear = (slot: Slot, report: WorkerReport): void => {
      if (ended) return
      if (report.type === 'ready') {
        slot.ready = true
        failedStarts = 0
        return handOut(slot)
      }
      const ticket = slot.inFlight.get(report.run)
      if (ticket === undefined) return
      if (report.type === 'lines') {
        if (ticket.isReplay !== true) options.append(report.text, report.run)
        return
      }
      if (report.type === 'remote') {
        const { run, post, call } = report
        return options.seatTransport?.(call, (event) => slot.worker.send({ type: 'remote', run, post, event }))
      }
      if (report.type === 'line') {
        const { place, call } = report
        return options.byteTransport?.(place, call, (event) => slot.worker.send({ type: 'line', place, event }))
      }
      slot.inFlight.delete(report.run)
      if (report.type === 'interrupted') interrupted(ticket, report.reason)
      else if (report.type === 'finished') finish(ticket, report).catch(end)
      else voided(ticket, report.reason).then(() => slots.forEach(handOut), end)
      handOut(slot)
      // Others may have waited for somebody who was engaged in it.
      if (ticket.engaged !== undefined) slots.forEach(handOut)
    }

    /** Whether it is worth starting another worker. One that was killed from outside says little of those that follow. */
    const mayStart = (how: string): boolean =>
      how.startsWith('signal') ? ++inARow < INTERRUPTIONS_IN_A_ROW : ++failedStarts < FAILED_STARTS_MAX

    const exited = (slot: Slot, how: string, stderr: string): void => {
      slots.delete(slot)
      if (ended) return close()
      const what = `A match worker ended (${how}). ${tail(stderr)}`
      const { lanes } = options.setup
      const held = [...slot.inFlight.values()]
      for (const ticket of held.slice(lanes).reverse()) putBack(ticket)
      if (held.length > 0) for (const ticket of held.slice(0, lanes)) interrupted(ticket, what)
      else if (!slot.ready && !mayStart(how)) return end(new ExpectedError('host', what))
      if (isMore()) open()
      slots.forEach(handOut)
    }

    const open = (): void => {
      if (ended) return
      const worker = options.launch()
      const slot: Slot = { worker, inFlight: new Map(), agentsSent: new Set(), ready: false }
      slots.add(slot)
      worker.onReport((report) => hear(slot, report))
      worker.onExit((how, stderr) => exited(slot, how, stderr))
      worker.send({ type: 'contest', setup: options.setup })
    }

    /** The list has grown, or will not grow any more. */
    const grown = (): void => {
      if (ended) return
      if (slots.size < options.workers && isMore()) open()
      slots.forEach(handOut)
      endIfDone()
    }

    if (options.signal.aborted) return end()
    // No more workers than matches.
    const first: Ticket[] = []
    while (first.length < options.workers) {
      const ticket = take()
      if (ticket === undefined) break
      first.push(ticket)
    }
    for (const ticket of first.toReversed()) putBack(ticket)
    options.signal.addEventListener('abort', stop)
    options.tickets.growing?.onChange(grown)
    first.forEach(open)
    endIfDone()
  })
}

/** The line of a worker's last words that says what was wrong: Node puts a stack and its own version below it. */
function tail(stderr: string): string {
  const lines = stderr.split('\n').filter((each) => each.trim() !== '' && !/^\s+at |^Node\.js v/.test(each))
  const line = lines.findLast((each) => /^\w*Error\b/.test(each)) ?? lines.at(-1)
  return line === undefined ? '' : `It said: ${line.slice(0, 300)}`
}
