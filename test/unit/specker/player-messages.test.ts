import { describe, expect, test, vi } from 'vitest'
import type { Input } from '../../../main/referees/specker/input.ts'
import type { Action, Protocol, PublicEvent } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import { createPlayerMessages, type PlayerMessages } from '../../../main/referees/specker/referee/player-messages.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import { accept, deliver, e, match, NONCE, offer, reveal, sealed, solve, type Match } from './match.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

/** A match whose players are spoken to; `protocols`: what each has named when it was ready. */
function told(settings: Parameters<typeof match>[1], protocols: readonly (Protocol | undefined)[]) {
  const m = match(protocols.length, settings)
  const messages = createPlayerMessages(m.state, 700)
  for (const [seat, protocol] of protocols.entries()) messages.choose(seat, protocol)
  const put = (input: Input): void => {
    const before = m.state.dropped + m.state.events.length
    expect(rules.apply(m.state, input)).toBeNull()
    messages.note(input, before)
  }
  return { m, messages, act: (seat: number, ...actions: Action[]) => put({ type: 'turn', seat, actions }) }
}

const eventsFor = (messages: PlayerMessages, seat: number, type: string): readonly PublicEvent[] =>
  messages.turn(seat, 0).events.filter((event) => event.type === type)

describe('protocol 3: a turn says all that a player may know', () => {
  test('its own seat, the challenge and the config, with the time that it really has', () => {
    const { m, messages } = told({ maxTurns: 7, timeslot: 9_000 }, [undefined, 3])
    const turn = messages.turn(1)
    expect(turn).toMatchObject({
      type: 'turn',
      protocol: 3,
      me: 1,
      challenge: { name: 'sums', config: { max: 20 } },
      config: { init: e(10), maxTurns: 7, order: 'fixed', variant: 'classic', mode: 'synchronous', timeslot: 700 },
      toReveal: [],
    })
    // The file was announced once; it may be long.
    expect(turn.challenge).not.toHaveProperty('source')
    // Whoever has not asked for it hears the words of before.
    expect(messages.turn(0)).toEqual(turnMessage(m.state, 0))
    expect(messages.start(1)).toEqual(startMessage(m.state, 1))
    expect(messages.start(1)).toMatchObject({ protocol: 1 })
  })

  test('naming 1 or 2 changes nothing', () => {
    const { m, messages } = told({ variant: 'belief' }, [1, 2])
    for (const seat of [0, 1]) expect(messages.turn(seat)).toEqual(turnMessage(m.state, seat))
  })

  test('an older game is told as fully as a newer one', () => {
    const { messages, act } = told({ offersMin: 0 }, [undefined, undefined, 3])
    act(0, offer([3], 0.5), offer([4], 0.6))
    expect(messages.turn(2)).toMatchObject({
      store: [{ kind: 'classic' }, { kind: 'classic' }],
      events: [
        { type: 'offered', kind: 'classic', predicate: [3] },
        { type: 'offered', predicate: [4] },
      ],
    })
    expect(messages.turn(1).store[0]).not.toHaveProperty('kind')
  })
})

describe('the history so far is public: a third player reads what two others exchange', () => {
  const secret = { variant: 'secret', offersMin: 0, acceptOrReoffer: 'one' }
  /** Seat 1 buys from seat 0 what seat 2 has never seen in the store. */
  const sold = () => {
    const match = told(secret, [undefined, undefined, 3])
    match.act(0, offer([10], 0.5))
    match.act(1, accept(0))
    return match
  }
  const rest = (m: Match): void => {
    if (m.state.turn === 2) m.act(2)
  }

  test('the predicate, the raw material, the answer, and the secret when it is revealed, not before', () => {
    const { m, messages, act } = sold()
    expect(eventsFor(messages, 2, 'offered')).toMatchObject([{ challenge: 0, predicate: [10] }])
    expect(JSON.stringify(messages.turn(2))).not.toContain('instance')
    rest(m)
    act(0, deliver(0, 10, sealed(8)))
    expect(eventsFor(messages, 2, 'delivered')).toMatchObject([{ challenge: 0, instance: 10, secret: sealed(8) }])
    act(1, solve(0, 3))
    expect(eventsFor(messages, 2, 'solved')).toMatchObject([{ challenge: 0, solution: 3 }])
    expect(JSON.stringify(messages.turn(2))).not.toContain(NONCE)
    rest(m)
    act(0, reveal(0, 8))
    expect(eventsFor(messages, 2, 'revealed')).toMatchObject([{ challenge: 0, solution: 8, nonce: NONCE }])
    // Agents that have not asked for it, and the state, do not have it.
    for (const value of [messages.turn(1, 0), rules.save(m.state)]) {
      expect(JSON.stringify(value)).not.toMatch(new RegExp(`"(solution|nonce)"|${NONCE}`))
    }
  })

  test('vain actions are not reported: invalid raw material, a solution of what is not its own', () => {
    const { m, messages, act } = sold()
    rest(m)
    act(0, deliver(0, 9, sealed(8)))
    expect(m.removed()).toEqual([0])
    expect(eventsFor(messages, 2, 'delivered')).toEqual([])
    expect(JSON.stringify(messages.turn(2))).not.toContain('instance')
  })

  test('the second delivery of a bundle does not count', () => {
    const { m, messages, act } = told({ variant: 'belief', offersMin: 0 }, [undefined, undefined, 3])
    act(0, offer([10, 9], 0.5))
    act(1, accept(0))
    rest(m)
    act(0, deliver(0, 10), deliver(0, 9))
    expect(m.removed()).toEqual([0])
    expect(eventsFor(messages, 2, 'delivered')).toMatchObject([{ instance: 10 }])
  })

  test('an offer that went with its seller in the same turn has no predicate any more', () => {
    const { m, messages, act } = told({ variant: 'belief' }, [undefined, undefined, 3])
    act(0, offer([10], 0.5), accept(99))
    expect(m.removed()).toEqual([0])
    const [offered] = eventsFor(messages, 2, 'offered')
    expect(offered).toMatchObject({ challenge: 0 })
    expect(offered).not.toHaveProperty('predicate')
  })
})
