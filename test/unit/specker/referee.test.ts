import { describe, expect, test, vi } from 'vitest'
import type { Fault } from '../../../main/contract/faults.ts'
import type { Arrival, Audience, Table } from '../../../main/contract/game/table.ts'
import type { Input } from '../../../main/referees/specker/input.ts'
import type { Bundle, Message } from '../../../main/referees/specker/messages.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import type { State } from '../../../main/referees/specker/state.ts'
import { accept, deliver, e, match, offer, solve } from './match.ts'
import { failure } from '../../refusal.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

type Said = Arrival<Bundle> | 'time'
/** The result of asking a seat; `time` lets the match clock run out. */
type Reply = (question: number, message: Message, state: State) => readonly Said[]

const at = 0
const tookMs = 1
const post = (seat: number) => ({ seat, body: 0 })
const answer = (seat: number, to: number, actions: Bundle['actions'] = []): Said => {
  return { at, post: post(seat), type: 'answer', to, late: false, value: { actions }, tookMs }
}
const fault = (seat: number, to: number | null, kind: Fault['kind'], gone = false): Said => {
  return { at, post: post(seat), type: 'fault', to, fault: { kind, text: `A ${kind}.`, tookMs, stderr: 'x' }, gone }
}

interface Seen {
  readonly asked: { seat: number; message: Message; limitMs: number }[]
  readonly inputs: { input: Input; audience: Audience }[]
  readonly withdrawn: number[]
  readonly told: { seat: number; message: Message }[]
  readonly dismissed: number[]
  readonly state: State
}

/** A table on which every reply is known beforehand. Each seat's replies are used up in order, the first for its start. */
async function conduct(settings: Parameters<typeof match>[1], replies: readonly (readonly Reply[])[]): Promise<Seen> {
  const { state } = match(replies.length, settings)
  const seen: Seen = { asked: [], inputs: [], withdrawn: [], told: [], dismissed: [], state }
  const arrivals: Said[] = []
  const owing = new Map<number, number>()
  const used = replies.map(() => 0)
  const table: Table<Message, Bundle, Input, State> = {
    seats: replies.map((_, id) => ({ id, entrant: id, role: 'player', bodies: 1 })),
    state,
    now: () => 0,
    random: () => () => 0,
    ask({ post: { seat }, message, limitMs }) {
      if (owing.has(seat) || seen.dismissed.includes(seat)) throw new Error(`seat ${seat} must not be asked`)
      const question = seen.asked.push({ seat, message, limitMs })
      owing.set(seat, question)
      const reply = replies[seat]?.[used[seat]!++]
      if (reply === undefined) throw new Error(`seat ${seat} was asked too often`)
      arrivals.push(...reply(question, message, state))
      return question
    },
    withdraw(question) {
      seen.withdrawn.push(question)
      for (const [seat, owed] of owing) if (owed === question) owing.delete(seat)
    },
    tell(to, message) {
      for (const { seat } of to) {
        if (seen.dismissed.includes(seat)) throw new Error(`seat ${seat} has been sent away`)
        seen.told.push({ seat, message })
      }
    },
    next() {
      const arrival = arrivals.shift()
      if (arrival === undefined) throw new Error('nothing will ever come')
      if (arrival !== 'time' && (arrival.type === 'answer' || arrival.type === 'fault')) {
        if (owing.get(arrival.post.seat) === arrival.to) owing.delete(arrival.post.seat)
      }
      return Promise.resolve(arrival)
    },
    dismiss: (seat) => void seen.dismissed.push(seat),
    commit(input, audience) {
      seen.inputs.push({ input, audience })
      return specker.rules.apply(state, input)
    },
  }
  await specker.referee(table, state.config, { startMs: 500, moveMs: 50 })
  return seen
}

const ready =
  (seat: number): Reply =>
  (question) => [answer(seat, question)]
const turn =
  (seat: number, ...actions: Bundle['actions']): Reply =>
  (question) => [answer(seat, question, actions)]

const reasons = (seen: Seen): unknown[] => seen.state.removals.map(({ seat, violation }) => [seat, violation.rule])

