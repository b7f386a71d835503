import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test, vi } from 'vitest'
import { limits } from '../../../main/contract/limits.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import type { LineEvent } from '../../../main/contract/players/seat-transport.ts'
import { networkPlayer } from '../../../main/players/network/network-player.ts'
import { wireHost } from '../../../main/players/wires/wire-host.ts'
import { games } from '../../../main/referees/games.ts'
import { dial, type Client } from '../../conformance/network/client.ts'
import { messageBytes, turn, willing } from './network.ts'
import type { ToArena } from './standing-arena.ts'

// The process that holds the connections stands still for 1.5 s; the agent has 1 s for its answer.

const limitMs = 1_000
const standStillMs = 1_500
const answerMs = 50

const arenas: Worker[] = []
afterAll(async () => {
  for (const arena of arenas.splice(0)) await arena.terminate()
})

/** A match of anna, whose agent answers after 50 ms, or never. */
async function inMatch(scheme: 'web-socket' | 'tcp', answers: boolean) {
  const arena = new Worker(new URL('standing-arena.ts', import.meta.url))
  arenas.push(arena)
  const say = (message: ToArena): void => arena.postMessage(message)
  const [opened] = (await once(arena, 'message')) as [{ addresses: string[]; credential: string }]
  const hear = (line: string, client: Client): void => {
    willing(line, client)
    const { question } = JSON.parse(line) as { readonly question?: number }
    if (answers && question !== undefined) setTimeout(() => client.say({ type: 'offer', question }), answerMs)
  }
  const client = dial(opened.addresses[scheme === 'tcp' ? 1 : 0]!, opened.credential, hear)
  await client.told('signed in')
  const events: PlayerEvent[] = []
  const player = networkPlayer({
    match: 1,
    seed: 'seed',
    wire: games.get('haggle')!.dialogue.wire!({}, { seat: 0, body: 0 }, [], wireHost()),
    rejoins: false,
    limits: { ...limits.parse({}), messageBytes },
    emit: (event) => events.push(event),
    call: (call) => say({ call }),
  })
  arena.on('message', (event: LineEvent) => player.hear(event))
  await player.ready()
  return { player, events, say }
}

test.concurrent.each([
  ['web-socket', 'with the question', null],
  ['tcp', 'with the question', null],
  ['web-socket', 'with the answer', 30],
  ['tcp', 'with the answer', 30],
] as const)('over %s an honest agent is not blamed if main stands still %s', async (scheme, _, afterMs) => {
  const { player, events, say } = await inMatch(scheme, true)
  if (afterMs === null) say({ standStillMs })
  player.ask(1, turn, limitMs)
  if (afterMs !== null) {
    await pass(afterMs)
    say({ standStillMs })
  }
  await vi.waitUntil(() => events.length > 0, { timeout: 10_000 })
  expect(events).toMatchObject([{ type: 'answer', to: 1 }])
})

test.concurrent('a silent agent is late when its own time is over', async () => {
  const { player, events, say } = await inMatch('tcp', false)
  const asked = performance.now()
  say({ standStillMs })
  player.ask(1, turn, limitMs)
  await vi.waitUntil(() => events.length > 0, { timeout: 10_000, interval: 5 })
  expect(events).toMatchObject([{ type: 'fault', to: 1, fault: { kind: 'timeout' } }])
  expect(performance.now() - asked).toBeGreaterThan(limitMs + standStillMs - 100)
})
