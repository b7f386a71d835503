import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'
import { requireNames } from '../administrator/classroom/name-lock.ts'
import {
  endAllSessions,
  hasMembers,
  memberOf,
  visitorOfSecret,
  type Accounts,
} from '../administrator/people/accounts.ts'
import { beginDevice } from '../administrator/people/devices.ts'
import { classCode, join } from '../administrator/people/joining.ts'
import type { Place } from '../administrator/people/sessions.ts'
import { signIn, signInDevice, signOut } from '../administrator/people/sign-in.ts'
import type { ErrorCode } from '../contract/error-codes.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import type { Visitor } from '../contract/people/caller.ts'
import {
  deviceTokenRequest,
  joinRequest,
  SIGN_IN_BYTES_MAX,
  signInRequest,
  type DeviceCode,
  type DeviceToken,
} from '../contract/people/sign-in.ts'
import { cookiesOf } from './guard.ts'

/** The page for people without a session, in the folder of the window, and the files that it loads. */
const PAGE = 'sign-in.html'
const filesOfPage = /^\/(?:assets\/[\w-][\w.-]*\.(?:js|css|svg|woff2))$/

/** True if there is anybody who could sign in, or ask to join. */
function acceptsSignIns(accounts: Accounts): boolean {
  return hasMembers(accounts) || classCode(accounts) !== null
}

/**
 * The session of a request, by its cookie or, for a terminal, by its token; null: none. A token is not accepted as a cookie, nor a cookie
 * as a token: a terminal never becomes a browser.
 */
function signedInVisitor(
  accounts: Accounts,
  { headers }: Pick<FastifyRequest, 'headers'>,
  cookie: string,
): (Visitor & { readonly kind: 'session' }) | null {
  const token = /^Bearer ([\w-]{43})$/.exec(headers.authorization ?? '')?.[1]
  const shown = [
    ...cookiesOf(headers, cookie).map((secret) => ({ secret, isTerminal: false })),
    ...(token === undefined ? [] : [{ secret: token, isTerminal: true }]),
  ]
  for (const { secret, isTerminal } of shown) {
    const visitor = visitorOfSecret(accounts, secret)
    if (visitor?.isTerminal === isTerminal) return visitor
  }
  return null
}

/** The cookie of sessions at a server: its name, and what follows its value. */
interface SessionCookie {
  readonly name: string
  readonly attributes: string
}

/** Browsers keep a cookie with this prefix for this host and HTTPS alone. */
const hostCookie: SessionCookie = {
  name: '__Host-tartaglia',
  attributes: 'Path=/; Secure; HttpOnly; SameSite=Strict',
}

/** On this machine. Cookies are shared between ports; two classrooms must not overwrite each other's. */
export function loopbackCookie({ raw }: FastifyRequest): SessionCookie {
  return { name: `tartaglia-${raw.socket.localPort}`, attributes: 'Path=/; HttpOnly; SameSite=Strict' }
}

/** Signing in at one server. */
export interface SignInDesk {
  /** The person whose session a request shows; null: none. */
  visitorOf(request: FastifyRequest): (Visitor & { readonly kind: 'session' }) | null
  /** True if a stranger's request goes on: it signs in, or loads a file of the page for that. */
  isForStrangers(request: FastifyRequest): boolean
  /** Answers a stranger who opens the classroom with the page to sign in; undefined: nobody can sign in, or it is another request. */
  showPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined
  addRoutes(app: FastifyInstance): Promise<void>
  /** Ends all sessions. */
  endAll(): void
}

