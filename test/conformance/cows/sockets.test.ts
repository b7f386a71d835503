import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { parseKeyText } from '../../../main/histories/keys.ts'
import { verifyMatch } from '../../../main/histories/verify.ts'
import { games } from '../../../main/referees/games.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openClient, plays, type Client, type Heard } from './client.ts'
import { openStage, passwordOf, users } from './stage.ts'
import { refusal } from '../../refusal.ts'

const typesOf = (messages: readonly Heard[]): string => messages.map(({ type }) => type).join(' ')

test('a match of three simulations over one sign-in: corrals swap, identifiers go on, the result is the sum', async () => {
  const stage = await openStage({ simulations: [{ steps: 2 }, { steps: 3, profile: 'server-2008' }, { steps: 2 }] })
  const clients = await stage.all()
  const heard = await Promise.all(clients.map((client) => plays(client)))
  const simulation = (steps: number): string => `sim-start ${'request-action '.repeat(steps)}sim-end`
  for (const messages of heard) {
    expect(typesOf(messages)).toBe(`${simulation(2)} ${simulation(3)} ${simulation(2)} bye`)
    expect(
      messages
        .filter(({ type }) => type === 'request-action')
        .map(({ attributes }) => [attributes['id'], attributes['step']]),
    ).toEqual([
      ['1', '0'],
      ['2', '1'],
      ['3', '0'],
      ['4', '1'],
      ['5', '2'],
      ['6', '0'],
      ['7', '1'],
    ])
    for (const { type, timestamp, attributes } of messages)
      if (type === 'request-action') expect(Number(attributes['deadline']) - timestamp).toBe(60_000)
    const times = messages.map(({ timestamp }) => timestamp)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  }
  const starts = heard.map((messages) =>
    messages.filter(({ type }) => type === 'sim-start').map(({ attributes }) => attributes),
  )
  expect(
    starts.map((each) => each.map(({ id, opponent, corralx0, steps }) => [id, opponent, corralx0, steps].join(' '))),
  ).toEqual([
    ['0 blue 0 2', '1 blue 8 3', '2 blue 0 2'],
    ['0 blue 0 2', '1 blue 8 3', '2 blue 0 2'],
    ['0 red 8 2', '1 red 0 3', '2 red 8 2'],
    ['0 red 8 2', '1 red 0 3', '2 red 8 2'],
  ])
  expect(await stage.result).toEqual({
    teams: [
      { name: 'red', points: 3, cows: 0 },
      { name: 'blue', points: 3, cows: 0 },
    ],
    winner: null,
    simulations: [
      { name: 'pasture 0', steps: 2, teams: ['red', 'blue'], scores: [0, 0] },
      { name: 'pasture 1', steps: 3, teams: ['blue', 'red'], scores: [0, 0] },
      { name: 'pasture 2', steps: 2, teams: ['red', 'blue'], scores: [0, 0] },
    ],
  })
})

test('actions move the bodies of their users, and the step goes on as soon as all have answered', async () => {
  const stage = await openStage({ simulations: [{ steps: 2, failure: 0 }] })
  const clients = await stage.all()
  const begun = performance.now()
  const places = await Promise.all(
    clients.map(async (client, at) => {
      const heard = await plays(client, () => ['north', 'south', 'east', 'northwest'][at]!)
      return heard
        .flatMap(({ attributes: { posx, posy } }) => (posx === undefined ? [] : [`${posx},${posy}`]))
        .join(' ')
    }),
  )
  expect(places).toEqual(['1,1 1,0', '1,3 1,4', '5,1 6,1', '5,3 4,2'])
  // The time limit of a step is a minute.
  expect(performance.now() - begun).toBeLessThan(60_000)
  await stage.result
})

describe('a client that is not let in gets auth-response fail, and the connection is closed', () => {
  const sentAway = async (first: string): Promise<Heard | null> => {
    const stage = await openStage()
    const client = await openClient(stage.address)
    client.say(first)
    const reply = await client.hear()
    expect(await client.hear()).toBeNull()
    stage.abort.abort()
    expect(await stage.result).toBeNull()
    return reply
  }
  const request = (username: string, password: string): string =>
    `<message type="auth-request"><authentication username="${username}" password="${password}"/></message>`
  test.each([
    ['a wrong password', request('red1', 'x')],
    ['the password of another user', request('red1', passwordOf('red2'))],
    ['an unknown user', request('nobody', '')],
    ['a ping', '<message type="ping"><payload value="a"/></message>'],
    ['no XML', 'hello'],
    ['an auth-request without a password', '<message type="auth-request"><authentication username="red1"/></message>'],
  ])('with %s', async (_, first) => {
    const reply = await sentAway(first)
    expect(reply?.text).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?><message timestamp="\d+" type="auth-response"><authentication result="fail"\/><\/message>$/,
    )
  })
})

