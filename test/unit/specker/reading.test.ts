import { describe, expect, test } from 'vitest'
import type { Json } from '../../../main/contract/json.ts'
import { answer } from '../../../main/referees/specker/language/reading.ts'

function complaint(value: Json): string {
  const read = answer.safeParse(value)
  return read.success ? 'it fits' : read.error.issues.map(({ message }) => message).join('|')
}

const actions = (...list: Json[]): Json => ({ actions: list })

describe('what fits', () => {
  test.each([
    [{ actions: [] }, { actions: [] }],
    [{ ready: true }, { actions: [] }],
    [
      { ready: true, protocol: 3 },
      { actions: [], protocol: 3 },
    ],
    [{ ready: true, name: 'mine' }, { actions: [] }],
    [
      { protocol: 2, actions: [{ type: 'accept', challenge: 3 }] },
      { protocol: 2, actions: [{ type: 'accept', challenge: 3 }] },
    ],
  ])('%j', (value, bundle) => expect(answer.parse(value)).toEqual(bundle))
})

const AMOUNT = 'must be a whole number from 0 to 1000000000 (10^-9 energy)'
const TYPES = 'must be offer, accept, reoffer, deliver, solve or reveal'

describe('every part that does not fit is told with its value and what it must be', () => {
  test.each<[Json, string]>([
    [{ ready: true, protocol: 'new' }, 'protocol is "new" and must be 1, 2 or 3.'],
    [null, 'the answer is null and must be an object { "actions": [...] }.'],
    [[], 'the answer is a list of 0 and must be an object { "actions": [...] }.'],
    [{}, 'actions is missing and must be a list of at most 10000 actions.'],
    [
      { ready: false },
      'actions is missing and must be a list of at most 10000 actions; the answer has "ready", which it does not have.',
    ],
    [
      { protocol: 4, actions: 'none' },
      'protocol is 4 and must be 1, 2 or 3; actions is "none" and must be a list of at most 10000 actions.',
    ],
    [
      actions(7),
      'actions.0 is 7 and must be an object whose "type" is offer, accept, reoffer, deliver, solve or reveal.',
    ],
    [actions({}), `actions.0.type is missing and ${TYPES}.`],
    [actions({ type: 'buy', challenge: 1 }), `actions.0.type is "buy" and ${TYPES}.`],
    [
      actions({ type: 'accept', challenge: -1 }),
      'actions.0.challenge is -1 and must be the number of a challenge, 0 or more.',
    ],
    [actions({ type: 'offer', predicate: [1], price: 0.5 }), `actions.0.price is 0.5 and ${AMOUNT}.`],
    [actions({ type: 'offer', predicate: [1], price: 1_000_000_001 }), `actions.0.price is 1000000001 and ${AMOUNT}.`],
    [actions({ type: 'offer', price: 0 }), 'actions.0.predicate is missing and must be a predicate of the challenge.'],
    [
      actions({ type: 'offer', predicate: [1], price: 0, kind: 'safe' }),
      'actions.0.kind is "safe" and must be classic, belief or secret.',
    ],
    [
      actions({ type: 'deliver', challenge: 0 }),
      'actions.0.instance is missing and must be raw material of the challenge.',
    ],
    [
      actions({ type: 'deliver', challenge: 0, instance: 1, secret: { quality: 1, commitment: '' } }),
      'actions.0.secret.quality is 1 and must be a text "p/q".',
    ],
    [
      actions({ type: 'solve', challenge: 0 }),
      'actions.0.solution is missing and must be a solution of the challenge.',
    ],
    [
      actions({ type: 'reveal', challenge: 0, solution: 1 }),
      'actions.0.nonce is missing and must be 256 bits in 64 hex digits.',
    ],
    [
      actions({ type: 'accept', challenge: 0, price: 1 }),
      'actions.0 has "price", which an action of type accept does not have.',
    ],
    [
      actions(
        { type: 'accept', challenge: 'x' },
        { type: 'accept', challenge: 1 },
        { type: 'reoffer', challenge: 1, price: -1 },
      ),
      `actions.0.challenge is "x" and must be the number of a challenge, 0 or more; actions.2.price is -1 and ${AMOUNT}.`,
    ],
  ])('%j', (value, sentence) => expect(complaint(value)).toBe(sentence))

  test('long values are cut, and of very many parts the first ten are told', () => {
    expect(complaint(actions({ type: 'accept', challenge: '𝄞'.repeat(500) }))).toMatch(/^.{60,160}\.$/su)
    const many = complaint(actions(...Array.from({ length: 300 }, () => ({ type: 'accept', challenge: 'x' }))))
    expect(many).toMatch(/actions\.9\.challenge is "x".*; and 290 more parts do not fit\.$/)
    expect(many.length).toBeLessThan(1_500)
    expect(complaint(actions(...Array.from({ length: 10_001 }, () => 1)))).toContain('actions is a list of 10001')
  })
})
