import { describe, expect, test, vi } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { PlayerEvent } from '../../../main/contract/players/player.ts'
import { inProcessPlayer } from '../../in-process-player.ts'
import type { Action, StartMessage, TurnMessage } from '../../../main/referees/specker/messages.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { createTable } from '../../../main/worker/table.ts'
import { accept, deliver, e, offer, solve } from './match.ts'
import { SUMS } from './sums.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

const game = eraseGame(specker)
type Answer = readonly Action[] | 'never' | Promise<readonly Action[]>
/** A player's reaction to a question; `say` speaks unasked. */
type Mind = (view: TurnMessage, say: (...actions: Action[]) => void) => Answer

/** Plays an asynchronous match on the real table, where time passes. */
async function played(
  minds: readonly Mind[],
  settings: Record<string, Json> = {},
  { moveMs = 5_000, full = -1 }: { readonly moveMs?: number; readonly full?: number } = {},
) {
  const read = game.config({ challenge: SUMS, mode: 'asynchronous', duration: 1_000, ...settings })
  if (!read.ok) throw new Error(read.error)
  const config = read.value
  const seats = game.seats(config, minds.length)
  if (typeof seats === 'string') throw new Error(seats)
  const inputs: Json[] = []
  const seed = '0'.repeat(64)
  const table = createTable({
    seats,
    seed,
    seeds: 'hmac',
    log: { input: (_at, _audience, input) => inputs.push(input), fault: () => undefined, console: () => undefined },
    seatPlayer: ({ id: seat }, emit: (event: PlayerEvent) => void) =>
      inProcessPlayer((asked) => {
        const message = asked as StartMessage | TurnMessage
        if (message.type === 'start') return seat === full ? { ready: true, protocol: 3 } : { actions: [] }
        const say = (...actions: Action[]): void => emit({ type: 'said', value: { actions } })
        const answer = minds[seat]!(message, say)
        if (answer === 'never') return undefined
        return answer instanceof Promise ? answer.then((actions) => ({ actions })) : { actions: answer }
      }, emit),
  })
  await table.ready()
  const fold = await game.conduct(table, config, seed, { startMs: 1_000, moveMs })
  table.close()
  const again = game.fold(config, seats, seed)
  for (const input of inputs) expect(again.apply(JSON.parse(JSON.stringify(input)) as Json)).toBeNull()
  expect(again.save()).toEqual(fold.save())
  return { outcome: fold.outcome()!, inputs: inputs as { readonly type: string; readonly seat?: number }[] }
}

/** Does what is due, and at first whatever `once` says. */
function dutiful(once: (view: TurnMessage) => readonly Action[]): Mind {
  let done = false
  return (view) => {
    const due = [
      ...view.toDeliver.map(({ challenge, predicate }) => deliver(challenge, (predicate as number[])[0]!)),
      ...view.toSolve.map(({ challenge, instance }) => solve(challenge, instance)),
    ]
    const wanted = done || !view.trading ? [] : once(view)
    done ||= wanted.length > 0
    return [...due, ...wanted]
  }
}

const seller = (): Mind => dutiful(() => [offer([4], 0.5)])
const buyer = (): Mind =>
  dutiful((view) => view.store.filter((entry) => entry.seller === 0).map((entry) => accept(entry.challenge)))

