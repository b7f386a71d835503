import type { IncomingHttpHeaders } from 'node:http'

/**
 * Why a request is not for us, in a sentence; null: it is. `origin` is ours: `http://127.0.0.1:4000`. A page of another site
 * can make a browser send requests here, under a name of its own that resolves to this machine (DNS rebinding), so that
 * the name is checked on every request and the origin on everything that could change something.
 */
export function requestRefusal(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  origin: string,
): string | null {
  if (headers.host !== origin.slice('http://'.length)) return `This is ${origin} and answers to no other name.`
  const changes = method !== 'GET' && method !== 'HEAD'
  if ((changes || headers.upgrade !== undefined) && headers.origin !== origin) {
    return `Only pages of ${origin} may do this.`
  }
  return null
}

/** The value of a cookie; null where there is none. */
export function cookieOf(headers: IncomingHttpHeaders, name: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name && value !== undefined) return value
  }
  return null
}
