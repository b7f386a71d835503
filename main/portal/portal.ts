import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import { cookiesOf, noticePage, onwardPage } from './guard.ts'
import { openListener, type Admission } from './listener.ts'
import { createSessions, tokenMinutes, type Sessions } from './sessions.ts'

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

/**
 * Serves the window and its WebSocket, `/rpc`, to browsers on this machine, whose person is the educator. An address with a token
 * admits one browser; the token is exchanged for a cookie and is then invalid; unused, it expires. Not reachable from other machines.
 * Throws ExpectedError if the port is not available.
 */
export async function openPortal({ dispatcher, files, port, onUnexpected }: PortalOptions): Promise<Portal> {
  const sessions = createSessions()
  const listener = await openListener({
    ...{ dispatcher, files, onUnexpected, listen: { kind: 'loopback', port } },
    admission: hostAdmission(sessions),
  })
  const [origin = ''] = listener.origins()
  return {
    origin,
    address: () => `${origin}/?token=${sessions.issue()}`,
    screens: () => listener.screens(),
    close: () => listener.close(),
  }
}

/** The name of our cookie. Cookies are shared between ports; two classrooms must not overwrite each other's. */
function cookieName({ raw }: FastifyRequest): string {
  return `tartaglia-${raw.socket.localPort}`
}

/** Admits browsers of this machine that have shown a token. */
function hostAdmission(sessions: Sessions): Admission {
  return {
    visitorOf(request) {
      const isKnown = cookiesOf(request.headers, cookieName(request)).some((value) => sessions.knows(value))
      return isKnown ? { kind: 'host' } : null
    },
    // The address of the first visit, opened again.
    receive: (request, reply) => (tokenOf(request.url) === null ? undefined : reply.redirect('/', 303)),
    refuse(request, reply) {
      const token = request.method === 'GET' ? tokenOf(request.url) : null
      const session = token === null ? null : sessions.exchange(token)
      if (session === null) return signIn(reply, token)
      reply.header('Set-Cookie', `${cookieName(request)}=${session}; Path=/; HttpOnly; SameSite=Strict`)
      // After a link from another site, a browser would not send the new cookie with a redirect.
      if (request.headers['sec-fetch-site'] === 'cross-site') return reply.type(page).send(onwardPage())
      return reply.redirect('/', 303)
    },
  }
}

const page = 'text/html; charset=utf-8'

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
  return reply.code(status).type(page).send(noticePage(title, text))
}
/** The ways to a new address, in words. */
const again =
  'press Enter in the terminal where Tartaglia runs, or run <code>tartaglia address</code> in another one, and open what it prints'
