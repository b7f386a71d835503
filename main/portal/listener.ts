import helmet from '@fastify/helmet'
import websocket, { type WebSocket } from '@fastify/websocket'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Server } from 'node:http'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { networkOf } from '../contract/networks.ts'
import type { Visitor } from '../contract/people/caller.ts'
import { plainServer, watchConnections, watchUpgrades, type Unidentified } from '../http/server.ts'
import type { CertificateSource } from './certificate.ts'
import { requestRefusal, securityHeaders } from './guard.ts'
import type { RefusalLimit } from './rate-limits.ts'
import { converse, messageBytesMax, networkMessageBytesMax } from './sockets.ts'
import { addCalls } from './calls.ts'
import { addUploads, isUpload } from './uploads.ts'
import { addWindowFiles, isDocs } from './window-files.ts'

/**
 * The place at which browsers reach the classroom. `loopback`: plain HTTP for browsers of this machine. `tls`: HTTPS on an address of
 * this machine, or a name of it. `proxied`: plain HTTP for one reverse proxy, which browsers reach by HTTPS under `publicUrl`;
 * requests of others are refused, and only of this one are forwarded headers believed. Port 0: any free one.
 */
export type Listen =
  | { readonly kind: 'loopback'; readonly port: number }
  | { readonly kind: 'tls'; readonly host: string; readonly port: number; readonly certificate: CertificateSource }
  | {
      readonly kind: 'proxied'
      readonly host: string
      readonly port: number
      /** An origin, such as `https://class.school.example`. */
      readonly publicUrl: string
      /** An address, or a network such as `10.0.0.0/8`. */
      readonly trusted: string
    }

/** Tells who sends a request. */
export interface Admission {
  /** The visitor that the request's cookies show; null: a stranger. */
  visitorOf(request: FastifyRequest): Visitor | null
  /** Answers a visitor's request itself, or lets it pass (undefined). */
  receive?(request: FastifyRequest, reply: FastifyReply): unknown
  /** Answers a stranger's request, or lets it pass (undefined), as it must for the routes of signing in. Never called for upgrades. */
  refuse(request: FastifyRequest, reply: FastifyReply): unknown
  /** Adds routes of its own, such as those of signing in. */
  addRoutes?(app: FastifyInstance): Promise<void>
}

export interface ListenerOptions {
  readonly listen: Listen
  readonly dispatcher: Dispatcher
  /** The built window: index.html and what it loads. */
  readonly files: string
  readonly admission: Admission
  /** Limits what one session, or one address, may ask for in a time; absent: nothing is limited. */
  readonly addRateLimits?: (
    app: FastifyInstance,
    visitorOf: (request: FastifyRequest) => Visitor | null,
  ) => Promise<void>
  /** Limits the refusals that one network gets in a time; absent: nothing is limited. */
  readonly refusals?: RefusalLimit
  onUnexpected(error: unknown, doing: string): void
}

/** An open server of the classroom. */
export interface Listener {
  readonly port: number
  /** Our origins: the one to show first. */
  origins(): readonly string[]
  /** The number of connected screens. */
  screens(): number
  /** Ends the conversations of visitors at once. */
  cut(isMeant: (visitor: Visitor) => boolean): void
  /** Ends every connection and frees the port. */
  close(): Promise<void>
}

const limits = {
  /** Time limits in ms for a request's head and for the whole request, against slow senders. */
  head: 5_000,
  request: 10_000,
  /** In ms, for a TLS handshake: that of a class which comes at once, on a machine that plays matches. */
  handshake: 30_000,
  /** Time limit in ms for an upload of any size; it must also not stall. */
  upload: 1_800_000,
  /** Longer than browsers and reverse proxies leave a pause: so the side that closes first meets no request under way. */
  idle: 75_000,
  headBytes: 16 * 1024,
  /** Routes with a body allow it themselves. */
  bodyBytes: 1,
} as const

/**
 * Numbers of connections: those without a session, beyond which the oldest of the most crowded address is cut, those in all, and
 * screens, in all, of one visitor, and of all guests, who have no sessions; connections of one person (`ofOne`), and of one network, which
 * leaves some to others. A class of 200 behind one address opens six connections a browser and a screen or two.
 */
