import fastify from 'fastify'
import { plainHeaders } from '../http/plain-answer.ts'
import { networkOf } from '../contract/networks.ts'
import { plainServer, watchConnections } from '../http/server.ts'
import { addressOf, listenProblem, type Listen } from './gate.ts'

export interface StatusPageOptions extends Listen {
  /** The body of a page by its path, such as `/`, as HTML; null: there is no such page. */
  body(path: string): { readonly title: string; readonly html: string } | null
  readonly style: string
  /** Seconds after which a browser loads a page again; the page at `/still` is the one at `/` without that. */
  readonly refresh: number
  onUnexpected(error: unknown, doing: string): void
}

export interface StatusPage {
  /** `http://127.0.0.1:8080` */
  readonly address: string
  close(): Promise<void>
}

const { 'Content-Type': plain, ...policy } = plainHeaders
/** Pages load nothing but our own style: no scripts, no frames, no other site. */
const headers = {
  ...policy,
  'Content-Security-Policy':
    "default-src 'none';style-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
} as const

/** The page at `/`, which does not load itself again: nobody must be hurried by a page that changes (WCAG 2.2.1). */
const STILL = '/still'

const limits = { head: 5_000, request: 10_000, idle: 5_000, connections: 256 } as const

/** Serves pages of plain HTML for everybody who can reach the port. Throws ExpectedError when it cannot be had. */
export async function openStatusPage(options: StatusPageOptions): Promise<StatusPage> {
  const { host, port, body, style, refresh, onUnexpected } = options
  const app = fastify({
    bodyLimit: 1,
    requestTimeout: limits.request,
    connectionTimeout: limits.request,
    keepAliveTimeout: limits.idle,
    forceCloseConnections: true,
    exposeHeadRoutes: true,
    ...plainServer,
    http: { headersTimeout: limits.head, connectionsCheckingInterval: 1_000 },
  })
  // Nobody says who they are here: no address can keep others out.
  watchConnections(app.server, limits.connections, networkOf)
  app.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
  app.setErrorHandler((error, request, reply) => {
    if (!(error instanceof Error && 'statusCode' in error)) onUnexpected(error, `A request of ${request.method}`)
    return reply.code(400).type(plain).send('This request cannot be answered.\n')
  })
  app.setNotFoundHandler((_, reply) => reply.code(404).type(plain).send('There is nothing here.\n'))
  app.get('/style.css', (_, reply) => reply.type('text/css; charset=utf-8').send(style))
  app.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/'
    const isStill = path === STILL
    const page = body(isStill ? '/' : path)
    if (page === null) return reply.code(404).type(plain).send('There is nothing here.\n')
    return reply.type('text/html; charset=utf-8').send(pageOf(page, isStill ? null : refresh))
  })
  await app.listen({ host, port }).catch((error: unknown) => {
    throw listenProblem(error, host, port)
  })
  const at = app.server.address()
  return {
    address: `http://${addressOf(host, typeof at === 'object' && at !== null ? at.port : port)}`,
    close: () => app.close(),
  }
}

/** `refresh`: null: the page does not load itself again. */
function pageOf({ title, html }: { readonly title: string; readonly html: string }, refresh: number | null): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${refresh === null ? '' : `<meta http-equiv="refresh" content="${refresh}">\n`}<title>${escaped(title)}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
${html}
<p>${refresh === null ? '<a href="/">Reload automatically</a>' : `<a href="${STILL}">Stop reloading</a>`}</p>
</main>
</body>
</html>
`
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text for HTML, in an element or in a quoted attribute. Names of clients may hold anything. */
export const escaped = (text: string): string => text.toWellFormed().replace(/[&<>"']/g, (sign) => signs[sign]!)