test('a ping is answered before a simulation and in one; one that is too long is not', async () => {
  const stage = await openStage()
  const early = await stage.come('red1')
  early.ping('x'.repeat(101))
  early.ping('test:1')
  expect((await early.hear())?.attributes).toEqual({ value: 'test:1' })
  const others = await Promise.all(users.slice(1).map((user) => stage.come(user)))
  const request = await early.hearOf('request-action')
  early.ping('Grüße')
  expect((await early.hear())?.attributes).toEqual({ value: 'Grüße' })
  early.act(request.attributes['id'])
  await Promise.all([plays(early), ...others.map((client) => plays(client))])
  await stage.result
})

/** A match in which one client is told what to say at its first request; the others skip. */
async function firstStep(say: (client: Client, id: string) => void): Promise<readonly Heard[]> {
  const stage = await openStage({ simulations: [{ steps: 2, failure: 0 }] })
  const [client, ...others] = await stage.all()
  const others1 = others.map((other) => plays(other))
  const request = await client!.hearOf('request-action')
  say(client!, request.attributes['id']!)
  const rest = await plays(client!)
  await Promise.all(others1)
  await stage.result
  return rest
}
const placeAfter = (messages: readonly Heard[]): string | undefined => {
  const request = messages.find(({ type }) => type === 'request-action')
  return request === undefined ? undefined : `${request.attributes['posx']},${request.attributes['posy']}`
}

describe('what does not answer a request is dropped, and the request waits', () => {
  const north = (id: string): string => `<message type="action"><action id="${id}" type="north"/></message>`
  test.each([
    ['another id', () => north('77')],
    ['broken XML', (id: string) => north(id).slice(0, -4)],
    ['a document type', (id: string) => `<!DOCTYPE message [<!ENTITY x "north">]>${north(id).replace('north', '&x;')}`],
    [
      'an action without a type, as clients of 2008 answer sim-start',
      () => '<message type="action"><action id="0"/></message>',
    ],
    ['more than 65,536 bytes', (id: string) => north(id) + ' '.repeat(70_000)],
    ['another message', () => '<message type="sim-end"/>'],
    ['nothing', () => ''],
  ])('%s', async (_, message) => {
    const rest = await firstStep((client, id) => {
      client.say(message(id))
      client.act(id, 'east')
    })
    expect(placeAfter(rest)).toBe('2,1')
  })
  test('bytes that are not UTF-8', async () => {
    const rest = await firstStep((client, id) => {
      client.write(Buffer.from(`<message type="action"><action id="${id}" type="n\xf6rd"/></message>\0`, 'latin1'))
      client.act(id, 'east')
    })
    expect(placeAfter(rest)).toBe('2,1')
  })
})

test('messages may come byte by byte, and several at once; of two answers the first counts', async () => {
  const slow = await firstStep((client, id) => {
    for (const byte of Buffer.from(`<message type="action"><action id="${id}" type="east"/></message>\0`))
      client.write(Uint8Array.of(byte))
  })
  expect(placeAfter(slow)).toBe('2,1')
  const answer = (id: string, action: string) =>
    `<message type="action"><action id="${id}" type="${action}"/></message>\0`
  const merged = await firstStep((client, id) =>
    client.write(`<message type="ping"><payload value="a"/></message>\0${answer(id, 'east')}${answer(id, 'west')}`),
  )
  expect(merged[0]?.type).toBe('pong')
  expect(placeAfter(merged)).toBe('2,1')
})

test('an unknown action is an answer, and a skip', async () => {
  expect(placeAfter(await firstStep((client, id) => client.act(id, 'jump')))).toBe('1,1')
})

test('a client that answers too late has skipped; its late answer moves nothing', async () => {
  const stage = await openStage({ simulations: [{ steps: 3, failure: 0 }], timeoutMs: 300 })
  const [client, ...others] = await stage.all()
  const playing = others.map((other) => plays(other))
  const first = await client!.hearOf('request-action')
  const second = await client!.hearOf('request-action')
  expect(second.timestamp).toBeGreaterThanOrEqual(Number(first.attributes['deadline']))
  expect([second.attributes['posx'], second.attributes['posy']]).toEqual(['1', '1'])
  client!.act(first.attributes['id'], 'north')
  client!.act(second.attributes['id'], 'east')
  const third = await client!.hearOf('request-action')
  expect([third.attributes['posx'], third.attributes['posy']]).toEqual(['2', '1'])
  await Promise.all([plays(client!), ...playing])
  await stage.result
})

test('a client that reconnects in a simulation gets sim-start as it was and the next request, and plays on', async () => {
  const stage = await openStage({ simulations: [{ steps: 3, failure: 0 }], timeoutMs: 1_000 })
  const [client, ...others] = await stage.all()
  const playing = others.map((other) => plays(other))
  const start = await client!.hearOf('sim-start')
  const first = await client!.hearOf('request-action')
  client!.end()
  const again = await stage.come('red1')
  expect((await again.hear())?.text).toBe(start.text)
  const next = await again.hear()
  expect([next?.type, Number(next?.attributes['id'])]).toEqual(['request-action', Number(first.attributes['id']) + 1])
  again.act(next?.attributes['id'], 'east')
  const rest = await plays(again)
  expect(placeAfter(rest)).toBe('2,1')
  await Promise.all(playing)
  await stage.result
})

