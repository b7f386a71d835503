import type { Ms } from '../contract/clock.ts'
import type { Fault } from '../contract/faults.ts'
import type { Json } from '../contract/json.ts'
import type { PlayerEvent, TimeBank, Player } from '../contract/players/player.ts'
import { type ConsoleRoom, printedOf, type PrintedOutput } from './printed-output.ts'
import { makeFault } from './make-fault.ts'
import type { OpenQuestion, End, PlayerTransport } from './transports/transport.ts'
import { ofBody } from './player-of-bodies.ts'
import { overtimeText, startLimit, type Called, type Meter, type Overtime } from './time-limit.ts'

export interface PlayerOptions {
  readonly emit: (event: PlayerEvent) => void
  /** Room for what the agent prints. */
  readonly console: ConsoleRoom
  /** In the texts of faults. "agent" by default. */
  readonly called?: Called
}

/**
 * The common part of all players: open questions and their clocks, time bank, faults, late answers, console lines, the end. It
 * sends questions through a transport, which reports to it what comes back. It knows neither bytes nor processes.
 */
export class PlayerCore<T extends PlayerTransport = PlayerTransport> {
  readonly transport: T
  /** Console lines, and what was printed since the last move. */
  readonly printed: PrintedOutput
  readonly #options: PlayerOptions
  /** Questions that may still be answered, in time or late; oldest first. */
  readonly #questions = new Map<number, OpenQuestion>()
  readonly #readiness = Promise.withResolvers<undefined>()
  readonly #meter = (): Meter => this.transport.meter()
  #started = false
  #ready = false
  #end: End | null = null
  #closed = false
  /** How many of the questions are not over. */
  #owed = 0
  #busySince: Ms | null = null

  constructor(options: PlayerOptions, connect: (core: PlayerCore) => T) {
    this.#options = options
    this.printed = printedOf(options.console, (text, body) => this.emit({ type: 'console', text, ...ofBody(body) }))
    this.transport = connect(this)
  }

  // For the table: see Player.