const crowds = {
  loopback: { strangers: 64, connections: 256, screens: 32, each: 32, guests: 32, ofOne: 256, ofNetwork: 320 },
  tls: { strangers: 1_500, connections: 1_000, screens: 600, each: 8, guests: 100, ofOne: 32, ofNetwork: 2_200 },
  // By HTTP/2 a browser asks for a hundred files at once, each of which the proxy asks for by a connection of its own.
  proxied: { strangers: 1_500, connections: 1_000, screens: 600, each: 8, guests: 100, ofOne: 128, ofNetwork: 2_200 },
} as const

/** The state of an open listener. */
interface Entrance {
  readonly app: FastifyInstance
  readonly listen: Listen
  readonly crowd: (typeof crowds)[Listen['kind']]
  /** Connections that have shown no session yet. */
  readonly strangers: Unidentified<Socket>
  /** The peers whose forwarded headers are believed; null: there is no proxy. */
  readonly proxies: BlockList | null
  /** The senders of requests, also of those that became connections. */
  readonly visitors: WeakMap<FastifyRequest, Visitor>
  readonly screens: Map<WebSocket, Visitor>
  /** The open connections of each person who has signed in. */
  readonly connections: Map<string, Set<Socket>>
  readonly admission: Admission
  readonly refusals: RefusalLimit | null
  /** 0 until it is known; until then no request is accepted. */
  port: number
}

/**
 * Serves the window and its WebSocket, `/rpc`. Every request is checked for host and origin before anything else sees it. Throws
 * ExpectedError if the address or the port is not available.
 */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { listen, dispatcher, files, onUnexpected } = options
  const app = createApp(listen)
  const crowd = crowds[listen.kind]
  app.server.maxConnections = crowd.connections + crowd.strangers
  // All connections of a proxy come from one address.
  if (listen.kind !== 'proxied') limitNetworks(app.server, crowd.ofNetwork)
  const entrance: Entrance = {
    ...{
      app,
      listen,
      crowd,
      strangers: watchConnections(app.server, crowd.strangers, networkOf),
      proxies: proxiesOf(listen),
    },
    ...{ visitors: new WeakMap(), screens: new Map(), connections: new Map(), port: 0 },
    ...{ admission: options.admission, refusals: options.refusals ?? null },
  }
  // Registered before the guard, whose answers need the headers and the flag set here.
  await app.register(
    helmet,
    securityHeaders(listen.kind === 'proxied' || (listen.kind === 'tls' && !listen.certificate.isSelfMade)),
  )
  await registerSockets(app, listen)
  app.addHook('onRequest', async (request, reply) => admit(entrance, request, reply))
  await options.addRateLimits?.(app, (request) => entrance.visitors.get(request) ?? null)
  app.addHook('onSend', async (request, reply) => {
    // Names of built files contain a hash of their content; everything else may change.
    if (!request.url.startsWith('/assets/') || reply.statusCode !== 200) reply.header('Cache-Control', 'no-store')
  })
  app.setErrorHandler((error, request, reply) => {
    const status = statusOf(error)
    if (status >= 500) onUnexpected(error, `${request.method} ${request.url.split('?', 1)[0]}`)
    return reply
      .code(status)
      .type(text)
      .send(`${status === 429 ? tooMany : 'This request cannot be answered.'}\n`)
  })
  app.setNotFoundHandler((_, reply) => reply.code(404).type(text).send('There is nothing here.\n'))
  addWindowFiles(app, files)
  const visitorOf = (request: FastifyRequest): Visitor => entrance.visitors.get(request) ?? { kind: 'guest' }
  await addUploads(app, dispatcher, visitorOf)
  addCalls(app, dispatcher, visitorOf)
  app.get('/rpc', { websocket: true }, (socket, request) => {
    const visitor = visitorOf(request)
    entrance.screens.set(socket, visitor)
    socket.on('close', () => entrance.screens.delete(socket))
    converse(socket, dispatcher, visitor, listen.kind === 'loopback' ? null : request.raw.socket)
  })
  await options.admission.addRoutes?.(app)
  return start(entrance)
}

