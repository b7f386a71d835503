import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { limits, type Limits } from '../../../main/contract/limits.ts'
import type { Player, PlayerEvent } from '../../../main/contract/players/player.ts'
import { seatWeb, type WebSeat } from '../../../main/players/web/web-player.ts'
import { wire } from '../../../main/referees/specker/language/wire.ts'
import { openEar } from './ear.ts'

/** Something that listens on this machine. */
export interface Listening {
  readonly port: number
  /** `http://127.0.0.1:PORT`, or with https. */
  readonly origin: string
  close(): Promise<void>
}

async function listen(server: Server, scheme = 'http'): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `${scheme}://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** A web application as its author would write it. */
export const listenHttp = (answer: RequestListener): Promise<Listening> => listen(createHttpServer(answer))

/** The same behind TLS; `own`: its key and certificate, in PEM. */
export const listenHttps = (own: { key: string; cert: string }, answer: RequestListener): Promise<Listening> =>
  listen(createSecureServer(own, answer), 'https')

/** A server that speaks only as much HTTP as `talk`, which is called with each request, head and body. */
export const listenRaw = (talk: (socket: Socket, request: string) => void): Promise<Listening> =>
  listen(
    createServer((socket) => {
      socket.once('data', (bytes) => talk(socket, bytes.toString('latin1')))
    }),
  )

/** A web application that answers each message with a value. */
export const answering = (answer: (message: Record<string, unknown>) => unknown): Promise<Listening> =>
  listenHttp((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const message = JSON.parse(text) as Record<string, unknown>
      response.end(JSON.stringify(answer(message), null, 2))
    })
  })

export interface SeatedWeb {
  readonly player: Player
  /** Asks a question of the Specker wire and awaits the next event. */
  ask(limitMs?: number): Promise<PlayerEvent>
}

export async function seatAt(address: string, own: Partial<Limits> = {}): Promise<SeatedWeb> {
  const { emit, next } = openEar()
  let question = 0
  const player = seatWeb({
    agent: { address, ip: '127.0.0.1' },
    seed: 'seed',
    wire: wire() as unknown as WebSeat['wire'],
    limits: limits.parse(own),
    emit,
  })
  await player.ready()
  return {
    player,
    ask(limitMs = 20_000) {
      question += 1
      player.ask(question, { type: 'turn' }, limitMs)
      return next()
    },
  }
}
