import { join } from 'node:path'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import type { Visitor } from '../contract/people/caller.ts'
import type { NetworkState, Place } from '../contract/procedures/network.ts'
import { hostsOf, openClassCertificate, openOwnCertificate, type CertificateFiles } from './certificate.ts'
import type { CertificateSource } from './certificate.ts'
import { isEveryAddress, openListener, type Admission, type Listen, type Listener } from './listener.ts'
import { addRateLimits } from './rate-limits.ts'
import type { SignInDesk } from './sign-in-routes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a route that is open to somebody who has not signed in. */
    readonly forStrangers?: boolean
  }
}

/** The way in which the class is opened to the network. */
export type Opening =
  | (Place & { readonly how: 'tls'; readonly files: CertificateFiles | null })
  | (Place & { readonly how: 'proxied'; readonly publicUrl: string; readonly trusted: string })

/** What the network needs of the class; known once that is open. */
interface Served {
  readonly dispatcher: Dispatcher
  /** null: nobody can sign in. */
  readonly accounts: SignInDesk | null
}

export interface NetworkOptions {
  /** The folder of the class's keys. */
  readonly keys: string
  /** The built window. */
  readonly files: string
  /** The educator's certificate for openings that name none; null: that of the class. */
  readonly certificate: CertificateFiles | null
  onUnexpected(error: unknown, doing: string): void
}

/** The class on the network: one listener for other machines, closed by default. */
export interface Network {
  /** Called once, when the class is open. */
  serve(served: Served): void
  state(): NetworkState
  /** Throws ExpectedError if it is open, or if address, port or certificate cannot be used. */
  open(opening: Opening | Place): Promise<NetworkState>
  /** Ends all sessions of people, and their connections. Idempotent. */
  close(): Promise<NetworkState>
  /** Ends the conversations of visitors, for example of a person whose sessions have ended. */
  cut(isMeant: (visitor: Visitor) => boolean): void
  onChange(listener: () => void): void
}

interface Open {
  readonly listener: Listener
  readonly certificate: CertificateSource | null
}

/** The state of a class on the network. */
interface Door {
  readonly options: NetworkOptions
  readonly listeners: (() => void)[]
  served: Served | null
  open: Open | null
  /** One opening or closing at a time. */
  turn: Promise<unknown>
  last: Place | null
}

export function createNetwork(options: NetworkOptions): Network {
  const door: Door = { options, listeners: [], served: null, open: null, turn: Promise.resolve(), last: null }
  const inTurn = (work: () => Promise<void>): Promise<NetworkState> => {
    const next = door.turn.then(work).then(() => {
      for (const listener of door.listeners) listener()
      return stateOf(door)
    })
    door.turn = next.catch(() => undefined)
    return next
  }
  return {
    serve: (served) => void (door.served = served),
    state: () => stateOf(door),
    open: (wish) => inTurn(() => open(door, 'how' in wish ? wish : { how: 'tls', files: null, ...wish })),
    close: () => inTurn(() => close(door)),
    cut: (isMeant) => door.open?.listener.cut(isMeant),
    onChange: (listener) => void door.listeners.push(listener),
  }
}

async function open(door: Door, opening: Opening): Promise<void> {
  const { served, options } = door
  if (served === null) throw new ExpectedError('conflict', 'classroom-not-served', 'The classroom is not open yet.')
  if (door.open !== null)
    throw new ExpectedError('conflict', 'network-open', 'The classroom is open to the network already: close it first.')
  const { files, onUnexpected } = options
  const certificate = opening.how === 'tls' ? await certificateFor(opening, options) : null
  try {
    const listener = await openListener({
      ...{ dispatcher: served.dispatcher, files, onUnexpected, addRateLimits },
      listen: listenFor(opening, certificate),
      admission: admissionOf(served.accounts),
    })
    certificate?.onChange(() => door.listeners.forEach((each) => each()))
    door.open = { listener, certificate }
    door.last = { host: opening.host, port: listener.port }
  } catch (error) {
    certificate?.close()
    throw error
  }
}

async function close(door: Door): Promise<void> {
  if (door.open === null) return
  const { listener, certificate } = door.open
  door.open = null
  door.served?.accounts?.endAll()
  certificate?.close()
  await listener.close()
}

function certificateFor(
  { host, files }: Opening & { how: 'tls' },
  { keys, certificate, onUnexpected }: NetworkOptions,
): CertificateSource | Promise<CertificateSource> {
  const own = files ?? certificate
  const onProblem = (error: unknown): void =>
    onUnexpected(error, 'Reading the certificate again, so the last one stays in use')
  if (own !== null) return openOwnCertificate(own, onProblem)
  const hosts = (): readonly string[] => [...(isEveryAddress(host) ? [] : [host]), ...hostsOf()]
  return openClassCertificate(keys, onProblem, hosts)
}

function listenFor(opening: Opening, certificate: CertificateSource | null): Listen {
  const { host, port } = opening
  if (opening.how === 'proxied')
    return { kind: 'proxied', host, port, publicUrl: opening.publicUrl, trusted: opening.trusted }
  if (certificate === null) throw new Error('HTTPS without a certificate.')
  return { kind: 'tls', host, port, certificate }
}

/** Admits people of the class. Others get the page to sign in. */
function admissionOf(accounts: SignInDesk | null): Admission {
  return {
    visitorOf: (request) => accounts?.visitorOf(request) ?? null,
    refuse(request, reply) {
      if (accounts?.isForStrangers(request) === true) return undefined
      const shown = accounts?.showPage(request, reply)
      return shown ?? reply.code(401).type('text/plain; charset=utf-8').send('Sign in first.\n')
    },
    async addRoutes(app) {
      await accounts?.addRoutes(app)
    },
  }
}

function stateOf({ open, last }: Door): NetworkState {
  if (open === null) return { isOpen: false, last }
  const { listener, certificate } = open
  const { fingerprint = null, keyFingerprint = null } = certificate?.current() ?? {}
  return {
    isOpen: true,
    addresses: listener.origins().filter((each) => !each.includes('://*.')),
    by: certificate === null ? 'proxy' : certificate.isSelfMade ? 'class' : 'own',
    fingerprint,
    keyFingerprint,
  }
}

/** The folder of a class's keys, in its data folder. */
export function keysFolder(data: string): string {
  return join(data, 'keys')
}
