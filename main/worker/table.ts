import { performance } from 'node:perf_hooks'
import type { Fault } from '../contract/faults.ts'
import type { Ms } from '../contract/clock.ts'
import type { MatchLog, Post, Question, RawTable, Seat } from '../contract/game/table.ts'
import type { SeedDerivation } from '../contract/histories/history.ts'
import type { SeatId, Sha256 } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { LimitAllowance } from '../contract/limits.ts'
import type { TableSpectators } from '../contract/game/live-match.ts'
import type { Player, PlayerEvent, TimeBank } from '../contract/players/player.ts'
import { randomStream } from '../contract/random.ts'
import { seedOfStream } from '../histories/derived-seeds.ts'
import { makeFault } from '../players/make-fault.ts'
import { createArrivalQueue, type ArrivalQueue } from './arrivals.ts'

/** The match is void because of a failure of the host, not of a player. It is played again as its next attempt. */
export class HostFault extends Error {
  override readonly name = 'HostFault'
}

/** A player was killed from outside. The match does not count and is played again as the same attempt. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** The seat whose process it was. */
  readonly seat: SeatId

  constructor(reason: string, seat: SeatId) {
    super(reason)
    this.seat = seat
  }
}

export interface TableOptions {
  readonly seats: readonly Seat[]
  readonly seed: Sha256
  /** How the seeds of random streams are derived. */
  readonly seeds: SeedDerivation
  readonly log: MatchLog
  /** The allowance of each seat. Absent: nothing beyond the limits of moves. */
  readonly allowance?: LimitAllowance
  /** Seats for which a process killed from outside is a crash: it has happened too often. Absent: none. */
  readonly crashing?: readonly SeatId[]
  /** Absent: nobody can watch the match. */
  readonly spectators?: TableSpectators
  /** Creates the player of a seat, with all its bodies. It may emit events at once. */
  seatPlayer(seat: Seat, emit: (event: PlayerEvent) => void): Player
}

/** A table with its players. `close` ends all players; nothing arrives afterwards. */
export interface OpenTable extends RawTable {
  /** Resolves when every player has started or failed to start; the match clock starts then. */
  ready(): Promise<void>
  close(): void
}

/** One line of communication with a player. */
interface Place {
  readonly post: Post
  readonly player: Player
  /** The seat's time bank, which its bodies share. */
  readonly bank: TimeBank | undefined
  /** The open question. */
  owed: number | null
  /** Set when nothing more will arrive; later questions are answered with this fault. */
  gone: Fault | null
  dismissed: boolean
}

/** All that changes while a match is played, except for the state of its rules. */
interface TableState {
  readonly options: TableOptions
  readonly arrivals: ArrivalQueue
  readonly players: Map<SeatId, Player>
  /** In the order of seats, the bodies of a seat beside each other. */
  readonly places: Place[]
  /** The time at which the match clock started; null until all players are ready: earlier events have time 0. */
  start: number | null
  /** The number of the newest question. */
  questions: number
}

/**
 * Creates a table: numbers the questions, orders the arrivals, marks late answers, and logs inputs and faults. It knows
 * neither the game nor the kinds of players.
 */
export function createTable(options: TableOptions): OpenTable {
  const { seats, log, spectators } = options
  const arrivals = createArrivalQueue()
  const state: TableState = { options, arrivals, players: new Map(), places: [], start: null, questions: 0 }
  for (const seat of seats) seatPlayer(state, seat)
  return {
    seats,
    now: () => now(state),
    ...(spectators === undefined ? {} : { spectators }),
    async ready() {
      await Promise.all(Array.from(state.players.values(), (player) => player.ready()))
      state.start = performance.now()
    },
    random: (stream) => randomStream(seedOfStream(options.seed, stream, options.seeds)),
    ask: (question) => ask(state, question),
    withdraw: (question) => withdraw(state, question),
    tell(to, message) {
      for (const post of to) {
        const place = placeOf(state, post)
        if (!place.dismissed) place.player.tell(message, post.body)
      }
    },
    next: (until) => arrivals.next(until - now(state)),
    dismiss: (seat) => dismiss(state, seat),
    input: (at, audience, input, save, found) => log.input(at, audience, input, save, found),
    fault: (at, post, question, fault) => log.fault(at, post, question, fault),
    console: (at, post, text) => log.console(at, post, text),
    close() {
      for (const place of state.places) place.dismissed = true
      for (const player of state.players.values()) player.close()
    },
  }
}

/** Creates the player of a seat, and a place for each of its bodies. */
function seatPlayer(state: TableState, seat: Seat): void {
  const bank = bankOf(state.options.allowance)
  // Events emitted while the player is being created are kept until its places exist.
  const early: PlayerEvent[] = []
  let bodies: readonly Place[] | null = null
  const player = state.options.seatPlayer(seat, (event) => {
    if (bodies === null) early.push(event)
    else arrived(state, bodies, event)
  })
  state.players.set(seat.id, player)
  bodies = Array.from({ length: seat.bodies }, (_, body) => {
    return { post: { seat: seat.id, body }, player, bank, owed: null, gone: null, dismissed: false }
  })
  state.places.push(...bodies)
  for (const event of early) arrived(state, bodies, event)
}

