import type { NativeWire } from '../contract/game.ts'
import type { Wire } from '../contract/wire.ts'
import type { MatchNumber } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { Limits } from '../contract/limits.ts'
import type { Player, PlayerEvent } from '../contract/player.ts'
import type { LineCall, LineEvent } from '../contract/seat-transport.ts'
import type { Channel, ChannelListener } from './channels/channel.ts'
import { arenaLine, arenaWire } from './arena-wire.ts'
import { makeFault } from './make-fault.ts'
import { wirePlayer } from './wire-player.ts'

/** What it takes to seat an agent that has connected from another machine in one match. */
export interface NetworkSeat {
  readonly match: MatchNumber
  /** Any text; the agent is told it, so that equal seeds can give equal matches. */
  readonly seed: string
  /** The game's dialogue, for this post alone. */
  readonly wire: Wire<Json, Json>
  /** The same as the game's own clients speak it, where it has some. */
  readonly native?: NativeWire<Json, Json, Json> | undefined
  /** Whether whoever drops may come back into the match. */
  readonly rejoins: boolean
  readonly limits: Pick<Limits, 'startMs' | 'messageBytes' | 'consoleBytes'>
  readonly emit: (event: PlayerEvent) => void
  /** Takes what is to be carried to the connection. */
  readonly call: (call: LineCall) => void
}

export interface NetworkPlayer extends Player {
  /** What has come from the connection. */
  hear(event: LineEvent): void
  /** The match is over for everybody: what the seat may see of it now, for last words. */
  over(view: Json): void
}

/**
 * An agent at the other end of a connection that main holds, and that stays for the whole contest or comes for each match. The
 * clock of a question runs from its bytes handed on to those of the answer come in; all else is what a program on pipes gets
 * and may do.
 */
export function networkPlayer({ match, seed, wire, native, rejoins, limits, emit, call }: NetworkSeat): NetworkPlayer {
  const own = arenaWire(wire, { match, seed })
  /** Which of the two is spoken: what the first connection speaks. */
  let spoken: Wire<Json, Json> = own
  let shut: Extract<LineCall, { type: 'shut' }> = { type: 'shut' }
  /** Whoever has not come by then will not come. */
  let absent: NodeJS.Timeout | undefined
  let hand: ((channel: Channel) => void) | null = null
  let current: { readonly link: number; listener: ChannelListener | null } | null = null
  let closed = false

  const channelOf = (link: number): Channel => {
    const mine: NonNullable<typeof current> = { link, listener: null }
    current = mine
    return {
      start(listener) {
        mine.listener = listener
      },
      write(bytes) {
        if (current === mine) call({ type: 'write', link, bytes })
      },
      // Main gives up whoever does not read.
      unread: () => 0,
      close() {
        if (current !== mine) return
        current = null
        if (spoken === own) call({ type: 'write', link, bytes: arenaLine({ arena: 'over', match }) })
      },
    }
  }
  const player = wirePlayer({
    wire: {
      joined: (at) => spoken.joined(at),
      receive: (chunk, at) => spoken.receive(chunk, at),
      left: (at) => spoken.left(at),
      send: (message, question, at) => spoken.send(message, question, at),
      withdrawn: (question, at) => spoken.withdrawn(question, at),
    },
    channels: {
      reopens: rejoins ? 'by-itself' : 'never',
      open(up) {
        hand = up
        // Where whoever drops may come back the wire player itself waits.
        if (!rejoins) absent = setTimeout(nobody, limits.startMs)
        call({ type: 'open' })
      },
      close(fault) {
        if (closed) return
        closed = true
        current = null
        clearTimeout(absent)
        const refused = fault !== undefined && spoken !== own
        call(refused ? { type: 'shut', reason: fault.text, refused } : shut)
      },
    },
    limits,
    emit,
  })

  const down = (event: Extract<LineEvent, { type: 'down' }>): void => {
    clearTimeout(absent)
    if (current?.link !== event.link) {
      // It ended before the match began; where nobody comes back, that is the match's end for it.
      if (rejoins) return
      hand?.(channelOf(event.link))
    }
    const ended = current
    current = null
    const { text, fault } = event
    ended?.listener?.end({ text, ...(fault === undefined ? {} : { fault }) })
  }

  const nobody = (): void => {
    const text = `has not come for this match within ${limits.startMs} ms.`
    down({ type: 'down', link: 0, text, fault: makeFault('timeout', `The agent ${text}`) })
  }

  return {
    ...player,
    over(view) {
      if (current === null || spoken !== native || native.over === undefined) return
      const { messages, ...rest } = native.over(view)
      for (const bytes of messages) call({ type: 'write', link: current.link, bytes })
      shut = { type: 'shut', ...rest }
    },
    hear(event) {
      if (closed) return
      if (event.type === 'up') {
        clearTimeout(absent)
        if (event.native === true && native !== undefined) spoken = native
        hand?.(channelOf(event.link))
      } else if (event.type === 'down') down(event)
      else if (current?.link === event.link) {
        const { link, bytes } = event
        current.listener?.data(bytes)
        call({ type: 'took', link, bytes: bytes.byteLength })
      }
    },
  }
}
