import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import type { Play } from '../../../main/contract/procedures/human-match.ts'
import type { Json } from '../../../main/contract/json.ts'
import { liveTopic, type LiveMatch } from '../../../main/contract/game/live-match.ts'
import type { Ground } from '../../../main/referees/punter/narration/narrator.ts'
import type { MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { draftOf, openPlace, openRoom, type Room } from './classroom.ts'

const place = openPlace('service-live')
let room: Room

beforeAll(async () => {
  room = await openRoom(join(place.folder, 'data'))
  await room.call('settings.set', { isolation: 'permission' })
})
afterAll(async () => {
  await room.service.close()
  place.remove()
})

/** A spectator at a window: everything that it is told, as it goes over the wire. */
function watch(contest: string, match: number) {
  const seen: (LiveMatch | null)[] = []
  let news = (): void => undefined
  const leave = room.service.on(liveTopic(contest, match), (value) => {
    // As JSON, because values are changed no more once they have been sent.
    seen.push(JSON.parse(JSON.stringify(value)) as LiveMatch | null)
    news()
  })
  return {
    seen,
    leave,
    async until(wanted: (now: LiveMatch | null) => boolean): Promise<LiveMatch | null> {
      while (seen.length === 0 || !wanted(seen.at(-1)!)) await new Promise<void>((resolve) => (news = resolve))
      return seen.at(-1)!
    },
  }
}

interface Scene {
  readonly moves: number
  readonly most: number
  readonly punters: readonly { readonly futures: Json; readonly score: number }[]
}
const sceneOf = (shown: LiveMatch | null): Scene => JSON.parse(shown?.scene ?? 'null') as Scene

async function eventsOf(contest: string, match: number): Promise<readonly MatchEvent[]> {
  const source = { from: 'contest', contest, match } as const
  return (await room.call('matches.events', { source, limit: 1_000 })).items
}

const begun = (contest: string) => room.until(contest, ({ playing }) => playing.length > 0)

test('a match that a person plays is followed move by move, and its secrets are told when it is over', async () => {
  const opponents = await room.call('play.opponents', { game: 'punter' })
  const { contest } = await room.call('play.begin', {
    game: 'punter',
    config: { map: 'sample', futures: true },
    opponents: [opponents.find(({ name }) => name === 'tartaglia')!.agent],
    seat: 0,
    moveMs: 600_000,
  })
  let play: Play | null = null
  let heard = (): void => undefined
  const away = room.service.on(`play:${contest}`, (value) => {
    play = value as Play
    heard()
  })
  const asked = async (): Promise<number | null> => {
    for (;;) {
      if (play?.result !== null && play?.result !== undefined) return null
      if (play?.question !== null && play?.question !== undefined) return play.question.number
      await new Promise<void>((resolve) => (heard = resolve))
    }
  }
  const answer = async (value: Json): Promise<void> => {
    const question = await asked()
    await room.call('play.answer', { contest, question, value })
    play = await room.call('play.get', { contest })
  }

  const { playing } = await begun(contest)
  expect(playing).toEqual([{ match: 0, names: ['Human', 'tartaglia'] }])
  const facts = await room.call('matches.live', { contest, match: 0 })
  expect(facts).toMatchObject({ game: 'punter', names: ['Human', 'tartaglia'], ground: { mines: [1, 4] } })
  const first = watch(contest, 0)
  await first.until((now) => now !== null)

  await answer({ ready: 0, futures: [{ source: 1, target: 4 }] })
  await answer({ claim: { source: 1, target: 3 } })
  const early = await first.until((now) => now?.recent.some(({ lines }) => lines !== null) === true)
  const told = early!.recent.flatMap(({ lines }) => lines ?? [])
  expect(told).toContain('Human claims 1-3.')

  // A late spectator sees the state of the match at once.
  const second = watch(contest, 0)
  const late = await second.until((now) => now?.scene !== undefined && now?.scene !== null)
  expect(sceneOf(late).moves).toBeGreaterThanOrEqual(1)
  await first.until((now) => sceneOf(now).moves >= 2)
  expect(
    first.seen
      .at(-1)!
      .recent.flatMap(({ lines }) => lines ?? [])
      .at(-1),
  ).toMatch(/^tartaglia claims /)

  for (;;) {
    if ((await asked()) === null) break
    await answer({ pass: {} })
  }
  await first.until((now) => now === null)
  away()

  // The secret is in the history now, and was in no message to spectators.
  const source = { from: 'contest', contest, match: 0 } as const
  const { seed } = await room.call('matches.get', { source })
  const setups = (await eventsOf(contest, 0)).filter(
    (event) => event.kind === 'input' && (event.input as { readonly type: string }).type === 'ready',
  )
  expect(JSON.stringify(setups)).toContain('"futures":[{"source":1,"target":4}]')
  for (const { seen: all } of [first, second]) {
    // With the last move the match is over, and there are no secrets any more.
    const seen = all.filter((now) => sceneOf(now) === null || sceneOf(now).moves < sceneOf(now).most)
    const bytes = JSON.stringify(seen)
    expect(bytes).not.toContain(seed)
    expect(bytes).not.toMatch(/bets on|\\"target\\":4/)
    const futures = seen.flatMap((now) => sceneOf(now)?.punters ?? []).map((punter) => punter.futures)
    expect(new Set(futures)).toEqual(new Set([null]))
    const numbers = seen.flatMap((now) => now?.recent ?? []).filter(({ lines }) => lines === null)
    expect(numbers.every(({ number }) => number <= 2)).toBe(true)
  }
  first.leave()
  second.leave()
  expect(await room.call('matches.live', { contest, match: 0 })).toBeNull()
})

/** Claims the first free river after a while that does not depend on a clock, since agents have none. */
const slow = `
module.exports = class Slow {
  setup(map) { this.rivers = map.rivers; this.taken = new Set() }
  move(moves) {
    for (const { claim } of moves) if (claim) this.taken.add(claim.source + '-' + claim.target)
    let sum = 0
    for (let i = 0; i < 12000000; i++) sum += i % 7
    const river = this.rivers.find(({ source, target }) => !this.taken.has(source + '-' + target))
    return river === undefined || sum < 0 ? { pass: {} } : { claim: river }
  }
}
`

test('matches of a contest are watched while they are played, and watching changes nothing in them', async () => {
  const agents = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const content = `// ${name}\n${slow}`
      const { versions } = await room.submit({ fileName: `${name}.js`, content, game: 'punter' })
      return { name, agent: versions[0]!.agent }
    }),
  )
  const draft = draftOf(agents, {
    game: 'punter',
    config: { map: 'grid' },
    format: { type: 'single' },
    title: 'Watched',
  })
  const { contest } = await room.call('contests.create', { draft })
  await room.call('contests.start', { contest })
  const { playing } = await begun(contest)
  expect(playing).toEqual([{ match: 0, names: ['one', 'two'] }])
  const { ground } = (await room.call('matches.live', { contest, match: 0 }))!
  const { seen, until, leave } = watch(contest, 0)
  const events = new Map<number, readonly string[] | null>()
  await until((now) => {
    for (const { number, lines } of now?.recent ?? []) events.set(number, lines)
    return now === null
  })
  leave()
  expect(seen.length).toBeGreaterThan(2)
  await room.until(contest, ({ summary }) => summary.state === 'ended')

  // The agents claim the rivers in the order of the map, watched or not.
  const { sites, rivers } = ground as unknown as Ground
  const claims = rivers.map(({ source, target }) => ({ source: sites[source]!.id, target: sites[target]!.id }))
  const inputs = (await eventsOf(contest, 0)).map((event) => (event.kind === 'input' ? event.input : null))
  expect(inputs.slice(2)).toEqual(claims.map((claim, at) => ({ type: 'move', seat: at % 2, move: { claim } })))
  // Every input since the spectator came, under its number.
  const numbers = [...events.keys()]
  expect(numbers).toEqual(numbers.map((_, at) => numbers[0]! + at))
  // A spectator that comes early sees the two setups as well.
  const moves = [...events].filter(([number]) => number >= 3)
  expect(moves.length).toBeGreaterThan(2)
  for (const [number, lines] of moves) {
    const { source, target } = claims[number - 3]!
    expect(lines).toEqual([`${['one', 'two'][(number - 3) % 2]!} claims ${source}-${target}.`])
  }
})

test('a connection that has not signed in is refused, and a match that does not exist is nobody’s', async () => {
  const dispatcher = createDispatcher(room.service, (error) => {
    throw error
  })
  const answers: { readonly r?: { readonly ok: boolean } }[] = []
  const transport = { send: (message: object) => void answers.push(message), end: () => undefined }
  const stranger = dispatcher.connect(transport, {
    kind: 'session',
    person: '0123456789abcdef',
    session: 'of somebody who has left',
    isTerminal: false,
  })
  stranger.receive({ t: 'q', i: '1', m: 'call', a: ['matches.live', { contest: 'watched-1', match: 0 }] })
  stranger.receive({ t: 'q', i: '2', m: 'subscribe', a: ['live:watched-1/0'] })
  await new Promise((resolve) => setImmediate(resolve))
  expect(answers.map(({ r }) => r?.ok)).toEqual([false, false])
  stranger.close()

  const nobody = watch('no-such-contest-1', 3)
  expect(await nobody.until(() => true)).toBeNull()
  nobody.leave()
  expect(await room.call('matches.live', { contest: 'no-such-contest-1', match: 3 })).toBeNull()
})
