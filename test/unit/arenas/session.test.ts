import { expect, test, vi } from 'vitest'
import type { ArenaClient, Listener } from '../../../main/arenas/haggle/client.ts'
import { conductSession, type PlaySession } from '../../../main/arenas/haggle/session.ts'
import type { Outcome } from '../../../main/contract/game/outcome.ts'
import type { LineEvent } from '../../../main/contract/players/seat-transport.ts'
import { makeFault } from '../../../main/players/make-fault.ts'

/** A client without a connection. */
function fake(identity: string) {
  let listener: Listener | null = null
  const closed: string[] = []
  const sent: string[] = []
  const client: ArenaClient = {
    identity,
    write: (frame) => void sent.push(Buffer.from(frame).toString()),
    unread: () => 0,
    pause: () => undefined,
    resume: () => undefined,
    end: (reason) => void closed.push(reason),
    listen: (next) => (listener = next),
    beat: () => undefined,
  }
  return { client, closed, sent, say: (text: string) => listener!.frame(Buffer.from(text)), listener: () => listener! }
}

const outcome: Outcome = { places: [], agreed: true }

/** A session whose match this test conducts. */
function begin(forgottenMs: number | null = null) {
  const sides = [fake('a'), fake('b')] as const
  const heard: (readonly [string, LineEvent])[] = []
  const recorded = Promise.withResolvers<Outcome | null>()
  const ended: Outcome[] = []
  let transport: Parameters<PlaySession>[1] | undefined
  const done = conductSession({
    clients: [sides[0].client, sides[1].client],
    play(_, given) {
      transport = given
      return recorded.promise
    },
    settles: (line) => Buffer.from(line).toString().includes('offer'),
    strayMs: 60_000,
    forgottenMs,
    onEnd: (each) => ended.push(each),
  })
  const call = (entrant: string, what: Parameters<typeof transport & object>[1]): void =>
    transport!({ run: 1, entrant, line: 0 }, what, (event) => heard.push([entrant, event]))
  for (const entrant of ['a', 'b']) call(entrant, { type: 'open' })
  return { sides, heard, ended, recorded, done, call }
}

const said = (heard: readonly (readonly [string, LineEvent])[]): readonly string[] =>
  heard.flatMap(([who, event]) => (event.type === 'data' ? `${who}: ${Buffer.from(event.bytes).toString()}` : []))

test('a connection is closed when its session has been recorded and counted, not before', async () => {
  const { sides, ended, recorded, done, call } = begin()
  call('a', { type: 'shut', reason: 'You agreed.' })
  call('b', { type: 'shut', reason: 'You agreed.', awaits: true })
  await new Promise((resolve) => setImmediate(resolve))
  expect(sides.map(({ closed }) => closed)).toEqual([[], []])
  recorded.resolve(outcome)
  await done
  expect(ended).toEqual([outcome])
  await vi.waitFor(() => expect(sides[0].closed).toEqual(['You agreed.']))
  // The other one still owes an answer, and may log something first.
  sides[1].say('{"type":"info"}')
  await new Promise((resolve) => setImmediate(resolve))
  expect(sides[1].closed).toEqual([])
  sides[1].say('{"type":"offer"}')
  await vi.waitFor(() => expect(sides[1].closed).toEqual(['You agreed.']))
})

test('where the match does not count, or cannot be played, both are told so, and nothing is counted', async () => {
  const words = ['The session does not count: something went wrong in the arena.']
  const spoilt = begin()
  spoilt.recorded.resolve(null)
  await spoilt.done
  await vi.waitFor(() => expect(spoilt.sides.map(({ closed }) => closed)).toEqual([words, words]))
  const failed = begin()
  failed.recorded.reject(new Error('The disk is full.'))
  await expect(failed.done).rejects.toThrow('The disk is full.')
  await vi.waitFor(() => expect(failed.sides.map(({ closed }) => closed)).toEqual([words, words]))
  expect([...spoilt.ended, ...failed.ended]).toEqual([])
})

test('a frame is a line, whatever newlines are between its tokens', () => {
  const { sides, heard } = begin()
  sides[0].say('{"type":\n"offer"\n}')
  expect(said(heard)).toEqual(['a: {"type": "offer" }\n'])
})

test('whoever leaves has left the match, with the reason that it was given', () => {
  const { sides, heard } = begin()
  const fault = makeFault('protocol', 'This connection has sent too much.')
  sides[1].listener().left(fault)
  expect(heard.at(-1)).toEqual(['b', { type: 'down', link: 1, text: 'is not connected any more.', fault }])
})

test.each([
  ['the first, before anybody has offered anything', ['a', 'b'], 'a'],
  ['whoever was told something last', ['a', 'b', 'b'], 'b'],
])('who is forgotten where turns have no limit: %s', async (_, told, forgotten) => {
  const { heard, recorded, done, call } = begin(20)
  for (const entrant of told) call(entrant, { type: 'write', link: 1, bytes: Buffer.from('{}\n') })
  await vi.waitUntil(() => said(heard).length > 0)
  expect(said(heard)).toEqual([`${forgotten}: {"type":"abort","reason":"Nothing has been heard for too long."}\n`])
  recorded.resolve(outcome)
  await done
})
