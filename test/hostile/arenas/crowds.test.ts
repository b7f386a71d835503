import { hash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { play } from '../../conformance/arenas/client.ts'
import { half, soft } from '../../conformance/arenas/scripts.ts'
import { openStage } from '../../conformance/arenas/stage.ts'
import { ask, attack, type Attacker } from './attacker.ts'
import { saying } from '../../refusal.ts'

/** Many connections, some at a time, so that the system's queue of new ones is not what is tested. */
async function many(count: number, one: (number: number) => Promise<Attacker>): Promise<readonly Attacker[]> {
  const all: Attacker[] = []
  while (all.length < count) {
    const next = Math.min(100, count - all.length)
    all.push(...(await Promise.all(Array.from({ length: next }, (_, at) => one(all.length + at)))))
  }
  return all
}

test('thousands of connections of one id: most are refused in words, and others play meanwhile', async () => {
  const stage = await openStage({ turnMs: 1_000 })
  const honest = ['a', 'b', 'c', 'd'].map(async (id) => {
    const stop = new AbortController()
    let done = 0
    while (done < 5) {
      const { frames } = await play({ url: stage.url, id, script: half, enough: stop.signal })
      if (frames.some(({ arg }) => arg?.[0] === 'done')) done += 1
    }
  })
  const crowd = await many(2_000, () => attack(stage.url, 'crowd'))
  expect(stage.arenas.clients()).toBeLessThanOrEqual(256 + 4)
  // Their sessions end after a second each; those who had no place were told so.
  const refused = crowd.filter(({ socket }) => socket.readyState !== socket.OPEN)
  const goodbyes = await Promise.all(refused.map(({ goodbye }) => goodbye))
  expect(goodbyes.filter(({ code }) => code === 1013).length).toBeGreaterThan(1_000)
  for (const { code, reason } of goodbyes) {
    if (code === 1013) expect(reason).toEqual(saying('256 clients', 'id'))
  }
  for (const { socket } of crowd) socket.terminate()
  await helpLast(stage.url, honest)
  expect(stage.unexpected).toEqual([])
  await vi.waitUntil(() => stage.arenas.clients() === 0, { timeout: 60_000 })
  await stage.close()
})

/** Whoever of the honest is left alone in the end gets a partner. */
async function helpLast(url: string, honest: readonly Promise<void>[]): Promise<void> {
  const stop = new AbortController()
  const helper = (async () => {
    while (!stop.signal.aborted) await play({ url, id: 'helper', script: soft, enough: stop.signal })
  })()
  await Promise.all(honest)
  stop.abort()
  await helper
}

test('a full house refuses newcomers in words, and takes the next when somebody leaves', async () => {
  const stage = await openStage({ limits: { clients: 50, clientsOfOne: 50 } })
  const crowd = await many(50, (number) => attack(stage.url, number % 2 === 0 ? 'even' : 'odd'))
  const late = await attack(stage.url, 'late')
  expect(await late.goodbye).toEqual({
    code: 1013,
    reason: saying('full', '50 clients'),
  })
  crowd[0]!.socket.close()
  await vi.waitUntil(() => stage.arenas.clients() < 50, { timeout: 60_000 })
  const next = await attack(stage.url, 'next')
  await next.told('waiting')
  await stage.close()
  expect(await next.goodbye).toEqual({ code: 1001, reason: saying('arena', 'closing') })
})

test('closing waits for nobody', async () => {
  const stage = await openStage()
  const crowd = await many(200, (number) => attack(stage.url, `number ${number}`))
  for (const { socket } of crowd) socket.pause()
  await stage.close()
  for (const { socket } of crowd) socket.terminate()
  expect(stage.unexpected).toEqual([])
})

test('statistics: only GET, only arenas, never an id; a thousand who ask get the same text', async () => {
  const stage = await openStage()
  await Promise.all(['ann:secret', 'bob:secret'].map((id) => play({ url: stage.url, id, script: soft })))
  const { address } = stage.arenas
  const [{ status, headers, body }] = await Promise.all([ask(address, '/scores/test')])
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(body).toBe(`${JSON.stringify(JSON.parse(body), null, 2)}\n`)
  expect(Object.keys(JSON.parse(body) as object).sort()).toEqual(
    ['ann:secret', 'bob:secret'].map((id) => hash('md5', id)).sort(),
  )
  expect(body).not.toContain('secret')
  for (const path of [
    '/',
    '/test',
    '/scores/',
    '/scores/none',
    '/scores/__proto__',
    '/scores',
    '/%zz',
    '/scores/%2e%2e',
  ]) {
    const answer = await ask(address, path)
    expect([400, 404], path).toContain(answer.status)
    expect(answer.body, path).not.toContain('{')
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    expect((await ask(address, '/scores/test', method)).status).toBe(404)
  }
  for (let i = 0; i < 10; i++) {
    const all = await Promise.all(Array.from({ length: 100 }, () => ask(address, '/scores/test')))
    expect(new Set(all.map((answer) => answer.body))).toEqual(new Set([body]))
  }
  expect(stage.unexpected).toEqual([])
  await stage.close()
})
