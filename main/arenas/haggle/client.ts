import type { WebSocket } from '@fastify/websocket'
import { closeCodes } from '../closing.ts'
import { readFrame, type ClientFrame, type ServerFrame } from '../../referees/haggle/frames.ts'
import type { Identity } from './identity.ts'

/** A connection that has said who it is. */
export interface Client {
  readonly identity: Identity
  send(frame: ServerFrame): void
  /** Closes with a reason that the client prints; what still comes from it is ignored. Idempotent. */
  end(reason: string, code?: number): void
  /**
   * As `end`, once its script has answered, or after so many ms: an original client whose script is still at work dies of a
   * connection that closes meanwhile. Until then the connection counts like any other, and what it says is ignored.
   */
  endAfterAnswer(reason: string, ms: number): void
  /** Who hears from now on what it says. */
  listen(listener: Listener): void
  /** Asks whether anybody is there; ends a connection that has not answered since the last time. */
  beat(): void
}

export interface Listener {
  frame(frame: ClientFrame): void
  /** Nothing more will come: it has gone, or was sent away; a sentence says why. */
  left(reason: string): void
}

/** What one connection may send: a script that logs much in each turn of a session stays far below. */
export const clientLimits = { frames: 20_000, bytes: 16 * 1024 * 1024, frameBytes: 1024 * 1024 } as const

/** Why ws closes a connection by itself, by its code. */
const broken: Readonly<Record<number, string>> = {
  1002: 'This is not the WebSocket protocol.',
  1007: 'A frame is not UTF-8.',
  1008: 'A frame comes in too many pieces.',
  1009: `A frame is larger than ${clientLimits.frameBytes / 1024} KB.`,
}

const nobody: Listener = { frame: () => undefined, left: () => undefined }

/** Attends to a socket. What nobody expected while hearing it ends this connection and is reported, without its id. */
export function attend(socket: WebSocket, identity: Identity, onUnexpected: (error: unknown) => void): Client {
  let listener = nobody
  let ended = false
  /** Ends a client that is only waited for; null: it is not. */
  let leave: (() => void) | null = null
  let leaving: NodeJS.Timeout | undefined
  let alive = true
  let frames = 0
  let bytes = 0
  const end = (reason: string, code: number = closeCodes.done): void => {
    if (ended) return
    ended = true
    clearTimeout(leaving)
    listener = nobody
    closeWith(socket, reason, code)
  }
  const quit = (reason: string, code: number): void => {
    const { left } = listener
    end(reason, code)
    left(reason)
  }
  // ws gives a code and no reason for what is against the protocol, and has no option for it.
  let lost = 'The connection was lost.'
  const close = socket.close.bind(socket)
  socket.close = (code, reason) => {
    const words = reason === undefined && code !== undefined ? broken[code] : undefined
    if (words !== undefined) lost = words
    close(code, reason ?? words)
  }
  socket.on('message', (data: Buffer, binary: boolean) => {
    alive = true
    frames += 1
    bytes += data.length
    if (frames > clientLimits.frames || bytes > clientLimits.bytes) {
      quit('This connection has sent too much.', closeCodes.policy)
      // Whoever goes on sending is not waited for.
      if (frames > clientLimits.frames + 1_000 || bytes > 2 * clientLimits.bytes) socket.terminate()
      return
    }
    if (ended) return
    if (leave !== null) {
      // Its script may log something first.
      const said = binary ? 'binary' : readFrame(data.toString('utf8'))
      if (typeof said === 'string' || said.type === 'offer' || said.type === 'abort') leave()
      return
    }
    if (binary) return quit('A frame is binary; frames are JSON texts.', closeCodes.data)
    const frame = readFrame(data.toString('utf8'))
    if (typeof frame === 'string') return quit(frame, closeCodes.policy)
    try {
      listener.frame(frame)
    } catch (error) {
      onUnexpected(error)
      quit('Something unexpected went wrong in the arena.', closeCodes.unexpected)
    }
  })
  socket.on('pong', () => (alive = true))
  socket.on('error', () => quit(lost, closeCodes.policy))
  socket.on('close', () => quit(lost, closeCodes.policy))
  return {
    identity,
    send(frame) {
      if (!ended && socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame))
    },
    end,
    endAfterAnswer(reason, ms) {
      if (ended || leave !== null) return
      listener = nobody
      leave = () => end(reason)
      leaving = setTimeout(leave, ms)
    },
    listen: (next) => {
      if (!ended && leave === null) listener = next
    },
    beat() {
      if (!alive) {
        quit(lost, closeCodes.policy)
        socket.terminate()
        return
      }
      alive = false
      if (socket.readyState === socket.OPEN) socket.ping()
    },
  }
}

/** `reason`: ASCII; a close frame holds 123 bytes of it. */
export function closeWith(socket: WebSocket, reason: string, code: number): void {
  if (socket.readyState === socket.OPEN) socket.close(code, reason.slice(0, 123))
}
