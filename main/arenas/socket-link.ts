import type { Socket } from 'node:net'
import type { WebSocket } from '@fastify/websocket'
import type { ByteChannel, ChannelEnd, ChannelListener } from '../players/channels/channel.ts'
import { socketChannel } from '../players/channels/socket-channel.ts'
import { makeFault } from '../players/make-fault.ts'
import { closeCodes } from './closing.ts'

/** The connection of an agent: bytes in lines, whatever carries them. */
export interface Link extends ByteChannel {
  /** Nothing more is read until `resume`. */
  pause(): void
  resume(): void
  /** `reason` and `code`: with which a WebSocket is closed. Idempotent. */
  close(reason?: string, code?: number): void
}

/** ms that a connection has for its last words. */
const goodbyeMs = 500

/** A plain connection. */
export function tcpLink(socket: Socket): Link {
  const channel = socketChannel(socket)
  let closed = false
  socket.setKeepAlive(true, 15_000)
  return {
    ...channel,
    start({ data, printed, end }) {
      channel.start({
        data(bytes) {
          if (!closed) data(bytes)
        },
        printed,
        end(how) {
          if (!closed) end(how)
        },
      })
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    close() {
      if (closed) return
      closed = true
      socket.end()
      // Its further bytes are read and dropped, so that it gets to read the last words; but not for ever.
      socket.resume()
      setTimeout(() => socket.destroy(), goodbyeMs).unref()
    },
  }
}

export interface WebSocketLinkOptions {
  /** Maximum bytes of a frame; the server enforces it. */
  readonly frameBytes: number
  /** How often it is asked whether anybody is there; who keeps silent twice is given up. */
  readonly heartbeatMs: number
}

/** A WebSocket: a text frame is a line, in both directions. */
export function webSocketLink(socket: WebSocket, { frameBytes, heartbeatMs }: WebSocketLinkOptions): Link {
  let listener: ChannelListener | null = null
  let open = true
  let alive = true
  let paused = false

  const stop = (code: number, reason?: string): void => {
    open = false
    clearInterval(heartbeat)
    closeSoon(socket, code, reason)
  }
  const ended = (end: ChannelEnd, code: number): void => {
    if (!open) return
    stop(code)
    listener?.end(end)
  }
  const offended = (text: string, code: number): void =>
    ended({ text, fault: makeFault('protocol', `The agent ${text}`) }, code)

  const heartbeat = setInterval(() => {
    // A pong waits behind what we do not read.
    if (!alive && !paused) return ended({ text: 'lost its connection.' }, closeCodes.policy)
    alive = false
    socket.ping()
  }, heartbeatMs)
  heartbeat.unref()
  socket.on('pong', () => (alive = true))
  socket.on('error', (error: Error & { readonly code?: unknown }) => {
    const code = String(error.code)
    if (!code.startsWith('WS_ERR_')) ended({ text: 'lost its connection.' }, closeCodes.policy)
    else if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
      offended(`sent more than the ${frameBytes} bytes that a message may have.`, closeCodes.policy)
    else if (code === 'WS_ERR_INVALID_UTF8') offended('sent a frame that is not UTF-8.', closeCodes.policy)
    else offended('broke the WebSocket protocol.', closeCodes.policy)
  })
  socket.on('close', (code) =>
    ended({ text: code === closeCodes.lost ? 'lost its connection.' : 'closed its connection.' }, closeCodes.done),
  )
  return {
    start(to) {
      listener = to
      socket.on('message', (data: Buffer, binary: boolean) => {
        if (!open) return
        alive = true
        if (binary) return offended('sent a binary frame; frames are lines of text.', closeCodes.data)
        to.data(data.at(-1) === newline ? data : Buffer.concat([data, Uint8Array.of(newline)]))
      })
      // It may have died while nobody listened.
      if (socket.readyState !== socket.OPEN)
        queueMicrotask(() => ended({ text: 'lost its connection.' }, closeCodes.done))
    },
    write(bytes) {
      if (!open || socket.readyState !== socket.OPEN) return
      socket.send(bytes.at(-1) === newline ? bytes.subarray(0, -1) : bytes, { binary: false })
    },
    unread: () => socket.bufferedAmount,
    pause() {
      paused = true
      if (socket.readyState === socket.OPEN) socket.pause()
    },
    resume() {
      paused = false
      if (socket.readyState === socket.OPEN) socket.resume()
    },
    close(reason, code = closeCodes.done) {
      if (open) stop(code, reason)
    },
  }
}

const newline = 10

/** Closes a WebSocket, and cuts it where the other side does not close its own. */
function closeSoon(socket: WebSocket, code: number, reason = ''): void {
  if (socket.readyState === socket.OPEN) socket.close(code, reason.slice(0, 123))
  setTimeout(() => socket.terminate(), goodbyeMs).unref()
}
