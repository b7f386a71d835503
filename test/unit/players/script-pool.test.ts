import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '../../../main/contract/limits.ts'
import { createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { descendants } from '../../../main/players/proc.ts'
import { files, seat } from '../../hostile/players/seats.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

// The weakest tier: what is tested here does not depend on the box.
const pools = { ...files, tier: 'permission', warmMax: 4, recycleAfter: 1_000 } as const
/** Here nobody is late who only had to wait for a core. */
const patient = 30_000
const open = (recycleAfter = 1_000, warmMax = 4): ReturnType<typeof createScriptPool> =>
  createScriptPool({ ...pools, warmMax, recycleAfter, resetMs: patient })
const pool = open()
afterAll(() => pool.close())

describe('what a script sees', () => {
  test('module, exports and this are as in the Hola tool; a top-level return is legal', async () => {
    const source = `\uFEFF#!/usr/bin/env node\nexports.sum = (a, b) => a + b\nthis.same = this === exports && exports === module.exports
      return\nthrow new Error('not reached')`
    const adapter = '(exported) => ([a, b]) => [exported.sum(a, b), exported.same]'
    const seated = await seat(pool, source, { adapter })
    expect(await seated.ask([2, 3])).toMatchObject({ type: 'answer', to: 1, value: [5, true] })
    seated.player.close()
  })

  test('a line of theirs is named as they count it, behind a #! line too', async () => {
    const seated = await seat(pool, '#!/bin/node\n\nmodule.exports = () => {\n  null.x\n}')
    expect(await seated.ask()).toMatchObject({
      fault: { kind: 'crash', text: expect.stringContaining('(line 4 of its file): TypeError') as unknown },
    })
    seated.player.close()
  })

  test('the message is its own: changing it changes nothing here', async () => {
    const message = { list: [1, 2] }
    const seated = await seat(
      pool,
      'module.exports = (message) => { message.list.push(3); return message.list instanceof Array && message }',
    )
    expect(await seated.ask(message)).toMatchObject({ value: { list: [1, 2, 3] } })
    expect(message).toEqual({ list: [1, 2] })
    seated.player.close()
  })

  test('equal seeds give equal numbers, other seeds others, all within [0, 1)', async () => {
    const source = 'module.exports = () => Array.from({ length: 200 }, Math.random)'
    const draw = async (seed: string): Promise<number[]> => {
      const seated = await seat(pool, source, { seed })
      const event = await seated.ask()
      seated.player.close()
      return (event as { value: unknown }).value as number[]
    }
    const [a, b, c] = [await draw('x'), await draw('x'), await draw('y')]
    expect(a).toEqual(b)
    expect(new Set([...a, ...c]).size).toBe(400)
    expect(a.every((number) => number >= 0 && number < 1)).toBe(true)
    const mean = a.reduce((sum, number) => sum + number, 0) / a.length
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.15)
  })

  test('remaining() counts the steps of the limits, which begin anew with every match and question', async () => {
    const source =
      'let all = 0; while (remaining() > 0) all++; module.exports = () => { all += remaining(); return all }'
    const counted = async (limits: object): Promise<unknown[]> => {
      const seated = await seat(pool, source, { limits })
      const events = [await seated.ask(), await seated.ask()]
      seated.player.close()
      return events.map((event) => (event as { value: unknown }).value)
    }
    expect(await counted({ steps: 3 })).toEqual([6, 9])
    // Recorded matches without the limit depend on these.
    expect(await counted({ moveMs: 700 })).toEqual([14_000, 21_000])
    expect(await counted({ steps: 3 })).toEqual([6, 9])
  })

  test('the numbers of a seed stay what they are: histories are replayed by later versions', async () => {
    const seated = await seat(pool, 'module.exports = () => [Math.random(), Math.random(), Math.random()]', {
      seed: 'x',
    })
    expect(await seated.ask()).toMatchObject({ value: [0.8710355623970544, 0.9357519556522695, 0.3466496201329299] })
    seated.player.close()
  })

  const clocks = `module.exports = () => [Date.now(), +new Date(), new Date().toISOString(), Date(), Temporal.Now.instant().epochMilliseconds,
    Temporal.Now.plainDateISO().toString(), Temporal.Now.plainTimeISO().toString(), Temporal.Now.plainDateTimeISO().toString(), Temporal.Now.zonedDateTimeISO('UTC').epochMilliseconds,
    new Intl.DateTimeFormat('en', { dateStyle: 'short', timeStyle: 'long' }).format(), new Intl.DateTimeFormat('en').formatToParts().map((part) => part.value).join(''),
    new Date(5) instanceof Date, Date.UTC(2001, 0), Date.length, Date.name, new (class extends Date {})().getTime(), new Date(0).constructor === Date, new Date(2020, 1).getFullYear()]`

  test('a frozen clock stands still, whichever way it is read', async () => {
    const epoch = Date.UTC(2000, 0, 1)
    const seated = await seat(pool, clocks)
    // prettier-ignore
    expect(((await seated.ask()) as { value: unknown }).value).toEqual([
      epoch, epoch, '2000-01-01T00:00:00.000Z', 'Sat Jan 01 2000 00:00:00 GMT+0000 (Coordinated Universal Time)', epoch,
      '2000-01-01', '00:00:00', '2000-01-01T00:00:00', epoch, expect.stringMatching(/^1\/1\/00, 12:00:00\sAM UTC$/), '1/1/2000',
      true, Date.UTC(2001, 0), 7, 'Date', epoch, true, 2020,
    ])
    seated.player.close()
  })

  test.each(['frozen', 'real'] as const)(
    '%s: Temporal is there for scripts whose text names it, and for no other',
    async (clock) => {
      const source =
        "module.exports = () => [typeof globalThis['Tem' + 'poral'], typeof new Date(0)['toTem' + 'poralInstant']]"
      const without = await seat(pool, source, { clock })
      expect(await without.ask()).toMatchObject({ value: ['undefined', 'undefined'] })
      without.player.close()
      const named = await seat(pool, `${source} // Temporal`, { clock })
      expect(await named.ask()).toMatchObject({ value: ['object', 'function'] })
      named.player.close()
    },
  )

  test('a real clock is the machine’s', async () => {
    const before = Date.now()
    const seated = await seat(pool, clocks, { clock: 'real' })
    const [now] = ((await seated.ask()) as { value: unknown }).value as [number]
    expect(now).toBeGreaterThanOrEqual(before - 1)
    expect(now).toBeLessThanOrEqual(Date.now() + 1)
    seated.player.close()
  })

  test('eval and microtasks work, and microtasks are done before the answer leaves', async () => {
    const source = `let done = 0; module.exports = () => { const before = done; Promise.resolve().then(async () => { await null; done = eval('1 + 1') }); return before }`
    const seated = await seat(pool, source)
    expect(await seated.ask()).toMatchObject({ value: 0 })
    expect(await seated.ask()).toMatchObject({ value: 2 })
    seated.player.close()
  })

  test('console and log reach the team, in order', async () => {
    const source = `console.log('loading'); module.exports = (message, log) => {
      console.log('a', 1, { b: [2] }, null, undefined, 10n, Symbol('s')); console.error(new Error('e').message); console.assert(1, 'no'); console.assert(0, 'yes')
      const round = {}; round.round = round; console.warn(round); log('line', 'dropped'); console.table([1]); console.time(); return 0 }`
    const seated = await seat(pool, source)
    await seated.ask()
    expect(seated.console.join('')).toBe(
      'loading\na 1 {"b":[2]} null undefined 10 Symbol(s)\ne\nAssertion failed: yes\n[object Object]\nline\n[1]\n',
    )
    seated.player.close()
  })
})