describe('a match without trouble', () => {
  const play = () =>
    conduct({ maxTurns: 1 }, [
      [ready(0), turn(0, offer([3], 0.5)), turn(0, deliver(0, 3))],
      [ready(1), turn(1, accept(0), offer([4], 0.6)), turn(1, solve(0, 3))],
    ])

  test('is asked for seat by seat and ends when nothing is owed', async () => {
    const seen = await play()
    expect(seen.asked.map(({ seat, message, limitMs }) => [seat, message.type, limitMs])).toEqual([
      [0, 'start', 500],
      [1, 'start', 500],
      [0, 'turn', 50],
      [1, 'turn', 50],
      [0, 'turn', 50],
      [1, 'turn', 50],
    ])
    expect(seen.state.turn).toBeNull()
    expect(seen.dismissed).toEqual([])
    expect(seen.state.players.map((player) => player.account)).toEqual([e(9.5), e(10.5)])
  })

  test('what is recorded is public and replays to the same state', async () => {
    const seen = await play()
    expect(seen.inputs.every(({ audience }) => audience === 'public')).toBe(true)
    const again = match(2, { maxTurns: 1 }).state
    for (const { input } of seen.inputs) {
      expect(specker.rules.apply(again, specker.input.parse(JSON.parse(JSON.stringify(input))))).toBeNull()
    }
    expect(specker.rules.save(again)).toEqual(specker.rules.save(seen.state))
  })
})

describe('protocol 3', () => {
  const asking =
    (seat: number): Reply =>
    (question) => [
      { at, post: post(seat), type: 'answer', to: question, late: false, value: { actions: [], protocol: 3 }, tookMs },
    ]

  test('is spoken to an agent that asks for it when it is ready, from then on, and to nobody else', async () => {
    const seen = await conduct({ maxTurns: 1, offersMin: 0 }, [
      [ready(0), turn(0, offer([3], 0.5)), turn(0, deliver(0, 3))],
      [ready(1), turn(1, accept(0)), turn(1, solve(0, 1))],
      [asking(2), turn(2, offer([9], 0.5), accept(7))],
    ])
    expect(seen.asked.map(({ seat, message }) => [seat, message.type, message.protocol])).toEqual([
      ...[0, 1, 2].map((seat) => [seat, 'start', 1]),
      ...[
        [0, 'turn', 1],
        [1, 'turn', 1],
        [2, 'turn', 3],
        [0, 'turn', 1],
        [1, 'turn', 1],
      ],
    ])
    expect(seen.asked.at(-3)?.message).toMatchObject({
      me: 2,
      config: { timeslot: 50 },
      events: [{ type: 'offered', predicate: [3] }, { type: 'accepted' }],
    })
    expect(seen.told).toMatchObject([{ seat: 2, message: { type: 'removed', protocol: 3 } }])
  })
})

describe('rule 8: the time slot', () => {
  const modes = [
    { mode: 'synchronous', variant: 'belief' },
    { mode: 'mega-moves', variant: 'classic' },
  ] as const
  // A move is given 50 ms by the contest.
  test.each(
    modes.flatMap((game) => [
      { game, timeslot: 20, slot: 20 },
      { game, timeslot: 50, slot: 50 },
      { game, timeslot: 500, slot: 50 },
      { game, timeslot: null, slot: 50 },
    ]),
  )(
    '$game.mode, $timeslot of 50: every move has $slot, and every player is told so',
    async ({ game, timeslot, slot }) => {
      const seen = await conduct({ ...game, timeslot, maxTurns: 1, offersMin: 0 }, [
        [ready(0), turn(0, offer([3], 0.5)), turn(0, deliver(0, 3)), ...(game.mode === 'mega-moves' ? [] : [turn(0)])],
        [ready(1), turn(1, accept(0)), turn(1, solve(0, 3)), turn(1)],
      ])
      expect(seen.state.removals).toEqual([])
      for (const { message, limitMs } of seen.asked) {
        expect(limitMs).toBe(message.type === 'start' ? 500 : slot)
        if (message.type === 'start') expect(message).toMatchObject({ config: { timeslot: slot } })
      }
    },
  )

  test.each(modes)('$mode: a silent agent is told how much time it had', async (game) => {
    const seen = await conduct({ ...game, timeslot: 20, maxTurns: 1 }, [[ready(0), () => ['time']], [ready(1)]])
    expect(seen.state.removals[0]).toMatchObject({
      seat: 0,
      violation: { rule: 'time-limit', text: 'No answer came within 20 ms.' },
    })
  })
})