/** Signing in at a server of HTTPS, or with `cookieOf` at another one. */
export function openSignInDesk(
  accounts: Accounts,
  cookieOf: (request: FastifyRequest) => SessionCookie = () => hostCookie,
): SignInDesk {
  return {
    visitorOf: (request) => signedInVisitor(accounts, request, cookieOf(request).name),
    isForStrangers({ method, url, routeOptions }) {
      if (!acceptsSignIns(accounts)) return false
      const isRead = method === 'GET' || method === 'HEAD'
      return isRead ? filesOfPage.test(url.split('?', 1)[0] ?? '') : routeOptions.config.forStrangers === true
    },
    showPage({ method, url, ws }, reply) {
      const isFirst = (method === 'GET' || method === 'HEAD') && !ws && url.split('?', 1)[0] === '/'
      return isFirst && acceptsSignIns(accounts) ? reply.code(401).sendFile(PAGE) : undefined
    },
    addRoutes: async (app) => addSignIn(app, accounts, cookieOf),
    endAll: () => endAllSessions(accounts),
  }
}

/**
 * Adds `POST /sign-in`, `/sign-out`, `/join`, `/device` and `/device/token`: small JSON in, JSON out. The guard has checked host and
 * origin: a terminal, which is not a page, sends the origin that it was given. A secret is always a new one of ours; sessions that the
 * request had end.
 */
function addSignIn(
  app: FastifyInstance,
  accounts: Accounts,
  cookieOf: (request: FastifyRequest) => SessionCookie,
): void {
  const options = { bodyLimit: SIGN_IN_BYTES_MAX, config: { forStrangers: true } }
  const post = <T>(
    path: string,
    schema: z.ZodType<T> | null,
    answer: (body: T, request: FastifyRequest, reply: FastifyReply) => unknown,
  ): unknown =>
    app.post(path, options, async (request, reply) => {
      const parsed = schema?.safeParse(request.body)
      if (parsed?.success === false)
        return fail(reply, 400, 'input-invalid', 'The request is not of the expected form.')
      try {
        return await reply.send({ ok: true, value: await answer(parsed?.data as T, request, reply) })
      } catch (error) {
        if (!(error instanceof ExpectedError)) throw error
        return fail(reply, statusOf(error.code), error.code, error.message)
      }
    })

  post('/sign-in', signInRequest, async (body, request, reply) => {
    const { name, attributes } = cookieOf(request)
    const { secret } = await signIn(accounts, body, placeOf(request), cookiesOf(request.headers, name))
    reply.header('Set-Cookie', `${name}=${secret}; ${attributes}`)
    return null
  })
  post('/sign-out', null, (_, request, reply) => {
    const { name, attributes } = cookieOf(request)
    for (const secret of cookiesOf(request.headers, name)) signOut(accounts, secret)
    reply.header('Set-Cookie', `${name}=; ${attributes}; Max-Age=0`)
    return null
  })
  post('/join', joinRequest, async (body, request) => {
    await join(accounts, body, placeOf(request))
    return null
  })
  post('/device', null, (_, request): DeviceCode => {
    // A terminal would wait for somebody who cannot sign in.
    requireNames(accounts.home.content)
    const { deviceCode, userCode, until } = beginDevice(accounts.devices, placeOf(request), accounts.now())
    return { deviceCode, userCode, until: new Date(until).toISOString(), interval: 2 }
  })
  post('/device/token', deviceTokenRequest, ({ deviceCode }, request): DeviceToken => {
    const signedIn = signInDevice(accounts, deviceCode, placeOf(request))
    return signedIn === null
      ? { token: null }
      : { token: signedIn.secret, name: memberOf(accounts, signedIn.person)?.name ?? '' }
  })
}

/** `request.ip` is the address of the connection, or what a named proxy says. */
function placeOf(request: FastifyRequest): Place {
  return { address: request.ip, agent: request.headers['user-agent'] ?? '' }
}

function statusOf(code: ErrorCode): number {
  if (code === 'too-many') return 429
  return code === 'sign-in-refused' || code === 'join-refused' ? 403 : 400
}

function fail(reply: FastifyReply, status: number, reason: ErrorCode, message: string): FastifyReply {
  return reply.code(status).send({ ok: false, error: { code: 'refused', reason, message } })
}
