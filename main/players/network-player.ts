import type { Wire } from '../contract/game.ts'
import type { MatchNumber } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import type { Limits } from '../contract/limits.ts'
import type { Player, PlayerEvent } from '../contract/player.ts'
import type { LineCall, LineEvent } from '../contract/seat-transport.ts'
import type { Channel, ChannelListener } from './channels/channel.ts'
import { arenaLine, arenaWire } from './arena-wire.ts'
import { wirePlayer } from './wire-player.ts'

/** What it takes to seat an agent that has connected from another machine in one match. */
export interface NetworkSeat {
  readonly match: MatchNumber
  /** Any text; the agent is told it, so that equal seeds can give equal matches. */
  readonly seed: string
  /** The game's dialogue, for this post alone. */
  readonly wire: Wire<Json, Json>
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
}

/**
 * An agent at the other end of a connection that main holds, and that stays for the whole contest. The clock of a question runs
 * from its bytes handed on to those of the answer come in; all else is what a program on pipes gets and may do.
 */
export function networkPlayer({ match, seed, wire, rejoins, limits, emit, call }: NetworkSeat): NetworkPlayer {
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
        call({ type: 'write', link, bytes: arenaLine({ arena: 'over', match }) })
      },
    }
  }
  const player = wirePlayer({
    wire: arenaWire(wire, { match, seed }),
    channels: {
      reopens: rejoins ? 'by-itself' : 'never',
      open(up) {
        hand = up
        call({ type: 'open' })
      },
      close() {
        if (closed) return
        closed = true
        current = null
        call({ type: 'shut' })
      },
    },
    limits,
    emit,
  })

  const down = (event: Extract<LineEvent, { type: 'down' }>): void => {
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

  return {
    ...player,
    hear(event) {
      if (closed) return
      if (event.type === 'up') hand?.(channelOf(event.link))
      else if (event.type === 'down') down(event)
      else if (current?.link === event.link) {
        const { link, bytes } = event
        current.listener?.data(bytes)
        call({ type: 'took', link, bytes: bytes.byteLength })
      }
    },
  }
}
