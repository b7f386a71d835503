import { request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP } from 'node:net'
import type { FaultKind } from '../../contract/faults.ts'
import { makeFault } from '../make-fault.ts'
import type { Channel, ChannelListener } from '../channels/channel.ts'
import type { WebAgent } from './address.ts'

export interface WebChannelOptions {
  readonly agent: WebAgent
  /** What each request carries beside what all have. */
  readonly headers: Readonly<Record<string, string>>
  /** Of one response. */
  readonly responseBytes: number
}

/** Of a response's head. */
const headBytes = 16_384
/** Whose certificate cannot be believed, as OpenSSL and Node say it. */
const distrust = /^(ERR_TLS_CERT_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH)/
/** What this machine lacks is no fault of an agent's. */
const ours = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENETDOWN', 'ENETUNREACH', 'EADDRNOTAVAIL'])

/**
 * A web application as a channel: what is written is posted, each write in a request on a connection of its own, and each
 * response comes as one piece of data. A newer request ends the one before. Whatever is no plain response (another status than
 * 200, a redirection, an encoding, too many bytes, an end before its end) is the end of the channel, and says nothing of where
 * the application lies: histories are public.
 */
export function webChannel({ agent, headers, responseBytes }: WebChannelOptions): Channel {
  const url = new URL(agent.address)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
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
      // The address that was looked up, not the name: nothing is looked up here.
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
    // Not ours to speak: another protocol on the same connection.
    mine.on('upgrade', (_response, socket) => socket.destroy())
    mine.on('error', (error: NodeJS.ErrnoException) => {
      if (current === mine) fail(...wordsOf(error))
    })
    mine.on('close', () => {
      if (current === mine) fail('crash', 'closed the connection before its answer was whole.')
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
  if (ours.has(code)) return ['host', `cannot be asked from this machine (${code}).`]
  if (code.startsWith('HPE_')) return ['protocol', `answered with what is not HTTP (${code}).`]
  if (distrust.test(code)) return ['crash', `shows a certificate that this machine does not trust (${code}).`]
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return ['protocol', `answered with what is not TLS (${code}).`]
  if (code === 'ECONNRESET') return ['crash', 'closed the connection before its answer was whole.']
  return ['crash', `cannot be reached (${code === '' ? message.slice(0, 200) : code}).`]
}
