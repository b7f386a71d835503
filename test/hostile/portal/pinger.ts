import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as pass } from 'node:timers/promises'
import { WebSocket } from 'ws'

// Another window of a served classroom, in a thread and on a connection of its own: it asks for the settings, which takes no reading, again and again, and
// tells when it is asked how long the slowest answer took.

export interface Session {
  readonly origin: string
  readonly cookie: string
}

/** Between two questions. ms. */
const EVERY_MS = 50

const { origin, cookie } = workerData as Session
const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, { headers: { cookie, origin } })
await once(socket, 'open')
let slowestMs = 0
parentPort!.on('message', () => parentPort!.postMessage(slowestMs))
for (let i = 0; ; i++) {
  const asked = performance.now()
  socket.send(JSON.stringify({ t: 'q', i: String(i), m: 'call', a: ['settings.get', {}] }))
  await once(socket, 'message')
  slowestMs = Math.max(slowestMs, performance.now() - asked)
  await pass(EVERY_MS)
}
