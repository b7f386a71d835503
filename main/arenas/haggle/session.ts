import type { Outcome } from '../../contract/game/outcome.ts'
import type { ByteTransport } from '../../contract/players/seat-transport.ts'
import type { Side } from '../../referees/haggle/frames.ts'
import { closeCodes } from '../closing.ts'
import { createPostLine, type PostLine } from '../post-line.ts'
import { clientLimits, type ArenaClient } from './client.ts'
import type { Identity } from './identity.ts'
import type { ChannelListener } from '../../players/channels/channel.ts'
import type { Link } from '../socket-link.ts'

/** Plays a match between two posts, by seat, and records it. Resolves when that is done; null: it does not count. */
export type PlaySession = (entrants: readonly [Identity, Identity], transport: ByteTransport) => Promise<Outcome | null>

export interface HaggleSessionOptions {
  /** By seat. */
  readonly clients: readonly [ArenaClient, ArenaClient]
  readonly play: PlaySession
  /** True if this is what a farewell still waited for. */
  settles(line: Uint8Array): boolean
  /** ms that a client whose script is still at work when the session ends has for its answer. */
  readonly strayMs: number
  /** ms after which the client on turn must have been forgotten; null: turns have a limit of their own. */
  readonly forgottenMs: number | null
  /** The session counts. */
  onEnd(outcome: Outcome): void
}

/** The message in place of a client that has been forgotten. */
const forgotten = Buffer.from('{"type":"abort","reason":"Nothing has been heard for too long."}\n')

/** Seats two clients in a match, and sends both home when it is over and recorded. Rejects with what nobody expected. */
export async function conductSession(options: HaggleSessionOptions): Promise<void> {
  const { clients, play, settles, strayMs, forgottenMs, onEnd } = options
  const recorded: PromiseWithResolvers<void> = Promise.withResolvers()
  const sides = clients.map((client) => seatClient(client, recorded.promise, { settles, strayMs }))

  let clock: NodeJS.Timeout | undefined
  const written = [0, 0]
  /** The client that is written to is on turn; the first message to both says that the session begins. */
  const noteTurn = (side: Side): void => {
    written[side]! += 1
    if (forgottenMs === null) return
    clearTimeout(clock)
    const onTurn = written[side] === 1 ? 0 : side
    clock = setTimeout(() => sides[onTurn]!.link.say(forgotten), forgottenMs)
  }
  const transport: ByteTransport = ({ run, entrant }, call, hear) => {
    const side = entrant === clients[0].identity ? 0 : 1
    if (call.type === 'write') noteTurn(side)
    sides[side]!.post.transport(run, call, hear)
  }
  let counts = false
  try {
    const outcome = await play([clients[0].identity, clients[1].identity], transport)
    if (outcome === null) return
    onEnd(outcome)
    counts = true
  } finally {
    clearTimeout(clock)
    recorded.resolve()
    if (!counts) void recorded.promise.then(() => clients.forEach(dismiss))
  }
}

/** Sends a client home whose session was lost by a mishap of ours; nothing happens where it has been. */
function dismiss(client: ArenaClient): void {
  client.end('The session does not count: something went wrong in the arena.', closeCodes.unexpected)
}

/** A post for one match, and the connection that it has. */
function seatClient(
  client: ArenaClient,
  recorded: Promise<void>,
  { settles, strayMs }: Pick<HaggleSessionOptions, 'settles' | 'strayMs'>,
): { readonly post: PostLine; readonly link: ClientLink } {
  // A connection's own limit is reached first.
  const idleBytes = clientLimits.bytes
  const post = createPostLine({ rejoins: false, once: true, idleBytes, strayMs, onChange: () => undefined })
  const link = clientLink(client, recorded, () => post.state() === 'gone')
  post.join('match', () => ({ link, greeting: null, goodbye: () => null, idle: () => null, settles }))
  return { post, link }
}

/** A client's connection as a post has it in a match: a frame is a line. */
interface ClientLink extends Link {
  /** Says a line in the client's place. */
  say(line: Uint8Array): void
}

const newline = 10
const space = 32

/**
 * `recorded`: the connection is closed no earlier, so that the session is counted when a client sees it closed. `isOver`: the match
 * is; whatever comes then is an answer that was waited for.
 */
function clientLink(client: ArenaClient, recorded: Promise<void>, isOver: () => boolean): ClientLink {
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
