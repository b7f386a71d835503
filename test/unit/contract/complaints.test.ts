import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { complaintSentence, parsePlainly } from '../../../main/contract/complaints.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { haggle } from '../../../main/referees/haggle/haggle.ts'
import { specker } from '../../../main/referees/specker/specker.ts'

function complaint(schema: z.ZodType, value: Json): string {
  const parsed = parsePlainly(schema, value)
  return parsed.ok ? 'it fits' : complaintSentence(parsed.complaint)
}

describe('of a union, the schema that was meant says what is wrong', () => {
  const plain = z.union([
    z.strictObject({ total: z.int(), seen: z.int() }),
    z.strictObject({ stopped: z.literal(true) }),
    z.strictObject({ why: z.string(), at: z.strictObject({ x: z.int(), y: z.int() }) }),
  ])
  test.each<[Json, string]>([
    [{ total: 'many', seen: 1 }, 'total: expected a whole number, found "many".'],
    [{ total: 1 }, 'seen: it is missing; expected a whole number.'],
    [{ stopped: 'yes' }, 'stopped: expected true, found "yes".'],
    [{ why: 'lost', at: { x: 1, y: 'two' } }, 'at.y: expected a whole number, found "two".'],
    [{ why: 'lost', at: { x: 1 } }, 'at.y: it is missing; expected a whole number.'],
    [{ total: 1, sean: 2 }, 'there is no field "sean". Did you mean "seen"?'],
    [7, 'expected an object, found 7.'],
  ])('a plain one: %j', (value, words) => {
    expect(complaint(plain, value)).toBe(words)
  })

  const shapes = [
    z.strictObject({ type: z.literal('claim'), river: z.int() }),
    z.strictObject({ type: z.literal('splurge'), route: z.array(z.int()) }),
    z.strictObject({ type: z.literal('pass') }),
  ] as const
  test.each([
    ['discriminated', z.discriminatedUnion('type', shapes)],
    ['plain, told apart by a word', z.union(shapes)],
  ])('%s', (_kind, schema) => {
    expect(complaint(schema, { type: 'splurge', route: [1, 'b'] })).toBe('route.1: expected a whole number, found "b".')
    expect(complaint(schema, { type: 'claim', route: [1] })).toMatch(/^there is no field "route"/)
    expect(complaint(schema, { type: 'pas' })).toBe(
      'type: expected "claim", "splurge" or "pass", found "pas". Did you mean "pass"?',
    )
    expect(complaint(schema, { type: 'pas', river: 1 })).toMatch(/^type: expected "claim", "splurge" or "pass"/)
  })

  test('one inside another', () => {
    const move = z.union([z.strictObject({ move: z.union(shapes) }), z.strictObject({ timeout: z.number() })])
    expect(complaint(move, { move: { type: 'claim', river: 'x' } })).toBe(
      'move.river: expected a whole number, found "x".',
    )
  })
})

describe('an answer that a game refuses', () => {
  const [bargain, market] = [eraseGame(haggle), eraseGame(specker)]
  test.each<[Json, string]>([
    [{ threw: 5 }, 'threw: expected text, found 5'],
    [{ valu: [1] }, 'there is no field "valu". Did you mean "value"?'],
    [{ value: 1, threw: 'x' }, 'there is no field "threw"; the only fields are value and odd'],
    ['no', 'expected an object, found "no"'],
  ])('Haggling: %j', (value, words) => {
    expect(bargain.unreadable(value)).toBe(words)
  })
  test.each<[Json, string]>([
    [
      { actions: [{ type: 'accept', challenge: -1 }] },
      'actions.0.challenge is -1 and must be the number of a challenge, 0 or more.',
    ],
    [7, 'the answer is 7 and must be an object { "actions": [...] }.'],
  ])('Specker: %j', (value, words) => {
    expect(market.unreadable(value)).toBe(words)
  })
})
