import type { FastifyServerOptions } from 'fastify'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { answerPlainly, plainHeaderLines, plainHeaders } from './plain-answer.ts'

/**
 * Options of every server: requests that no handler sees are answered with the headers of a policy, too. No route has a JSON schema, and
 * the programs come without the libraries for them.
 */
export const plainServer = {
  schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  // For an address that cannot be decoded no hook is called.
  frameworkErrors(_error, _request, reply) {
    reply.hijack().raw.writeHead(400, plainHeaders).end('There is no such address.\n')
  },
  clientErrorHandler({ code }, socket) {
    if (code === 'ECONNRESET') return
    // An answer would wait for the handshake, and then be taken for that of the first request.
    if (code === 'ERR_TLS_HANDSHAKE_TIMEOUT') socket.destroy()
    else answerPlainly(socket, statuses.get(code) ?? '400 Bad Request', 'This request cannot be read.\n')
  },
} as const satisfies FastifyServerOptions

function noSchemas(): never {
  throw new Error('A route has a JSON schema, but the library that compiles schemas is not part of the programs.')
}

const statuses: ReadonlyMap<string, string> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
])

/**
 * Lists the connections of a server that are not identified yet, `most` of them at most. The caller removes a connection from the
 * list once it knows whose it is. Over TLS it knows another object than the one that was listed, so its two ends tell which one it is.
 */
export function watchConnections(server: Server, most: number, crowdOf: CrowdOf): Unidentified<Socket> {
  const dismiss = (socket: Socket): void => {
    byPeer.delete(peerOf(socket))
    socket.destroy()
  }
  const unidentified = createUnidentified<Socket>(most, dismiss, crowdOf)
  const byPeer = new Map<string, Socket>()
  const remove = (socket: Socket, peer = peerOf(socket)): void => {
    const listed = byPeer.get(peer)
    if (listed !== undefined) unidentified.delete(listed)
    byPeer.delete(peer)
  }
  server.on('connection', (socket) => {
    // A closed connection no longer knows its peer.
    const peer = peerOf(socket)
    socket.on('close', () => {
      if (byPeer.get(peer) === socket) remove(socket, peer)
    })
    byPeer.set(peer, socket)
    unidentified.add(socket, socket.remoteAddress ?? '')
  })
  server.on('checkExpectation', (_request, response) =>
    response.writeHead(417, { ...plainHeaders, Connection: 'close' }).end('Nothing can be expected.\n'),
  )
  return { ...unidentified, delete: (socket) => remove(socket) }
}

function peerOf({ localAddress, remoteAddress, remotePort }: Socket): string {
  return `${localAddress} ${remoteAddress} ${remotePort}`
}

/** The parts of ws's server that its types, which come with another package, do not name. */
interface WebSocketEvents {
  on(event: 'headers', listener: (headers: string[]) => void): unknown
  on(event: 'wsClientError', listener: (error: Error, socket: Socket) => void): unknown
}

/** Adds the policy to the answers that ws gives by itself: to an upgrade, and to one that it cannot carry out. */
export function watchUpgrades(server: WebSocketEvents): void {
  server.on('headers', (headers) => headers.push(...plainHeaderLines))
  server.on('wsClientError', (error, socket) => answerPlainly(socket, '400 Bad Request', `${error.message}\n`))
}

/** Connections of somebody who has not yet said who they are, oldest first. */
export interface Unidentified<C> {
  add(connection: C, address: string): void
  delete(connection: C): void
  connections(): Iterable<C>
}

/** Equal for addresses that one owner can have at will, such as those of one network of IPv6. */
type CrowdOf = (address: string) => string

/**
 * Holds at most `most` connections. Beyond that, the oldest connection of the network with the most is dismissed, so
 * that no network can keep others out, and a crowd of silent connections nobody of its own network.
 */
export function createUnidentified<C>(
  most: number,
  dismiss: (connection: C) => void,
  crowdOf: CrowdOf,
): Unidentified<C> {
  const all = new Map<C, string>()
  return {
    add(connection, address) {
      all.set(connection, crowdOf(address))
      if (all.size <= most) return
      const byNetwork = Map.groupBy(all, ([, from]) => from)
      const [crowd] = [...byNetwork.values()].sort((a, b) => b.length - a.length)
      const [oldest] = crowd![0]!
      all.delete(oldest)
      dismiss(oldest)
    },
    delete: (connection) => void all.delete(connection),
    connections: () => all.keys(),
  }
}
