import type { Fault } from '../../contract/faults.ts'
import type { LineCall, LineEvent } from '../../contract/players/seat-transport.ts'
import { makeFault } from '../make-fault.ts'
import { startLimit, type Meter } from '../time-limit.ts'
import { ReportedPauses } from './pauses.ts'
import type { ByteChannel, ChannelEnd, ChannelListener, ChannelSource } from '../channels/channel.ts'

export interface LineOptions {
  /** True if an agent that disconnects may come back into the match. */
  readonly rejoins: boolean
  /** The time limit in ms for connecting, for an agent that cannot rejoin. */
  readonly startMs: number
  /** Sends a command to the process that holds the connection. */
  readonly call: (call: LineCall) => void
  /** Called when a connection is there, before it is handed over. `native`: it speaks the game's own protocol. */
  readonly connected: (native: boolean) => void
  /**
   * The bytes to write to a connection when this match releases it; null: none, because it speaks the game's own
   * protocol.
   */
  readonly farewell: () => Uint8Array | null
}

type Shut = Extract<LineCall, { type: 'shut' }>

interface Line {
  readonly link: number
  listener: ChannelListener | null
}

/** The connections of a post, which the main process holds, as channels. Only the current connection is heard. */
export class LineSource implements ChannelSource {
  readonly reopens: ChannelSource['reopens']
  readonly #options: LineOptions
  #up: ((channel: ByteChannel) => void) | null = null
  #failed: ((end: ChannelEnd) => void) | null = null
  /** Ends the clock of connecting. */
  #stopAbsent: () => void = () => undefined
  readonly #pauses = new ReportedPauses()
  /** Callbacks for the moment when everything that has arrived has been read, by the number of the request. */
  readonly #checks = new Map<number, () => void>()
  #check = 0
  #current: Line | null = null
  #shut: Shut = { type: 'shut' }

  constructor(options: LineOptions) {
    this.#options = options
    this.reopens = options.rejoins ? 'by-itself' : 'never'
  }

  open(up: (channel: ByteChannel) => void, failed: (end: ChannelEnd) => void): void {
    const { rejoins, startMs, call } = this.#options
    this.#up = up
    this.#failed = failed
    // For an agent that may come back the player waits.
    if (!rejoins)
      this.#stopAbsent = startLimit({
        limitMs: startMs,
        meter: () => this.meter(),
        settle: (then) => this.settle(then),
        late: ({ kind }) => this.#nobody(kind === 'host' ? kind : 'timeout', startMs),
      })
    call({ type: 'open' })
  }

  close(fault?: Fault): void {
    const { call, farewell } = this.#options
    this.#stopAbsent()
    this.#up = null
    this.#failed = null
    this.#current = null
    const isRefused = fault !== undefined && farewell() === null
    call(isRefused ? { type: 'shut', reason: fault.text, refused: true } : this.#shut)
  }

  /** Main passes on neither questions nor answers while it stands still. */
  meter(): Meter {
    return this.#pauses.meter()
  }

  /** Calls back once main has read, and passed on, all that had arrived when it was asked. */
  settle(then: () => void): void {
    if (this.#up === null) return
    this.#check += 1
    this.#checks.set(this.#check, then)
    this.#options.call({ type: 'check', check: this.#check })
  }

  /** Sends the last messages to the current connection, if there is one, and sets how it is released. */
  end(messages: readonly Uint8Array[], how: Omit<Shut, 'type'>): void {
    if (this.#current === null) return
    const { link } = this.#current
    for (const bytes of messages) this.#options.call({ type: 'write', link, bytes })
    this.#shut = { type: 'shut', ...how }
  }

  /** Handles an event of the connection. */
  hear(event: LineEvent): void {
    if (this.#up === null) return
    if (event.pauses !== undefined) this.#pauses.add(event.pauses)
    if (event.type === 'checked') this.#checked(event.check)
    else if (event.type === 'up') this.#connected(event.link, event.native === true)
    else if (event.type === 'down') this.#down(event)
    else if (this.#current?.link === event.link) this.#data(this.#current, event.bytes)
  }

  #connected(link: number, native: boolean): void {
    this.#stopAbsent()
    this.#options.connected(native)
    const line: Line = { link, listener: null }
    const channel = this.#channelOf(line, native)
    this.#current = line
    this.#up?.(channel)
  }

  #checked(check: number): void {
    const then = this.#checks.get(check)
    this.#checks.delete(check)
    then?.()
  }

  #data({ link, listener }: Line, bytes: Uint8Array): void {
    listener?.data(bytes)
    this.#options.call({ type: 'took', link, bytes: bytes.byteLength })
  }

  #down({ link, text, fault }: Extract<LineEvent, { type: 'down' }>): void {
    this.#stopAbsent()
    const end: ChannelEnd = { text, ...(fault === undefined ? {} : { fault }) }
    const ended = this.#current
    if (ended?.link === link) {
      this.#current = null
      ended.listener?.end(end)
      return
    }
    // It ended before the match began; without a rejoin that is the end of the match for this agent.
    if (!this.#options.rejoins) this.#failed?.(end)
  }

  #nobody(kind: 'timeout' | 'host', startMs: number): void {
    const text = `has not come for this match within ${startMs} ms.`
    this.#failed?.({ text, fault: makeFault(kind, `The agent ${text}`) })
  }

  #channelOf(line: Line, native: boolean): ByteChannel {
    const { call, farewell } = this.#options
    const { link } = line
    return {
      start: (listener) => {
        line.listener = listener
      },
      write: (bytes) => {
        if (this.#current === line) call({ type: 'write', link, bytes })
      },
      // The main process gives up agents that do not read.
      unread: () => 0,
      close: () => {
        if (this.#current !== line) return
        this.#current = null
        const bytes = farewell()
        if (bytes !== null) call({ type: 'write', link, bytes })
      },
      ...(native
        ? {
            cut: () => {
              if (this.#current !== line) return
              this.#current = null
              call({ type: 'cut', link, text: 'violated the protocol.' })
            },
          }
        : {}),
    }
  }
}
