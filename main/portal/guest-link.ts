import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts } from '../administrator/people/accounts.ts'
import { guestsUntil, isGuestSecret } from '../administrator/people/guests.ts'
import type { Visitor } from '../contract/people/caller.ts'
import { cookiesOf, onwardPage } from './guard.ts'

/** The cookie of guests at a server of HTTPS: the secret of their link, which all of them share. */
const COOKIE = '__Host-tartaglia-guest'

/** A guest, while the educator admits guests; null: the request does not show the secret of their link. */
export function guestOf(accounts: Accounts, request: Pick<FastifyRequest, 'headers'>): Visitor | null {
  return cookiesOf(request.headers, COOKIE).some((secret) => isGuestSecret(accounts, secret)) ? { kind: 'guest' } : null
}

/** Admits somebody who opens the link of guests, `/?guest=SECRET`; undefined: it is another request, or no link that works. */
export function openGuestLink(
  accounts: Accounts,
  { method, url }: Pick<FastifyRequest, 'method' | 'url'>,
  reply: FastifyReply,
): FastifyReply | undefined {
  const [path, query] = url.split('?', 2)
  const secret = method === 'GET' && path === '/' ? new URLSearchParams(query).get('guest') : null
  const until = guestsUntil(accounts)
  if (secret === null || until === null || !isGuestSecret(accounts, secret)) return undefined
  const seconds = Math.ceil((until.getTime() - accounts.now()) / 1_000)
  reply.header('Set-Cookie', `${COOKIE}=${secret}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${seconds}`)
  // After a link from another site, a browser would not send the new cookie with a redirect.
  return reply.type('text/html; charset=utf-8').send(onwardPage())
}
