import helmet from '@fastify/helmet'
import serveFiles from '@fastify/static'
import websocket from '@fastify/websocket'
import fastify, { type FastifyReply } from 'fastify'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { cookieOf, requestRefusal } from './guard.ts'
import { noticePage, onwardPage } from './notice.ts'
import { plainHeaders, securityHeaders } from './policy.ts'
import { createSessions } from './sessions.ts'
import { converse, messageBytesMax } from './sockets.ts'
import { addUploads, isUpload } from './uploads.ts'

/** Where the classroom is served to browsers of this machine. */
export interface Portal {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** A new address that lets one browser in, once. */
  address(): string
  /** Screens that are connected now. */
  screens(): number
  /** Ends every connection and frees the port. */
  close(): Promise<void>
}

export interface PortalOptions {
  readonly dispatcher: Dispatcher
  /** The built window: index.html and what it loads. */
  readonly files: string
  /** 0: any that is free. */
  readonly port: number
  onUnexpected(error: unknown, doing: string): void
}

/** Other machines cannot reach it, and names are not asked for. */
const host = '127.0.0.1'

const limits = {
  /** ms for a request's head, and for all of it: who sends a byte now and then holds no connection for long. */
  head: 5_000,
  request: 10_000,
  /** ms for a file of any size, which must not stand still meanwhile. */
  upload: 1_800_000,
  idle: 5_000,
  headBytes: 16 * 1024,
  /** No request but an upload has a body. */
  bodyBytes: 1,
  connections: 256,
  screens: 32,
} as const

/** What the window is made of; nothing else is sent, whatever lies in the folder. */
const served = /^\/(?:index\.html|licenses\.txt)?$|^(?:\/[\w-][\w.-]*)+\.(?:js|css|svg|png|woff2)$/

/**
 * Serves the window and its WebSocket, `/rpc`, to browsers of this machine. An address with a token lets one browser in; the
 * token is exchanged for a cookie and is then worthless. Throws ExpectedError when the port cannot be had.
 */
export async function openPortal({ dispatcher, files, port, onUnexpected }: PortalOptions): Promise<Portal> {
  const app = fastify({
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.upload,
    keepAliveTimeout: limits.idle,
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    // An address that cannot be decoded reaches no hook.
    frameworkErrors(_error, _request, reply) {
      const { raw } = reply.hijack()
      raw.writeHead(400, plainHeaders).end('There is no such address.\n')
    },
    http: { headersTimeout: limits.head, connectionsCheckingInterval: 1_000, maxHeaderSize: limits.headBytes },
  })
  app.server.maxConnections = limits.connections
  const sessions = createSessions()
  // Known when the port is; until then nothing is answered.
  let origin = ''
  let cookie = ''

  // Before the guard, whose answers need the headers and the flag that these set.
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
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    const late = (): unknown => raw.complete || raw.destroy()
    if (!request.ws && !isUpload(request)) setTimeout(late, limits.request).unref()
    const refusal = requestRefusal(request, origin)
    if (refusal !== null) return reply.code(403).type(types.text).send(`${refusal}\n`)
    if (sessions.knows(cookieOf(request.headers, cookie) ?? '')) {
      if (request.ws && request.url !== '/rpc') return reply.code(404).send()
      if (request.ws && app.websocketServer.clients.size >= limits.screens) {
        return reply.code(503).type(types.text).send('There are too many windows on this classroom already.\n')
      }
      // The address of the first visit, opened again.
      if (tokenOf(request.url) !== null) return reply.redirect('/', 303)
      return undefined
    }
    const token = request.method === 'GET' && !request.ws ? tokenOf(request.url) : null
    const session = token === null ? null : sessions.exchange(token)
    if (session === null) return signIn(reply, token)
    reply.header('Set-Cookie', `${cookie}=${session}; Path=/; HttpOnly; SameSite=Strict`)
    // A browser that comes from elsewhere would not send the new cookie along with a redirect.
    if (request.headers['sec-fetch-site'] === 'cross-site') return reply.type(types.page).send(onwardPage())
    return reply.redirect('/', 303)
  })
  app.addHook('onSend', async (request, reply) => {
    // Names of built files change with what they hold; everything else may be something else tomorrow.
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
  app.get('/rpc', { websocket: true }, (socket) => converse(socket, dispatcher, { right: 'educator' }))

  // Fastify answers such a request and forgets its connection, which would keep the server from ever having closed.
  let closing = false
  app.server.on('upgrade', (_request, socket) => {
    if (closing) socket.destroy()
  })

  const address = await app.listen({ host, port }).catch((error: unknown) => {
    throw portTrouble(error, port)
  })
  origin = new URL(address).origin
  // Cookies do not know ports: two classrooms at once must not take each other's.
  cookie = `tartaglia-${new URL(address).port}`
  return {
    origin,
    address: () => `${origin}/?token=${sessions.issue()}`,
    screens: () => app.websocketServer.clients.size,
    close() {
      closing = true
      return app.close()
    },
  }
}

const types = { text: 'text/plain; charset=utf-8', page: 'text/html; charset=utf-8' } as const

/** The token of an address such as `/?token=...`; null: it is another address. */
function tokenOf(url: string): string | null {
  const [path, query] = url.split('?', 2)
  return path === '/' ? new URLSearchParams(query).get('token') : null
}

/** For whoever comes without a session. `token`: one that is good for nothing. */
function signIn(reply: FastifyReply, token: string | null): FastifyReply {
  const [status, title, text] =
    token === null
      ? ([401, 'This classroom is locked', 'Open the address that Tartaglia printed when it was started.'] as const)
      : ([403, 'This address has been used', `It lets one browser in, once. ${again}`] as const)
  return reply.code(status).type(types.page).send(noticePage(title, text))
}
const again = 'Go on in that browser, or start Tartaglia again for a new address.'

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500
}

function portTrouble(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new ExpectedError('host', `Port ${port} is in use by another program: choose another one.`)
  if (code === 'EACCES')
    return new ExpectedError('host', `Port ${port} is reserved for the system: choose one from 1024 on.`)
  return error
}
