import type { IncomingHttpHeaders } from 'node:http'

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
