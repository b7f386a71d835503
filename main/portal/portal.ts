import type { FastifyReply } from 'fastify'
import type { Accounts } from '../administrator/people/accounts.ts'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import { cookiesOf, noticePage, onwardPage } from './guard.ts'
import { openListener, type Admission } from './listener.ts'
import { loopbackCookie, openSignInDesk, type SignInDesk } from './sign-in-routes.ts'
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
  /** By which people of the class sign in; null: only browsers with an address are admitted. */
  readonly accounts: Accounts | null
  /** The built window: index.html and what it loads. */
  readonly files: string
  /** 0: any free port. */
  readonly port: number
  onUnexpected(error: unknown, doing: string): void
  /** Called when a browser is admitted by its address: it asks for the window next. Absent: nobody is told. */
  readonly onVisit?: () => void
}

/**
 * Serves the window and its WebSocket, `/rpc`, to browsers on this machine, whose person is the educator. An address with a token
 * admits one browser; the token is exchanged for a cookie and is then invalid; unused, it expires. Not reachable from other machines.
 * Throws ExpectedError if the port is not available.
 */
export async function openPortal({
  dispatcher,
  accounts,
  files,
  port,
  onUnexpected,
  onVisit = () => undefined,
}: PortalOptions): Promise<Portal> {
  const sessions = createSessions()
  const listener = await openListener({
    ...{ dispatcher, files, onUnexpected, listen: { kind: 'loopback', port } },
    admission: hostAdmission(sessions, accounts === null ? null : openSignInDesk(accounts, loopbackCookie), onVisit),
  })
  const cut = (ended: readonly string[]): void =>
    listener.cut((visitor) => visitor.kind === 'session' && ended.includes(visitor.session))
  accounts?.onEnded.add(cut)
  const [origin = ''] = listener.origins()
  return {
    origin,
    address: () => `${origin}/?token=${sessions.issue()}`,
    screens: () => listener.screens(),
    close() {
      accounts?.onEnded.delete(cut)
      return listener.close()
    },
  }
}

/** Admits browsers of this machine that have shown a token, and people who have signed in. */
function hostAdmission(sessions: Sessions, desk: SignInDesk | null, onVisit: () => void): Admission {
  return {
    visitorOf(request) {
      const isKnown = cookiesOf(request.headers, loopbackCookie(request).name).some((value) => sessions.knows(value))
      return isKnown ? { kind: 'host' } : (desk?.visitorOf(request) ?? null)
    },
    // The address of the first visit, opened again.
    receive: (request, reply) => (tokenOf(request.url) === null ? undefined : reply.redirect('/', 303)),
    refuse(request, reply) {
      if (desk?.isForStrangers(request) === true) return undefined
      const token = request.method === 'GET' ? tokenOf(request.url) : null
      const session = token === null ? null : sessions.exchange(token)
      const shown = token === null ? desk?.showPage(request, reply) : undefined
      if (session === null) return shown ?? lockedPage(reply, token)
      onVisit()
      const { name, attributes } = loopbackCookie(request)
      reply.header('Set-Cookie', `${name}=${session}; ${attributes}`)
      // After a link from another site, a browser would not send the new cookie with a redirect.
      if (request.headers['sec-fetch-site'] === 'cross-site') return reply.type(page).send(onwardPage())
      return reply.redirect('/', 303)
    },
    async addRoutes(app) {
      await desk?.addRoutes(app)
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
function lockedPage(reply: FastifyReply, token: string | null): FastifyReply {
  const [status, title, text] =
    token === null
      ? ([401, 'This classroom is locked', `Open a new address: ${again}.`] as const)
      : ([403, 'This address no longer works', `It works once and for ${tokenMinutes} minutes; ${again}.`] as const)
  return reply.code(status).type(page).send(noticePage(title, text))
}
/** The ways to a new address, in words. */
const again =
  'press Enter in the terminal where Tartaglia runs, or run <code>tartaglia address</code> in another one, and open what it prints'
