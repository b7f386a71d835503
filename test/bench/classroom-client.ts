import { Agent, get, request } from 'node:https'
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

function sizeOf(url: string, agent: Agent, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { ...headers, 'accept-encoding': 'br' } }, (response) => {
      let bytes = 0
      response.on('data', (piece: Buffer) => (bytes += piece.length))
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${url}: status ${response.statusCode}`)),
      )
    }).on('error', reject)
  })
}

function upload(
  url: string,
  agent: Agent,
  headers: Readonly<Record<string, string>>,
  content: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method: 'POST', headers: { ...headers, 'content-type': 'application/octet-stream' } },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', () => {
          if (response.statusCode !== 200) return reject(new Error(`upload: status ${response.statusCode} ${text}`))
          const reply = JSON.parse(text) as CallReply<{ readonly file: string }>
          if (reply.ok) resolve(reply.value.file)
          else reject(new Error(`upload: ${reply.error.message}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(content)
  })
}
