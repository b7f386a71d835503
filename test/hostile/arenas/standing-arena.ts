import { parentPort } from 'node:worker_threads'
import { openNetworkArena } from '../../../main/arenas/network-arena.ts'
import type { LineCall } from '../../../main/contract/players/seat-transport.ts'

// An arena for anna in a thread of its own, as the main process holds it. It stands still when it is told to.

export type ToArena = { readonly call: LineCall } | { readonly standStillMs: number }

const arena = await openNetworkArena({
  game: 'haggle',
  posts: [{ entrant: 'anna', line: 0 }],
  rejoins: false,
  messageBytes: 65_536,
  webSocket: { host: '127.0.0.1', port: 0 },
  tcp: { host: '127.0.0.1', port: 0 },
  onNotice: () => undefined,
  onUnexpected(error) {
    throw error
  },
})

parentPort!.on('message', (message: ToArena) => {
  if ('standStillMs' in message) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, message.standStillMs)
  else
    arena.byteTransport({ run: 1, entrant: 'anna', line: 0 }, message.call, (event) => parentPort!.postMessage(event))
})
parentPort!.postMessage({ addresses: arena.addresses, credential: arena.credentials[0]!.credential })
