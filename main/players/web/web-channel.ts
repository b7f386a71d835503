import type { ClientRequest, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FaultKind } from '../../contract/faults.ts'
import { makeFault } from '../make-fault.ts'
import type { ByteChannel, ChannelListener } from '../channels/channel.ts'
import type { WebAgent } from './address.ts'

export interface WebChannelOptions {
  readonly agent: WebAgent
  /** Headers of each request in addition to the usual ones. */
  readonly headers: Readonly<Record<string, string>>
  /** The maximum size of one response. */
  readonly responseBytes: number
}

/** The maximum size of a response's headers. */
const headBytes = 16_384
/** Error codes of OpenSSL and Node for certificates that are not trusted. */
const distrust = /^(ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH)/
/** Shortages of this machine are not faults of the agent. */
const ours = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENETDOWN', 'ENETUNREACH', 'EADDRNOTAVAIL'])

/**
 * A web application as a channel: each write is posted in a request on a new connection, and each response arrives as
 * one piece of data. A newer request cancels the one before. Anything but a plain, complete response (status other than
 * 200, redirection, encoding, too many bytes, premature end) ends the channel. Texts do not reveal the application's
 * address, because histories are public.
 */
export function webChannel({ agent, headers, responseBytes }: WebChannelOptions): ByteChannel {
  const url = new URL(agent.address)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  // An import of node:http loads all of fetch() as well, at the start of every worker.
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  let listener: ChannelListener | null = null
  let current: ClientRequest | null = null
  let open = true

  const drop = (): void => {
    const old = current
    current = null
    old?.destroy()
  }
  const fail = (kind: FaultKind, text: string): void => {
    if (!open) return
    open = false
    drop()
    listener?.end({ text, fault: makeFault(kind, `The agent's web application ${text}`) })
  }

  const read = (response: IncomingMessage, mine: ClientRequest): void => {
    const { statusCode = 0 } = response
    const coding = response.headers['content-encoding'] ?? 'identity'
    if (statusCode >= 300 && statusCode < 400)
      return fail('protocol', `answered with a redirection (${statusCode}), which is not followed.`)
    if (statusCode !== 200) return fail('crash', `answered with the status ${statusCode}.`)
    if (coding.toLowerCase() !== 'identity')
      return fail('protocol', 'answered in an encoding; only identity is understood.')
    const tooMuch = `answered with more than ${responseBytes} bytes.`
    if (Number(response.headers['content-length'] ?? 0) > responseBytes) return fail('protocol', tooMuch)
    const parts: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      if (current !== mine) return
      size += chunk.length
      if (size > responseBytes) return fail('protocol', tooMuch)
      parts.push(chunk)
    })
    response.on('end', () => {
      if (current !== mine || !response.complete) return
      current = null
      listener?.data(Buffer.concat(parts))
    })
  }

  const post = (bytes: Uint8Array): void => {
    drop()
    const mine = request({
      method: 'POST',
      // The resolved address, so that nothing is looked up here.
      host: agent.ip,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
      path: url.pathname,
      agent: false,
      maxHeaderSize: headBytes,
      headers: {
        host: url.host,
        'content-type': 'application/json; charset=utf-8',
        'content-length': bytes.length,
        'accept-encoding': 'identity',
        'user-agent': 'tartaglia',
        connection: 'close',
        ...headers,
      },
    })
    current = mine
    mine.on('response', (response) => {
      response.on('error', () => undefined)
      if (current === mine) read(response, mine)
    })
    // Upgrades to other protocols are refused.
    mine.on('upgrade', (_response, socket) => socket.destroy())
    mine.on('error', (error: NodeJS.ErrnoException) => {
      if (current === mine) fail(...wordsOf(error))
    })
    mine.on('close', () => {
      if (current === mine) fail('crash', 'closed the connection before its answer was complete.')
    })
    mine.end(bytes)
  }

  return {
    start(to) {
      listener = to
    },
    write(bytes) {
      if (open) post(bytes)
    },
    unread: () => 0,
    close() {
      open = false
      drop()
    },
  }
}

function wordsOf({ code = '', message }: NodeJS.ErrnoException): readonly [FaultKind, string] {
  if (ours.has(code)) return ['host', `cannot be reached from this machine (${code}).`]
  if (code.startsWith('HPE_')) return ['protocol', `did not answer in HTTP (${code}).`]
  if (distrust.test(code)) return ['crash', `shows a certificate that this machine does not trust (${code}).`]
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return ['protocol', `did not answer in TLS (${code}).`]
  if (code === 'ECONNRESET') return ['crash', 'closed the connection before its answer was complete.']
  return ['crash', `cannot be reached (${code === '' ? message.slice(0, 200) : code}).`]
}