const text = 'text/plain; charset=utf-8'
const tooMany = 'There were too many requests. Wait a minute, then try again.'

function createApp(listen: Listen): FastifyInstance {
  const http = {
    headersTimeout: limits.head,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: limits.headBytes,
    // The guard refuses such a request, with the headers of the policy.
    requireHostHeader: false,
  }
  const options = {
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.upload,
    keepAliveTimeout: limits.idle,
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    ...plainServer,
    trustProxy: listen.kind === 'proxied' ? listen.trusted : false,
  } as const
  if (listen.kind !== 'tls') return fastify({ ...options, http })
  const { certificate } = listen
  const current = (): { readonly key: string; readonly cert: string } => {
    const { key, certificate: cert } = certificate.current()
    return { key, cert }
  }
  const https = { ...http, ...current(), minVersion: 'TLSv1.2', handshakeTimeout: limits.handshake } as const
  const app = fastify({ ...options, https })
  certificate.onChange(() => app.server.setSecureContext({ ...current(), minVersion: 'TLSv1.2' }))
  return app
}

async function registerSockets(app: FastifyInstance, listen: Listen): Promise<void> {
  const maxPayload = listen.kind === 'loopback' ? messageBytesMax : networkMessageBytesMax
  await app.register(websocket, {
    options: { maxPayload, perMessageDeflate: false },
    preClose(done) {
      for (const client of app.websocketServer.clients) client.terminate()
      app.websocketServer.close(() => {
        done()
      })
    },
  })
  watchUpgrades(app.websocketServer)
}

/** Listens, and gives the handle of what is open. */
async function start(entrance: Entrance): Promise<Listener> {
  const { app, listen, screens } = entrance
  // Fastify answers such a request but forgets its connection, so the server would never close.
  let closing = false
  app.server.on('upgrade', (_request, socket) => {
    if (closing) socket.destroy()
  })
  const host = listen.kind === 'loopback' ? '127.0.0.1' : listen.host
  const address = await app.listen({ host, port: listen.port }).catch(async (error: unknown) => {
    await app.close()
    throw listenError(error, host, listen.port)
  })
  entrance.port = Number(new URL(address).port) || (listen.kind === 'tls' ? 443 : 80)
  return {
    port: entrance.port,
    origins: () => originsOf(listen, entrance.port),
    screens: () => app.websocketServer.clients.size,
    cut(isMeant) {
      for (const [socket, visitor] of screens) if (isMeant(visitor)) socket.terminate()
    },
    close() {
      closing = true
      return app.close()
    },
  }
}

/** Refuses a request, or answers it for somebody without a session, or lets it pass (undefined). */
async function admit(entrance: Entrance, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { admission, strangers, screens, crowd } = entrance
  const { raw } = request
  const late = (): unknown => raw.complete || raw.destroy()
  if (!request.ws && !isUpload(request)) setTimeout(late, limits.request).unref()
  const refusal = refusalOf(entrance, request)
  if (refusal !== null)
    return isTooOften(entrance, request, reply, true) ? reply : reply.code(403).type(text).send(`${refusal}\n`)
  const visitor = admission.visitorOf(request)
  if (visitor === null) {
    if (isTooOften(entrance, request, reply, request.ws)) return reply
    if (request.ws) return reply.code(401).type(text).send('Sign in first.\n')
    if (isDocs(request)) return undefined
    return admission.refuse(request, reply)
  }
  strangers.delete(raw.socket)
  if (!isCounted(entrance, request, reply, visitor))
    return reply.code(503).header('Connection', 'close').type(text).send('You have too many connections.\n')
  entrance.visitors.set(request, visitor)
  if (request.ws && request.url !== '/rpc') return reply.code(404).send()
  const own = (): number => [...screens.values()].filter((each) => isSame(each, visitor)).length
  if (request.ws && (screens.size >= crowd.screens || own() >= (visitor.kind === 'guest' ? crowd.guests : crowd.each)))
    return reply.code(503).type(text).send('Too many windows are connected to this classroom.\n')
  return admission.receive?.(request, reply)
}

/**
 * Counts the request of a stranger, or one that is not meant for us. True: there are too many of its network, and it was answered.
 * The handlers that follow are not counted by the limits of requests, which come after this.
 */