  ready(): Promise<void> {
    if (this.isOpen && !this.#started) this.transport.start?.()
    this.#started = true
    return this.#readiness.promise
  }

  ask(number: number, message: Json, limitMs: Ms, bank?: TimeBank, body = 0): void {
    if (this.#end !== null) return this.emit(lastEvent(this.#end, number))
    if (this.#closed) return
    const question: OpenQuestion = { number, body, limitMs, bank, begun: null, sent: false, over: false, stop: null }
    this.#questions.set(number, question)
    this.#owed += 1
    this.transport.ask(question, message)
  }

  tell(message: Json, body = 0): void {
    if (this.isOpen) this.transport.tell(message, body)
  }

  withdraw(number: number): void {
    const question = this.#questions.get(number)
    if (question !== undefined && !question.over) this.#endQuestion(question)
  }

  close(): void {
    if (this.#closed) return
    this.printed.pass()
    this.#closed = true
    if (this.#end === null) this.transport.close()
    this.#forgetAll()
    this.becomeReady()
  }

  // For the transport.

  /** Neither ended nor closed. */
  get isOpen(): boolean {
    return this.#end === null && !this.#closed
  }

  get isReady(): boolean {
    return this.#ready
  }

  /** True if no question may be answered any more. */
  get isIdle(): boolean {
    return this.#questions.size === 0
  }

  /** Since when the agent has had something to do, in ms of `performance.now()`: a question to answer, or to get ready; null: nothing. */
  get busySince(): Ms | null {
    return this.#busySince ?? this.transport.startingSince ?? null
  }

  /** The agent can be asked, or will never be. Idempotent. */
  becomeReady(): void {
    this.#ready = true
    this.#readiness.resolve(undefined)
  }

  /** Starts the clock of a question, once, unless it is over. */
  begin(question: OpenQuestion): void {
    if (question.over) return
    question.begun ??= performance.now()
    this.#busySince ??= question.begun
    const { number, body, limitMs, bank } = question
    question.stop ??= startLimit({
      limitMs,
      meter: this.#meter,
      settle: this.transport.settle?.bind(this.transport),
      late: (over) => this.#timeIsUp(question, over),
      bank,
      strike: (over, text) =>
        this.emit({ type: 'strike', to: number, fault: this.#lateFault(over, text), ...ofBody(body) }),
      called: this.#options.called,
    })
  }

  /** The question of this number, if it may still be answered. `body`: and if it was asked of this one. */
  question(number: number | undefined, body?: number): OpenQuestion | undefined {
    const found = number === undefined ? undefined : this.#questions.get(number)
    return body === undefined || found?.body === body ? found : undefined
  }

  /** True while the question may be answered, in time or late. */
  holds(question: OpenQuestion): boolean {
    return this.#questions.get(question.number) === question
  }

  /** The oldest question that is not over. */
  owed(): OpenQuestion | undefined {
    for (const question of this.#questions.values()) if (!question.over) return question
    return undefined
  }

  /** How long the agent has had the question, in ms; undefined: its clock has not begun. */
  took({ begun }: OpenQuestion): Ms | undefined {
    return begun === null ? undefined : performance.now() - begun
  }

  answer(question: OpenQuestion, value: Json): void {
    const tookMs = this.took(question) ?? 0
    this.forget(question)
    this.printed.pass()
    this.emit({ type: 'answer', to: question.number, value, tookMs, ...ofBody(question.body) })
  }

  said(value: Json, body?: number): void {
    this.emit({ type: 'said', value, ...ofBody(body) })
  }

  /** Reports a fault that does not end the agent. `question`: the one that it answers. */
  fault(fault: Fault, question?: OpenQuestion, body = question?.body): void {
    const tookMs = question === undefined ? undefined : this.took(question)
    this.#report(tookMs === undefined ? fault : { ...fault, tookMs }, question, ofBody(body))
  }

  /** Ends the player. `question`: the one that the end answers. `quiet`: an end that answers none is not reported. */
  leave(end: End, question = this.owed(), quiet = false): void {
    if (!this.isOpen) return
    if ('interrupted' in end) {
      this.#end = end
      this.transport.close()
      this.emit(lastEvent(end))
    } else {
      this.#end = makeFault(end.kind, end.text)
      this.transport.close(this.#end)
      // It has ended for all bodies.
      if (question !== undefined || !quiet) this.#report(end, question, { gone: true })
    }
    this.printed.pass()
    this.#forgetAll()
    this.becomeReady()
  }

  /** The question cannot be answered any more, not even late. */
  forget(question: OpenQuestion): void {
    this.#questions.delete(question.number)
    this.#stop(question)
  }

  /** Forgets the questions that could only be answered late. */
  forgetLate(): void {
    for (const question of this.#questions.values()) if (question.over) this.forget(question)
  }

  emit(event: PlayerEvent): void {
    if (!this.#closed) this.#options.emit(event)
  }

  #report(fault: Fault, question: OpenQuestion | undefined, whose: { body?: number; gone?: true }): void {
    if (question !== undefined) this.forget(question)
    const to = question === undefined ? {} : { to: question.number }
    this.emit({ type: 'fault', ...to, fault: this.#withPrinted(fault), gone: false, ...whose })
  }

  /** The text of a fault may quote the agent, so it is capped and made well formed. */
  #withPrinted({ kind, text, tookMs, stderr }: Fault): Fault {
    return makeFault(kind, text, { tookMs, stderr: stderr ?? this.printed.take() })
  }

  #lateFault({ kind, tookMs }: Overtime, text: string): Fault {
    return this.#withPrinted({ kind, text, tookMs })
  }

  #timeIsUp(question: OpenQuestion, over: Overtime): void {
    const { number, limitMs, bank, body } = question
    const words = { bank, called: this.#options.called, cause: this.transport.timeoutCause }
    const fault = this.#lateFault(over, overtimeText(over, limitMs, 'gave no answer', words))
    if (!this.transport.outlivesTimeout) return this.leave(fault, question)
    this.emit({ type: 'fault', to: number, fault, gone: false, ...ofBody(body) })
    this.#endQuestion(question)
  }

  /** A question that was sent may still be answered late; one that was not is forgotten. */
  #endQuestion(question: OpenQuestion): void {
    this.#stop(question)
    if (!question.sent) this.forget(question)
    this.transport.cancel(question)
  }

  #stop(question: OpenQuestion): void {
    question.stop?.()
    if (question.over) return
    question.over = true
    this.#owed -= 1
    if (this.#owed === 0) this.#busySince = null
  }

  #forgetAll(): void {
    for (const question of this.#questions.values()) this.forget(question)
  }
}

/** The event of a player's end. `to`: the question that it answers. */
function lastEvent(end: End, to?: number): PlayerEvent {
  if ('interrupted' in end) return { type: 'interrupted', reason: end.interrupted }
  return { type: 'fault', ...(to === undefined ? {} : { to }), fault: end, gone: true }
}

/** A player whose processes are watched. */
export interface WatchedPlayer extends Player {
  /** See PlayerCore. */
  busySince(): Ms | null
  /** True while it is ready and has no question to answer. */
  atRest(): boolean
}

/** Makes the one player of a seat or of a body, whatever carries its questions. */
export function createPlayer<T extends PlayerTransport>(
  options: PlayerOptions,
  connect: (core: PlayerCore) => T,
): { readonly player: WatchedPlayer; readonly transport: T } {
  const core = new PlayerCore(options, connect)
  const player: WatchedPlayer = {
    ready: () => core.ready(),
    ask: (number, message, limitMs, bank, body) => core.ask(number, message, limitMs, bank, body),
    tell: (message, body) => core.tell(message, body),
    withdraw: (number) => core.withdraw(number),
    close: () => core.close(),
    busySince: () => core.busySince,
    atRest: () => core.isReady && core.busySince === null,
  }
  return { player, transport: core.transport }
}
