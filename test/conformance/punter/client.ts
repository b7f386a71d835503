import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Json } from '../../../main/contract/json.ts'

type Message = Readonly<Record<string, Json>>

/** A message as the protocol of 2017 has it. */
export function frame(value: object | string): Uint8Array {
  const json = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
  return Buffer.concat([Buffer.from(`${json.length}:`), json])
}

/** A punter of 2017 at the other end of a plain connection, whom a test tells what to say. */
export interface Client {
  readonly socket: Socket
  /** Texts of all messages that have come. */
  readonly heard: readonly string[]
  say(value: object | string): void
  /** The next message; null: the connection has ended. */
  hear(): Promise<Message | null>
  end(): void
}

export async function openClient(address: string, name = 'Alice'): Promise<Client> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  const heard: string[] = []
  const waiting: (Message | null)[] = []
  let wake: () => void = () => undefined
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    for (let colon = bytes.indexOf(58); colon > 0; colon = bytes.indexOf(58)) {
      const end = colon + 1 + Number(bytes.subarray(0, colon).toString())
      if (bytes.length < end) break
      const text = bytes.subarray(colon + 1, end).toString()
      bytes = bytes.subarray(end)
      heard.push(text)
      waiting.push(JSON.parse(text) as Message)
    }
    wake()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    waiting.push(null)
    wake()
  })
  const client: Client = {
    socket,
    heard,
    say: (value) => void socket.write(frame(value)),
    async hear() {
      while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      return waiting.shift() ?? null
    },
    end: () => void socket.destroy(),
  }
  if (name !== '') client.say({ me: name })
  return client
}

/** Plays to the end: `answer` says what each message is answered with, if with anything. */
export async function plays(client: Client, answer: (message: Message) => object | string | null): Promise<void> {
  for (let message = await client.hear(); message !== null; message = await client.hear()) {
    const said = answer(message)
    if (said !== null) client.say(said)
    if ('stop' in message) return client.end()
  }
}

/** Gets ready, then says one thing after the other; passes when there is nothing left. */
export function script(...moves: readonly (object | string)[]): (message: Message) => object | string | null {
  let turn = 0
  let punter = 0
  return (message) => {
    if (typeof message['punter'] === 'number') {
      punter = message['punter']
      return { ready: punter }
    }
    if (!('move' in message)) return null
    return moves[turn++] ?? { pass: { punter } }
  }
}
