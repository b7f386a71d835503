import { afterEach, expect, test, vi } from 'vitest'
import { endedBy, lengthPrefixed } from '../../../main/referees/framings.ts'
import { verifies, type Played } from './harness.ts'
import { attributes, herders, prefixed, punters, tagged, unprefixed } from './native.ts'
import { dialNative, openNativeStage, type NativeClient, type NativeStage } from './native-stage.ts'
import { saying } from '../../refusal.ts'

const most = 1_000_000
const stages: NativeStage[] = []
const clients: NativeClient[] = []
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.destroy()
  for (const stage of stages.splice(0)) await stage.close()
})

async function open(...args: Parameters<typeof openNativeStage>): Promise<NativeStage> {
  const stage = await openNativeStage(...args)
  stages.push(stage)
  return stage
}

function dial(...args: Parameters<typeof dialNative>): NativeClient {
  const client = dialNative(...args)
  clients.push(client)
  return client
}

const scores = ({ outcome }: Played): readonly (number | undefined)[] =>
  outcome.outcome.places.map(({ score }) => score)

/** An honest punter, which writes a byte at a time where it is `slow`. */
function punter({ port }: NativeStage, name: string, slow = false): NativeClient {
  const client = dial(port, lengthPrefixed(most), (message) => {
    const { type, number } = unprefixed(message)!
    if (type === 'step') say(prefixed({ double: 2 * Number(number) }))
  })
  const say = (bytes: Uint8Array): void => {
    if (slow) for (const byte of bytes) client.socket.write(Uint8Array.of(byte))
    else client.say(bytes)
  }
  say(prefixed({ me: name }))
  return client
}

test('a plain client with n:json takes the next free place, for one match, and keeps it when it comes again', async () => {
  const stage = await open(punters)
  const bea = punter(stage, 'Bea', true)
  await vi.waitUntil(() => bea.heard.length === 1)
  const second = punter(stage, 'Zoë')
  expect(await stage.arena.everybody(60_000, new AbortController().signal)).toEqual([])
  const third = punter(stage, 'Cleo')
  await third.gone
  expect(third.heard.map(unprefixed)).toEqual([{ you: 'Cleo' }, { refused: 'There is no free place in this contest.' }])

  const played = await stage.match(1)
  verifies(played)
  expect(scores(played)).toEqual([3, 3])
  expect(played.faults).toEqual([])
  await Promise.all([bea.gone, second.gone])
  const types = (client: NativeClient): unknown[] =>
    client.heard.map(unprefixed).map((each) => each!['type'] ?? Object.keys(each!)[0])
  for (const client of [bea, second])
    expect(types(client)).toEqual(['you', 'start', 'step', 'step', 'step', 'end', 'stop'])
  expect(unprefixed(bea.heard.at(-1)!)).toEqual({ stop: [3, 3] })

  // In the other order this time; and one that answers nothing right is the one that it was.
  const wrong = dial(stage.port, lengthPrefixed(most), (message, client) => {
    if (unprefixed(message)!['type'] === 'step') client.say(prefixed({ double: -1 }))
  })
  wrong.say(prefixed({ me: 'Zoë' }))
  await vi.waitUntil(() => wrong.heard.length === 1)
  punter(stage, 'Bea')
  const again = await stage.match(2)
  verifies(again)
  expect(scores(again)).toEqual([3, 0])
})

test('between two matches nobody gets the place of somebody who has played, and whose name it is', async () => {
  const stage = await open(punters)
  // Whoever leaves before it has played has no place to keep.
  const early = punter(stage, 'Early')
  await vi.waitUntil(() => early.heard.length > 0)
  early.socket.destroy()
  await vi.waitUntil(() => stage.arena.posts()[0]!.state === 'awaited')
  for (const name of ['Bea', 'Ada']) {
    const { heard } = punter(stage, name)
    await vi.waitUntil(() => heard.length > 0)
  }
  await stage.match(1)
  const stranger = punter(stage, 'Eve')
  await stranger.gone
  expect(unprefixed(stranger.heard[1]!)).toEqual({ refused: 'There is no free place in this contest.' })
  const names = ['Ada', 'Bea']
  for (const name of names) punter(stage, name)
  expect(scores(await stage.match(2))).toEqual([3, 3])
})

test('a client that does not come for a match loses it, and may come for the next', async () => {
  const stage = await open(punters)
  const both = async (match: number, names: readonly string[], startMs = 60_000): Promise<Played> => {
    for (const name of names) {
      const { heard } = punter(stage, name)
      await vi.waitUntil(() => heard.length > 0)
    }
    return stage.match(match, { steps: 2 }, { startMs })
  }
  expect(scores(await both(1, ['Bea', 'Ada']))).toEqual([2, 2])
  const played = await both(2, ['Bea'], 1_000)
  verifies(played)
  expect(scores(played)).toEqual([2, 0])
  expect(played.faults[0]).toMatchObject({ seat: 1, kind: 'timeout' })
  expect(scores(await both(3, ['Bea', 'Ada']))).toEqual([2, 2])
})

