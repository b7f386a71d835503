import { createServer, type Socket } from 'node:net'
import { z } from 'zod'
import { arenaLine } from '../players/arena-wire.ts'
import type { SignIn } from './sign-in.ts'
import type { Gate, GateOptions } from './gate.ts'
import { tcpLink } from './socket-link.ts'
import { addressOf, listenTrouble } from './listening.ts'

/** The first line of a plain connection. */
const signIn = z.object({ arena: z.literal('sign-in'), credential: z.string().max(256) })

/** Bytes of that line. */
const firstLineMost = 1_024
const newline = 10

/**
 * Listens for plain connections: lines of JSON, the first of which signs in. Whoever does not, or says too much before, is sent
 * away, and there is no more than `waiting` of them at a time. Throws ExpectedError when the port cannot be had.
 */
export async function openTcpGate({ host, port, posts, desk, limits }: GateOptions): Promise<Gate> {
  const waiting = new Set<Socket>()
  const all = new Set<Socket>()
  const server = createServer({ noDelay: true })
  server.maxConnections = 2 * posts + 2 * limits.waiting
  server.on('connection', (socket) => {
    all.add(socket)
    socket.on('close', () => {
      all.delete(socket)
      waiting.delete(socket)
    })
    // A socket without a listener for errors would end the process.
    socket.on('error', () => undefined)
    const address = socket.remoteAddress ?? ''
    const closed = waiting.size >= limits.waiting ? crowded : desk.closedTo(address)
    if (closed !== null) return refuse(socket, closed)
    waiting.add(socket)
    readFirstLine(socket, limits.signInMs, (line) => {
      waiting.delete(socket)
      const refusal = typeof line === 'string' ? line : admitted(desk, address, socket, line.bytes)
      if (refusal !== null) refuse(socket, refusal)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenTrouble(error, host, port) as Error))
    server.listen({ host, port }, resolve)
  })
  const at = server.address()
  return {
    address: `tcp://${addressOf(host, typeof at === 'object' && at !== null ? at.port : port)}`,
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve())
        // Those that have signed in have been sent home, with words.
        for (const socket of waiting) socket.destroy()
        const stragglers = setTimeout(() => all.forEach((socket) => socket.destroy()), limits.goodbyeMs)
        server.on('close', () => clearTimeout(stragglers))
      })
    },
  }
}

/** When as many as may have connected, and none of them has signed in. */
const crowded = 'Too many connections wait for their sign-in: try again later.'

function admitted(desk: SignIn, address: string, socket: Socket, line: Uint8Array): string | null {
  const said = credentialIn(line)
  if (said === null) return 'The first line must be {"arena": "sign-in", "credential": "..."}.'
  return desk.signIn(said, address, () => tcpLink(socket))
}

function credentialIn(line: Uint8Array): string | null {
  try {
    const read = signIn.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)))
    return read.success ? read.data.credential : null
  } catch {
    return null
  }
}

/** Calls back once: with the line, what follows it still to be read; or with a sentence. */
function readFirstLine(
  socket: Socket,
  withinMs: number,
  done: (line: { readonly bytes: Uint8Array } | string) => void,
): void {
  let read = Buffer.alloc(0)
  const finish = (line: { readonly bytes: Uint8Array } | string): void => {
    clearTimeout(late)
    socket.off('data', data)
    socket.off('end', ended)
    socket.off('close', ended)
    socket.pause()
    done(line)
  }
  const data = (chunk: Buffer): void => {
    read = Buffer.concat([read, chunk])
    const end = read.indexOf(newline)
    if (end === -1 ? read.length >= firstLineMost : end >= firstLineMost)
      return finish(`The first line is longer than ${firstLineMost} bytes.`)
    if (end === -1) return
    const rest = read.subarray(end + 1)
    socket.pause()
    if (rest.length > 0) socket.unshift(rest)
    finish({ bytes: read.subarray(0, end) })
  }
  const ended = (): void => finish('Nobody has signed in.')
  const late = setTimeout(() => finish(`Nobody has signed in within ${withinMs} ms.`), withinMs)
  socket.on('data', data)
  socket.on('end', ended)
  socket.on('close', ended)
}

function refuse(socket: Socket, text: string): void {
  socket.end(arenaLine({ arena: 'refused', text }))
  // What it still sends is read and dropped, so that it gets to read the words; but not for ever.
  socket.resume()
  setTimeout(() => socket.destroy(), 500).unref()
}
