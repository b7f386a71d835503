import type { Player, PlayerEvent } from '../contract/players/player.ts'
import type { RemoteEvent, RemoteCall } from '../contract/players/seat-transport.ts'
import { consoleRoom } from './printed-output.ts'
import { createPlayer, type PlayerCore } from './player-core.ts'
import type { Json } from '../contract/json.ts'
import type { Limits } from '../contract/limits.ts'
import { makeFault } from './make-fault.ts'
import type { OpenQuestion, PlayerTransport } from './transports/transport.ts'
import { whyTooLong, whyUnreadable } from './read-answer.ts'
import { ReportedPauses } from './network/pauses.ts'
import { startLimit, type Meter } from './time-limit.ts'

/** An agent whose player is elsewhere, as a worker is told of it. */
export interface RemoteAgent {
  readonly remote: 'human' | 'network'
}

export interface RemoteSeat extends RemoteOptions {
  readonly emit: (event: PlayerEvent) => void
}

export interface RemotePlayer extends Player {
  /** Takes an event of the player, at any time and in any order. */
  hear(event: RemoteEvent): void
}

/**
 * A player that is not here. A question's clock starts when the question is handed on and stands still while the process that carries it
 * does; nobody can see what happens where the player is. No message that comes in shifts the dialogue: an answer to a question that
 * is over is late, one to a question that was never asked is ignored.
 */
export function remotePlayer({ emit, ...options }: RemoteSeat): RemotePlayer {
  const console = consoleRoom(0)
  const { player, transport } = createPlayer(
    { emit, console, called: 'player' },
    (core) => new RemoteTransport(core, options),
  )
  return { ...player, hear: (event) => transport.hear(event) }
}

export interface RemoteOptions {
  readonly limits: Pick<Limits, 'startMs' | 'messageBytes'>
  /** Takes what is to be carried to the player. */
  readonly call: (call: RemoteCall) => void
}

/** Questions as values to a player who is not here. */
class RemoteTransport implements PlayerTransport {
  readonly outlivesTimeout = true
  readonly #core: PlayerCore
  readonly #options: RemoteOptions
  /** The newest question; they only grow. */
  #newest = 0
  #left = false
  readonly #pauses = new ReportedPauses()
  /** Callbacks for the moment when everything that has arrived has been read, by the number of the request. */
  readonly #checks = new Map<number, () => void>()
  #check = 0
  #stopWaiting: () => void = () => undefined

  constructor(core: PlayerCore, options: RemoteOptions) {
    this.#core = core
    this.#options = options
  }

  start(): void {
    const { limits, call } = this.#options
    this.#stopWaiting = startLimit({
      limitMs: limits.startMs,
      meter: () => this.meter(),
      settle: (then) => this.settle(then),
      late: () => this.#lost('timeout', `The player did not come within ${limits.startMs} ms.`),
    })
    call({ type: 'seat' })
  }

  ask(question: OpenQuestion, message: Json): void {
    const { number, limitMs } = question
    this.#newest = Math.max(this.#newest, number)
    this.#options.call({ type: 'ask', question: number, message, limitMs })
    question.sent = true
    this.#core.begin(question)
  }

  tell(message: Json): void {
    this.#options.call({ type: 'tell', message })
  }

  cancel(question: OpenQuestion): void {
    this.#core.forget(question)
    this.#options.call({ type: 'withdraw', question: question.number })
  }

  /** The process that carries questions and answers passes on neither while it stands still. */
  meter(): Meter {
    return this.#pauses.meter()
  }

  /** Calls back once that process has read, and passed on, all that had arrived when it was asked. */
  settle(then: () => void): void {
    if (!this.#core.isOpen) return
    this.#check += 1
    this.#checks.set(this.#check, then)
    this.#options.call({ type: 'check', check: this.#check })
  }

  close(): void {
    this.#stopWaiting()
    if (!this.#left) this.#options.call({ type: 'close' })
  }

  /** Takes an event of the player, at any time and in any order. */
  hear(event: RemoteEvent): void {
    if (!this.#core.isOpen) return
    if (event.pauses !== undefined) this.#pauses.add(event.pauses)
    if (event.type === 'checked') this.#checked(event.check)
    else if (event.type === 'joined') {
      this.#stopWaiting()
      this.#core.becomeReady()
    } else if (event.type === 'left') this.#lost('crash', event.reason)
    else if (event.type === 'answer') this.#answered(event.question, event.value)
    else if (this.#problemOf(event.value) === null) this.#core.said(event.value)
  }

  #checked(check: number): void {
    const then = this.#checks.get(check)
    this.#checks.delete(check)
    then?.()
  }

  #lost(kind: 'crash' | 'timeout', text: string): void {
    this.#left = true
    this.#core.leave(makeFault(kind, text))
  }

  #answered(number: number, value: Json): void {
    if (!Number.isInteger(number) || number < 1 || number > this.#newest) return
    const question = this.#core.question(number)
    const problem = this.#problemOf(value)
    if (question !== undefined && problem !== null) this.#core.fault(makeFault('protocol', problem), question)
    else if (question !== undefined) this.#core.answer(question, value)
    else if (problem === null) this.#core.emit({ type: 'answer', to: number, value, tookMs: 0 })
  }

  /** Says in words why no history may hold a value. */
  #problemOf(value: Json): string | null {
    const why = whyUnreadable(value) ?? whyTooLong(value, this.#options.limits.messageBytes)
    return why === null ? null : `The player sent ${why}.`
  }
}