export function bankOf({ bankMs = 0, strikes = 0 }: LimitAllowance = {}): TimeBank | undefined {
  return bankMs === 0 && strikes === 0 ? undefined : { bankMs, strikes, leftMs: bankMs, struck: 0 }
}

/** The time on the match clock. */
function now({ start }: TableState): Ms {
  return start === null ? 0 : Math.round((performance.now() - start) * 1000) / 1000
}

/** Handles an event of a player. `bodies`: the places of its seat. */
function arrived(state: TableState, bodies: readonly Place[], event: PlayerEvent): void {
  if (event.type === 'interrupted') return interrupted(state, bodies, event.reason)
  if (event.type === 'fault') return failed(state, bodies, event)
  const { arrivals, options } = state
  const at = now(state)
  const place = bodies[event.body ?? 0]!
  const { post } = place
  if (event.type === 'console') return options.log.console(at, post, event.text)
  if (place.dismissed) return
  if (event.type === 'strike') return options.log.fault(at, post, event.to, event.fault)
  if (event.type === 'answer') {
    const late = !settle(place, event.to)
    arrivals.push({ at, post, type: 'answer', to: event.to, late, value: event.value, tookMs: event.tookMs })
  } else if (event.type === 'said') {
    arrivals.push({ at, post, type: 'said', value: event.value })
  } else {
    arrivals.push({ at, post, type: event.type })
  }
}

/** Closes the open question of a place if it is this one; otherwise returns false: the answer is late. */
function settle(place: Place, to: number | null): boolean {
  const wanted = to !== null && place.owed === to
  if (wanted) place.owed = null
  return wanted
}

/** Handles the end of a process that was killed from outside. */
function interrupted(state: TableState, bodies: readonly Place[], reason: string): void {
  const { seat } = bodies[0]!.post
  if (state.options.crashing?.includes(seat) !== true) return state.arrivals.fail(new Interrupted(reason, seat))
  const text = `${reason} This happened in several runs of the match.`
  failed(state, bodies, { type: 'fault', fault: makeFault('crash', text), gone: true })
}

/** Handles a fault of a player, or of this machine. */
function failed(state: TableState, bodies: readonly Place[], event: Extract<PlayerEvent, { type: 'fault' }>): void {
  const { fault, gone, body, to } = event
  if (fault.kind === 'host') return state.arrivals.fail(new HostFault(fault.text))
  const all = gone && body === undefined
  const owing = all ? bodies.find(({ owed }) => owed !== null && owed === (to ?? owed)) : undefined
  const first = owing ?? bodies[body ?? 0]!
  if (first.dismissed) return
  fail(state, first, to ?? (gone ? first.owed : null), fault, gone)
  if (!all) return
  // One process for all bodies has ended: the fault is logged once, and arrives for every body.
  for (const other of bodies)
    if (other !== first && other.gone === null) fail(state, other, other.owed, fault, true, 'same')
}

/** Passes a fault of one place on to the referee. `known`: it is in the log already, for another body. */
function fail(state: TableState, place: Place, to: number | null, fault: Fault, gone: boolean, known?: 'same'): void {
  const at = now(state)
  const { post } = place
  settle(place, to)
  if (gone) place.gone = fault
  if (known === undefined || to !== null) state.options.log.fault(at, post, to, fault)
  state.arrivals.push({ at, post, type: 'fault', to, fault, gone })
}

const nameOf = (post: Post): string => `${String(post.seat)}.${String(post.body)}`

function placeOf({ places }: TableState, post: Post): Place {
  const place = places.find((each) => each.post.seat === post.seat && each.post.body === post.body)
  if (place === undefined) throw new Error(`there is no post ${nameOf(post)} at this table`)
  return place
}

function ask(state: TableState, { post, message, limitMs, start: starts = false }: Question<Json>): number {
  const place = placeOf(state, post)
  if (place.owed !== null) throw new Error(`post ${nameOf(post)} still owes an answer`)
  if (place.dismissed) throw new Error(`post ${nameOf(post)} was dismissed`)
  const question = ++state.questions
  if (place.gone !== null) {
    state.arrivals.push({ at: now(state), post, type: 'fault', to: question, fault: place.gone, gone: true })
    return question
  }
  place.owed = question
  place.player.ask(question, message, limitMs, starts ? undefined : place.bank, post.body)
  return question
}

function withdraw({ places }: TableState, question: number): void {
  const place = places.find((each) => each.owed === question)
  if (place === undefined) return
  place.owed = null
  place.player.withdraw(question)
}

function dismiss({ places, players, arrivals }: TableState, seat: SeatId): void {
  const mine = places.filter((place) => place.post.seat === seat && !place.dismissed)
  for (const place of mine) {
    place.dismissed = true
    place.owed = null
  }
  if (mine.length > 0) players.get(seat)?.close()
  arrivals.discard((arrival) => arrival.post.seat === seat)
}