function isTooOften({ refusals }: Entrance, request: FastifyRequest, reply: FastifyReply, isRefusal: boolean): boolean {
  if (refusals === null || refusals.allows(request.ip, isRefusal)) return false
  void reply.code(429).header('Connection', 'close').header('Retry-After', '60').type(text).send(`${tooMany}\n`)
  return true
}

/** Counts a connection for the person who uses it; one of a proxy, which lends it to many people in turn, until their answer is over. False: they have too many. */
function isCounted(
  { connections, crowd, proxies }: Entrance,
  { raw: { socket }, ws }: FastifyRequest,
  { raw: answer }: FastifyReply,
  visitor: Visitor,
): boolean {
  if (visitor.kind !== 'session') return true
  const own = connections.get(visitor.person) ?? new Set()
  if (own.has(socket)) return true
  if (own.size >= crowd.ofOne) return false
  connections.set(visitor.person, own.add(socket))
  const end = (): void => {
    own.delete(socket)
    if (own.size === 0 && connections.get(visitor.person) === own) connections.delete(visitor.person)
  }
  if (proxies === null || ws) socket.once('close', end)
  else answer.once('close', end)
  return true
}

/** Ends new connections of a network that has `most`. */
export function limitNetworks(server: Pick<Server, 'on'>, most: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const before = open.get(network) ?? 0
    open.set(network, before + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
    if (before >= most) socket.destroy()
  })
}

/** Why a request is refused for every sender; null: it is not. */
function refusalOf({ listen, proxies, port }: Entrance, request: FastifyRequest): string | null {
  const { method, headers, raw } = request
  if (port === 0) return 'The classroom is not open yet.'
  if (proxies === null) return requestRefusal({ method, headers, host: headers.host }, originsOf(listen, port))
  if (!isProxy(proxies, raw.socket.remoteAddress)) return 'This server answers only its reverse proxy.'
  // Forwarded by the proxy, whose headers fastify reads.
  if (headers['x-forwarded-proto'] !== undefined && request.protocol !== 'https')
    return 'This server answers only requests by HTTPS.'
  return requestRefusal({ method, headers, host: request.host }, originsOf(listen, port))
}

function isSame(a: Visitor, b: Visitor): boolean {
  return a.kind === 'session' && b.kind === 'session' ? a.person === b.person : a.kind === b.kind
}

/** Our origins under `port`, the one to show first. */
function originsOf(listen: Listen, port: number): readonly string[] {
  if (listen.kind === 'loopback') return [`http://127.0.0.1:${port}`]
  if (listen.kind === 'proxied') return [listen.publicUrl]
  const { certificate, host } = listen
  const { hosts } = certificate.current()
  const given = isEveryAddress(host) ? [] : [host]
  // The name in a certificate that browsers know is the one that they accept.
  const names = hosts.filter((each) => !each.startsWith('*.') && isIP(each) === 0)
  const all = certificate.isSelfMade ? [...given, ...hosts] : [...names, ...given, ...hosts]
  const end = port === 443 ? '' : `:${port}`
  return [...new Set(all.map((each) => `https://${isIPv6(each) ? `[${each}]` : each}${end}`))]
}

/** True for the addresses that stand for all of a machine. */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function proxiesOf(listen: Listen): BlockList | null {
  if (listen.kind !== 'proxied') return null
  const list = new BlockList()
  const [address = '', bits] = listen.trusted.split('/', 2)
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
  return list
}

function isProxy(proxies: BlockList, address = ''): boolean {
  return proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500
}

function listenError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const refuse = (
    kind: 'host' | 'usage',
    name: 'port-unavailable' | 'address-invalid',
    sentence: string,
  ): ExpectedError => new ExpectedError(kind, name, sentence)
  if (code === 'EADDRINUSE')
    return refuse('host', 'port-unavailable', `Port ${port} is in use by another program: choose another one.`)
  if (code === 'EACCES')
    return refuse('host', 'port-unavailable', `Port ${port} is reserved for the system: choose one from 1024 on.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return refuse('usage', 'address-invalid', `${host} is not an address of this machine.`)
  return error
}