describe('an asynchronous match', () => {
  test('is played, closed at its time and replayed to the same state', async () => {
    const { outcome, inputs } = await played([seller(), buyer(), buyer()])
    expect(outcome.places.map(({ removed }) => removed)).toEqual([false, false, false])
    expect(outcome.places.map(({ score }) => score).sort()).toEqual([e(10), e(10.5), e(9.5)].sort())
    expect(inputs.filter(({ type }) => type === 'close')).toHaveLength(1)
  })

  test('what is said unasked counts, in the order of arrival', async () => {
    const loud: Mind = (view, say) => {
      if (view.events.length === 0 && view.store.length === 0) say(offer([3], 0.1), offer([5], 0.2))
      return []
    }
    const { inputs } = await played([loud, () => []], {})
    expect(inputs[0]).toMatchObject({ type: 'turn', seat: 0, actions: [{ type: 'offer' }, { type: 'offer' }] })
  })

  test('every player is told of each event once', async () => {
    const seen: string[] = []
    const watcher: Mind = (view) => {
      for (const event of view.events) seen.push(`${event.type} ${event.seat}`)
      return []
    }
    await played([seller(), buyer(), watcher])
    expect(seen.slice(0, 4)).toEqual(['offered 0', 'accepted 1', 'delivered 0', 'solved 1'])
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('a player that asks for protocol 3 reads what two others exchange; one that does not, does not', async () => {
    const heard: string[][] = [[], []]
    const watchers = heard.map((lines): Mind => {
      return ({ protocol, me, events }) => {
        for (const { type, ...event } of events) {
          const { instance, solution, predicate } = event as Record<string, Json>
          lines.push(JSON.stringify([protocol, me ?? null, type, instance ?? solution ?? predicate ?? null]))
        }
        return []
      }
    })
    await played([seller(), buyer(), ...watchers], {}, { full: 3 })
    const told = (protocol: number, me: number | null, values: readonly Json[]): string[] =>
      ['offered', 'accepted', 'delivered', 'solved'].map((type, at) =>
        JSON.stringify([protocol, me, type, values[at]!]),
      )
    expect(heard[0]).toEqual(told(2, null, [null, null, null, null]))
    expect(heard[1]).toEqual(told(3, 3, [[4], null, 4, 4]))
  })

  test('what is owed at the end of trading is still done', async () => {
    let due = 0
    // Delivers only when trading is over.
    const late: Mind = (view) => {
      if (view.trading) return view.store.length === 0 && due++ === 0 ? [offer([4], 0.5)] : []
      return view.toDeliver.map(({ challenge }) => deliver(challenge, 4))
    }
    const { outcome, inputs } = await played([
      late,
      dutiful((view) => view.store.map(({ challenge }) => accept(challenge))),
    ])
    expect(outcome.places.every(({ removed }) => !removed)).toBe(true)
    const order = inputs.map(({ type, seat }) => `${type} ${seat ?? ''}`.trim())
    expect(order.slice(order.indexOf('close'))).toEqual(['close', 'turn 0', 'turn 1'])
  })
})

describe('a player that does not keep the time slot is removed', () => {
  test('a debtor who answers and does not deliver', async () => {
    const shirker: Mind = (view) => (view.events.length === 0 && view.store.length === 0 ? [offer([4], 0.5)] : [])
    const { outcome } = await played([shirker, buyer()], { duration: 60_000, timeslot: 150 })
    expect(outcome.places[0]).toMatchObject({ removed: true, score: e(10) })
    expect(outcome.places[0]?.reason).toBe(
      'raw material for challenge 0 was due within the time slot and did not come.',
    )
  })

  const later = (actions: readonly Action[]): Promise<readonly Action[]> =>
    new Promise((resolve) => setTimeout(() => resolve(actions), 5))

  test('a debtor who answers every question with an offer that comes too late', async () => {
    const asked: boolean[] = []
    const shirker: Mind = (view) => {
      asked.push(view.trading)
      if (view.trading) return view.store.length + view.events.length === 0 ? [offer([4], 0.5)] : later([])
      return later([offer([5], 0.5)])
    }
    const { outcome, inputs } = await played([shirker, buyer()], { duration: 100, timeslot: 1_000 })
    expect(outcome.places[0]).toMatchObject({ removed: true, score: e(10), rank: 2 })
    expect(outcome.places[0]?.reason).toMatch(/^raw material for challenge 0 was due within the time slot/)
    expect(inputs.at(-1)).toEqual({ type: 'overdue', challenge: 0 })
    // It was asked again and again, and what it said was refused and cost nothing.
    expect(asked.filter((trading) => !trading).length).toBeGreaterThan(2)
  })

  test('a debtor who answers every question, while there is trade, with an offer for which another was faster', async () => {
    let refused = 0
    let say: (...actions: Action[]) => void = () => undefined
    // Always a little cheaper than the shirker, and faster.
    const noisy: Mind = (view, speak) => {
      say = speak
      return buyer()(view, speak)
    }
    let price = 0.9
    const shirker: Mind = (view) => {
      refused += view.events.filter(({ type, seat }) => type === 'refused' && seat === 0).length
      if (view.store.length + view.events.length === 0) return [offer([4], 0.5)]
      if (view.toDeliver.length === 0) return later([])
      price -= 0.001
      say(offer([5], price))
      return later([offer([5], price)])
    }
    const { outcome, inputs } = await played([shirker, noisy], { duration: 60_000, timeslot: 300, offersMax: 1_000 })
    expect(outcome.places[0]).toMatchObject({ removed: true, rank: 2 })
    expect(outcome.places[0]?.reason).toMatch(/^raw material for challenge 0 was due within the time slot/)
    expect(inputs.at(-1)).toEqual({ type: 'overdue', challenge: 0 })
    expect(refused).toBeGreaterThan(2)
  })

  test('a debtor who never answers, and speaks unasked all the time', async () => {
    let timer: NodeJS.Timeout | undefined
    let price = 0.9
    const shirker: Mind = (view, say) => {
      if (view.toDeliver.length === 0) return view.store.length + view.events.length === 0 ? [offer([4], 0.5)] : []
      timer ??= setInterval(() => say(offer([5], (price -= 0.0001))), 5)
      return 'never'
    }
    const { outcome } = await played([shirker, buyer()], { duration: 50, timeslot: 20, offersMax: 1_000 })
    clearInterval(timer)
    expect(outcome.places[0]).toMatchObject({ removed: true, reason: 'No answer came within 20 ms.' })
  })

  test('a player that never answers', async () => {
    const { outcome, inputs } = await played([() => 'never', () => [], () => 'never'], {
      duration: 60_000,
      timeslot: 50,
    })
    expect(outcome.places.map(({ rank }) => rank)).toEqual([3, 1, 2])
    expect(inputs).toMatchObject([
      { type: 'fault', seat: 0, fault: { kind: 'timeout', text: 'No answer came within 50 ms.' } },
      { type: 'fault', seat: 2 },
    ])
  })

  test('a player that throws', async () => {
    const { outcome } = await played(
      [
        () => {
          throw new Error('no')
        },
        () => [],
      ],
      { duration: 60_000 },
    )
    expect(outcome.places[0]).toMatchObject({ removed: true, rank: 2 })
  })
})

test('a slow thinker does not hold the others', async () => {
  let released: (actions: readonly Action[]) => void = () => undefined
  const thinking = new Promise<readonly Action[]>((resolve) => (released = resolve))
  const slow: Mind = () => thinking
  const rounds: number[] = []
  const busy: Mind = (view) => {
    rounds.push(view.store.length)
    if (rounds.length === 5) released([])
    return rounds.length < 5 ? [offer([rounds.length], 0.5)] : []
  }
  const { outcome } = await played([slow, busy], {})
  expect(rounds.slice(0, 5)).toEqual([0, 1, 2, 3, 4])
  expect(outcome.places.every(({ removed }) => !removed)).toBe(true)
})
