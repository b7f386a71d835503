import { createServer, type Socket } from 'node:net'
import { connectionsMax, type Gate, type GateOptions, addressOf, listenProblem } from './gate.ts'
import { tcpLink } from './socket-link.ts'

/** Listens for plain connections. Throws ExpectedError when the port cannot be had. */
export async function openTcpGate({ host, port, door, limits }: GateOptions): Promise<Gate> {
  const all = new Set<Socket>()
  const server = createServer({ noDelay: true })
  server.maxConnections = connectionsMax
  server.on('connection', (socket) => {
    all.add(socket)
    socket.on('close', () => all.delete(socket))
    door.enter(tcpLink(socket), socket.remoteAddress ?? '', null)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenProblem(error, host, port) as Error))
    server.listen({ host, port }, resolve)
  })
  const at = server.address()
  return {
    address: `tcp://${addressOf(host, typeof at === 'object' && at !== null ? at.port : port)}`,
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve())
        // Those that have signed in have been sent home, with words.
        door.close()
        const stragglers = setTimeout(() => all.forEach((socket) => socket.destroy()), limits.goodbyeMs)
        server.on('close', () => clearTimeout(stragglers))
      })
    },
  }
}
