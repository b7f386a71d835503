import type { Fault } from '../../contract/faults.ts'
import type { Json } from '../../contract/json.ts'
import type { Limits } from '../../contract/limits.ts'
import type { Wire, WireEffect } from '../../contract/game/wire.ts'
import { unreadBytes, type ByteChannel, type ChannelEnd, type ChannelSource } from '../channels/channel.ts'
import type { OpenQuestion, PlayerTransport } from './transport.ts'
import type { PlayerCore } from '../player-core.ts'
import { overtimeText, startLimit, type LikelyCauses, type Meter, type Overtime } from '../time-limit.ts'
import { WireDialogue, type WireFault } from './dialogue.ts'
import { Inbox } from './inbox.ts'
import { Outbox, type OutgoingMessage } from './outbox.ts'

export interface WireOptions {
  readonly wire: Wire<Json, Json>
  readonly channels: ChannelSource
  readonly limits: Pick<Limits, 'startMs' | 'messageBytes'>
  /** Bytes of state that may come with each message beyond its own. Absent: none. */
  readonly stateBytes?: number
  /** A sentence for faults of bytes that are not a message. Absent: none. */
  readonly unreadableHint?: string
  /** Absent: no likely cause of a passed limit is known. */
  readonly timeoutCause?: LikelyCauses
  /** Starts to count what the agent does. Absent: it runs elsewhere, and only its channels know what keeps it waiting. */
  readonly meter?: () => Meter
}

/** A channel that the wire has closed. */
export interface ClosedChannel {
  /** True if its handshake was complete. */
  readonly greeted: boolean
  /** True if a question was written to it. */
  readonly asked: boolean
  /** The wire needs no other one. */
  readonly last: boolean
}

/** A channel that has ended by itself. */
export interface LostChannel {
  readonly fault: Fault
  /** The wire's report of the end, such as half a message. */
  readonly own: WireFault | undefined
  /** True if the agent violated the protocol or a limit, rather than just dropped. */
  readonly offended: boolean
  /** True if its handshake was complete. */
  readonly greeted: boolean
  /** The question that it had not answered. */
  readonly asked: OpenQuestion | undefined
}

/**
 * Sends questions as bytes of a game's wire. The handshake of each channel has a limit of its own (`startMs`). An answer without a
 * question (unasked, repeated, too early) is reported as said and never kept for the next question. Subclasses define what the
 * end of a channel means.
 */
export abstract class WireTransport implements PlayerTransport {
  readonly outlivesTimeout = true
  readonly timeoutCause: LikelyCauses | null
  protected readonly core: PlayerCore
  protected readonly outbox = new Outbox()
  protected readonly inbox: Inbox
  /** True if its only channel lasts for the whole match. */
  protected readonly isSingle: boolean = false
  protected readonly limits: WireOptions['limits']
  readonly #dialogue: WireDialogue
  readonly #channels: ChannelSource
  readonly #meter: () => Meter
  /** `down`: no channel. `greeting`: there is one, and its handshake is not complete. */
  #phase: 'down' | 'greeting' | 'up' | 'closed' = 'down'
  #channel: ByteChannel | null = null
  #opening = false
  /** As in Wire. */
  readonly #greets: string | undefined
  /** True once a question was written to the channel. */
  #asked = false
  /** Ends the clock of a handshake. */
  #stopGreeting: () => void = () => undefined
  #startingSince: number | null = null

