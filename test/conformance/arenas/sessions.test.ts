import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { openHaggleArenas, type HaggleArenas } from '../../../main/services/games/haggle/arena.ts'
import type { PublishedScores } from '../../../main/arenas/haggle/scores.ts'
import { entries, play, type Played } from './client.ts'
import { constant, half, hard, soft } from './scripts.ts'
import { openStage } from './stage.ts'
import { saying } from '../../refusal.ts'

let arenas: HaggleArenas
const unexpected: unknown[] = []
beforeAll(async () => {
  arenas = await openHaggleArenas({
    host: '127.0.0.1',
    port: 0,
    proofBits: 0,
    data: null,
    onUnexpected: (error) => unexpected.push(error),
  })
})
afterAll(async () => {
  await arenas.close()
  expect(unexpected).toEqual([])
})

const md5 = (id: string): string => hash('md5', id)
const worth = (share: readonly number[], values: readonly number[]): number =>
  share.reduce((sum, objects, type) => sum + objects * values[type]!, 0)

test.each([
  ['standard', 3, 6, 10, 5],
  ['standard_1s', 3, 6, 10, 5],
  ['large', 5, 10, 20, 8],
  ['large_1s', 5, 10, 20, 8],
])('%s has the settings of 2018, on both addresses', async (name, types, objects, total, rounds) => {
  const [a, b] = await Promise.all([
    play({ url: `ws://${arenas.address}/${name}`, id: 'one', script: half }),
    play({ url: `ws://${arenas.address}/challenges/haggling/arena/${name}`, id: 'other', script: soft }),
  ])
  for (const { start } of [a, b]) {
    expect(start!.counts).toHaveLength(types)
    expect(start!.counts.reduce((x, y) => x + y)).toBeLessThanOrEqual(objects)
    expect(Math.min(...start!.counts)).toBeGreaterThan(0)
    expect(worth(start!.counts, start!.values)).toBe(total)
    expect(start!.max_rounds).toBe(rounds)
  }
  expect([a.start!.me, b.start!.me].sort()).toEqual([0, 1])
  expect(a.start!.counts).toEqual(b.start!.counts)
  expect(a.start!.values).not.toEqual(b.start!.values)
})

test('a session that ends in an agreement, frame by frame', async () => {
  const stage = await openStage({ firstCame: 0 })
  const first = play({ url: stage.url, id: 'first', script: hard })
  await vi.waitUntil(() => stage.arenas.clients() === 1, { timeout: 60_000 })
  const [a, b] = await Promise.all([first, play({ url: stage.url, id: 'second', script: soft })])
  const { counts } = a.start!
  const none = counts.map(() => 0)
  const end = [
    { type: 'log', arg: ['valuation', 0, a.start!.values] },
    { type: 'log', arg: ['score', 0, 10] },
    { type: 'log', arg: ['valuation', 1, b.start!.values] },
    { type: 'log', arg: ['score', 1, 0] },
    { type: 'log', arg: ['done', true] },
  ]
  const waiting = (id: string): object => ({
    type: 'log',
    arg: ['network', `Connected as ${md5(id)}, waiting for a partner...`],
  })
  expect(a.frames).toEqual([
    waiting('first'),
    { type: 'start', opt: { me: 0, counts, values: a.start!.values, max_rounds: 5 } },
    { type: 'offer' },
    ...end,
  ])
  expect(b.frames).toEqual([
    waiting('second'),
    { type: 'start', opt: { me: 1, counts, values: b.start!.values, max_rounds: 5 } },
    { type: 'offer', offer: none },
    ...end,
  ])
  expect(a).toMatchObject({ code: 1000, reason: saying('you', 'agreed') })
  expect(b).toMatchObject({ code: 1000, reason: saying('you', 'agreed') })
  // The original's bug: the script is called once more, and its answer goes nowhere.
  expect(a.calls).toEqual([
    { o: undefined, answer: counts },
    { o: undefined, answer: counts },
  ])
  expect(await stage.published()).toEqual({
    [md5('first')]: tallies({ sessions: 1, agreements: 1, score: 10 }),
    [md5('second')]: tallies({ sessions: 1, agreements: 1, score: 0 }),
  })
  expect(stage.unexpected).toEqual([])
  await stage.close()
})

