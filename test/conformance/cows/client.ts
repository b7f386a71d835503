import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { SaxesParser } from 'saxes'

/** A message of the server: its type, and the attributes of the element in it. */
export interface Heard {
  readonly type: string
  readonly timestamp: number
  readonly attributes: Readonly<Record<string, string>>
  /** As it came, without the NUL. */
  readonly text: string
}

/** A client of 2008 at the other end of a plain connection, whom a test tells what to say. */
export interface Client {
  readonly socket: Socket
  /** Writes a message and its NUL. */
  say(text: string): void
  /** Writes bytes as they are. */
  write(bytes: string | Uint8Array): void
  /** The next message; null: the connection has ended. */
  hear(): Promise<Heard | null>
  /** The next message of this type; those before it are passed over. Throws if the connection ends before. */
  hearOf(type: string): Promise<Heard>
  act(id: string | undefined, action?: string): void
  ping(payload: string): void
  end(): void
}

export async function openClient(address: string): Promise<Client> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  const waiting: (Heard | null)[] = []
  let wake: () => void = () => undefined
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0)) {
      waiting.push(read(bytes.subarray(0, end).toString('utf8')))
      bytes = bytes.subarray(end + 1)
    }
    wake()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    waiting.push(null)
    wake()
  })
  const hear = async (): Promise<Heard | null> => {
    while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return waiting[0] === null ? null : waiting.shift()!
  }
  const say = (text: string): void => void socket.write(`${text}\0`)
  return {
    socket,
    say,
    write: (some) => void socket.write(some),
    hear,
    async hearOf(type) {
      for (let message = await hear(); message !== null; message = await hear())
        if (message.type === type) return message
      throw new Error(`The connection has ended before a message of type ${type}.`)
    },
    act: (id = '', action = 'skip') => say(`<message type="action"><action id="${id}" type="${action}"/></message>`),
    ping: (payload) => say(`<message type="ping"><payload value="${payload}"/></message>`),
    end: () => void socket.destroy(),
  }
}

/** Connects and signs in. */
export async function signedIn(address: string, username: string, password: string): Promise<Client> {
  const client = await openClient(address)
  client.say(
    `<?xml version="1.0" encoding="UTF-8"?>\n<message type="auth-request"><authentication username="${username}" password="${password}"/></message>`,
  )
  const { attributes } = await client.hearOf('auth-response')
  if (attributes['result'] !== 'ok') throw new Error(`${username} was not let in.`)
  return client
}

/** Answers all requests until the connection ends. `answer`: an action; null: none. Returns all messages. */
export async function plays(
  client: Client,
  answer: (request: Heard) => string | null = () => 'skip',
): Promise<Heard[]> {
  const all: Heard[] = []
  for (let message = await client.hear(); message !== null; message = await client.hear()) {
    all.push(message)
    const action = message.type === 'request-action' ? answer(message) : null
    if (action !== null) client.act(message.attributes['id'], action)
  }
  return all
}

/** Reads a message as any XML parser does; what is not well-formed throws. */
function read(text: string): Heard {
  const found: { name: string; attributes: Record<string, string> }[] = []
  const parser = new SaxesParser()
  parser.on('opentag', ({ name, attributes }) => found.push({ name, attributes: attributes as Record<string, string> }))
  parser.on('error', (error) => {
    throw error
  })
  parser.write(text).close()
  const [root, inner] = found
  if (root?.name !== 'message') throw new Error(`This is not a message: ${text.slice(0, 200)}`)
  return {
    type: root.attributes['type']!,
    timestamp: Number(root.attributes['timestamp']),
    attributes: inner?.attributes ?? {},
    text,
  }
}
