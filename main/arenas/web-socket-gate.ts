import websocket from '@fastify/websocket'
import fastify from 'fastify'
import { networkOf } from '../contract/networks.ts'
import { plainServer, watchConnections, watchUpgrades } from '../http/server.ts'
import { plainHeaders } from '../http/plain-answer.ts'
import { connectionsMax, type Gate, type GateOptions, addressOf, listenProblem } from './gate.ts'
import { webSocketLink } from './socket-link.ts'

/** Maximum bytes of a request's head. */
const headBytes = 4_096

/** Listens for WebSockets, at any path. Throws ExpectedError when the port cannot be had. */
export async function openWebSocketGate(options: GateOptions): Promise<Gate> {
  const { host, port, posts, door, limits, messageBytes, onUnexpected } = options
  const app = fastify({
    bodyLimit: 1,
    requestTimeout: limits.signInMs,
    // A client that does not read its response is cut off, too; an upgrade to a WebSocket ends this limit.
    connectionTimeout: limits.signInMs,
    keepAliveTimeout: 1_000,
    forceCloseConnections: true,
    ...plainServer,
    http: {
      requireHostHeader: false,
      maxHeaderSize: headBytes,
      headersTimeout: limits.signInMs,
      connectionsCheckingInterval: Math.min(1_000, limits.signInMs),
    },
  })
  app.server.maxConnections = connectionsMax
  const strangers = watchConnections(app.server, limits.waiting + posts, networkOf)
  await app.register(websocket, {
    options: {
      maxPayload: messageBytes,
      ...pieces,
      perMessageDeflate: false,
      // A flood of small frames takes its turn with everybody else's.
      allowSynchronousEvents: false,
    },
    errorHandler(error, socket) {
      if ('code' in error) return
      onUnexpected(error, 'A connection')
      socket.terminate()
    },
    preClose(done) {
      const { clients } = app.websocketServer
      const stragglers = setTimeout(() => clients.forEach((socket) => socket.terminate()), limits.goodbyeMs)
      app.websocketServer.close(() => {
        clearTimeout(stragglers)
        done()
      })
    },
  })
  watchUpgrades(app.websocketServer)
  app.addHook('onSend', async (_request, reply) => void reply.headers(plainHeaders))
  const nothing = 'Only a WebSocket for agents of a contest is served here.\n'
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof Error && 'statusCode' in error)) onUnexpected(error, `A request of ${request.method}`)
    return reply.code(400).send('This request cannot be answered.\n')
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(nothing))
  app.route({
    method: 'GET',
    url: '/*',
    handler: (_request, reply) => reply.code(404).send(nothing),
    wsHandler(socket, request) {
      strangers.delete(request.socket)
      const link = webSocketLink(socket, { frameBytes: messageBytes, heartbeatMs: limits.heartbeatMs })
      door.enter(link, request.socket.remoteAddress ?? '', { headers: request.raw.headersDistinct })
    },
  })
  await app.listen({ host, port }).catch((error: unknown) => {
    throw listenProblem(error, host, port)
  })
  const at = app.server.address()
  return {
    address: `ws://${addressOf(host, typeof at === 'object' && at !== null ? at.port : port)}`,
    close() {
      door.close()
      return app.close()
    },
  }
}

/** Apart, because the types of ws do not know them yet. */
const pieces = { maxFragments: 1_000, maxBufferedChunks: 10_000, closeTimeout: 500 }
