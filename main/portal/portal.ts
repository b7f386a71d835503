import helmet from '@fastify/helmet'
import serveFiles from '@fastify/static'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { plainErrors, watchConnections, watchUpgrades, type Unidentified } from '../http/server.ts'
import { cookiesOf, requestRefusal, noticePage, onwardPage, securityHeaders } from './guard.ts'
import { createSessions, tokenMinutes, type Sessions } from './sessions.ts'
import { converse, messageBytesMax } from './sockets.ts'
import { addUploads, isUpload } from './uploads.ts'

/** The server of the classroom for browsers on this machine. */
export interface Portal {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** Creates an address that works once, for one browser, within `tokenMinutes`. */
  address(): string
  /** The number of connected screens. */
  screens(): number
  /** Ends every connection and frees the port. */
  close(): Promise<void>
}

export interface PortalOptions {
  readonly dispatcher: Dispatcher
  /** The built window: index.html and what it loads. */
  readonly files: string
  /** 0: any free port. */
  readonly port: number
  onUnexpected(error: unknown, doing: string): void
}

/** Not reachable from other machines; no name lookup. */
const host = '127.0.0.1'

const limits = {
  /** Time limits in ms for a request's head and for the whole request, against slow senders. */
  head: 5_000,
  request: 10_000,
  /** Time limit in ms for an upload of any size; it must also not stall. */
  upload: 1_800_000,
  idle: 5_000,
  headBytes: 16 * 1024,
  /** Only uploads have a body. */
  bodyBytes: 1,
  /** Connections without a session, beyond which the oldest is cut, and those of sessions. */
  strangers: 64,
  connections: 256,
  screens: 32,
} as const

/** The file types of the window; other files in the folder are not served. */
const served = /^\/(?:index\.html|licenses\.txt)?$|^(?:\/[\w-][\w.-]*)+\.(?:js|css|svg|png|woff2)$/

/** The admission of requests. */
interface Entrance {
  readonly app: FastifyInstance
  readonly sessions: Sessions
  /** Connections that have shown no session yet. */
  readonly strangers: Unidentified<Socket>
  /** Our own address, known once the port is; until then no request is answered. */
  origin: string
  /** The name of our cookie. Cookies are shared between ports; two classrooms must not overwrite each other's. */
  cookie: string
}

/**
 * Serves the window and its WebSocket, `/rpc`, to browsers on this machine. An address with a token admits one browser; the
 * token is exchanged for a cookie and is then invalid; unused, it expires. Throws ExpectedError if the port is not available.
 */
export async function openPortal({ dispatcher, files, port, onUnexpected }: PortalOptions): Promise<Portal> {
  const app = createApp()
  const strangers = watchConnections(app.server, limits.strangers)
  const entrance: Entrance = { app, sessions: createSessions(), strangers, origin: '', cookie: '' }

  // Registered before the guard, whose answers need the headers and the flag set here.
  await app.register(helmet, securityHeaders)
  await app.register(websocket, {
    options: { maxPayload: messageBytesMax, perMessageDeflate: false },
    preClose(done) {
      for (const client of app.websocketServer.clients) client.terminate()
      app.websocketServer.close(() => {
        done()
      })
    },
  })
  watchUpgrades(app.websocketServer)
  app.addHook('onRequest', async (request, reply) => admit(entrance, request, reply))
  app.addHook('onSend', async (request, reply) => {
    // Names of built files contain a hash of their content; everything else may change.
    if (!request.url.startsWith('/assets/') || reply.statusCode !== 200) reply.header('Cache-Control', 'no-store')
  })
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status >= 500) onUnexpected(error, `${request.method} ${request.url.split('?', 1)[0]}`)
    return reply.code(status).type(types.text).send('This request cannot be answered.\n')
  })
  app.setNotFoundHandler((_, reply) => reply.code(404).type(types.text).send('There is nothing here.\n'))

  await app.register(serveFiles, {
    root: files,
    list: false,
    dotfiles: 'deny',
    immutable: true,
    maxAge: '365d',
    allowedPath: (path) => served.test(path),
  })
  await addUploads(app, dispatcher)
  app.get('/rpc', { websocket: true }, (socket) => converse(socket, dispatcher, { kind: 'host' }))

  // Fastify answers such a request but forgets its connection, so the server would never close.
  let closing = false
  app.server.on('upgrade', (_request, socket) => {
    if (closing) socket.destroy()
  })

  const address = await app.listen({ host, port }).catch((error: unknown) => {
    throw portError(error, port)
  })
  entrance.origin = new URL(address).origin
  entrance.cookie = `tartaglia-${new URL(address).port}`
  return {
    origin: entrance.origin,
    address: () => `${entrance.origin}/?token=${entrance.sessions.issue()}`,
    screens: () => app.websocketServer.clients.size,
    close() {
      closing = true
      return app.close()
    },
  }
}

