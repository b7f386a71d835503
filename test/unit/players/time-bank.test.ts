import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TimeBank } from '../../../main/contract/players/player.ts'
import { overtimeText, startLimit, type Effort, type Overtime } from '../../../main/players/time-limit.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const bankOf = (bankMs: number, strikes = 0): TimeBank => ({ bankMs, strikes, leftMs: bankMs, struck: 0 })

/** A question with a limit of 100 ms; `wait` lets time pass. */
function question(bank?: TimeBank, effort: () => Effort | null = () => null) {
  const told: string[] = []
  let over: Overtime | null = null
  const stop = startLimit({
    limitMs: 100,
    meter: () => effort,
    late: (how) => (over = how),
    bank,
    strike: (_, text) => told.push(text),
  })
  return {
    stop,
    told,
    over: (): Overtime | null => over,
    async wait(ms: number) {
      await vi.advanceTimersByTimeAsync(ms)
    },
  }
}

describe('a time bank', () => {
  test('of none changes nothing: a limit of 100 ms is one of 100 ms', async () => {
    const { wait, over } = question()
    await wait(99)
    expect(over()).toBe(null)
    await wait(5)
    expect(over()).toMatchObject({ kind: 'timeout' })
  })

  test('is drawn on for what is over the limit, and for nothing else', async () => {
    const bank = bankOf(500)
    const quick = question(bank)
    await quick.wait(90)
    quick.stop()
    expect(bank.leftMs).toBe(500)
    const slow = question(bank)
    await slow.wait(300)
    slow.stop()
    slow.stop()
    expect(bank.leftMs).toBe(300)
    expect(slow.over()).toBe(null)
  })

  test('lasts for the match: what one move took is not there for the next', async () => {
    const bank = bankOf(500)
    const first = question(bank)
    await first.wait(400)
    first.stop()
    const second = question(bank)
    await second.wait(299)
    expect(second.over()).toBe(null)
    await second.wait(5)
    expect(second.over()).toMatchObject({ kind: 'timeout' })
    expect(bank.leftMs).toBe(0)
    const third = question(bank)
    await third.wait(105)
    expect(third.over()).toMatchObject({ kind: 'timeout' })
  })

  test('pays for what the agent did, not for what it waited for a core', async () => {
    const bank = bankOf(500)
    const hindered = question(bank, () => ({ runMs: 50, waitMs: 250 }))
    await hindered.wait(300)
    hindered.stop()
    expect(bank.leftMs).toBe(500)
    const half = question(bank, () => ({ runMs: 150, waitMs: 150 }))
    await half.wait(300)
    half.stop()
    expect(bank.leftMs).toBe(450)
  })

  test('that is empty leaves the strikes: each gives the move its time once more, then it is over', async () => {
    const bank = bankOf(50, 2)
    const { wait, over, told } = question(bank)
    await wait(149)
    expect(told).toEqual([])
    await wait(5)
    expect(told).toEqual(['The agent gave no answer within 100 ms: strike 1 of 2.'])
    await wait(105)
    expect(told[1]).toBe('The agent gave no answer within 100 ms: strike 2 of 2.')
    expect(over()).toBe(null)
    await wait(105)
    expect(over()).toMatchObject({ kind: 'timeout' })
    expect(told).toHaveLength(2)
  })

  test('is empty after a strike, though it was answered in time; strikes are not given back', async () => {
    const bank = bankOf(50, 1)
    const first = question(bank)
    await first.wait(200)
    first.stop()
    expect(bank).toMatchObject({ leftMs: 0, struck: 1 })
    const second = question(bank)
    await second.wait(105)
    expect(second.over()).toMatchObject({ kind: 'timeout' })
  })

  test('is one clock for its seat: what bodies are over their limits together it pays once', async () => {
    const bank = bankOf(500)
    const bodies = [question(bank), question(bank), question(bank)]
    await bodies[0]!.wait(200)
    bodies[0]!.stop()
    expect(bank.leftMs).toBe(400)
    await bodies[1]!.wait(100)
    bodies[1]!.stop()
    bodies[2]!.stop()
    expect(bank.leftMs).toBe(300)
  })

  test('pays nothing twice: who is asked later finds what the others have left', async () => {
    const bank = bankOf(300)
    const first = question(bank)
    await first.wait(250)
    const second = question(bank)
    await first.wait(100)
    first.stop()
    expect(bank.leftMs).toBe(50)
    await second.wait(45)
    expect(second.over()).toBe(null)
    await second.wait(10)
    expect(second.over()).toMatchObject({ kind: 'timeout' })
    expect(bank.leftMs).toBe(0)
  })

  test('that another body has emptied lets a question end at its limit', async () => {
    const bank = bankOf(200)
    const first = question(bank)
    await first.wait(250)
    const second = question(bank)
    await first.wait(55)
    expect(first.over()).toMatchObject({ kind: 'timeout' })
    await second.wait(44)
    expect(second.over()).toBe(null)
    await second.wait(5)
    expect(second.over()).toMatchObject({ kind: 'timeout' })
  })

  test('never pays for more than it holds, whenever bodies are asked and answer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_500)), { minLength: 1, maxLength: 6 }),
        fc.nat(400),
        (bodies, bankMs) => {
          const bank = bankOf(bankMs)
          const spans = bodies.map(([from, ms]) => ({ from, until: from + ms, asked: question.bind(null, bank) }))
          /** Each ms in which a question that was not late was beyond its limit. */
          const paid = new Set<number>()
          const open = new Map<number, ReturnType<typeof question>>()
          for (let now = 0; now <= 2_500; now++) {
            spans.forEach(({ from, until, asked }, body) => {
              if (now === from) open.set(body, asked())
              if (now === until) open.get(body)!.stop()
              else if (now > from + 100 && now < until && open.get(body)!.over() === null) paid.add(now)
            })
            vi.advanceTimersByTime(1)
          }
          // A turn of the event loop, a millisecond here, passes before each verdict.
          expect(paid.size).toBeLessThanOrEqual(bankMs + 2 * bodies.length)
          expect(bank.leftMs).toBeGreaterThanOrEqual(0)
          expect(bank.leftMs).toBeLessThanOrEqual(bankMs)
        },
      ),
      { numRuns: 30, seed: 7 },
    )
  })

  test('buys no strike with a machine that is too busy: that is still the fault of the host', async () => {
    const bank = bankOf(0, 1)
    const { wait, over, told } = question(bank, () => ({ runMs: 0, waitMs: 1e9 }))
    await wait(6_100)
    expect(over()).toMatchObject({ kind: 'host' })
    expect(told).toEqual([])
  })
})

test.each([
  [undefined, 'The agent gave no answer within 100 ms.'],
  [bankOf(50), 'The agent gave no answer within 100 ms, having used up its time bank of 50 ms.'],
  [bankOf(0, 1), 'The agent gave no answer within 100 ms, having used up its strike.'],
  [bankOf(50, 3), 'The agent gave no answer within 100 ms, having used up its time bank of 50 ms and its 3 strikes.'],
])('at the end the agent is told what it had', (bank, text) => {
  expect(overtimeText({ kind: 'timeout', tookMs: 1 }, 100, 'gave no answer', { bank })).toBe(text)
})