describe('trouble before the first turn', () => {
  test('players who failed to load are removed before the first turn, in the order of their seats', async () => {
    const broken =
      (seat: number): Reply =>
      (question) => [fault(seat, question, 'crash', true)]
    const seen = await conduct({ maxTurns: 1 }, [
      [ready(0), turn(0, offer([3], 0.5)), turn(0, deliver(0, 3))],
      [broken(1)],
      [ready(2), turn(2, accept(0), offer([4], 0.5)), turn(2, solve(0, 1))],
      [broken(3)],
    ])
    const crash = { kind: 'crash', text: 'A crash.' }
    expect(seen.inputs.map(({ input }) => input).slice(0, 4)).toEqual([
      { type: 'fault', seat: 1, fault: crash, ready: false },
      { type: 'fault', seat: 3, fault: crash, ready: false },
      { type: 'turn', seat: 0, actions: [offer([3], 0.5)] },
      { type: 'turn', seat: 2, actions: [accept(0), offer([4], 0.5)] },
    ])
    expect(seen.dismissed.slice(0, 2)).toEqual([1, 3])
    const ranks = specker.rules.outcome(seen.state)?.places.map((place) => place.rank)
    expect([ranks?.[1], ranks?.[3]]).toEqual([3, 3])
  })

  const crashed: Said = fault(0, null, 'crash', true)
  test.each<[string, Said[], Said[]]>([
    ['before the others are', [crashed], []],
    ['when the others are', [], [crashed]],
  ])('an agent that was ready and fails %s has that in its turn', async (_, between, behind) => {
    const seen = await conduct({ maxTurns: 1 }, [
      [(question) => [answer(0, question), ...between], () => []],
      [(question) => [answer(1, question), ...behind]],
    ])
    expect(seen.inputs.map(({ input }) => input)).toEqual([
      { type: 'fault', seat: 0, fault: { kind: 'crash', text: 'A crash.' } },
    ])
  })

  test('a turn without actions begins a match, too', () => {
    const { state } = match(3, { offersMin: 0 })
    expect(specker.rules.apply(state, { type: 'turn', seat: 0, actions: [] })).toBe(null)
    const late = { type: 'fault', seat: 0, fault: { kind: 'crash', text: 'A crash.' }, ready: false } as const
    expect(specker.rules.apply(state, late)).toBe('The match has begun: all players were ready.')
  })

  test('a match that has begun has no players who are not ready', async () => {
    const { state } = await conduct({ maxTurns: 1 }, [
      [ready(0), turn(0, offer([3], 0.5))],
      [ready(1), turn(1, accept(9))],
    ])
    const late = { type: 'fault', seat: 0, fault: { kind: 'crash', text: 'A crash.' }, ready: false } as const
    expect(specker.rules.apply(state, late)).toBe('The match has begun: all players were ready.')
  })

  test('a fault that answers no question counts the same', async () => {
    const seen = await conduct({ maxTurns: 1 }, [[() => [fault(0, null, 'isolation', true)]], [ready(1)]])
    expect(reasons(seen)).toEqual([[0, 'isolation']])
  })

  test('a player that does not get ready in time is removed', async () => {
    const seen = await conduct({ maxTurns: 1 }, [[() => []], [(question) => [answer(1, question), 'time']]])
    expect(reasons(seen)).toEqual([[0, 'time-limit']])
    expect(seen.withdrawn).toEqual([1])
    expect(seen.state.removals[0]?.violation.text).toBe('Not ready for a match of sums: No answer came within 500 ms.')
  })

  test('the answer to the start is "ready" and no turn: who plays too early is told why, and why in the history', async () => {
    const seen = await conduct({ maxTurns: 1 }, [[turn(0, offer([3], 0.5))], [ready(1)]])
    const why = 'the answer to "start" has 1 action and must be { "ready": true } or have none.'
    const text = `Not ready for a match of sums: ${why}`
    expect(seen.inputs.map(({ input }) => input)).toEqual([
      { type: 'fault', seat: 0, fault: { kind: 'protocol', text: why }, ready: false },
    ])
    const removed = { type: 'removed', protocol: 1, round: 1, rule: 'unreadable', text }
    expect(seen.told).toEqual([{ seat: 0, message: removed }])
    expect(seen.dismissed).toEqual([0])
  })

  test.each([
    ['in turns', {}],
    ['asynchronous', { mode: 'asynchronous' }],
    ['mega-moves', { mode: 'mega-moves' }],
  ] as const)('nobody starts, %s: the match ends, and nobody ranks above another', async (_, game) => {
    const seen = await conduct({ maxTurns: 1, ...game }, [
      [(question) => [fault(0, question, 'crash', true)]],
      [(question) => [fault(1, question, 'crash', true)]],
    ])
    const places = specker.rules.outcome(seen.state)?.places
    expect(places?.map(({ rank, removed }) => [rank, removed])).toEqual([
      [1, true],
      [1, true],
    ])
    expect(seen.dismissed).toEqual([0, 1])
  })
})

