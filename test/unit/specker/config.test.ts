import { describe, expect, test, vi } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import { ENERGY } from '../../../main/referees/specker/messages.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { SUMS } from './sums.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

const game = eraseGame(specker)

describe('config', () => {
  test('defaults are filled in, those of the challenge too', () => {
    expect(game.config({ challenge: SUMS })).toEqual({
      ok: true,
      value: {
        challenge: SUMS,
        challengeConfig: { max: 20 },
        init: 10 * ENERGY,
        maxTurns: 20,
        mindec: ENERGY / 100,
        offersMin: 1,
        offersMax: 10,
        acceptOrReoffer: 'all',
        order: 'rotating',
        judgement: 'complete',
      },
    })
  })

  test('what it gives back is a config again', () => {
    const first = game.config({ challenge: SUMS, mindec: 5 })
    expect(first.ok && game.config(first.value)).toEqual(first)
  })

  test('what was chosen stands, and what it gives back is a config again', () => {
    const chosen = { mode: 'asynchronous', variant: 'belief', duration: 9, timeslot: 7, profitFactor: 0.5, f: 'free' }
    const first = game.config({ challenge: SUMS, ...chosen })
    expect(first).toMatchObject({ ok: true, value: chosen })
    expect(first.ok && game.config(first.value)).toEqual(first)
  })

  test.each([
    [{}, /^challenge: /],
    [{ challenge: 'rubbish' }, 'challenge: line 2, column 7: expected a class.'],
    [{ challenge: SUMS, challengeConfig: { max: 'many' } }, 'challengeConfig: max: not a size'],
    [{ challenge: SUMS, offersMin: 3, offersMax: 2 }, 'offersMin: must not be above offersMax'],
    [{ challenge: SUMS, init: 0 }, /^init: /],
    [{ challenge: SUMS, init: 0.5 }, /^init: /],
    [{ challenge: SUMS, init: 2 ** 53 }, /^init: /],
    [{ challenge: SUMS, mindec: 0 }, /^mindec: /],
    [{ challenge: SUMS, maxTurns: 0 }, /^maxTurns: /],
    [{ challenge: SUMS, order: 'random' }, /^order: /],
    [{ challenge: SUMS, speed: 5 }, /speed/],
    [{ challenge: SUMS, timeslot: 0 }, /^timeslot: /],
    [{ challenge: SUMS, variant: 'modern' }, /^variant: /],
    [{ challenge: SUMS, mode: 'turns' }, /^mode: /],
    [{ challenge: SUMS, profitFactor: -1 }, /^profitFactor: /],
    [{ challenge: SUMS, f: 'high' }, /^f: /],
    [{ challenge: SUMS, mode: 'asynchronous', duration: 0 }, /^duration: /],
  ])('%j is refused in words', (value, error) => {
    const read = game.config(value)
    expect(read.ok ? '' : read.error).toMatch(error)
  })
})

describe('seats', () => {
  const config = (init: number) => specker.config.parse({ challenge: SUMS, init })

  test('one seat an entrant, from two up', () => {
    expect(specker.seats(config(5), 3)).toEqual([0, 1, 2].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 })))
    expect(specker.seats(config(5), 1)).toMatch(/at least two players/)
  })

  test('all energy together stays an exact number', () => {
    const half = Math.floor(Number.MAX_SAFE_INTEGER / 2)
    expect(specker.seats(config(half), 2)).toHaveLength(2)
    expect(specker.seats(config(half + 1), 2)).toMatch(/choose a smaller init/)
  })
})

describe('answers', () => {
  test.each([
    [{ actions: [{ type: 'offer', predicate: [1], price: 0.5 }] }, 'actions.0.price'],
    [{ actions: [{ type: 'offer', predicate: [1], price: -1 }] }, 'actions.0.price'],
    [{ actions: [{ type: 'offer', predicate: [1], price: ENERGY + 1 }] }, 'actions.0.price'],
    [{ actions: [{ type: 'offer', price: 1 }] }, 'actions.0.predicate'],
    [{ actions: [{ type: 'bid' }] }, 'actions.0.type'],
    [{ actions: [{ type: 'accept', challenge: '0' }] }, 'actions.0.challenge'],
    [{ actions: [{ type: 'accept', challenge: 0, price: 1 }] }, 'actions.0'],
    [{}, 'actions'],
    [[], 'the answer'],
  ])('%j cannot be read', (value, path) => {
    const read = specker.answer.safeParse(value)
    expect(read.error?.issues[0]?.message.startsWith(`${path} `)).toBe(true)
  })
})
