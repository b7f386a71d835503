import { afterEach, expect, test } from 'vitest'
import { playOpenLobby, type OpenLobbyOptions, type OpenTable } from '../../../main/services/games/punter/open-lobby.ts'
import type { PlayedGame } from '../../../main/services/games/punter/lobby.ts'
import { completed, pathMap } from '../../unit/punter/stage.ts'
import { frame, openClient, plays, script } from './client.ts'
import { saying } from '../../refusal.ts'

const stops: AbortController[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort()
})

/** A lobby on a map of three rivers, with a status page. */
async function opened(options: Partial<OpenLobbyOptions> = {}) {
  const open = Promise.withResolvers<{ tables: readonly OpenTable[]; status: string }>()
  const stop = new AbortController()
  stops.push(stop)
  const played: PlayedGame[] = []
  const notices: string[] = []
  const over = playOpenLobby({
    config: completed({ map: pathMap(3) }),
    punters: 2,
    host: '127.0.0.1',
    port: 0,
    portPerTable: false,
    tables: 2,
    privateTables: 0,
    games: 2,
    limits: {},
    handshakeMs: 10_000,
    status: { host: '127.0.0.1', port: 0 },
    about: 'Games on <a path>.',
    signal: stop.signal,
    onOpen: (tables, status) => open.resolve({ tables, status: status! }),
    onResult: (game) => void played.push(game),
    onNotice: (text) => void notices.push(text),
    onUnexpected: open.reject,
    ...options,
  })
  over.catch(open.reject)
  const { tables, status } = await open.promise
  const page = async (): Promise<string> => (await fetch(status)).text()
  const join = async (table: number, name: string) => {
    const client = await openClient(tables[table]!.address, name)
    expect(await client.hear()).toEqual({ you: name })
    return client
  }
  return { tables, status, page, join, over, stop, played, notices }
}

const namesOf = (played: readonly PlayedGame[]) => played.map(({ table, names }) => [table, ...names]).sort()

test('tables of one port are filled one after the other, and their games are played at the same time', async () => {
  const { tables, join, over, played, page } = await opened()
  expect(tables[0]!.address).toBe(tables[1]!.address)
  const clients = [await join(0, 'Ann'), await join(0, 'Bob'), await join(0, 'Cid')]
  // The first game waits for its punters to be ready, the second for a punter.
  await expect.poll(page).toContain('plays: move 0 of 3')
  expect(await page()).toContain('waits: 1 of 2 seats taken')
  clients.push(await join(0, 'Dan'))
  await Promise.all(clients.map((client) => plays(client, script())))
  await over
  expect(namesOf(played)).toEqual([
    [0, 'Ann', 'Bob'],
    [1, 'Cid', 'Dan'],
  ])
})

test('a client that waits at a table gets company before another one is used again', async () => {
  const { join, over, played } = await opened()
  const first = [await join(0, 'Ann'), await join(0, 'Bob')]
  const cid = await join(0, 'Cid')
  await Promise.all(first.map((client) => plays(client, script())))
  await expect.poll(() => played).toHaveLength(1)
  // The first table is free again.
  const dan = await join(0, 'Dan')
  await Promise.all([cid, dan].map((client) => plays(client, script())))
  await over
  expect(namesOf(played)).toEqual([
    [0, 'Ann', 'Bob'],
    [1, 'Cid', 'Dan'],
  ])
})

test('tables may have ports of their own, and a table is used for one game after the other', async () => {
  const { tables, join, over, played } = await opened({ portPerTable: true, games: 3 })
  expect(new Set(tables.map(({ address }) => address)).size).toBe(2)
  for (const [table, first, second] of [
    [1, 'Ann', 'Bob'],
    [1, 'Cid', 'Dan'],
    [0, 'Eve', 'Fay'],
  ] as const) {
    const clients = [await join(table, first), await join(table, second)]
    await Promise.all(clients.map((client) => plays(client, script())))
    await expect.poll(() => played.at(-1)?.names).toEqual([first, second])
  }
  await over
  expect(played.map(({ table }) => table)).toEqual([1, 1, 0])
})

