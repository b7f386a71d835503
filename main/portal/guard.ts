import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyHelmetOptions } from '@fastify/helmet'

/** The parts of a request that decide whether it is meant for us. `host`: the host that the browser asked for. */
interface Asked {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly host: string | undefined
}

/**
 * Why a request is refused, in a sentence; null: it is accepted. `origins` are ours, such as `http://127.0.0.1:4000`; a name in one may
 * begin with `*.`, as in certificates. A page of another site can make a browser send requests here under a host name that resolves
 * to this machine (DNS rebinding). Therefore the host is checked on every request, and the origin on every request that could
 * change something.
 */
export function requestRefusal({ method, headers, host }: Asked, origins: readonly string[]): string | null {
  const own = origins.map((each) => ownOrigin(each, host)).find((each) => each !== null)
  if (own === undefined) return `This server answers only requests to ${origins.join(', ')}.`
  const changes = method !== 'GET' && method !== 'HEAD'
  if ((changes || headers.upgrade !== undefined) && headers.origin !== own) return `Only pages of ${own} may do this.`
  return null
}

/** Our origin under a host, if it is one of `origin`; null: it is not. */
function ownOrigin(origin: string, host: string | undefined): string | null {
  const [scheme = '', own = ''] = origin.split('://')
  if (host === undefined) return null
  const isForMany = own.startsWith('*.')
  if (own === host && !isForMany) return origin
  const first = host.indexOf('.')
  const isOneOfMany = isForMany && first > 0 && own.slice(1) === host.slice(first)
  return isOneOfMany && /^[a-z0-9-]+$/.test(host.slice(0, first)) ? `${scheme}://${host}` : null
}

/**
 * All values of a cookie; none is more likely to be ours than another. A page of another port or path can plant one of the
 * same name, which browsers may send first.
 */
export function cookiesOf(headers: IncomingHttpHeaders, name: string): readonly string[] {
  return (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key, value] = pair.trim().split('=', 2)
    return key === name && value !== undefined ? value : []
  })
}

/** A page with a short message. For our own texts only: nothing is escaped. */
export function noticePage(title: string, text: string): string {
  return page(title, '', `<h1>${title}</h1>\n<p>${text}</p>`)
}

/** A page that redirects to `/`, as a navigation that starts on our own site. */
export function onwardPage(): string {
  return page('Tartaglia', '<meta http-equiv="refresh" content="0;url=/">\n', '<p><a href="/">Open Tartaglia</a></p>')
}

function page(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
${head}${body}
</html>
`
}

/**
 * Our content security policy: pages may load their own scripts, styles, fonts and pictures and connect to their origin. No
 * inline code, no eval, no framing or embedding, and no referrer for other sites. `isKnown`: browsers know the certificate, so they may
 * insist on HTTPS from now on; after a self-made one they would refuse their user's exception.
 */
export function securityHeaders(isKnown: boolean): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: { useDefaults: false, directives },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    strictTransportSecurity: isKnown && { maxAge: 180 * 86_400, includeSubDomains: false },
  }
}

const directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}
