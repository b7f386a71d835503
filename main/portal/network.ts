import { endAllSessions, type Accounts } from '../administrator/people/accounts.ts'
import { GUESTS } from '../administrator/people/guests.ts'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import type { NetworkState, Place } from '../contract/procedures/network.ts'
import { hostsOf, openClassCertificate, openOwnCertificate, type CertificateFiles } from './certificate.ts'
import type { CertificateSource } from './certificate.ts'
import { guestOf, openGuestLink } from './guest-link.ts'
import { isEveryAddress, openListener, type Admission, type Listen, type Listener } from './listener.ts'
import { addRateLimits, createRefusalLimit } from './rate-limits.ts'
import { openSignInDesk, type SignInDesk } from './sign-in-routes.ts'

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

/** The parts of the class that the network needs; known once the class is open. */
interface Served {
  readonly dispatcher: Dispatcher
  /** By which people of the class sign in. */
  readonly accounts: Accounts
}

export interface NetworkOptions {
  /** The folder of the class's keys. */
  readonly keys: string
  /** The built window. */
  readonly files: string
  onUnexpected(error: unknown, doing: string): void
}

/** The class on the network: one listener for other machines, closed by default. */
export interface Network {
  /** Called once, when the class is open. */
  serve(served: Served): void
  state(): NetworkState
  /** Throws ExpectedError if it is open, or if address, port or certificate cannot be used. */
  open(opening: Opening): Promise<NetworkState>
  /** Ends all sessions of people, and their connections. Idempotent. */
  close(): Promise<NetworkState>
  onChange(listener: () => void): void
}

interface Open {
  readonly listener: Listener
  readonly certificate: CertificateSource | null
  /** Cuts the conversations of sessions that have ended. */
  readonly onEnded: (sessions: readonly string[]) => void
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
  /** The educator's certificate of the last opening with one. */
  own: CertificateFiles | null
}

export function createNetwork(options: NetworkOptions): Network {
  const door: Door = {
    options,
    listeners: [],
    served: null,
    open: null,
    turn: Promise.resolve(),
    last: null,
    own: null,
  }
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
    open: (opening) => inTurn(() => open(door, opening)),
    close: () => inTurn(() => close(door)),
    onChange: (listener) => void door.listeners.push(listener),
  }
}

async function open(door: Door, opening: Opening): Promise<void> {
  const { served, options } = door
  if (served === null) throw new ExpectedError('conflict', 'classroom-not-served', 'The classroom is not open yet.')
  if (door.open !== null)
    throw new ExpectedError('conflict', 'network-open', 'The classroom is open to the network already: close it first.')
  const { files, onUnexpected } = options
  if (opening.how === 'tls') door.own = opening.files ?? door.own
  const certificate = opening.how === 'tls' ? await certificateFor({ ...opening, files: door.own }, options) : null
  try {
    const listener = await openListener({
      ...{ dispatcher: served.dispatcher, files, onUnexpected, addRateLimits, refusals: createRefusalLimit() },
      listen: listenFor(opening, certificate),
      admission: admissionOf(openSignInDesk(served.accounts), served.accounts),
    })
    certificate?.onChange(() => door.listeners.forEach((each) => each()))
    const onEnded = (sessions: readonly string[]): void =>
      listener.cut(
        (visitor) => visitor.kind !== 'host' && sessions.includes(visitor.kind === 'guest' ? GUESTS : visitor.session),
      )
    served.accounts.onEnded.add(onEnded)
    door.open = { listener, certificate, onEnded }
    door.last = { host: opening.host, port: listener.port }
  } catch (error) {
    certificate?.close()
    throw error
  }
}

async function close(door: Door): Promise<void> {
  if (door.open === null) return
  const { listener, certificate, onEnded } = door.open
  door.open = null
  if (door.served !== null) endAllSessions(door.served.accounts)
  door.served?.accounts.onEnded.delete(onEnded)
  certificate?.close()
  await listener.close()
}

function certificateFor(
  { host, files }: Opening & { how: 'tls' },
  { keys, onUnexpected }: NetworkOptions,
): CertificateSource | Promise<CertificateSource> {
  const onProblem = (error: unknown): void =>
    onUnexpected(error, 'Reading the certificate again, so the last one stays in use')
  if (files !== null) return openOwnCertificate(files, onProblem)
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

/** Admits people of the class, and guests by their link. Others get the page to sign in. */
export function admissionOf(desk: SignInDesk, accounts: Accounts): Admission {
  return {
    visitorOf: (request) => desk.visitorOf(request) ?? guestOf(accounts, request),
    refuse(request, reply) {
      const admitted = openGuestLink(accounts, request, reply)
      if (admitted !== undefined) return admitted
      if (desk.isForStrangers(request)) return undefined
      const shown = desk.showPage(request, reply)
      return shown ?? reply.code(401).type('text/plain; charset=utf-8').send('Sign in first.\n')
    },
    addRoutes: (app) => desk.addRoutes(app),
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