test('a private table is for those that say its token, and its names are not told', async () => {
  const { tables, join, over, played, page, notices } = await opened({ privateTables: 1, games: 1 })
  const [open, closed] = tables
  expect(open!.token).toBeNull()
  const token = closed!.token!
  const clients = [await join(0, `${token}/Ann`), await join(0, 'Bob')]
  expect(await page()).toContain('<bdi>Bob</bdi>')
  // A token with a slip must not be shown as a name.
  const slip = await openClient(open!.address, 'none/Cid')
  expect(await slip.hear()).toBeNull()
  expect(notices.at(-1)).toEqual(saying('private', 'token'))
  expect(await page()).not.toContain('Ann')
  expect(await page()).not.toContain(token)
  clients.push(await join(0, `${token}/Cid`))
  // The game of the private table is the last one: who waits at the other is sent away.
  await Promise.all(clients.map((client) => plays(client, script())))
  await over
  expect(namesOf(played)).toEqual([[1, 'Ann', 'Cid']])
})

test('without a free seat, and without the token where all tables are private, a client is sent away', async () => {
  const full = await opened({ tables: 1, games: 2 })
  const [ann, bob] = [await full.join(0, 'Ann'), await full.join(0, 'Bob')]
  const late = await openClient(full.tables[0]!.address, 'Cid')
  expect(await late.hear()).toBeNull()
  expect(full.notices.at(-1)).toBe(
    'A connection from 127.0.0.1 was sent away: All seats are taken; try again when a game is over.',
  )
  await Promise.all([plays(ann, script()), plays(bob, script())])

  const secret = await opened({ tables: 1, privateTables: 1 })
  const stranger = await openClient(secret.tables[0]!.address, 'Dan')
  expect(await stranger.hear()).toBeNull()
})

test('silent clients are timed out and hold no seat; who leaves frees the seat', async () => {
  const { tables, join, over, notices, played } = await opened({ tables: 1, games: 1, handshakeMs: 200 })
  const silent = await openClient(tables[0]!.address, '')
  expect(await silent.hear()).toBeNull()
  expect(notices.at(-1)).toContain('No sign-in within 200 ms.')
  const ann = await join(0, 'Ann')
  ann.end()
  await expect.poll(() => notices.join(' ')).toContain('Ann has left: it ')
  const clients = [await join(0, 'Bob'), await join(0, 'Cid')]
  await Promise.all(clients.map((client) => plays(client, script())))
  await over
  expect(namesOf(played)).toEqual([[0, 'Bob', 'Cid']])
})

test('a lobby that is stopped plays the games that have begun, and sends the others away', async () => {
  const { join, over, stop, played } = await opened({ games: Infinity })
  const clients = [await join(0, 'Ann'), await join(0, 'Bob'), await join(0, 'Cid')]
  await clients[0]!.hear()
  stop.abort()
  expect(await clients[2]!.hear()).toBeNull()
  for (const client of clients.slice(0, 2)) client.say({ ready: 0 })
  await Promise.all(clients.slice(0, 2).map((client) => plays(client, script({ pass: {} }, { pass: {} }))))
  await over
  expect(namesOf(played)).toEqual([[0, 'Ann', 'Bob']])
})

test('the status page is plain HTML that shows names as text, with headers that allow no script', async () => {
  const { status, join, page } = await opened({ tables: 1 })
  await join(0, '<script>alert(1)</script>"&')
  await expect.poll(page).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;</bdi>')
  const html = await page()
  expect(html).toContain('Games on &lt;a path&gt;.')
  expect(html).not.toMatch(/<script|javascript:|style="/)
  const { headers } = await fetch(status)
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none';style-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-store')
  expect((await fetch(`${status}/style.css`)).headers.get('content-type')).toContain('text/css')
  expect((await fetch(`${status}/other`)).status).toBe(404)
  expect((await fetch(status, { method: 'POST', body: 'x' })).status).toBeGreaterThanOrEqual(400)
})

test('a flood of messages before the game ends the client, and only it', async () => {
  const { tables, join, over } = await opened({ tables: 1, games: 1 })
  const flood = await openClient(tables[0]!.address, 'Flo')
  await flood.hear()
  for (let i = 0; i < 1_100; i++) flood.socket.write(frame({ pass: {} }))
  expect(await flood.hear()).toBeNull()
  const clients = [await join(0, 'Ann'), await join(0, 'Bob')]
  await Promise.all(clients.map((client) => plays(client, script())))
  await over
})
