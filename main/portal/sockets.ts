import type { WebSocket } from '@fastify/websocket'
import type { Socket } from 'node:net'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import type { Visitor } from '../contract/people/caller.ts'
import { procedures } from '../contract/procedures/procedures.ts'

/** The maximum size of a message in bytes: the largest input plus its envelope. */
export const messageBytesMax = Math.max(...Object.values(procedures).map(({ characters }) => characters)) + 65_536

/** The same for screens of the network: the largest input except for large texts, which an educator adds at this machine. */
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
  /** Between looks whether what waited was taken. */
  looks: 100,
  /** Messages in a row, and those a second after that. More wait unread. */
  burst: 200,
  perSecond: 50,
} as const

/** Connects a WebSocket to the dispatcher, with JSON messages. `wire`: the connection below, if it comes from the network. */
export function converse(socket: WebSocket, dispatcher: Dispatcher, visitor: Visitor, wire: Socket | null): void {
  const gate = createGate(socket)
  const connection = dispatcher.connect(
    {
      // Settles when the system has accepted the text, so answers to a screen that does not read wait here.
      async send(message) {
        if (wire !== null && socket.bufferedAmount > patience.waitingBytes) socket.terminate()
        const text = JSON.stringify(message)
        await new Promise<void>((resolve) => socket.send(text, () => resolve()))
        if (socket.bufferedAmount === 0) gate.open('answers')
      },
      end(reason) {
        // A close frame would wait behind everything that the screen has not read.
        if (socket.bufferedAmount > 0) socket.terminate()
        else socket.close(closeCodes.policy, reason)
      },
    },
    visitor,
  )
  // An answer that was taken opens the gate at once; other frames, such as pongs, are noticed by looking.
  const look = (): void => {
    if (socket.bufferedAmount === 0) gate.open('answers')
    else drained.refresh()
  }
  const drained = setTimeout(look, patience.looks).unref()
  socket.on('close', () => clearTimeout(drained))
  if (wire !== null) cutAbsent(socket, wire)
  const pace = wire === null ? () => undefined : createPace(gate)
  socket.on('message', (data, binary) => {
    if (socket.readyState !== socket.OPEN) return
    pace()
    // Somebody who does not read what waits for them is not read either: else each message of theirs would begin their patience anew.
    if (wire !== null && socket.bufferedAmount > 0) {
      gate.close('answers')
      drained.refresh()
    }
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

/** Stops reading from a socket while there is a reason. */
interface Gate {
  close(reason: 'answers' | 'pace'): void
  open(reason: 'answers' | 'pace'): void
}

function createGate(socket: Pick<WebSocket, 'pause' | 'resume'>): Gate {
  const reasons = new Set<string>()
  return {
    close(reason) {
      reasons.add(reason)
      socket.pause()
    },
    open(reason) {
      if (reasons.delete(reason) && reasons.size === 0) socket.resume()
    },
  }
}

/** Called for each message: reads no further while they come faster than `patience` allows. */
function createPace(gate: Gate): () => void {
  let isWaiting = false
  let left: number = patience.burst
  let at = performance.now()
  return () => {
    const now = performance.now()
    left = Math.min(patience.burst, left + ((now - at) * patience.perSecond) / 1_000) - 1
    at = now
    if (left >= 0 || isWaiting) return
    isWaiting = true
    gate.close('pace')
    const goOn = (): void => {
      isWaiting = false
      gate.open('pace')
    }
    setTimeout(goOn, (-left / patience.perSecond) * 1_000).unref()
  }
}

function read(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
