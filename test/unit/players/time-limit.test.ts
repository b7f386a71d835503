import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { limits, PATIENCE } from '../../../main/contract/limits.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { startAgentProcess } from '../../../main/players/scripts/agent-process.ts'
import { createLauncher } from '../../../main/players/isolation/tiers.ts'
import { judge, startLimit, type Effort } from '../../../main/players/time-limit.ts'
import { seatScript } from '../../../main/players/scripts/script-pool.ts'

describe('whose fault it is that a limit of 1000 ms has passed', () => {
  test.each<[string, number, Effort | null, ReturnType<typeof judge>]>([
    ['nobody knows what it did: the wall clock decides', 1_000, null, { kind: 'timeout' }],
    ['it computed all the time', 1_001, { runMs: 999, waitMs: 2 }, { kind: 'timeout' }],
    ['it slept', 1_000, { runMs: 1, waitMs: 0 }, { kind: 'stall' }],
    ['it was looked at for a moment only', 1_000, { runMs: 0, waitMs: 0, seenMs: 40 }, { kind: 'timeout' }],
    ['it slept whenever it was looked at', 1_000, { runMs: 1, waitMs: 0, seenMs: 960 }, { kind: 'stall' }],
    ['it slept, on a busy machine', 1_000, { runMs: 4, waitMs: 4 }, { kind: 'stall' }],
    ['it slept, and had to wait whenever it woke', 1_220, { runMs: 5, waitMs: 200 }, { kind: 'stall' }],
    ['half of it waited for a core: it gets that much more', 1_000, { runMs: 500, waitMs: 500 }, { moreMs: 520 }],
    ['it has had its own time by now, and the margin', 2_020, { runMs: 800, waitMs: 1_000 }, { kind: 'timeout' }],
    ['it waited, and is within the margin', 2_005, { runMs: 800, waitMs: 1_000 }, { moreMs: 15 }],
    ['it waited a little: it gets that much more', 1_000, { runMs: 910, waitMs: 90 }, { moreMs: 110 }],
    ['it waited elsewhere, where nobody sees it', 1_500, { runMs: 0, waitMs: 1_400, seenMs: 0 }, { moreMs: 920 }],
    ['it hardly waited', 1_000, { runMs: 991, waitMs: 9 }, { kind: 'timeout' }],
    [
      'its own threads are in its way: what it computed decides',
      1_000,
      { runMs: 2_000, waitMs: 6_000 },
      { kind: 'timeout' },
    ],
    [
      'threads in each other’s way that together have not computed enough',
      1_200,
      { runMs: 900, waitMs: 3_000 },
      { moreMs: 120 },
    ],
    ['it waits on and on, almost to the end of patience', 59_900, { runMs: 100, waitMs: 59_800 }, { moreMs: 100 }],
    ['it waits right now, nobody knows since when', 1_000, { runMs: 700, waitMs: 0, waitsNow: true }, { moreMs: 12 }],
    [
      'a part of it waits right now, but all of it has computed enough',
      1_000,
      { runMs: 1_000, waitMs: 0, waitsNow: true },
      { kind: 'timeout' },
    ],
    ['it waits right now, and patience is over', 60_000, { runMs: 700, waitMs: 0, waitsNow: true }, { kind: 'host' }],
    ['patience is over', 60_000, { runMs: 100, waitMs: 59_900 }, { kind: 'host' }],
  ])('%s', (_name, tookMs, effort, verdict) => {
    expect(judge(1_000, tookMs, effort)).toEqual(verdict)
  })
})

test('a delay of the process that judges, between reading answers and judging, does not count for the agent', async () => {
  const passed = Promise.withResolvers<string>()
  // If two timers have one time, the first runs first, and so do their delayed parts after answers have been read.
  setTimeout(() => setImmediate(() => waitBusily(400)), 50)
  const stop = startLimit({
    limitMs: 50,
    meter: () => () => ({ runMs: 20, waitMs: 30 }),
    late: ({ kind }) => passed.resolve(kind),
  })
  // The answer comes while this process is delayed.
  setTimeout(() => passed.resolve('an answer'), 60)
  expect(await passed.promise).toBe('an answer')
  stop()
})

function waitBusily(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

/** A script in a process of its own, of which it is said that it made such an effort. */
async function answerOf(source: string, limitMs: number, effort: () => Effort): Promise<PlayerEvent> {
  const hostFile = fileURLToPath(new URL('../../../dist/host.cjs', import.meta.url))
  const launch = (await createLauncher('none', process.execPath, hostFile))(256)
  if ('missing' in launch) throw new Error(launch.missing)
  const agent = startAgentProcess(launch)
  const first = Promise.withResolvers<PlayerEvent>()
  const player = seatScript(Promise.resolve({ process: agent, meter: () => effort, release: () => agent.kill() }), {
    source,
    adapter: '(exported) => exported',
    seed: 'seed',
    clock: 'real',
    limits: limits.parse({}),
    emit: first.resolve,
  })
  await player.ready()
  player.ask(1, null, limitMs)
  const event = await first.promise
  player.close()
  await agent.exited
  return event
}

describe('a script that is kept from the cores', () => {
  test('is waited for: its answer counts, however late it comes', async () => {
    const begun = performance.now()
    const waiting = (): Effort => ({ runMs: 1, waitMs: performance.now() - begun })
    const source = 'module.exports = () => { const end = Date.now() + 250; while (Date.now() < end); return 7 }'
    const event = await answerOf(source, 100, waiting)
    expect(event).toMatchObject({ type: 'answer', value: 7 })
    expect((event as { tookMs: number }).tookMs).toBeGreaterThan(100)
  })

  test('for ever is the fault of the host', async () => {
    const waiting = (): Effort => ({ runMs: 1, waitMs: 1e6 })
    const event = await answerOf('module.exports = () => { for (;;); }', 20, waiting)
    expect(event).toMatchObject({ type: 'fault', to: 1, gone: true, fault: { kind: 'host' } })
    const { text, tookMs } = (event as { fault: { text: string; tookMs: number } }).fault
    expect(text).toMatch(/^This machine was too busy/)
    expect(tookMs).toBeGreaterThanOrEqual(20 * PATIENCE)
  })

  test('no longer than its own time: one that has computed for its whole limit is late', async () => {
    const begun = performance.now()
    const hindered = (): Effort => ({ runMs: (performance.now() - begun) / 2, waitMs: (performance.now() - begun) / 2 })
    expect(await answerOf('module.exports = () => { for (;;); }', 50, hindered)).toMatchObject({
      fault: { kind: 'timeout' },
    })
  })
})
