import { afterEach, expect, test, vi } from 'vitest'
import { attack } from '../../hostile/arenas/attacker.ts'
import { play, type Frame, type Played, type Script } from './client.ts'
import { hard, soft } from './scripts.ts'
import { openStage, type Stage, type StageOptions } from './stage.ts'
import { saying } from '../../refusal.ts'

/** Nobody waits for that long: what ends earlier has ended for another reason. */
const HOUR = 3_600_000

let stage: Stage
afterEach(async () => {
  await stage.close()
  expect(stage.unexpected).toEqual([])
})

/** Opens the arena. An answer that never comes is waited for without end, unless `strayMs` says otherwise. */
async function open(options: StageOptions = {}): Promise<void> {
  stage = await openStage({ ...options, limits: { strayMs: HOUR, ...options.limits } })
}

/** A session of two original clients; `a` is the first on turn. */
async function session(a: Script, b: Script, think?: (frames: readonly Frame[]) => boolean) {
  const first = play({ url: stage.url, id: 'first', script: a, ...(think === undefined ? {} : { think }) })
  await vi.waitUntil(() => stage.arenas.clients() === 1, { timeout: 60_000 })
  return Promise.all([first, play({ url: stage.url, id: 'second', script: b })])
}

const ends = (sides: readonly Played[]): readonly object[] =>
  sides.map(({ crash, code, reason, frames }) => ({ crash, code, reason, last: frames.at(-1)!.arg }))

/** Demands everything, and then accepts whatever is offered. */
class Yields {
  readonly #counts: readonly number[]
  constructor(_me: number, counts: readonly number[]) {
    this.#counts = counts
  }
  offer(o: readonly number[] | undefined): readonly number[] | undefined {
    return o === undefined ? this.#counts : undefined
  }
}

const agreed = { crash: null, code: 1000, reason: saying('you', 'agreed'), last: ['done', true] }

test('the second accepts: the first is asked once more, answers, and is sent home in order', async () => {
  await open()
  const sides = await session(hard, soft)
  expect(ends(sides)).toEqual([agreed, agreed])
  expect(sides.map(({ calls }) => calls.length)).toEqual([2, 1])
})

test('the first accepts: the second is asked once more, answers, and is sent home in order', async () => {
  await open()
  const sides = await session(Yields, hard)
  expect(ends(sides)).toEqual([agreed, agreed])
  expect(sides.map(({ calls }) => calls.length)).toEqual([2, 2])
})

test('a script that logs before its last answer, and one that throws then', async () => {
  await open()
  class Talks extends hard {
    readonly #log: (text: unknown) => void
    constructor(...args: ConstructorParameters<typeof hard>) {
      super(...args)
      this.#log = args[4]
    }
    override offer(o: readonly number[] | undefined): unknown {
      for (let line = 0; line < 20; line++) this.#log(line)
      return super.offer(o)
    }
  }
  expect(ends(await session(Talks, soft))).toEqual([agreed, agreed])
  class Throws extends hard {
    #calls = 0
    override offer(): unknown {
      if (++this.#calls > 1) throw new Error('the session is over')
      return super.offer(undefined)
    }
  }
  const [first] = await session(Throws, soft)
  expect(first.crash).toBeNull()
  expect(first.frames.at(-1)!.arg).toEqual(['done', true])
})

test('no agreement: nobody is asked, and nobody waited for', async () => {
  await open()
  const over = { crash: null, code: 1000, reason: 'The session is over: no agreement.', last: ['done', false] }
  expect(ends(await session(hard, hard))).toEqual([over, over])
})

test('a script that answers after its time was up, and one that is at work when its partner breaks off', async () => {
  const aborted = ({ arg }: Frame): boolean => arg?.[0] === 'abort'
  await open({ turnMs: 100 })
  const last = ['abort', 0, 'AI timeout']
  expect(ends(await session(hard, soft, (frames) => frames.some(aborted)))).toEqual([
    { crash: null, code: 1000, reason: saying('you', 'walked away'), last },
    { crash: null, code: 1000, reason: saying('partner', 'walked away'), last },
  ])
  await stage.close()

  await open()
  const first = play({ url: stage.url, id: 'first', script: hard, think: (frames) => frames.some(aborted) })
  await vi.waitUntil(() => stage.arenas.clients() === 1, { timeout: 60_000 })
  const leaver = await attack(stage.url, 'leaver')
  await leaver.told('start')
  leaver.socket.send('{"type":"abort","reason":"enough"}')
  expect(ends([await first])).toEqual([
    {
      crash: null,
      code: 1000,
      reason: saying('partner', 'walked away'),
      last: ['abort', 1, 'enough'],
    },
  ])
})

/** Two connections that have just agreed; the first could be asked once more. */
async function agree() {
  const first = await attack(stage.url, 'first')
  await first.told('waiting')
  const second = await attack(stage.url, 'second')
  await Promise.all([first.told('start'), second.told('start')])
  first.socket.send('{"type":"offer","offer":[0,0,0]}')
  await second.told('"offer":')
  second.socket.send('{"type":"offer"}')
  await first.told('done')
  expect(await second.goodbye).toEqual({ code: 1000, reason: saying('you', 'agreed') })
  return first
}

test('whoever never answers is sent home after a moment, and is counted until then', async () => {
  await open({ limits: { strayMs: 300 } })
  const first = await agree()
  expect(await first.goodbye).toEqual({ code: 1000, reason: saying('you', 'agreed') })

  await stage.close()
  await open({ limits: { clientsOfOne: 1 } })
  const again = await agree()
  await vi.waitUntil(() => stage.arenas.clients() === 1, { timeout: 60_000 })
  expect((await (await attack(stage.url, 'first')).goodbye).code).toBe(1013)
  again.socket.send('{"type":"offer"}')
  await again.goodbye
  await vi.waitUntil(() => stage.arenas.clients() === 0, { timeout: 60_000 })
})

test.each([['no JSON'], ['{"type":"start"}'], [Buffer.from('{"type":"info"}')], ['{"type":"abort"}']])(
  'one that is waited for and says %s is sent home for that',
  async (frame) => {
    await open()
    const first = await agree()
    first.socket.send('{"type":"info","text":"x"}')
    first.socket.send('{"type":"pow","nonce":"0"}')
    first.socket.send(frame)
    expect(await first.goodbye).toEqual({ code: 1000, reason: saying('you', 'agreed') })
  },
)

test('one that is waited for cannot talk for ever', async () => {
  await open()
  const first = await agree()
  const large = JSON.stringify({ type: 'info', text: 'x'.repeat(1_000_000) })
  for (let i = 0; i < 17; i++) first.socket.send(large, () => undefined)
  const { code } = await first.goodbye
  expect([1006, 1008]).toContain(code)
})

test('one that is waited for is paired again meanwhile, and no reason to wait for an arena that closes', async () => {
  await open()
  const first = await agree()
  const [next] = await Promise.all(['first', 'third'].map((id) => play({ url: stage.url, id, script: soft })))
  expect(next).toMatchObject({ crash: null, reason: saying('you', 'agreed') })
  expect(first.socket.readyState).toBe(first.socket.OPEN)
  await stage.close()
  expect(await first.goodbye).toEqual({ code: 1001, reason: 'The arena is closing.' })
})