test('a client that drops out of a match has lost it; the connection that follows is for the next', async () => {
  const stage = await open(punters)
  punter(stage, 'Bea')
  await vi.waitUntil(() => stage.notices.length === 1)
  const drops = dial(stage.port, lengthPrefixed(most), (message, { socket }) => {
    if (unprefixed(message)!['type'] !== 'step') return
    socket.destroy()
    punter(stage, 'Ada')
  })
  drops.say(prefixed({ me: 'Ada' }))
  await vi.waitUntil(() => stage.notices.length === 2)
  const played = await stage.match(1)
  expect(scores(played)).toEqual([3, 0])
  expect(played.faults[0]).toMatchObject({ seat: 1, kind: 'crash' })
  punter(stage, 'Bea')
  expect(scores(await stage.match(2))).toEqual([3, 3])
})

/** A herder that signs in as one of the entrants. */
function herder(
  stage: NativeStage,
  user: string,
  hear: (values: Record<string, string>, client: NativeClient) => void = answers,
): NativeClient {
  const client = dial(stage.port, endedBy(0, most), (message) => hear(attributes(message), client))
  client.say(tagged({ type: 'auth-request', user, password: stage.password(user) }))
  return client
}

function answers({ type, id, number }: Record<string, string>, { say }: NativeClient): void {
  if (type === 'step') say(tagged({ type: 'action', id: id!, double: 2 * Number(number) }))
}

test('a plain client with NUL-ended messages, user and password plays several matches on one connection', async () => {
  const stage = await open(herders)
  const anna = herder(stage, 'anna')
  // Late for the match before, half of it after its end: it reaches no match.
  let asked: Record<string, string> = {}
  const bob = herder(stage, 'bob', (values, client) => {
    if (values['type'] === 'step') asked = values
    answers(values, client)
    const stale = tagged({ type: 'action', id: asked['id'] ?? '', double: -1 })
    if (values['type'] === 'end') client.socket.write(stale.subarray(0, 9))
    if (values['type'] === 'sim-end') client.say(stale.subarray(9), tagged({ type: 'ping', payload: 'between' }))
  })
  expect(await stage.arena.everybody(60_000, new AbortController().signal)).toEqual([])
  for (const number of [1, 2, 3]) {
    const played = await stage.match(number)
    verifies(played)
    expect(scores(played)).toEqual([3, 3])
    expect(played.faults).toEqual([])
    expect(played.reported.filter(({ event }) => event.type === 'said')).toEqual([])
    const pongs = (): number => bob.heard.filter((each) => attributes(each)['type'] === 'pong').length
    await vi.waitUntil(() => pongs() === number)
  }
  const types = anna.heard.map((message) => attributes(message)['type'])
  const match = ['start', 'step', 'step', 'step', 'end', 'sim-end']
  expect(types).toEqual(['auth-response', ...match, ...match, ...match])
  expect(stage.notices).toEqual(['anna has signed in.', 'bob has signed in.'])
  await stage.close()
  await Promise.all([anna.gone, bob.gone])
  expect(attributes(anna.heard.at(-1)!)).toEqual({ type: 'bye' })
})

test('a herder that drops comes back into the match, and nobody else may come the other way', async () => {
  const stage = await open(herders)
  herder(stage, 'anna')
  const starts: string[] = []
  let dropped = false
  herder(stage, 'bob', (values, client) => {
    if (values['type'] === 'start') starts.push(values['steps']!)
    if (values['step'] !== '1' || dropped) return answers(values, client)
    dropped = true
    client.socket.resetAndDestroy()
    herder(stage, 'bob', (again, next) => {
      if (again['type'] === 'start') starts.push(again['steps']!)
      answers(again, next)
    })
  })
  expect(await stage.arena.everybody(60_000, new AbortController().signal)).toEqual([])
  const played = await stage.match(1, { steps: 3 }, { moveMs: 2_000 })
  verifies(played)
  // Questions to the lost connection are not asked again.
  expect(scores(played)).toEqual([3, 2])
  expect(starts).toEqual(['3', '3'])
  const { port } = new URL(stage.arena.addresses[1]!)
  const other = dial(Number(port), endedBy(10, most))
  other.say(Buffer.from(`${JSON.stringify({ arena: 'sign-in', credential: stage.password('bob') })}\n`))
  await other.gone
  expect(Buffer.concat(other.heard).toString()).toEqual(saying('in use'))
})
