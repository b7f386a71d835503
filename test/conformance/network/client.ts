import { connect, type Socket } from 'node:net'
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { WebSocket } from 'ws'
import type { Json } from '../../../main/contract/json.ts'

/** The lines that a network agent reads and writes; written from docs/agents.md alone. */
export interface Client {
  readonly heard: readonly string[]
  /** Resolves with the first line, of those heard or to come, that the arena says of this kind. */
  told(arena: string): Promise<Record<string, Json>>
  say(line: Json | string): void
  readonly gone: Promise<void>
  drop(): void
  readonly socket: Socket | WebSocket
}

/** Signs in over WebSocket or plain TCP. `hear`: called with each line, as it comes. */
export function dial(
  address: string,
  credential: string,
  hear: (line: string, client: Client) => void = () => undefined,
): Client {
  const heard: string[] = []
  const listeners = new Set<() => void>()
  const gone: PromiseWithResolvers<void> = Promise.withResolvers()
  const plain = address.startsWith('tcp:')
  const socket = plain
    ? plainSocket(address)
    : new WebSocket(address, { headers: { Authorization: `Bearer ${credential}` } })
  const take = (line: string): void => {
    heard.push(line)
    hear(line, client)
    for (const look of listeners) look()
  }
  const client: Client = {
    heard,
    socket,
    gone: gone.promise,
    say(line) {
      const text = typeof line === 'string' ? line : JSON.stringify(line)
      if (socket instanceof WebSocket) socket.send(text)
      else socket.write(`${text}\n`)
    },
    drop() {
      if (socket instanceof WebSocket) socket.terminate()
      else socket.destroy()
    },
    told: (arena) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const line = heard.find((each) => each.startsWith(`{"arena":"${arena}"`))
          if (line === undefined) return
          listeners.delete(look)
          resolve(JSON.parse(line) as Record<string, Json>)
        }
        listeners.add(look)
        void gone.promise.then(() => reject(new Error(`it ended without "${arena}": ${heard.join('\n')}`)))
        look()
      }),
  }
  if (socket instanceof WebSocket) {
    socket.on('message', (data: Buffer) => take(data.toString()))
  } else {
    createInterface({ input: socket })
      .on('line', take)
      .on('error', () => undefined)
    client.say({ arena: 'sign-in', credential })
  }
  socket.on('error', () => undefined)
  socket.on('close', () => gone.resolve())
  return client
}

function plainSocket(address: string): Socket {
  const { hostname, port } = new URL(address)
  return connect(Number(port), hostname)
}

/** Lets a program play over a connection: a process of its own for each match. */
export function bridge(address: string, credential: string, args: readonly string[]): Client {
  let program: ChildProcess | null = null
  return dial(address, credential, (line, client) => {
    const said = JSON.parse(line) as { readonly arena?: string; readonly match?: number }
    if (said.arena === undefined) program?.stdin?.write(`${line}\n`)
    else if (said.arena === 'match') {
      const mine = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
      program = mine
      createInterface({ input: mine.stdout }).on('line', (answer) => client.say(answer))
      client.say({ arena: 'ready', match: said.match ?? -1 })
    } else if (said.arena === 'over') program?.kill()
  })
}