const tallies = (tally: object): object => ({ all: tally, '2018-07-17': tally })

test('a session without an agreement: the last demand comes as a log, and nobody is asked about it', async () => {
  const stage = await openStage()
  const [a, b] = await bothSides(stage.url, hard, hard)
  const { counts } = a.start!
  const last = { type: 'log', arg: ['offer', 1, [counts.map(() => 0), counts]] }
  expect(a.calls).toHaveLength(5)
  expect(b.calls).toHaveLength(5)
  expect(a.frames.at(-6)).toEqual(last)
  expect(b.frames).not.toContainEqual(last)
  for (const side of [a, b]) {
    expect(entries(side, 'score')).toEqual([
      ['score', 0, 0],
      ['score', 1, 0],
    ])
    expect(side.frames.at(-1)).toEqual({ type: 'log', arg: ['done', false] })
    expect(side.reason).toBe('The session is over: no agreement.')
  }
  expect(Object.values(await stage.published())).toEqual(
    [1, 2].map(() => tallies({ sessions: 1, agreements: 0, score: 0 })),
  )
  await stage.close()
})

/** `first` moves first. */
async function bothSides(url: string, first: typeof half, second: typeof half): Promise<readonly [Played, Played]> {
  const all = await Promise.all([
    play({ url, id: 'a', script: first }).then((played) => (played.start!.me === 0 ? played : null)),
    play({ url, id: 'b', script: second }).then((played) => (played.start!.me === 1 ? played : null)),
  ])
  const [a, b] = all
  // The sockets may have come in the other order; the sessions are alike.
  return a !== null && b !== null ? [a, b] : bothSides(url, first, second)
}

class Throws {
  offer(): never {
    throw new TypeError('I cannot')
  }
}

test.each([
  ['throws', Throws, 'TypeError: I cannot'],
  ['accepts nothing', constant(undefined), 'Offer expected'],
  ['accepts nothing, by null', constant(null), 'Offer expected'],
  ['demands words', constant('all'), 'Invalid offer'],
  ['demands too much', constant([7, 7, 7]), 'Invalid offer'],
  ['demands too few types', constant([0, 0]), 'Invalid offer'],
  ['demands fractions', constant([0.5, 0, 0]), 'Invalid offer'],
])('who %s walks away; the partner is told, and nothing is counted', async (_, script, reason) => {
  const stage = await openStage()
  const [a, b] = await bothSides(stage.url, script, soft)
  expect(b.frames.slice(2)).toEqual([{ type: 'log', arg: ['abort', 0, reason] }])
  expect(b).toMatchObject({ code: 1000, reason: saying('partner', 'walked away') })
  if (script !== Throws) expect(a.reason).toEqual(saying('you', 'walked away'))
  expect(await stage.published()).toEqual({})
  expect(stage.unexpected).toEqual([])
  await stage.close()
})

test('a client that takes longer than the arena allows walks away', async () => {
  const stage = await openStage({ turnMs: 2_000 })
  const patient = play({ url: stage.url, id: 'patient', script: soft })
  const mute = new WebSocket(stage.url, { headers: { 'X-Hola-Challenge-ID': 'mute' } })
  const { frames, reason, start } = await patient
  const other = 1 - start!.me
  expect(frames.at(-1)).toEqual({ type: 'log', arg: ['abort', other, 'AI timeout'] })
  expect(reason).toBe('The session is over: your partner walked away.')
  mute.terminate()
  await stage.close()
})

test('a partner that disconnects has walked away', async () => {
  const stage = await openStage({ firstCame: 1 })
  const leaver = new AbortController()
  class Leaves {
    offer(): unknown {
      leaver.abort()
      return [0, 0, 0]
    }
  }
  const stays = play({ url: stage.url, id: 'stays', script: soft })
  await vi.waitUntil(() => stage.arenas.clients() === 1, { timeout: 60_000 })
  await play({ url: stage.url, id: 'leaves', script: Leaves, signal: leaver.signal })
  const { frames, reason } = await stays
  expect(frames.at(-1)).toEqual({ type: 'log', arg: ['abort', 0, 'The connection was lost.'] })
  expect(reason).toBe('The session is over: your partner walked away.')
  await stage.close()
})

