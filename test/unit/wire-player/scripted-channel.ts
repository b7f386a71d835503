import type { ByteChannel, ChannelEnd, ChannelListener, ChannelSource } from '../../../main/players/channels/channel.ts'

export interface ScriptedChannel extends ByteChannel {
  /** The text that was written to it, split into lines. */
  readonly lines: string[]
  closed: boolean
  /** The bytes that the agent's side leaves unread. */
  stuffed: number
  /** The agent speaks. */
  speak(text: string): void
  /** On stderr. */
  print(text: string): void
  end(end?: ChannelEnd): void
}

function scriptedChannel(): ScriptedChannel {
  let heard: ChannelListener | null = null
  const channel: ScriptedChannel = {
    lines: [],
    closed: false,
    stuffed: 0,
    start(listener) {
      heard = listener
    },
    write(bytes) {
      channel.lines.push(...Buffer.from(bytes).toString().trimEnd().split('\n'))
    },
    unread: () => channel.stuffed,
    close() {
      channel.closed = true
    },
    // As a real channel, it may still speak in the moment it is closed: nobody must hear it.
    speak: (text) => heard?.data(Buffer.from(text, 'latin1')),
    print: (text) => heard?.printed(text),
    end: (end = { text: 'ended by itself with exit code 1.' }) => heard?.end(end),
  }
  return channel
}

/** Hands over fresh scripted channels and keeps them. */
export function scriptedSource(reopens: ChannelSource['reopens']): ChannelSource & {
  readonly opened: ScriptedChannel[]
  /** by-itself: the agent connects. */
  connect(): ScriptedChannel
} {
  const opened: ScriptedChannel[] = []
  let hand: (channel: ByteChannel) => void = () => undefined
  const connect = (): ScriptedChannel => {
    const channel = scriptedChannel()
    opened.push(channel)
    hand(channel)
    return channel
  }
  return {
    reopens,
    opened,
    connect,
    open(up) {
      hand = up
      if (reopens !== 'by-itself') connect()
    },
    close: () => undefined,
  }
}