describe('trouble in a turn', () => {
  test.each([
    ['timeout', 'time-limit'],
    ['stall', 'time-limit'],
    ['invalid', 'unreadable'],
    ['crash', 'crash'],
  ] as const)('a %s removes the player for %s', async (kind, rule) => {
    const seen = await conduct({ maxTurns: 1 }, [
      [ready(0), turn(0, offer([3], 0.5))],
      [ready(1), (question) => [fault(1, question, kind)]],
    ])
    expect(reasons(seen)).toEqual([[1, rule]])
    expect(seen.inputs[1]?.input).toEqual({ type: 'fault', seat: 1, fault: { kind, text: `A ${kind}.` } })
    expect(seen.dismissed).toEqual([1])
  })

  test('a player that breaks a rule is told the sentence that the history has', async () => {
    const seen = await conduct({ maxTurns: 1 }, [[ready(0), turn(0, accept(9))], [ready(1)]])
    const { rule, text } = seen.state.removals[0]!.violation
    expect(text).toContain('there is no challenge 9')
    expect(seen.told).toEqual([{ seat: 0, message: { type: 'removed', protocol: 1, round: 1, rule, text } }])
  })

  test('a player who says nothing at all is given up', async () => {
    const seen = await conduct({ maxTurns: 1 }, [[ready(0), () => ['time']], [ready(1)]])
    expect(reasons(seen)).toEqual([[0, 'time-limit']])
    expect(seen.withdrawn).toEqual([3])
    expect(seen.state.removals[0]?.violation.text).toBe('No answer came within 50 ms.')
  })

  test('an answer to an older question and what is said unasked are not heard', async () => {
    const noise: Reply = (question) => [
      { at, post: post(0), type: 'answer', to: 1, late: true, value: { actions: [] }, tookMs },
      { at, post: post(1), type: 'said', value: { actions: [] } },
      { at, post: post(1), type: 'joined' },
      answer(0, question, [offer([3], 0.5)]),
    ]
    const seen = await conduct({ maxTurns: 1 }, [
      [ready(0), noise, turn(0, deliver(0, 3))],
      [ready(1), turn(1, accept(0), offer([4], 0.5)), turn(1, solve(0, 1))],
    ])
    expect(seen.state.removals).toEqual([])
  })

  test('a fault while another is asked counts in the next turn of who had it', async () => {
    const seen = await conduct({ maxTurns: 2 }, [
      [ready(0), (question) => [fault(1, null, 'memory', true), answer(0, question, [offer([3], 0.5)])]],
      [ready(1)],
    ])
    expect(seen.inputs.map(({ input }) => input.type)).toEqual(['turn', 'fault'])
    expect(reasons(seen)).toEqual([[1, 'memory']])
  })

  test.each([1, -1])(
    'an account that was changed by %i outside the rules is noticed: the match is not judged',
    async (by) => {
      const meddled: Reply = (question, _message, state) => {
        state.players[0]!.account += by
        return [answer(0, question, [offer([3], 0.5)])]
      }
      const play = conduct({}, [[ready(0), meddled], [ready(1)]])
      const has = by > 0 ? '10.000000001' : '9.999999999'
      await expect(play).rejects.toThrow(failure('account', 'seat 0', has, '10 '))
    },
  )

  test('energy that was moved from one account to another outside the rules is noticed, too', async () => {
    const meddled: Reply = (question, _message, state) => {
      state.players[1]!.account -= e(0.25)
      state.players[0]!.account += e(0.25)
      return [answer(1, question, [accept(0), offer([4], 0.6)])]
    }
    const play = conduct({}, [
      [ready(0), turn(0, offer([3], 0.5))],
      [ready(1), meddled],
    ])
    // Payments by the rules in the meantime are in the books.
    await expect(play).rejects.toThrow(failure('account', 'seat 0', 10.75, '10.5 '))
  })

  test('so is what was taken from a player who has been removed', async () => {
    const meddled: Reply = (question, _message, state) => {
      state.players[0]!.account -= 5
      state.players[2]!.account += 5
      return [answer(2, question, [offer([4], 0.6)])]
    }
    const play = conduct({ maxTurns: 3 }, [
      [ready(0), turn(0, accept(9))],
      [ready(1), turn(1, offer([3], 0.5))],
      [ready(2), meddled],
    ])
    await expect(play).rejects.toThrow(failure('account', 'seat 0', 9.999999995))
  })

  test('a fault of the host is nobody’s: the match is not judged', async () => {
    const play = conduct({}, [[ready(0), (question) => [fault(0, question, 'host')]], [ready(1)]])
    await expect(play).rejects.toThrow(failure('fault', 'host'))
  })
})

test('a seller who is removed in the buyer’s turn is dismissed at once and not asked again', async () => {
  const seen = await conduct({ maxTurns: 1, init: e(0.6) }, [
    [ready(0), turn(0, offer([3], 0.1)), turn(0, deliver(0, 3))],
    [ready(1), turn(1, accept(0), offer([4], 0.1)), turn(1, deliver(1, 4), solve(0, 3))],
    [ready(2), turn(2, accept(1), offer([5], 0.1)), turn(2, solve(1, 0))],
  ])
  expect(reasons(seen)).toEqual([[0, 'positive-account']])
  expect(seen.dismissed).toEqual([0])
})