describe('the dialogue', () => {
  test('what a script returns to a message that wants no answer is said unasked; nothing is nothing', async () => {
    const seated = await seat(pool, 'module.exports = (message) => message.quiet ? undefined : message.echo')
    seated.player.tell({ quiet: true })
    seated.player.tell({ echo: 'heard' })
    expect(await seated.next()).toEqual({ type: 'said', value: 'heard' })
    expect(await seated.ask({ echo: 1 })).toMatchObject({ type: 'answer', to: 1, value: 1 })
    seated.player.close()
  })

  test('a question may have the number 0', async () => {
    const seated = await seat(pool, 'module.exports = (message) => { if (message) throw 1; return 2 }')
    seated.player.ask(0, 1, 10_000)
    expect(await seated.next()).toMatchObject({ type: 'fault', to: 0, gone: false })
    seated.player.ask(0, 0, 10_000)
    expect(await seated.next()).toMatchObject({ type: 'answer', to: 0, value: 2 })
    seated.player.close()
  })

  test('a throw on a message that wants no answer is a fault without a question', async () => {
    const seated = await seat(pool, 'module.exports = () => { throw 7 }')
    seated.player.tell(1)
    const event = await seated.next()
    expect(event).toMatchObject({
      type: 'fault',
      gone: false,
      fault: { kind: 'crash', text: 'The agent threw while listening: 7' },
    })
    expect(event).not.toHaveProperty('to')
    seated.player.close()
  })

  test('a withdrawn question has no limit; its answer comes late, with its own number, before the next', async () => {
    const source = 'module.exports = (n) => { for (let i = 0; i < n; i++) Math.sqrt(i); return n }'
    const seated = await seat(pool, source)
    seated.player.ask(1, 3e7, 1)
    seated.player.withdraw(1)
    seated.player.ask(2, 1, 60_000)
    expect(await seated.next()).toMatchObject({ type: 'answer', to: 1, value: 3e7 })
    expect(await seated.next()).toMatchObject({ type: 'answer', to: 2, value: 1 })
    seated.player.close()
  })

  test('after close nothing is emitted, and close may be said twice', async () => {
    const seated = await seat(pool, 'module.exports = () => 1')
    seated.player.ask(1, 0, 10_000)
    seated.player.close()
    seated.player.close()
    seated.player.ask(2, 0, 10_000)
    const other = await seat(pool, 'module.exports = () => 2')
    expect(await other.ask()).toMatchObject({ value: 2 })
    let late = false
    void seated.next().then(() => (late = true))
    await other.ask()
    expect(late).toBe(false)
    other.player.close()
  })

  test('messages larger than any buffer pass both ways', async () => {
    const seated = await seat(pool, 'module.exports = (message) => message')
    const message = 'ä"\n'.repeat(100_000)
    expect(await seated.ask(message)).toMatchObject({ type: 'answer', value: message })
    seated.player.close()
  })
})

