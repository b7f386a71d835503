import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { WebSocket } from 'ws'
import type { CallReply, InputOf, OutputOf, ProcedureName } from '../../main/contract/procedures/procedures.ts'

/** A browser of somebody who has signed in at a class on the network: one socket, whose calls are awaited. */
export interface ClassroomClient {
  call<N extends ProcedureName>(name: N, input: InputOf<N>): Promise<OutputOf<N>>
  /** Receives a topic's values from now on, and ignores them. */
  subscribe(topic: string): Promise<void>
  /** Loads the page and one file that it needs, each by a request of its own. Resolves with their bytes. */
  load(paths: readonly string[]): Promise<number>
  /** Uploads a package; resolves with its handle. */
  upload(name: string, content: string): Promise<string>
  close(): void
}

const cookieOf = (secret: string): string => `__Host-tartaglia=${secret}`
/** The certificate of a test's class is known to nobody. */
const insecure = { rejectUnauthorized: false } as const

/** Connects with the secret of a session. Rejects if the program refuses it. */
export async function connectClient(origin: string, secret: string): Promise<ClassroomClient> {
  const headers = { cookie: cookieOf(secret), origin }
  // A browser keeps its connections.
  const agent = new Agent({ ...insecure, keepAlive: true, maxSockets: 6 })
  const socket = new WebSocket(`${origin.replace('https', 'wss')}/rpc`, { headers, rejectUnauthorized: false })
  const waiting = new Map<string, (reply: CallReply<unknown>) => void>()
  let asked = 0
  socket.on('message', (data: Buffer) => {
    const { t, i, r } = JSON.parse(data.toString('utf8')) as {
      readonly t: 'q' | 's'
      readonly i?: string
      readonly r?: CallReply<unknown>
    }
    if (t !== 's' || i === undefined || r === undefined) return
    waiting.get(i)?.(r)
    waiting.delete(i)
  })
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve())
    socket.on('error', reject)
  })
  const ask = async (method: 'call' | 'subscribe', args: readonly unknown[]): Promise<unknown> => {
    const i = String(asked++)
    const reply = new Promise<CallReply<unknown>>((resolve) => waiting.set(i, resolve))
    socket.send(JSON.stringify({ t: 'q', i, m: method, a: args }))
    const got = await reply
    if (!got.ok) throw new Error(`${String(args[0])}: ${got.error.message}`)
    return got.value
  }
  return {
    call: async (name, input) => (await ask('call', [name, input])) as OutputOf<typeof name>,
    subscribe: async (topic) => void (await ask('subscribe', [topic])),
    async load(paths) {
      const sizes = await Promise.all(paths.map((path) => sizeOf(`${origin}${path}`, agent, headers)))
      return sizes.reduce((sum, size) => sum + size, 0)
    },
    upload: (name, content) => upload(`${origin}/packages?name=${encodeURIComponent(name)}`, agent, headers, content),
    close() {
      socket.terminate()
      agent.destroy()
    },
  }
}

interface Sent {
  readonly url: string
  readonly agent: Agent
  readonly headers: Readonly<Record<string, string>>
  /** Sent as the body of a POST; a GET without. */
  readonly content?: string
}

/**
 * Resolves with the answer, when its head has arrived. As in a browser, what was sent on a kept connection that the server closed at the same
 * moment is sent again on a new one.
 */
function answerTo({ url, agent, headers, content }: Sent): Promise<IncomingMessage> {
  const method = content === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers }, resolve)
    sent.on('error', (error) => {
      const isStale = sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
      if (isStale) resolve(answerTo({ url, agent, headers, ...(content !== undefined && { content }) }))
      else reject(error)
    })
    sent.end(content)
  })
}

async function sizeOf(url: string, agent: Agent, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await answerTo({ url, agent, headers: { ...headers, 'accept-encoding': 'br' } })
  let bytes = 0
  for await (const piece of answer as AsyncIterable<Buffer>) bytes += piece.length
  if (answer.statusCode !== 200) throw new Error(`${url}: status ${answer.statusCode}`)
  return bytes
}

async function upload(
  url: string,
  agent: Agent,
  headers: Readonly<Record<string, string>>,
  content: string,
): Promise<string> {
  const answer = await answerTo({
    url,
    agent,
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    content,
  })
  const body = await text(answer)
  if (answer.statusCode !== 200) throw new Error(`upload: status ${answer.statusCode} ${body}`)
  const reply = JSON.parse(body) as CallReply<{ readonly file: string }>
  if (!reply.ok) throw new Error(`upload: ${reply.error.message}`)
  return reply.value.file
}
