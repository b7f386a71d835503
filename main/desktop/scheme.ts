import { createHash } from 'node:crypto'
import { protocol, type Session } from 'electron'
import { readFile } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { ExpectedError } from '../contract/expected-error.ts'
import { uploadKindOf, type UploadKind, type UploadQuery } from '../contract/procedures/uploads.ts'

/** The prefix of the page's address; nothing else is loaded. */
export const origin = 'app://tartaglia'

/** The address of the page of a class by its data folder: what the page keeps in the browser is of this class alone. */
export const addressOf = (data: string): string =>
  `${origin}/?class=${createHash('sha256').update(resolve(data)).digest('hex').slice(0, 16)}`

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** The window communicates over a MessagePort, never over a network; only its own host accepts uploads. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Must be called before Electron is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
}

/** Handles a file that the page uploads; see Dispatcher.take. */
export type TakeFile = (kind: UploadKind, query: UploadQuery, content: AsyncIterable<Uint8Array>) => Promise<object>

/** Serves only the window's files to this session. Uploads, such as `POST app://tartaglia/histories?name=a.jsonl`, go to `take`. */
export function serveScheme(session: Session, folder: string, take: TakeFile): void {
  session.protocol.handle('app', async ({ method, url, body }) => {
    const kind = method === 'POST' && url.startsWith(`${origin}/`) ? uploadKindOf(url.slice(origin.length)) : null
    if (kind !== null) {
      const { searchParams: query } = new URL(url)
      const said = { name: query.get('name'), file: query.get('file') }
      return Response.json(await take(kind, said, piecesOf(body)), { headers })
    }
    if (method !== 'GET') return new Response(null, { status: 405, headers })
    const path = pathOf(url)
    const type = path === null ? undefined : types[extname(path)]
    if (path === null || type === undefined) return new Response(null, { status: 404, headers })
    return readFile(join(folder, path)).then(
      (bytes) => new Response(new Uint8Array(bytes), { headers: { ...headers, 'Content-Type': type } }),
      () => new Response(null, { status: 404, headers }),
    )
  })
}

/** A body of a request; null: an empty one. A premature end is an expected error of the sender. */
async function* piecesOf(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body
  } catch {
    throw new ExpectedError('stopped', 'upload-incomplete', 'The upload was not completed.')
  }
}

/** The first page of the documentation. */
export const docsAddress = `${origin}/help/index.html`

/** True for the address of a page of the documentation, or of a file in it. */
export const isDocs = (url: string): boolean => pathOf(url)?.startsWith('help/') === true

/** The file for an address, relative to the window's folder; null for any address that is not clearly inside it. */
export function pathOf(url: string): string | null {
  const path = url.startsWith(`${origin}/`) ? url.slice(origin.length + 1).replace(/[?#].*$/s, '') : null
  if (path === null) return null
  if (path === '') return 'index.html'
  // Plain names only: no leading dot, no escapes, no backslash, so that no path leads outside.
  return path.split('/').every((name) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name)) ? path : null
}
