import type { WebSocket } from '@fastify/websocket'
import type { Fault } from '../../contract/faults.ts'
import { makeFault } from '../../players/make-fault.ts'
import { closeCodes } from '../closing.ts'
import type { Identity } from './identity.ts'

/** A connection that has said who it is. */
export interface ArenaClient {
  readonly identity: Identity
  /** Sends a frame; a newline at its end is left out. */
  write(frame: Uint8Array): void
  /** Bytes that it has not taken yet. */
  unread(): number
  /** Nothing more is read until `resume`. */
  pause(): void
  resume(): void
  /** Closes with a reason that the client prints; what still comes from it is ignored. Idempotent. */
  end(reason: string, code?: number): void
  /** Replaces the listener. */
  listen(listener: Listener): void
  /** Asks whether anybody is there; ends a connection that has not answered since the last time. */
  beat(): void
}

export interface Listener {
  /** A frame of text; an empty one in the place of a binary frame that is let pass. */
  frame(text: Buffer): void
  /** True if a binary frame may pass; absent: its sender is sent away for it. */
  passesBinary?(): boolean
  /** Nothing more will come: it has gone, or was sent away. */
  left(fault: Fault): void
}

/** Limits of one connection: a script that logs much in each turn of a session stays far below. */
export const clientLimits = { frames: 20_000, bytes: 16 * 1024 * 1024, frameBytes: 1024 * 1024 } as const

/** Why ws closes a connection by itself, by its code. */
const broken: Readonly<Record<number, string>> = {
  1002: 'This is not the WebSocket protocol.',
  1007: 'A frame is not UTF-8.',
  1008: 'A frame comes in too many pieces.',
  1009: `A frame is larger than ${clientLimits.frameBytes / 1024} KB.`,
}

const nobody: Listener = { frame: () => undefined, left: () => undefined }

/** Attends to a socket. An unexpected error while hearing it ends this connection and is reported, without its id. */
export function attend(socket: WebSocket, identity: Identity, onUnexpected: (error: unknown) => void): ArenaClient {
  let listener = nobody
  let ended = false
  let alive = true
  let paused = false
  let frames = 0
  let bytes = 0
  const end = (reason: string, code: number = closeCodes.done): void => {
    if (ended) return
    ended = true
    listener = nobody
    closeWith(socket, reason, code)
  }
  const quit = (fault: Fault, code: number): void => {
    const { left } = listener
    end(fault.text, code)
    left(fault)
  }
  // ws gives a code and no reason for what is against the protocol, and has no option for it.
  let lost = makeFault('crash', 'The connection was lost.')
  const close = socket.close.bind(socket)
  socket.close = (code, reason) => {
    const words = reason === undefined && code !== undefined ? broken[code] : undefined
    if (words !== undefined) lost = makeFault('protocol', words)
    close(code, reason ?? words)
  }
  socket.on('message', (data: Buffer, binary: boolean) => {
    alive = true
    frames += 1
    bytes += data.length
    if (frames > clientLimits.frames || bytes > clientLimits.bytes) {
      quit(makeFault('protocol', 'This connection has sent too much.'), closeCodes.policy)
      // A client that goes on sending is not waited for.
      if (frames > clientLimits.frames + 1_000 || bytes > 2 * clientLimits.bytes) socket.terminate()
      return
    }
    if (ended) return
    if (binary && listener.passesBinary?.() !== true)
      return quit(makeFault('protocol', 'A frame is binary; frames are JSON texts.'), closeCodes.data)
    try {
      listener.frame(binary ? Buffer.alloc(0) : data)
    } catch (error) {
      onUnexpected(error)
      quit(makeFault('crash', 'Something unexpected went wrong in the arena.'), closeCodes.unexpected)
    }
  })
  socket.on('pong', () => (alive = true))
  socket.on('error', () => quit(lost, closeCodes.policy))
  socket.on('close', () => quit(lost, closeCodes.policy))
  const isOpen = (): boolean => socket.readyState === socket.OPEN
  return {
    identity,
    write(frame) {
      if (!ended && isOpen()) socket.send(frame.at(-1) === newline ? frame.subarray(0, -1) : frame, { binary: false })
    },
    unread: () => socket.bufferedAmount,
    pause() {
      paused = true
      if (isOpen()) socket.pause()
    },
    resume() {
      paused = false
      if (isOpen()) socket.resume()
    },
    end,
    listen: (next) => {
      if (!ended) listener = next
    },
    beat() {
      // A pong waits behind what is not read.
      if (!alive && !paused) {
        quit(lost, closeCodes.policy)
        socket.terminate()
        return
      }
      alive = false
      if (isOpen()) socket.ping()
    },
  }
}

const newline = 10

/** `reason`: ASCII; a close frame holds 123 bytes of it. */
export function closeWith(socket: WebSocket, reason: string, code: number): void {
  if (socket.readyState === socket.OPEN) socket.close(code, reason.slice(0, 123))
}
