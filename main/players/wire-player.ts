import type { Limits } from '../contract/limits.ts'
import type { PlayerEvent } from '../contract/players/player.ts'
import type { ChannelSource } from './channels/channel.ts'
import { createPlayer, type WatchedPlayer } from './player-core.ts'
import { seatBudget, type SeatBudget } from './printed-output.ts'
import { startLimit } from './time-limit.ts'
import { type WireOptions, WireTransport, type LostChannel, type ClosedChannel } from './transports/wire-transport.ts'
import type { Fault } from '../contract/faults.ts'
import type { Json } from '../contract/json.ts'
import type { OpenQuestion } from './transports/transport.ts'

export interface WirePlayerOptions extends WireOptions {
  readonly limits: Pick<Limits, 'startMs' | 'messageBytes' | 'consoleBytes'>
  /** The budget that it shares with the other bodies of its seat. Absent: it has its own. */
  readonly budget?: SeatBudget | undefined
  readonly emit: (event: PlayerEvent) => void
}

/** One process or connection for the match: the player ends with it. */
class SingleChannelTransport extends WireTransport {
  protected override readonly isSingle = true

  start(): void {
    this.open()
  }

  protected channelUp(): void {
    this.core.becomeReady()
  }

  protected handshakeFailed(fault: Fault): void {
    this.inbox.leave(fault)
  }

  protected wireClosed(): void {
    // After a farewell this is not a fault, unless somebody still waits for an answer.
    this.inbox.leave({ kind: 'protocol', text: 'The dialogue has ended.' }, undefined, true)
  }

  protected channelLost({ fault, own }: LostChannel): void {
    this.inbox.leave(fault, this.core.question(own?.to))
  }
}

/**
 * A process for each question. The next one is started as soon as one has ended, so that it can greet while others think; it gets
 * its message when the question comes. If a process that was asked fails, only its question fails; if one fails before it was
 * asked, the question gets another.
 */
class ProcessAMoveTransport extends WireTransport {
  start(): void {
    this.core.becomeReady()
  }

  protected channelUp(): void {
    // The player was ready before.
  }

  protected handshakeFailed(fault: Fault): void {
    const item = this.outbox.next()
    if (item === undefined) return
    this.notSent(item)
    this.inbox.report(fault, item.question ?? undefined)
    this.flush()
  }

  protected wireClosed({ greeted, asked, last }: ClosedChannel): void {
    if (!greeted) return this.handshakeFailed({ kind: 'protocol', text: endedEarly })
    this.flush()
    // A process that says something unasked has no successor before there is a question.
    if (asked && !last && this.core.isOpen) this.open()
  }

  protected channelLost({ fault, own, greeted, asked }: LostChannel): void {
    this.hangUp()
    if (!greeted) return this.handshakeFailed(fault)
    // How a process ends after its answer, or before it is asked, does not matter.
    if (asked !== undefined && this.core.holds(asked)) this.inbox.report(fault, asked)
    else if (own !== undefined) this.inbox.report(fault)
    this.flush()
  }

  protected override hangUp(): void {
    super.hangUp()
    // A process that has ended cannot answer late.
    this.core.forgetLate()
  }

  protected override flush(): void {
    super.flush()
    if (!this.outbox.isEmpty) this.open()
  }
}

const endedEarly = 'The dialogue ended before the program was ready.'

/** An agent that may lose its connection and come back. It may answer a question over a later connection than it was asked. */
class ReconnectingTransport extends WireTransport {
  /** Ends the clock of connecting. */
  #stopAbsent: () => void = () => undefined

  start(): void {
    this.#stopAbsent = startLimit({
      limitMs: this.limits.startMs,
      meter: () => this.meter(),
      settle: (then) => this.settle(then),
      late: () => {
        if (!this.hasChannel) this.inbox.report({ kind: 'timeout', text: 'The agent has not connected.' })
        this.core.becomeReady()
      },
    })
    this.open()
  }

  override ask(question: OpenQuestion, message: Json): void {
    // The clock of a question runs while the agent is away.
    if (!this.isUp) this.core.begin(question)
    super.ask(question, message)
  }

  override close(fault?: Fault): void {
    this.#stopAbsent()
    super.close(fault)
  }

  protected channelUp(): void {
    this.#stopAbsent()
    if (this.core.isReady) this.core.emit({ type: 'joined' })
    else this.core.becomeReady()
  }

  protected handshakeFailed(fault: Fault): void {
    this.inbox.report(fault)
  }

  protected wireClosed({ greeted }: ClosedChannel): void {
    if (greeted) this.core.emit({ type: 'left' })
  }

  protected channelLost({ fault, own, offended, greeted }: LostChannel): void {
    this.hangUp()
    if (own !== undefined || offended) this.inbox.report(fault, this.core.question(own?.to))
    if (greeted) this.core.emit({ type: 'left' })
  }
}

type WireTransportClass = new (...of: ConstructorParameters<typeof WireTransport>) => WireTransport

const transports: Readonly<Record<ChannelSource['reopens'], WireTransportClass>> = {
  never: SingleChannelTransport,
  'on-send': ProcessAMoveTransport,
  'by-itself': ReconnectingTransport,
}

/**
 * A player behind a game's wire: a program on pipes or a connection, one for the match, one a move, or one that drops and
 * comes back.
 */
export function wirePlayer({ emit, ...options }: WirePlayerOptions): WatchedPlayer {
  const { console } = options.budget ?? seatBudget(options.limits)
  const Wired = transports[options.channels.reopens]
  return createPlayer({ emit, console }, (core) => new Wired(core, options)).player
}
