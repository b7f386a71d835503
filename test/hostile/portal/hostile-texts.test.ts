import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { NETWORK } from '../../../main/contract/players/agents.ts'
import type { OutputOf } from '../../../main/contract/procedures/procedures.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { draftOf, openPlace, openRoom } from '../../conformance/service/classroom.ts'
import type { Post } from './bargainer.ts'
import { slowTexts, type Receiver } from './slow-texts.ts'

// A served classroom gets everything that strangers send at its worst, all at once, while two agents on other machines play with the
// default limit of a second. How long the main process computes in a turn is asserted in readings.test.ts: in this test other processes take
// the cores, so that answers are late for another reason.

const place = openPlace('hostile-texts')
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  place.remove()
})

/** A served classroom, and a browser that is signed in. */
async function serve(data: string): Promise<Receiver> {
  const cli = join(resources.worker, '..', 'cli.js')
  const child = spawn(process.execPath, [cli, 'serve', '--json', '--data', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  ends.push(async () => {
    child.kill('SIGTERM')
    await once(child, 'close')
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { address } = JSON.parse(line) as { readonly address: string }
  const { origin } = new URL(address)
  const signedIn = await fetch(address, { redirect: 'manual' })
  const cookie = signedIn.headers.get('set-cookie')!.split(';', 1)[0]!
  const headers = { cookie, origin }
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, { headers })
  await once(socket, 'open')
  const answers = new Map<string, (reply: Reply) => void>()
  socket.on('message', (bytes: Buffer) => {
    const { i, r } = JSON.parse(bytes.toString()) as { readonly i: string; readonly r: Reply }
    answers.get(i)?.(r)
  })
  let calls = 0
  return {
    async call(name, input) {
      const number = String(++calls)
      const reply = new Promise<Reply>((resolve) => answers.set(number, resolve))
      socket.send(JSON.stringify({ t: 'q', i: number, m: 'call', a: [name, input] }))
      return valueOf(await reply) as OutputOf<typeof name>
    },
    async upload(kind, name, content) {
      const answer = await fetch(`${origin}/${kind}?name=${name}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: Buffer.from(content),
      })
      return (valueOf((await answer.json()) as Reply) as { readonly file: string }).file
    },
  }
}

type Reply =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: { reason?: string } }

/** Refusals are thrown as their codes. */
function valueOf(reply: Reply): unknown {
  if (reply.ok) return reply.value
  throw new Error(reply.error.reason ?? JSON.stringify(reply.error))
}

/** The faults in the histories of a data folder. */
function faultsIn(data: string): readonly string[] {
  const folder = join(data, 'contests')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"fault"')),
  )
}

test('nobody is blamed for what others send', { timeout: 240_000 }, async () => {
  const data = join(place.folder, 'data')
  const room = await openRoom(data)
  await room.call('settings.set', { isolation: 'none' })
  await room.service.close()
  const browser = await serve(data)
  const { contest } = await browser.call('contests.create', {
    draft: draftOf(
      ['anna', 'bob'].map((name) => ({ name, agent: NETWORK })),
      { game: 'haggle', config: {}, format: { type: 'round-robin', seats: 2, repeats: 1_000 }, limits: {} as never },
    ),
  })
  await browser.call('contests.start', { contest })
  const { addresses, credentials } = await browser.call('contests.credentials', { contest })
  for (const { credential } of credentials) {
    const workerData: Post = { address: addresses[0]!, credential }
    const agent = new Worker(new URL('bargainer.ts', import.meta.url), { workerData })
    ends.push(() => agent.terminate())
  }
  const progress = async () => (await browser.call('contests.get', { contest })).summary.progress
  await vi.waitUntil(async () => (await progress()).done > 0, { timeout: 60_000, interval: 100 })

  const codes = await Promise.all(
    slowTexts.map(([name, send]) =>
      send(browser).then(
        () => [name, 'taken'],
        (error: unknown) => [name, (error as Error).message],
      ),
    ),
  )
  const { summary, standings } = await browser.call('contests.get', { contest })
  // Each was read to its end.
  expect(codes.map(([, code]) => code)).not.toContain('reading-limit')
  expect(summary.state).toBe('running')
  expect(faultsIn(data)).toEqual([])
  for (const row of standings) expect(row).toMatchObject({ faults: 0, removals: 0 })
  expect(standings.map(({ agent }) => agent).sort()).toEqual(['anna', 'bob'])
})