test('nobody is paired with himself', async () => {
  const stage = await openStage()
  const alone = [1, 2, 3].map(() => play({ url: stage.url, id: 'narcissus', script: half }))
  await vi.waitUntil(() => stage.arenas.clients() === 3, { timeout: 60_000 })
  const echo = await play({ url: stage.url, id: 'echo', script: soft })
  expect(echo.start).not.toBeNull()
  await vi.waitUntil(() => stage.arenas.clients() === 2, { timeout: 60_000 })
  expect(Object.keys(await stage.published()).sort()).toEqual([md5('narcissus'), md5('echo')].sort())
  await stage.close()
  const all = await Promise.all(alone)
  expect(all.filter(({ start }) => start !== null)).toHaveLength(1)
  expect(all.filter(({ reason }) => reason === 'The arena is closing.')).toHaveLength(2)
})

test('a hundred sessions and more between clients that connect in a loop, one person with two of them', async () => {
  const url = `ws://${arenas.address}/standard`
  const stop = new AbortController()
  const before = await scoresOf('standard')
  const ids = ['ann:1', 'ann:1', 'bob:2', 'carl:3', 'dora:4', 'emil:5', 'fritz:6', 'gerda:7']
  const scripts = [half, half, soft, hard, half, soft, hard, half]
  const played: { readonly id: string; readonly session: Played }[] = []
  const loops = ids.map(async (id, at) => {
    while (!stop.signal.aborted) {
      const session = await play({ url, id, script: scripts[at]!, enough: stop.signal })
      if (session.frames.some(({ arg }) => arg?.[0] === 'done')) played.push({ id, session })
      if (played.length >= 220) stop.abort()
    }
  })
  await Promise.all(loops)

  // Each session was seen from both sides, and both saw the same.
  const bySession = Map.groupBy(played, ({ session: { start, log } }) =>
    JSON.stringify([
      start!.counts,
      log.filter(([kind]) => kind === 'valuation' || kind === 'score' || kind === 'done'),
    ]),
  )
  expect(played.length).toBeGreaterThanOrEqual(200)
  for (const seen of bySession.values()) {
    const sides = seen.map(({ session }) => session.start!.me)
    expect(sides.filter((side) => side === 0)).toHaveLength(sides.length / 2)
  }
  for (const { session } of played) {
    const { start, calls, crash } = session
    expect(crash).toBeNull()
    const [, , score] = entries(session, 'score')[start!.me]!
    const agreed = session.frames.at(-1)!.arg![1] as boolean
    expect(entries(session, 'valuation')[start!.me]).toEqual(['valuation', start!.me, start!.values])
    const mine = shareOf(session)
    expect(score).toBe(agreed ? worth(mine, start!.values) : 0)
    expect(calls.length).toBeLessThanOrEqual(6)
  }

  // The statistics are what the clients saw.
  const after = await scoresOf('standard')
  for (const id of new Set(ids)) {
    const mine = played.filter((each) => each.id === id).map(({ session }) => session)
    const own = after[md5(id)]!['all']!
    const old = before[md5(id)]?.['all'] ?? { sessions: 0, agreements: 0, score: 0 }
    expect(own.sessions - old.sessions).toBe(mine.length)
    expect(own.agreements - old.agreements).toBe(mine.filter(({ frames }) => frames.at(-1)!.arg![1]).length)
    expect(own.score - old.score).toBe(
      mine.reduce((sum, session) => sum + (entries(session, 'score')[session.start!.me]![2] as number), 0),
    )
  }
  // Nobody's id is told to anybody.
  const told = JSON.stringify([after, played.map(({ session }) => [session.frames, session.reason])])
  for (const id of ids) expect(told).not.toContain(id)
})

/** The client's final share: its last demand or the last offer to it before somebody accepted. */
function shareOf({ log }: Played): readonly number[] {
  const offers = log.filter(([kind]) => kind === 'offer')
  const accepted = offers.findIndex(([, , share]) => share === undefined)
  return (offers[accepted - 1]?.[2] ?? []) as readonly number[]
}

async function scoresOf(arena: string): Promise<PublishedScores> {
  const path = `/challenges/haggling/scores/${arena}`
  return (await (await fetch(`http://${arenas.address}${path}`)).json()) as PublishedScores
}