  constructor(
    core: PlayerCore,
    { wire, channels, limits, stateBytes = 0, unreadableHint, timeoutCause, meter }: WireOptions,
  ) {
    this.core = core
    this.limits = limits
    this.timeoutCause = timeoutCause ?? null
    this.#dialogue = new WireDialogue(
      wire,
      (effects) => this.#perform(effects),
      (fault) => this.inbox.leave(fault),
    )
    this.#channels = channels
    this.#greets = wire.greeting
    this.#meter = meter ?? channels.meter?.bind(channels) ?? (() => () => null)
    this.inbox = new Inbox(core, this.outbox, {
      messageBytes: limits.messageBytes,
      stateBytes,
      unreadableHint,
    })
  }

  abstract start(): void
  /** The handshake of a channel is complete. */
  protected abstract channelUp(): void
  /** A channel has failed before its handshake was complete; it is closed. */
  protected abstract handshakeFailed(fault: Fault): void
  /** The wire has closed the channel. */
  protected abstract wireClosed(channel: ClosedChannel): void
  /** The channel has ended by itself; `hangUp` is still to be called. */
  protected abstract channelLost(channel: LostChannel): void

  ask(question: OpenQuestion, message: Json): void {
    this.outbox.push({ message, question, body: question.body })
    this.flush()
  }

  tell(message: Json, body: number): void {
    this.outbox.push({ message, question: null, body })
    this.flush()
  }

  cancel(question: OpenQuestion): void {
    if (question.sent) this.#dialogue.withdrawn(question.number)
    else this.notSent(this.outbox.recall(question))
  }

  meter(): Meter {
    return this.#meter()
  }

  settle(then: () => void): void {
    if (this.#channels.settle === undefined) setImmediate(then)
    else this.#channels.settle(then)
  }

  get startingSince(): number | null {
    return this.#startingSince
  }

  close(fault?: Fault): void {
    this.#phase = 'closed'
    this.hangUp()
    this.outbox.clear()
    this.#channels.close(fault)
  }

  /** Notes that a message will not be sent. undefined: there is none. */
  protected notSent(item: OutgoingMessage | undefined): void {
    if (item !== undefined && item.question !== null) this.#dialogue.unsent(item.message, item.body)
  }

  /** Sends what waits, if a channel is up. */
  protected flush(): void {
    while (this.#phase === 'up') {
      const item = this.outbox.next()
      if (item === undefined) return
      this.#put(item)
    }
  }

  protected get isUp(): boolean {
    return this.#phase === 'up'
  }

  protected get hasChannel(): boolean {
    return this.#channel !== null
  }

  /** Requests a channel, unless there is one or one was requested. */
  protected open(): void {
    if (this.#opening || this.#phase !== 'down') return
    this.#opening = true
    this.#channels.open(
      (channel) => {
        this.#opening = false
        this.#adopt(channel)
      },
      (end) => this.inbox.leave(end.fault ?? this.#crashOf(end)),
    )
  }

  protected hangUp(): void {
    this.#endGreeting()
    this.#channel?.close()
    this.#channel = null
    this.outbox.hangUp()
    this.inbox.reset()
    if (this.#phase !== 'closed') this.#phase = 'down'
  }

  #perform(effects: readonly WireEffect<Json>[]): void {
    const from = this.#channel
    for (const effect of effects) {
      // Effects behind the end of a channel are not for the next one.
      if (this.#channel !== from || this.#phase === 'closed') return
      if (effect.type === 'write') this.#write(effect.bytes)
      else if (effect.type === 'ready') this.#greeted()
      else if (effect.type === 'end-input') this.#channel?.endInput?.(effect.last === true)
      else if (effect.type === 'close') this.#closed(effect.last === true)
      else this.inbox.read(effect)
    }
  }

  #put({ message, question, body }: OutgoingMessage): void {
    if (question === null) return this.#dialogue.send(message, null, body)
    const limitMs = question.limitMs - (this.core.took(question) ?? 0)
    this.#asked = true
    this.outbox.write(question)
    this.core.begin(question)
    this.#dialogue.send(message, { number: question.number, limitMs }, body)
  }

  #write(bytes: Uint8Array): void {
    this.#channel?.write(bytes)
    const unread = this.#channel?.unread() ?? 0
    if (unread <= unreadBytes) return
    this.inbox.leave({ kind: 'protocol', text: `The agent does not read: ${unread} bytes are waiting for it.` })
  }

  #greeted(): void {
    if (this.#phase !== 'greeting') return
    this.#endGreeting()
    this.#phase = 'up'
    this.channelUp()
    this.flush()
  }

  #closed(last: boolean): void {
    const greeted = this.isUp
    const asked = this.#asked
    this.#channel?.cut?.()
    this.hangUp()
    this.wireClosed({ greeted, asked, last })
  }

  #adopt(channel: ByteChannel): void {
    if (this.#phase === 'closed') return channel.close()
    // The agent has come back before we saw that it had dropped.
    if (this.#channel !== null) this.#dropped({ text: 'connected anew.' })
    if (!this.core.isOpen) return channel.close()
    this.#channel = channel
    this.#asked = false
    this.#phase = 'greeting'
    this.#startingSince = performance.now()
    this.#stopGreeting = startLimit({
      limitMs: this.limits.startMs,
      meter: this.#meter,
      settle: (then) => this.settle(then),
      late: (over) => this.#greetingIsOver(over),
    })
    channel.start({
      data: (chunk) => {
        if (this.#channel === channel) this.#heard(chunk)
      },
      printed: (text) => {
        if (this.#channel === channel) this.core.printed.hear(text)
      },
      end: (end) => {
        if (this.#channel === channel) this.#dropped(end)
      },
    })
    this.#dialogue.joined()
  }

  #heard(chunk: Uint8Array): void {
    this.inbox.received(chunk.byteLength)
    this.inbox.parsed(this.#dialogue.receive(chunk))
  }

  #endGreeting(): void {
    this.#stopGreeting()
    this.#startingSince = null
  }

  #greetingIsOver(over: Overtime): void {
    const { startMs } = this.limits
    const first = this.#greets === undefined ? '' : `, ${this.#greets}`
    const text = `${overtimeText(over, startMs, 'did not complete its greeting')} The greeting is its first message${first}: it is written to standard output unasked, and flushed.`
    this.hangUp()
    this.handshakeFailed({ kind: over.kind, text })
  }

  #dropped(end: ChannelEnd): void {
    if (end.interrupted !== undefined) return this.core.leave({ interrupted: end.interrupted })
    const greeted = this.isUp
    const asked = this.outbox.owed()
    const own = this.#dialogue.left()
    // The wire's account of the end comes before the channel's.
    const fault = end.fault ?? own?.fault ?? this.#crashOf(end)
    if (own?.gone === true) this.inbox.leave(fault, this.core.question(own.to))
    else if (this.#phase !== 'closed')
      this.channelLost({ fault, own, offended: end.fault !== undefined, greeted, asked })
  }

  #crashOf({ text, code }: ChannelEnd): Fault {
    const hint = this.isSingle && code === 0 ? ` ${MUST_GO_ON}` : ''
    return { kind: 'crash', text: `The agent ${text}${hint}` }
  }
}

/** The remedy for a program that exits as if its work were done. */
const MUST_GO_ON =
  'It must read and answer messages until the match is over: perhaps its main loop was never started, or it ended too early.'
