import fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Visitor } from '../../../main/contract/people/caller.ts'
import { addRateLimits, createRefusalLimit } from '../../../main/portal/rate-limits.ts'

test('the addresses of one network of IPv6 are counted together', async () => {
  const app = fastify()
  await addRateLimits(app, () => null)
  app.post('/histories', () => null)
  const upload = async (remoteAddress: string): Promise<number> => {
    const { statusCode } = await app.inject({ method: 'POST', url: '/histories', remoteAddress })
    return statusCode
  }
  for (let n = 0; n < 120; n += 1) expect(await upload(`2001:db8::${n.toString(16)}:1`)).toBe(200)
  expect(await upload('2001:db8::ffff')).toBe(429)
  expect(await upload('2001:db8:0:1::1')).toBe(200)
  await app.close()
})

test('whoever signs in again has no more uploads', async () => {
  const app = fastify()
  await addRateLimits(app, ({ headers }) => {
    const session = String(headers['x-session'])
    return { kind: 'session', person: 'p', session, isTerminal: false }
  })
  app.post('/packages', () => null)
  const codes: number[] = []
  for (let n = 0; n <= 120; n += 1) {
    const headers = { 'x-session': `s${n % 20}` }
    codes.push((await app.inject({ method: 'POST', url: '/packages', headers })).statusCode)
  }
  expect([new Set(codes.slice(0, 120)), codes.at(-1)]).toEqual([new Set([200]), 429])
  await app.close()
})

test('a session has 600 requests a minute and 120 uploads an hour, wherever it is used, and others have theirs', async () => {
  const app = fastify()
  const visitors = new Map<string, Visitor>(
    ['a', 'b'].map(
      (session) => [session, { kind: 'session', person: session.repeat(16), session, isTerminal: false }] as const,
    ),
  )
  await addRateLimits(app, ({ headers }) => visitors.get(String(headers['x-session'])) ?? null)
  app.get('/', () => null)
  app.post('/packages', () => null)
  const ask = async (session: string, method: 'GET' | 'POST', from = '192.0.2.1'): Promise<number> => {
    const url = method === 'GET' ? '/' : '/packages'
    const { statusCode } = await app.inject({ method, url, headers: { 'x-session': session }, remoteAddress: from })
    return statusCode
  }
  const answers = async (session: string, method: 'GET' | 'POST', times: number): Promise<ReadonlySet<number>> =>
    new Set(await Promise.all(Array.from({ length: times }, (_, i) => ask(session, method, `192.0.2.${i % 250}`))))
  expect(await answers('a', 'GET', 600)).toEqual(new Set([200]))
  expect(await ask('a', 'GET')).toBe(429)
  expect(await answers('a', 'POST', 120)).toEqual(new Set([200]))
  expect(await ask('a', 'POST')).toBe(429)
  expect([await ask('b', 'GET'), await ask('b', 'POST'), await ask('nobody', 'GET')]).toEqual([200, 200, 200])
  await app.close()
})

test('refusals of strangers are counted by network, and cost more than the page to sign in', () => {
  let time = 0
  const limit = createRefusalLimit(20_000, () => time)
  const count = (address: string, isRefusal: boolean): number => {
    let allowed = 0
    while (limit.allows(address, isRefusal)) allowed += 1
    return allowed
  }
  expect(count('192.0.2.1', true)).toBe(2_500)
  expect(count('2001:db8::1', false)).toBe(20_000)
  expect(limit.allows('2001:db8::ffff', false)).toBe(false)
  expect(limit.allows('192.0.2.2', true)).toBe(true)
  time = 60_000
  expect(limit.allows('192.0.2.1', true)).toBe(true)
})
