import type { WebSocket } from '@fastify/websocket'
import type { Socket } from 'node:net'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import type { Visitor } from '../contract/people/caller.ts'
import { procedures } from '../contract/procedures/procedures.ts'

/** The maximum size of a message in bytes: the largest input plus its envelope. */
export const messageBytesMax = Math.max(...Object.values(procedures).map(({ characters }) => characters)) + 65_536

/** The same for screens of the network: the largest input but for large texts, which an educator adds at this machine. */
export const networkMessageBytesMax = 4_000_000 + 65_536

/** WebSocket close codes (RFC 6455, section 7.4.1). */
const closeCodes = { data: 1003, text: 1007, policy: 1008 } as const

/** Limits of a conversation over the network; times in ms. */
const patience = {
  /** For somebody who takes nothing of what waits for them. */
  stalled: 30_000,
  /** Between questions whether anybody is there. */
  heartbeat: 30_000,
  /** Bytes that may wait already when another answer is sent. */
  waitingBytes: 16_000_000,
  /** Messages in a row, and those a second after that. More wait unread. */
  burst: 200,
  perSecond: 50,
} as const

/** Connects a WebSocket to the dispatcher, with JSON messages. `wire`: the connection below, if it comes from the network. */
export function converse(socket: WebSocket, dispatcher: Dispatcher, visitor: Visitor, wire: Socket | null): void {
  const connection = dispatcher.connect(
    {
      // Settles when the system has accepted the text, so answers to a screen that does not read wait here.
      async send(message) {
        if (wire !== null && socket.bufferedAmount > patience.waitingBytes) socket.terminate()
        const text = JSON.stringify(message)
        await new Promise<void>((resolve) => socket.send(text, () => resolve()))
      },
      end(reason) {
        // A close frame would wait behind everything that the screen has not read.
        if (socket.bufferedAmount > 0) socket.terminate()
        else socket.close(closeCodes.policy, reason)
      },
    },
    visitor,
  )
  if (wire !== null) cutAbsent(socket, wire)
  const pace = wire === null ? () => undefined : createPace(socket)
  socket.on('message', (data, binary) => {
    if (socket.readyState !== socket.OPEN) return
    pace()
    if (binary) {
      socket.close(closeCodes.data, 'not a text')
      return
    }
    const message = read(data as Buffer)
    if (message === undefined) socket.close(closeCodes.text, 'not JSON')
    else connection.receive(message)
  })
  // Oversized and broken frames: ws closes the connection by itself.
  socket.on('error', () => undefined)
  socket.on('close', () => connection.close())
}

/** Ends a conversation with somebody who does not read, or has gone without a word. */
function cutAbsent(socket: WebSocket, wire: Socket): void {
  // The timer starts again whenever the other side takes something, also a part of one message.
  wire.setTimeout(patience.stalled, () => {
    if (socket.bufferedAmount > 0) socket.terminate()
  })
  let answered = true
  socket.on('pong', () => (answered = true))
  const timer = setInterval(() => {
    // A question would wait behind a long message.
    if (socket.bufferedAmount > 0) return
    if (!answered) return socket.terminate()
    answered = false
    socket.ping()
  }, patience.heartbeat).unref()
  socket.on('close', () => clearInterval(timer))
}

/** Called for each message: reads no further while they come faster than `patience` allows. */
function createPace(socket: WebSocket): () => void {
  let left: number = patience.burst
  let at = performance.now()
  return () => {
    const now = performance.now()
    left = Math.min(patience.burst, left + ((now - at) * patience.perSecond) / 1_000) - 1
    at = now
    if (left >= 0 || socket.isPaused) return
    socket.pause()
    setTimeout(() => socket.resume(), (-left / patience.perSecond) * 1_000).unref()
  }
}

function read(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