const isLinux = process.platform === 'linux'
/** Processes below this one that were not there before. */
const fresh = (before: readonly number[]): readonly number[] =>
  descendants(process.pid).filter((pid) => !before.includes(pid))

describe.skipIf(!isLinux)('processes', () => {
  test('one is used again by its own agent only, one seat at a time, and replaced after a number of matches', async () => {
    const own = open(3)
    const before = descendants(process.pid)
    const source = 'module.exports = () => 1'
    const first = await seat(own, source, { agent: 'a'.repeat(64) })
    const second = await seat(own, source, { agent: 'a'.repeat(64) })
    expect(fresh(before).length).toBe(2)
    first.player.close()
    const third = await seat(own, source, { agent: 'a'.repeat(64) })
    expect(fresh(before).length).toBe(2)
    third.player.close()
    const stranger = await seat(own, source, { agent: 'b'.repeat(64) })
    expect(fresh(before).length).toBe(3)
    stranger.player.close()
    second.player.close()
    const old = fresh(before)
    // The first process has one match left, the second two, the third belongs to another agent.
    for (let match = 0; match < 4; match += 1) {
      const seated = await seat(own, source, { agent: 'a'.repeat(64) })
      expect(await seated.ask()).toMatchObject({ value: 1 })
      seated.player.close()
    }
    expect(fresh([...before, ...old]).length).toBe(1)
    await own.close()
    expect(fresh(before)).toEqual([])
  })

  test('one that is used again for a match of another kind has nothing of the last', async () => {
    const own = open()
    const before = descendants(process.pid)
    const source = 'module.exports = () => { console.log("x".repeat(40)); return Date.now() === Date.UTC(2000, 0, 1) }'
    const frozen = await seat(own, source)
    expect(await frozen.ask()).toMatchObject({ value: true })
    frozen.player.close()
    const real = await seat(own, source, { clock: 'real', limits: { consoleBytes: 20 } })
    expect(await real.ask()).toMatchObject({ value: false })
    expect(real.console.join('').match(/x+/)?.[0].length).toBeLessThanOrEqual(21)
    real.player.close()
    const other = await seat(own, source, { adapter: '(exported) => () => ["other", exported()]' })
    expect(await other.ask()).toMatchObject({ value: ['other', true] })
    expect(other.console.join('')).toBe(`${'x'.repeat(40)}\n`)
    expect(fresh(before).length).toBe(1)
    await own.close()
  })

  test('one that committed a fault is not used again', async () => {
    const own = open()
    const source = 'module.exports = () => { throw 1 }'
    const first = await seat(own, source)
    const [pid] = descendants(process.pid).slice(-1)
    await first.ask()
    first.player.close()
    const second = await seat(own, source)
    // It is killed; a box takes a moment to go.
    await expect.poll(() => descendants(process.pid)).not.toContain(pid)
    second.player.close()
    await own.close()
  })

  test('one that still had something to say when its match ended is used again', async () => {
    const own = open()
    const source = 'module.exports = (message) => { console.log("told"); return message }'
    const first = await seat(own, source)
    const [pid] = descendants(process.pid).slice(-1)
    first.player.tell('the result')
    first.player.close()
    const second = await seat(own, source)
    expect(await second.ask(1)).toMatchObject({ type: 'answer', value: 1 })
    expect(descendants(process.pid)).toContain(pid)
    await own.close()
  })

  test('a script that is still busy when its match ends is not passed on', async () => {
    const own = createScriptPool(pools)
    const source = 'module.exports = (message) => { if (message === "spin") for (;;); return 1 }'
    const first = await seat(own, source)
    const [pid] = descendants(process.pid).slice(-1)
    first.player.tell('spin')
    first.player.close()
    const second = await seat(own, source)
    expect(await second.ask()).toMatchObject({ type: 'answer', value: 1 })
    // It is killed; a box takes a moment to go.
    await expect.poll(() => descendants(process.pid)).not.toContain(pid)
    await own.close()
  })

  /** A pool whose processes speak the dialogue as `answers` says: `seen`, the frames' letters, a text for each read. */
  const speaking = (answers: string): ReturnType<typeof createScriptPool> => {
    const folder = temporaryFolder('host')
    const hostFile = join(folder, 'host.cjs')
    writeFileSync(
      hostFile,
      `const seen = []
const say = (frame) => process.stdout.write(frame + '\\n')
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const frames = chunk.split('\\n').filter((frame) => frame !== '')
  seen.push(frames.map(([letter]) => letter).join(''))
  for (const frame of frames) (${answers})(frame)
})
say('H0 null')`,
    )
    return createScriptPool({ ...pools, hostFile, resetMs: patient })
  }

  test('one that is taken at once is told of the end of a match and of the next in one go', async () => {
    const own = speaking(`(frame) => {
      if (frame[0] === 'O') say('R1 null')
      if (frame[0] === 'Z') say('I0 null')
      if (frame[0] === 'Q') say('A' + frame.slice(1, frame.indexOf(' ')) + ' ' + JSON.stringify(seen))
    }`)
    const first = await seat(own, 'a script')
    await first.ask()
    first.player.close()
    const second = await seat(own, 'a script')
    expect(await second.ask()).toMatchObject({ type: 'answer', value: ['O', 'Q', 'ZO', 'Q'] })
    await own.close()
  })

  test('one that ends while it leaves a match does not cause a fault of the next', async () => {
    const own = speaking(`(frame) => {
      if (frame[0] === 'O') say('R1 null')
      if (frame[0] === 'Z') process.exit(0)
      if (frame[0] === 'Q') say('A' + frame.slice(1, frame.indexOf(' ')) + ' ' + JSON.stringify(seen))
    }`)
    const first = await seat(own, 'a script')
    await first.ask()
    first.player.close()
    const second = await seat(own, 'a script')
    expect(await second.ask()).toMatchObject({ type: 'answer', value: ['O', 'Q'] })
    await own.close()
  })

  test('no more than warmMax idle ones are kept', async () => {
    const own = open(1_000, 1)
    const before = descendants(process.pid)
    await own.warm('a'.repeat(64), limits.parse({}))
    await own.warm('b'.repeat(64), limits.parse({}))
    const seated = await seat(own, 'module.exports = () => 1', { agent: 'b'.repeat(64) })
    while (fresh(before).length > 1) await new Promise(setImmediate)
    expect(await seated.ask()).toMatchObject({ value: 1 })
    await own.close()
  })

  test('closing the pool tells whoever still sits there', async () => {
    const own = open()
    const seated = await seat(own, 'module.exports = () => 1')
    await own.close()
    expect(await seated.next()).toMatchObject({ type: 'fault', gone: true, fault: { kind: 'host' } })
    const late = await seat(own, 'module.exports = () => 1')
    expect(await late.next()).toMatchObject({ type: 'fault', gone: true, fault: { kind: 'host' } })
  })
})
