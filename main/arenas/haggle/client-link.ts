import type { ChannelListener } from '../../players/channels/channel.ts'
import type { Link } from '../socket-link.ts'
import type { Client } from './client.ts'

/** A client's connection as a post has it in a match: a frame is a line. */
export interface ClientLink extends Link {
  /** Says a line in the client's place. */
  say(line: Uint8Array): void
}

const newline = 10
const space = 32

/**
 * `recorded`: the connection is closed no earlier, so that whoever sees it closed finds the session counted. `isOver`: the match
 * is; whatever comes then is an answer that was waited for.
 */
export function clientLink(client: Client, recorded: Promise<void>, isOver: () => boolean): ClientLink {
  let listener: ChannelListener | null = null
  return {
    start(to) {
      listener = to
      client.listen({
        frame: (text) => to.data(lineOf(text)),
        passesBinary: isOver,
        left: (fault) => to.end({ text: 'is not connected any more.', fault }),
      })
    },
    say: (line) => listener?.data(line),
    write: (line) => client.write(line),
    unread: () => client.unread(),
    pause: () => client.pause(),
    resume: () => client.resume(),
    close: (reason, code) => void recorded.then(() => client.end(reason ?? '', code)),
  }
}

/** Between the tokens of a JSON text a newline is as good as a space; within them there is none. */
function lineOf(text: Buffer): Uint8Array {
  const line = Buffer.alloc(text.length + 1, newline)
  text.copy(line)
  for (let at = text.indexOf(newline); at !== -1; at = text.indexOf(newline, at + 1)) line[at] = space
  return line
}
