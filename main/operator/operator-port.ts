import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ExpectedError } from '../contract/expected-error.ts'
import { plainHeaders } from '../http/plain-answer.ts'
import { classMetrics, type ClassFigures } from './class-metrics.ts'
import { healthOf, type Stage } from './health.ts'
import { counter, METRICS_TYPE, metricsText } from './prometheus.ts'
import type { ProcessWatch } from './process-metrics.ts'

// A server for the person who runs the machine, and their programs: /health and /metrics, on loopback alone. Every account of the
// machine can read it, so it tells numbers, never names.

/** The state that is shown. */
export interface Shown {
  readonly stage: Stage
  /** null: the class is not open. */
  figures(): Promise<ClassFigures> | null
  /** Unexpected errors since the start. */
  readonly errors: number
  /** Lines that could not be written to the log. */
  readonly linesLost: number
}

export interface OperatorPort {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  close(): Promise<void>
}

/** Time limits in ms, and numbers: a scraper and a person at a time. */
const limits = { head: 5_000, request: 10_000, connections: 32 } as const

/**
 * Opens the port; 0: any free one. Throws ExpectedError 'host' if it is not available. `shown` is called for each request.
 */
export async function openOperatorPort(port: number, watch: ProcessWatch, shown: () => Shown): Promise<OperatorPort> {
  const server = createServer(
    { headersTimeout: limits.head, requestTimeout: limits.request, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      void answerTo(request, own(), watch, shown())
        .catch((): Answer => ({ status: 500, text: 'It cannot be told now.\n' }))
        .then((answer) => send(response, answer))
    },
  )
  server.maxConnections = limits.connections
  const own = (): number => (server.address() as AddressInfo | null)?.port ?? 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(
        new ExpectedError(
          'host',
          'port-unavailable',
          `Port ${port} of 127.0.0.1 is not available for --metrics-port: choose another one.`,
        ),
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  // A connection that cannot be accepted must not end the class.
  server.on('error', () => undefined)
  return {
    origin: `http://127.0.0.1:${own()}`,
    close() {
      watch.stop()
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

interface Answer {
  readonly status: number
  readonly text: string
  /** Absent: plain text. */
  readonly type?: string
}

async function answerTo(
  { method = '', url = '', headers }: IncomingMessage,
  port: number,
  watch: ProcessWatch,
  { stage, figures, errors, linesLost }: Shown,
): Promise<Answer> {
  // A page of another site whose name leads here has another host.
  const { host = '' } = headers
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    return { status: 403, text: 'This server answers under its own address alone.\n' }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'This server is only read.\n' }
  const known = await figures()
  const [path] = url.split('?', 1)
  if (path === '/health') {
    const health = healthOf(stage, known)
    const status = health.status === 'ok' ? 200 : 503
    return { status, text: `${JSON.stringify(health)}\n`, type: 'application/json' }
  }
  if (path !== '/metrics') return { status: 404, text: 'Ask for /health or /metrics.\n' }
  const own = [
    counter('tartaglia_unexpected_errors_total', 'Unexpected errors since the start.', errors),
    counter('tartaglia_log_lines_lost_total', 'Lines that could not be written to the log.', linesLost),
  ]
  const metrics = [...watch.metrics(), ...own, ...(known === null ? [] : classMetrics(known))]
  return { status: 200, text: metricsText(metrics), type: METRICS_TYPE }
}

function send(response: ServerResponse, { status, text, type = plainHeaders['Content-Type'] }: Answer): void {
  response.writeHead(status, { ...plainHeaders, 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) })
  response.end(text)
}
