import websocket from '@fastify/websocket'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { closeCodes, closingText } from '../closing.ts'
import type { NativeEntry } from '../../contract/game/native-dialogue.ts'
import { attend, clientLimits, closeWith } from './client.ts'
import { identityOf } from './identity.ts'
import { plainHeaders } from '../../http/plain-answer.ts'
import { networkOf } from '../../contract/networks.ts'
import { plainServer, watchConnections, watchUpgrades } from '../../http/server.ts'
import { addressOf, listenProblem } from '../gate.ts'
import { wireHost } from '../../players/wires/wire-host.ts'
import { createLobby, type ArenaSettings, type HaggleLobbyOptions } from './lobby.ts'
import type { Scores } from './scores.ts'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ArenasOptions extends HaggleLobbyOptions {
  /** How clients say who they are. */
  readonly dialogue: Pick<NativeEntry, 'signIn'>
  readonly arenas: readonly ArenaSettings[]
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
}

const httpLimits = {
  head: 5_000,
  request: 10_000,
  idle: 5_000,
  goodbye: 5_000,
  closing: 500,
  connections: 10_000,
  /** Connections that are not a client's. A whole class may come at once. */
  strangers: 4_000,
} as const

/** Apart, because the types of ws do not know all of them yet. */
const socketOptions = {
  maxPayload: clientLimits.frameBytes,
  maxFragments: 1_000,
  maxBufferedChunks: 10_000,
  perMessageDeflate: false,
  // A flood of small frames takes its turn with everybody else's.
  allowSynchronousEvents: false,
  closeTimeout: httpLimits.goodbye,
}

/** Arenas that are open. */
export interface Arenas {
  /** Host and port, such as `127.0.0.1:8080`. */
  readonly address: string
  /** Clients that are connected and not refused. */
  clients(): number
  /** Sends everybody home and frees the port. */
  close(): Promise<void>
}

/**
 * Serves arenas to clients of the 2018 challenge: WebSocket connections on `/NAME` and `/challenges/haggling/arena/NAME`, and
 * statistics on `/scores/NAME` and `/challenges/haggling/scores/NAME`. Throws ExpectedError when the port cannot be had.
 */
export async function openArenas(options: ArenasOptions): Promise<Arenas> {
  const { arenas, dialogue, host, port, onUnexpected } = options
  const app = fastify({
    bodyLimit: 1,
    requestTimeout: httpLimits.request,
    // A client that does not read its response is cut off, too; an upgrade to a WebSocket ends this limit.
    connectionTimeout: httpLimits.request,
    keepAliveTimeout: httpLimits.idle,
    forceCloseConnections: true,
    ...plainServer,
    http: { headersTimeout: httpLimits.head, connectionsCheckingInterval: 1_000, requireHostHeader: false },
  })
  app.server.maxConnections = httpLimits.connections
  const strangers = watchConnections(app.server, httpLimits.strangers, networkOf)
  const lobby = createLobby(options)
  const halls = new Map(
    arenas.map((arena) => [
      arena.name,
      { name: arena.name, enter: lobby.arena(arena), text: scoresText(arena.scores) },
    ]),
  )
  const names = [...halls.keys()].join(', ')

  await app.register(websocket, {
    options: socketOptions,
    // Sockets are attended to by their clients; what else comes here nobody expected.
    errorHandler(error, socket) {
      if ('code' in error) return
      onUnexpected(error, 'A connection')
      socket.terminate()
    },
    preClose(done) {
      lobby.close()
      for (const socket of app.websocketServer.clients) closeWith(socket, closingText, closeCodes.goingAway)
      const { clients } = app.websocketServer
      const stragglers = setTimeout(() => clients.forEach((socket) => socket.terminate()), httpLimits.closing)
      app.websocketServer.close(() => {
        clearTimeout(stragglers)
        done()
      })
    },
  })
  watchUpgrades(app.websocketServer)
  app.addHook('onSend', async (_request, reply) => {
    const type = reply.getHeader('content-type')
    reply.headers({ ...plainHeaders, ...(type === undefined ? {} : { 'Content-Type': type }) })
  })
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof Error && 'statusCode' in error)) onUnexpected(error, `A request of ${request.method}`)
    return reply.code(400).type(plain).send('This request cannot be answered.\n')
  })
  const nothing = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply.code(404).type(plain).send(`There is nothing here. Arenas: ${names}; scores: /scores/NAME.\n`)
  app.setNotFoundHandler(nothing)
  app.route({
    method: 'GET',
    url: '/*',
    async handler(request, reply) {
      const hall = halls.get(nameIn(request.url, 'scores') ?? '')
      if (hall === undefined) return nothing(request, reply)
      return reply.type('application/json; charset=utf-8').send(await hall.text())
    },
    wsHandler(socket, request) {
      const hall = halls.get(nameIn(request.url, 'arena') ?? '')
      if (hall === undefined) {
        closeWith(socket, `There is no such arena; there are ${names}.`, closeCodes.policy)
        return
      }
      const signIn = dialogue.signIn(wireHost())
      const { claim, refusal: why = '' } = signIn.joined({ headers: request.raw.headersDistinct })
      if (claim?.by !== 'credential') {
        closeWith(socket, why, closeCodes.policy)
        return
      }
      const id = claim.password
      const identity = identityOf(id)
      const refusal = lobby.refusal(identity)
      if (refusal !== null) {
        closeWith(socket, refusal, closeCodes.full)
        return
      }
      const client = attend(socket, identity, (error) => onUnexpected(error, `A client of ${hall.name}`))
      strangers.delete(request.socket)
      lobby.admit(socket, client)
      hall.enter({ ...client, id, signIn })
    },
  })
  await app.listen({ host, port }).catch((error: unknown) => {
    throw listenProblem(error, host, port)
  })
  const at = app.server.address()
  const opened = typeof at === 'object' && at !== null ? at.port : port
  return {
    address: addressOf(host, opened),
    clients: lobby.clients,
    close: () => app.close(),
  }
}

const plain = 'text/plain; charset=utf-8'

/** The arena's name in an address: its own path, or the original's. */
function nameIn(url: string, kind: 'arena' | 'scores'): string | null {
  const own = kind === 'scores' ? '/scores' : ''
  const [path = ''] = url.split('?', 1)
  for (const before of [`/challenges/haggling/${kind}/`, `${own}/`]) {
    if (path.startsWith(before)) return path.slice(before.length).replace(/\/$/, '')
  }
  return null
}

/** As the original published them. */
function scoresText(scores: Scores): () => Promise<string> {
  return freshText(() => `${JSON.stringify(scores.published(), null, 2)}\n`, scores.version)
}

/** At most one part in `SHARE` of the time goes into making texts. */
const SHARE = 10

/**
 * A text that many ask for: made anew when its version has changed since, never stale, and no more often than is good for
 * everybody else. A caller who asks meanwhile waits for the next one.
 */
export function freshText(make: () => string, version: () => number): () => Promise<string> {
  let text = ''
  let made: number | null = null
  let notBefore = 0
  let coming: Promise<string> | null = null
  const makeSoon = async (): Promise<string> => {
    await sleep(Math.max(0, notBefore - performance.now()))
    coming = null
    const began = performance.now()
    const current = version()
    text = make()
    made = current
    const now = performance.now()
    notBefore = now + SHARE * (now - began)
    return text
  }
  return async () => (made === version() ? text : (coming ??= makeSoon()))
}
