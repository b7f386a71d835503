import { once } from 'node:events'
import { request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { WebSocket } from 'ws'

/** How the arena takes leave. */
export interface Goodbye {
  readonly code: number
  readonly reason: string
}

/** An open connection, with all that it is sent. */
export interface Attacker {
  readonly socket: WebSocket
  readonly received: readonly string[]
  readonly goodbye: Promise<Goodbye>
  /** Resolves when a frame holds the text. */
  told(text: string): Promise<void>
}

export async function attack(url: string, id: string | null): Promise<Attacker> {
  const socket = new WebSocket(url, { headers: id === null ? {} : { 'X-Hola-Challenge-ID': id } })
  const received: string[] = []
  socket.on('message', (data: Buffer) => received.push(data.toString()))
  socket.on('error', () => undefined)
  const goodbye = new Promise<Goodbye>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  )
  const told = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (received.some((frame) => frame.includes(text))) resolve()
      }
      socket.on('message', look)
      socket.on('close', () => reject(new Error(`closed without "${text}": ${received.join('\n')}`)))
      look()
    })
  await once(socket, 'open')
  return { socket, received, goodbye, told }
}

/** A WebSocket handshake by hand, with any headers; resolves to a socket that says nothing by itself. */
export function bareWebSocket(url: string, headers: readonly string[]): ReturnType<typeof connect> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname, () => {
    socket.write(
      [
        `GET ${pathname} HTTP/1.1`,
        `Host: ${hostname}:${port}`,
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        ...headers,
        '',
        '',
      ].join('\r\n'),
    )
  })
  socket.on('error', () => undefined)
  return socket
}

/** Everything that comes until the other side closes. */
export async function readAll(socket: ReturnType<typeof connect>): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
  // A connection that is cut is closed, too; and one that is closed already does not say so again.
  if (!socket.closed) await new Promise((resolve) => socket.on('close', resolve))
  return text
}

/** Resolves when the text has come; rejects when the other side closes without it. */
export function readUntil(socket: ReturnType<typeof connect>, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text += piece
      if (text.includes(words)) resolve()
    })
    socket.on('close', () => reject(new Error(`closed without "${words}": ${text}`)))
  })
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export function ask(address: string, path: string, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(`http://${address}`)
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, path, method, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}
