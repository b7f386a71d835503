import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyHelmetOptions } from '@fastify/helmet'

/**
 * Why a request is refused, in a sentence; null: it is accepted. `origin` is ours: `http://127.0.0.1:4000`. A page of another
 * site can make a browser send requests here under a host name that resolves to this machine (DNS rebinding). Therefore
 * the host is checked on every request, and the origin on every request that could change something.
 */
export function requestRefusal(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  origin: string,
): string | null {
  if (headers.host !== origin.slice('http://'.length)) return `This server answers only requests to ${origin}.`
  const changes = method !== 'GET' && method !== 'HEAD'
  if ((changes || headers.upgrade !== undefined) && headers.origin !== origin) {
    return `Only pages of ${origin} may do this.`
  }
  return null
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
 * inline code, no eval, no framing or embedding, and no referrer for other sites.
 */
export const securityHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  frameguard: { action: 'deny' },
  crossOriginOpenerPolicy: { policy: 'same-origin' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  // HTTPS only; this is a loopback address.
  strictTransportSecurity: false,
}
