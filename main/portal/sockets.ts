import type { WebSocket } from '@fastify/websocket'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import type { Visitor } from '../contract/people/caller.ts'
import { procedures } from '../contract/procedures/procedures.ts'

/** The maximum size of a message in bytes: the largest input plus its envelope. */
export const messageBytesMax = Math.max(...Object.values(procedures).map(({ characters }) => characters)) + 65_536

/** WebSocket close codes (RFC 6455, section 7.4.1). */
const closeCodes = { data: 1003, text: 1007, policy: 1008 } as const

/** Connects a WebSocket to the dispatcher, with JSON messages. */
export function converse(socket: WebSocket, dispatcher: Dispatcher, visitor: Visitor): void {
  const connection = dispatcher.connect(
    {
      // Settles when the system has accepted the text, so answers to a screen that does not read wait here.
      async send(message) {
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
  socket.on('message', (data, binary) => {
    if (socket.readyState !== socket.OPEN) return
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

function read(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
