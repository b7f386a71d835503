import { afterAll, expect, test } from 'vitest'
import type { PlayerEvent, TimeBank } from '../../../main/contract/players/player.ts'
import { availableTiers } from '../../../main/players/isolation/detect.ts'
import { createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import { has, hasPython, packageOf, programHost, seatProgram } from './programs.ts'
import { files, seat } from './seats.ts'
import { saying } from '../../refusal.ts'

const [best] = (await availableTiers(files)).filter(({ available }) => available)
const pool = createScriptPool({ ...files, tier: best!.tier, warmMax: 2, recycleAfter: 1_000 })
afterAll(() => pool.close())

const bankOf = (bankMs: number, strikes: number): TimeBank => ({ bankMs, strikes, leftMs: bankMs, struck: 0 })

/** The strikes up to the first other event, and that event. */
async function untilNoStrike(
  first: Promise<PlayerEvent>,
  next: () => Promise<PlayerEvent>,
): Promise<{ readonly strikes: readonly PlayerEvent[]; readonly last: PlayerEvent }> {
  const strikes: PlayerEvent[] = []
  for (let event = await first; ; event = await next()) {
    if (event.type !== 'strike') return { strikes, last: event }
    strikes.push(event)
  }
}

/** Counts for far longer than the limits below on any machine, and answers with what it was asked. */
const slow =
  'module.exports = (m) => { let n = 0; for (let i = 0; i < m.turns; i++) n = (n * 31 + i) | 0; return [m.name, n === 7] }'
const LONG = 200_000_000

test('a script that is slow once plays on from its bank, and its answers keep their places', async () => {
  const { ask, player } = await seat(pool, slow)
  const bank = bankOf(600_000, 0)
  expect(await ask({ name: 'slow', turns: LONG }, 20, bank)).toMatchObject({
    type: 'answer',
    to: 1,
    value: ['slow', false],
  })
  const { leftMs } = bank
  expect(leftMs).toBeLessThan(600_000)
  expect(leftMs).toBeGreaterThan(0)
  expect(await ask({ name: 'quick', turns: 1 }, 60_000, bank)).toMatchObject({ to: 2, value: ['quick', false] })
  expect(bank.leftMs).toBe(leftMs)
  player.close()
})

test('bodies that wait for each other in one realm pay once for the time that the seat took', async () => {
  const { next, player } = await seat(pool, slow, { bodies: 3 })
  const bank = bankOf(600_000, 0)
  const begun = performance.now()
  for (const body of [0, 1, 2]) player.ask(body + 1, { name: body, turns: LONG }, 20, bank, body)
  for (const body of [0, 1, 2]) expect(await next()).toMatchObject({ type: 'answer', to: body + 1 })
  const drawnMs = 600_000 - bank.leftMs
  expect(drawnMs).toBeGreaterThan(0)
  expect(drawnMs).toBeLessThanOrEqual(performance.now() - begun)
  player.close()
})

test('a script without a bank has strikes: each is told, and the answer still counts', async () => {
  const { ask, next, player } = await seat(pool, slow)
  const bank = bankOf(0, 10_000)
  const { strikes, last } = await untilNoStrike(ask({ name: 'slow', turns: LONG }, 20, bank), next)
  expect(strikes[0]).toMatchObject({
    to: 1,
    fault: { kind: 'timeout', text: saying('20 ms', 'strike 1 of 10000') },
  })
  expect(strikes).toHaveLength(bank.struck)
  expect(last).toMatchObject({ type: 'answer', to: 1, value: ['slow', false] })
  expect(await ask({ name: 'quick', turns: 1 }, 60_000, bank)).toMatchObject({ to: 2, value: ['quick', false] })
  player.close()
})

test('a script that never ends uses up all that it has, and is gone', async () => {
  const { ask, next, player } = await seat(pool, 'module.exports = () => { for (;;); }')
  const bank = bankOf(100, 2)
  const { strikes, last } = await untilNoStrike(ask(null, 50, bank), next)
  expect(strikes).toHaveLength(2)
  expect(last).toMatchObject({ type: 'fault', to: 1, gone: true, fault: { kind: 'timeout' } })
  expect((last as { fault: { text: string } }).fault.text).toEqual(saying('50 ms', 'time bank', '100 ms', '2 strikes'))
  expect(bank).toMatchObject({ leftMs: 0, struck: 2 })
  player.close()
})

const boxed = test.skipIf(!has('bubblewrap') || !hasPython)

/** Sleeps on the first question. */
const sleepy = `
import sys, json, time
asked = 0
for line in sys.stdin:
    m = json.loads(line)
    asked += 1
    if asked == 1: time.sleep(0.6)
    print(json.dumps({'question': m['question'], 'actions': [asked]}), flush=True)
`

boxed('a program has the same bank and strikes as a script (needs bubblewrap, python3)', async () => {
  const host = programHost('bubblewrap')
  const { folder, remove } = packageOf('agent.py', sleepy)
  const command = ['python3', 'agent.py']
  try {
    const patient = await seatProgram(host, { folder, command })
    const rich = bankOf(600_000, 0)
    expect(await patient.ask(undefined, 50, rich)).toMatchObject({ type: 'answer', to: 1, value: { actions: [1] } })
    expect(rich.leftMs).toBeLessThan(600_000)
    expect(await patient.ask(undefined, 60_000, rich)).toMatchObject({ to: 2, value: { actions: [2] } })
    patient.player.close()

    const struck = await seatProgram(host, { folder, command })
    const bank = bankOf(50, 1_000)
    const { strikes, last } = await untilNoStrike(struck.ask(undefined, 50, bank), struck.next)
    expect(strikes[0]).toMatchObject({ to: 1, fault: { text: expect.stringMatching(/strike 1 of 1000\.$/) as string } })
    expect(last).toMatchObject({ type: 'answer', to: 1, value: { actions: [1] } })
    expect(bank).toMatchObject({ leftMs: 0, struck: strikes.length })
    struck.player.close()

    const poor = await seatProgram(host, { folder, command })
    expect(await poor.ask(undefined, 50, bankOf(50, 0))).toMatchObject({ type: 'fault', to: 1, gone: false })
    poor.player.close()
  } finally {
    await host.close()
    remove()
  }
})