function createApp(): FastifyInstance {
  const app = fastify({
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.upload,
    keepAliveTimeout: limits.idle,
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    ...plainErrors,
    http: {
      headersTimeout: limits.head,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: limits.headBytes,
      // The guard refuses such a request, with the headers of the policy.
      requireHostHeader: false,
    },
  })
  app.server.maxConnections = limits.connections + limits.strangers
  return app
}

/** Refuses a request, or redirects it, or lets it pass (undefined): see `requestRefusal`, tokens and sessions. */
async function admit(entrance: Entrance, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { app, sessions, strangers, origin, cookie } = entrance
  const { raw } = request
  const late = (): unknown => raw.complete || raw.destroy()
  if (!request.ws && !isUpload(request)) setTimeout(late, limits.request).unref()
  const refusal = requestRefusal(request, origin)
  if (refusal !== null) return reply.code(403).type(types.text).send(`${refusal}\n`)
  if (cookiesOf(request.headers, cookie).some((value) => sessions.knows(value))) {
    strangers.delete(raw.socket)
    if (request.ws && request.url !== '/rpc') return reply.code(404).send()
    if (request.ws && app.websocketServer.clients.size >= limits.screens) {
      return reply.code(503).type(types.text).send('Too many windows are connected to this classroom.\n')
    }
    // The address of the first visit, opened again.
    if (tokenOf(request.url) !== null) return reply.redirect('/', 303)
    return undefined
  }
  const token = request.method === 'GET' && !request.ws ? tokenOf(request.url) : null
  const session = token === null ? null : sessions.exchange(token)
  if (session === null) return signIn(reply, token)
  reply.header('Set-Cookie', `${cookie}=${session}; Path=/; HttpOnly; SameSite=Strict`)
  // After a link from another site, a browser would not send the new cookie with a redirect.
  if (request.headers['sec-fetch-site'] === 'cross-site') return reply.type(types.page).send(onwardPage())
  return reply.redirect('/', 303)
}

const types = { text: 'text/plain; charset=utf-8', page: 'text/html; charset=utf-8' } as const

/** The token of an address such as `/?token=...`, or null. */
function tokenOf(url: string): string | null {
  const [path, query] = url.split('?', 2)
  return path === '/' ? new URLSearchParams(query).get('token') : null
}

/** The answer to a browser without a session. `token`: the invalid token that it sent, if any. */
function signIn(reply: FastifyReply, token: string | null): FastifyReply {
  const [status, title, text] =
    token === null
      ? ([401, 'This classroom is locked', `Open a new address: ${again}.`] as const)
      : ([403, 'This address no longer works', `It works once and for ${tokenMinutes} minutes; ${again}.`] as const)
  return reply.code(status).type(types.page).send(noticePage(title, text))
}
/** The ways to a new address, in words. */
const again =
  'press Enter in the terminal where Tartaglia runs, or run <code>tartaglia address</code> in another one, and open what it prints'

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500
}

function portError(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new ExpectedError(
      'host',
      'port-unavailable',
      `Port ${port} is in use by another program: choose another one.`,
    )
  if (code === 'EACCES')
    return new ExpectedError(
      'host',
      'port-unavailable',
      `Port ${port} is reserved for the system: choose one from 1024 on.`,
    )
  return error
}
