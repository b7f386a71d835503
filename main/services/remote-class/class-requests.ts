import { request, type IncomingMessage } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import * as z from 'zod'
import { errorCodes, type ErrorCode } from '../../contract/error-codes.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { codeOf } from '../../histories/machine-error.ts'
import { certificateOf, certificateToKeep, type KnownCertificate } from './certificate-pin.ts'
import { sentence } from '../../contract/sentence.ts'

/** A class on another machine, or in another process of this one, as a terminal reaches it. */
export interface RemoteClass {
  /** `https://HOST:PORT`, or `http://` on this machine. */
  readonly origin: string
  /** The certificate by which it is known; changed by the first connection. */
  certificate: KnownCertificate
  /** The fingerprint that the person has from the educator, until it was met; null: none. */
  expected: string | null
  /** The secret of this terminal's session; null: it is not signed in. */
  token: string | null
  /** True after the class has said that the session is over. */
  isOver: boolean
  /** The name of this program, shown to the person who confirms it. */
  readonly agent: string
  readonly signal: AbortSignal
  /** Called when the class says that an answer takes long; it is asked for longer than `patience.silent` then. */
  onWaiting?(): void
}

/** ms: to connect, and without a byte from the server, which sends spaces while it works on a long answer. */
const patience = { connecting: 15_000, silent: 300_000 } as const
/** The maximum of an answer in bytes. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024

/** A request with a body. */
interface Sent {
  readonly path: string
  readonly type: 'application/json' | 'application/octet-stream'
  readonly body: Uint8Array | string
}

const failure = z.object({
  ok: z.literal(false),
  error: z.object({ code: z.string(), reason: z.string(), message: z.string(), details: z.string().optional() }),
})

/**
 * Sends a request and reads the value of the answer. Throws ExpectedError: with the reason and the words of the class if it refuses;
 * `sign-in-needed` if this terminal is not signed in (any more); 'host' with `class-unreachable` if there is no class to be reached;
 * `certificate-changed` before anything is sent; 'stopped' if the signal aborts.
 */
export async function ask<T>(remote: RemoteClass, sent: Sent, value: z.ZodType<T>): Promise<T> {
  const { status, text } = await send(remote, sent)
  const answer = jsonOf(text)
  const parsed = z.object({ ok: z.literal(true), value }).safeParse(answer)
  if (parsed.success) return parsed.data.value
  const refused = failure.safeParse(answer)
  if (refused.success) {
    const { code, reason, message, details } = refused.data.error
    const kind = code === 'host' ? 'host' : 'usage'
    throw new ExpectedError(kind, codeNamed(reason), message, details ?? null)
  }
  throw plainRefusal(remote, status, text)
}

/** Calls a procedure. Throws like `ask`. */
export async function callClass<T>(remote: RemoteClass, name: string, input: object, value: z.ZodType<T>): Promise<T> {
  return ask(remote, { path: '/call', type: 'application/json', body: JSON.stringify({ name, input }) }, value)
}

function codeNamed(reason: string): ErrorCode {
  return errorCodes.find((each) => each === reason) ?? 'input-invalid'
}

/** The refusal of a request that no procedure has answered. */
function plainRefusal(remote: RemoteClass, status: number, text: string): ExpectedError {
  const { origin } = remote
  const line = text.split('\n', 1)[0]!.slice(0, 300)
  if (status === 401) {
    remote.isOver = true
    return new ExpectedError('usage', 'sign-in-needed', 'This terminal is not signed in.')
  }
  if (status === 429) return new ExpectedError('usage', 'too-many', line)
  if (status === 403) return new ExpectedError('usage', 'address-invalid', `${origin} refuses this address: ${line}`)
  return new ExpectedError(
    'host',
    'class-unreachable',
    `There is no class at ${origin} that takes this version's requests: the server answers with status ${status}.`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function send(remote: RemoteClass, sent: Sent): Promise<{ readonly status: number; readonly text: string }> {
  const { signal } = remote
  const orStopped = (error: unknown): unknown =>
    signal.aborted ? new ExpectedError('stopped', 'stopped', 'Stopped.') : error
  let socket: Socket | null = null
  const stop = (): void => void socket?.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    socket = await openSocket(remote)
    return await exchange(remote, sent, socket)
  } catch (error) {
    throw orStopped(error instanceof ExpectedError ? error : unreachable(remote, error))
  } finally {
    signal.removeEventListener('abort', stop)
    socket?.destroy()
  }
}

function unreachable({ origin }: RemoteClass, error: unknown): ExpectedError {
  const code = codeOf(error)
  const own = error instanceof Error ? error.message : String(error)
  const why = /^EPROTO|^ERR_SSL/.test(code) ? 'no HTTPS is spoken there' : (reasons[code] ?? own)
  return new ExpectedError('host', 'class-unreachable', sentence(`The class at ${origin} cannot be reached: ${why}`))
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there, so the class is closed or the port is another one',
  ENOTFOUND: 'there is no machine of this name',
  EAI_AGAIN: 'the name of the machine cannot be looked up now',
  EHOSTUNREACH: 'there is no way to that machine from here',
  ENETUNREACH: 'there is no way to that network from here',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
}

/** A connection on which nothing was sent; its certificate is the right one. */
async function openSocket(remote: RemoteClass): Promise<Socket> {
  const { protocol, hostname, port } = new URL(remote.origin)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (protocol === 'http:') return connected(remote, connect({ host, port: Number(port) || 80 }), 'connect')
  const names = isIP(host) === 0 ? { servername: host } : {}
  // The certificate of a class is its own: it is compared below, before anything is sent.
  const socket = connectTls({ host, port: Number(port) || 443, rejectUnauthorized: false, ...names })
  await connected(remote, socket, 'secureConnect')
  try {
    remote.certificate = certificateToKeep(certificateOf(socket), remote.certificate, remote.expected)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** Waits until a connection is ready. */
async function connected<S extends Socket>({ signal }: RemoteClass, socket: S, event: string): Promise<S> {
  const stop = (): void => void socket.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(event, () => resolve())
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('the connection was cut')))
      socket.setTimeout(patience.connecting, () => socket.destroy(new Error('it does not answer')))
    })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function exchange(
  { origin, token, agent, onWaiting }: RemoteClass,
  { path, type, body }: Sent,
  socket: Socket,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ createConnection: () => socket, method: 'POST', path },
      headers: {
        ...{ host: new URL(origin).host, origin, connection: 'close', 'user-agent': agent },
        ...{ 'content-type': type, 'content-length': Buffer.byteLength(body) },
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
    })
    socket.setTimeout(patience.silent, () => socket.destroy(new Error('it does not answer')))
    asked.on('error', reject)
    asked.on('response', (response) => {
      textOf(response, onWaiting).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
    })
    asked.end(body)
  })
}

async function textOf(response: IncomingMessage, onWaiting: RemoteClass['onWaiting']): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response) {
    // A class whose answer takes long begins it with spaces.
    if (bytes === 0 && String(piece).trim() === '') onWaiting?.()
    pieces.push(piece as Buffer)
    bytes += (piece as Buffer).length
    if (bytes > ANSWER_BYTES_MAX) throw new Error('its answer is too long')
  }
  return Buffer.concat(pieces).toString('utf8')
}