test('a request that was opened while a client was away is sent when it is back, with the time that is left', async () => {
  const stage = await openStage({ simulations: [{ steps: 3, failure: 0 }], timeoutMs: 20_000 })
  const [client, ...others] = await stage.all()
  const first = await client!.hearOf('request-action')
  client!.act(first.attributes['id'], 'skip')
  client!.end()
  await vi.waitFor(() => expect(stage.notices).toContainEqual(expect.stringContaining('red1 (team red) has gone')))
  const playing = others.map((other) => plays(other))
  await setTimeout(300)
  const again = await stage.come('red1')
  expect((await again.hear())?.type).toBe('sim-start')
  const next = await again.hear()
  expect([next?.type, Number(next?.attributes['id'])]).toEqual(['request-action', Number(first.attributes['id']) + 1])
  const left = Number(next?.attributes['deadline']) - next!.timestamp
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(19_900)
  again.act(next?.attributes['id'], 'east')
  expect(placeAfter(await plays(again))).toBe('2,1')
  await Promise.all(playing)
  await stage.result
})

test('simulations are written as histories that verify, and as transcripts in sentences', async () => {
  const exportTo = join(temporaryFolder('cows-export'), 'kept')
  const stage = await openStage({ simulations: [{ steps: 3, failure: 0 }, { steps: 2 }], exportTo })
  const [red1, ...others] = await stage.all()
  await Promise.all([plays(red1!, () => 'east'), ...others.map((other) => plays(other))])
  const result = await stage.result
  expect(readdirSync(exportTo).sort()).toEqual([
    'class.pub',
    'match-0000.jsonl',
    'match-0000.txt',
    'match-0001.jsonl',
    'match-0001.txt',
  ])
  const keys = [parseKeyText(readFileSync(join(exportTo, 'class.pub'), 'utf8'))!]
  for (const match of [0, 1]) {
    const verdict = verifyMatch(readFileSync(join(exportTo, `match-000${match}.jsonl`)), {
      keys,
      games: (id) => games.get(id),
    })
    expect(verdict).toMatchObject({ ok: true, match: { replayed: true, match, inputs: 3 - match } })
    if (!verdict.ok) continue
    const { seats, outcome } = verdict.match
    expect(seats.map(({ name }) => name)).toEqual(match === 0 ? ['red', 'blue'] : ['blue', 'red'])
    expect(outcome.places.map(({ score }) => score)).toEqual(result!.simulations[match]!.scores)
  }
  const told = readFileSync(join(exportTo, 'match-0000.txt'), 'utf8')
  expect(told).toContain('Step 0: red: 0 east, 1 skips.')
  await expect(openStage({ exportTo })).rejects.toMatchObject({ code: 'file-exists' })
})

test('of two connections of one user the newer one counts', async () => {
  const stage = await openStage({ simulations: [{ steps: 2, failure: 0 }] })
  const old = await stage.come('red1')
  const young = await stage.come('red1')
  expect(await old.hear()).toBeNull()
  const others = await Promise.all(users.slice(1).map((user) => stage.come(user)))
  const heard = await Promise.all([plays(young), ...others.map((client) => plays(client))])
  expect(typesOf(heard[0]!)).toBe('sim-start request-action request-action sim-end bye')
  await stage.result
})

test('a connection that takes over in the middle of a step may answer the request that the older one got', async () => {
  const stage = await openStage({ simulations: [{ steps: 2, failure: 0 }] })
  const [old, ...others] = await stage.all()
  const playing = others.map((other) => plays(other))
  const request = await old!.hearOf('request-action')
  const young = await stage.come('red1')
  expect(await old!.hear()).toBeNull()
  await young.hearOf('sim-start')
  young.act(request.attributes['id'], 'east')
  expect(placeAfter(await plays(young))).toBe('2,1')
  await Promise.all(playing)
  await stage.result
})

test('a body that has gone is waited for in ten steps, then skips at once', async () => {
  const stage = await openStage({ simulations: [{ steps: 40 }], timeoutMs: 50 })
  const [client, ...others] = await stage.all()
  const playing = others.map((other) => plays(other))
  await client!.hearOf('request-action')
  client!.end()
  const [messages] = await Promise.all(playing)
  const times = messages!.filter(({ type }) => type === 'request-action').map(({ timestamp }) => timestamp)
  const waited = times.slice(1).filter((time, at) => time - times[at]! >= 49).length
  expect(waited).toBeGreaterThanOrEqual(10)
  expect(waited).toBeLessThanOrEqual(20)
  expect(await stage.result).not.toBeNull()
})

test('the match begins after the waiting time with those who are there; others may come later', async () => {
  const stage = await openStage({ simulations: [{ steps: 400 }], timeoutMs: 200, waitMs: 300 })
  const messages = await plays(await stage.come('red1'))
  expect(typesOf(messages.slice(-2))).toBe('sim-end bye')
  expect((await stage.result)?.simulations).toHaveLength(1)
})

test('nobody comes: no match, in a sentence', async () => {
  const stage = await openStage({ waitMs: 100 })
  await expect(stage.result).rejects.toThrow(refusal('sign-in-timeout', '0 s'))
})
