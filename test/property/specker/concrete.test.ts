import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDictionary } from '../../../grammars/class-dictionary/index.ts'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../main/contract/json.ts'
import { json, textOf } from '../../../main/referees/specker/language/concrete.ts'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import { DICTIONARY } from '../../../main/referees/specker/language/dictionary.ts'
import { bundle, ENERGY } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import { removedMessage, startMessage, turnMessage } from '../../../main/referees/specker/referee/views.ts'
import Baby from '../../../agents/specker/baby.ts'
import { configOf, generator } from '../../unit/agents-specker/table.ts'
import { anyText } from '../../any-text.ts'

type JsonObject = Readonly<Record<string, Json>>

const file = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const csp = textOf(readChallenge(file('grammars/challenges/max-csp.challenge')).challenge!)
const copy = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject

/** Both languages, both ways, in one line each. */
function sameInBoth(text: ReturnType<typeof textOf>, value: JsonObject, from: 'administrator' | 'player'): void {
  const line = from === 'administrator' ? text.tell(value) : text.say(value)
  expect(line).not.toMatch(/[\r\n]/)
  expect(from === 'administrator' ? text.listen(line) : text.hear(line)).toEqual(value)
  expect(json.hear(json.tell(value))).toEqual(value)
}

test('the dictionary that is used is the one that ships, and it is well made', () => {
  expect(DICTIONARY).toBe(file('main/referees/specker/language/specker.cd'))
  expect(readDictionary(DICTIONARY).problems).toEqual([])
})

describe('every message of whole matches is the same in both languages', () => {
  const markets = (['classic', 'belief', 'secret', 'base-ball'] as const).map((variant) => ({ variant }))
  const games = [
    ...markets.map((market) => ['max-csp', market] as const),
    ['max-csp', { mode: 'mega-moves', variant: 'secret', timeslot: 500, league: 't-ball' }] as const,
    [
      'max-csp',
      { variant: 'belief', f: 'free', profitFactor: 0.1, league: 'level-k-reduced', leagueParameter: 2 },
    ] as const,
    ['cubic-equations', { variant: 'secret' }] as const,
    ['pseudo-boolean', {}] as const,
    ['vertex-cover', {}] as const,
  ]
  test.each(games)('%s %j', (challenge, game) => {
    const settings = { maxTurns: 3, init: 100 * ENERGY, ...game }
    const config = speckerConfig.parse(configOf(challenge, {}, settings))
    const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
    const state = rules.initial(config, seats, '0'.repeat(64))
    const text = textOf(state.challenge)
    const real = Math.random
    Math.random = generator(1535)
    const kinds = new Set<string>()
    try {
      const players = seats.map(({ id }) => new Baby(startMessage(state, id)))
      for (const { id } of seats)
        sameInBoth(text, { ...copy(startMessage(state, id)), question: id, limitMs: 0.5 }, 'administrator')
      for (let question = 2; state.turn !== null; question++) {
        const seat = state.turn
        const view = copy(turnMessage(state, seat))
        sameInBoth(text, { ...view, question, limitMs: 500 }, 'administrator')
        const answer = copy(players[seat]!.turn(turnMessage(state, seat)))
        sameInBoth(text, { ...answer, question }, 'player')
        for (const { type } of answer['actions'] as { type: string }[]) kinds.add(type)
        for (const { type } of view['events'] as { type: string }[]) kinds.add(type)
        // In the end somebody is removed, and its sales are void.
        const last = state.round === 3 && seat === 1
        const { actions } = bundle.parse(answer)
        rules.apply(state, {
          type: 'turn',
          seat,
          actions: last ? [...actions, { type: 'accept', challenge: 9_999 }] : actions,
        })
      }
    } finally {
      Math.random = real
    }
    for (const removal of state.removals) sameInBoth(text, copy(removedMessage(state, removal)), 'administrator')
    expect([...kinds]).toEqual(
      expect.arrayContaining(['offer', 'accept', 'deliver', 'solve', 'offered', 'accepted', 'solved']),
    )
  })
})

const amount = fc.integer({ min: 0, max: ENERGY })
const number = fc.integer({ min: 0, max: 1e6 })
const words = fc.string({ unit: 'grapheme', maxLength: 40 })
const relations = fc.record({ relations: fc.array(fc.integer({ min: -9, max: 300 }), { maxLength: 5 }) })
const instance = fc.record({
  variables: number,
  constraints: fc.array(
    fc.record({ weight: number, relation: number, variables: fc.array(number, { maxLength: 4 }) }),
    { maxLength: 5 },
  ),
})
const solution = fc.record({ values: fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 9 }) })
const secret = fc.record({ quality: words, commitment: words })
const kind = fc.constantFrom('classic', 'belief', 'secret')
const required = <T extends object>(
  type: string,
  of: { [K in keyof T]: fc.Arbitrary<T[K]> },
  optional: { readonly [key: string]: fc.Arbitrary<unknown> } = {},
) => {
  const model = { type: fc.constant(type), ...of, ...optional }
  const keys = ['type', ...Object.keys(of)] as never[]
  return fc.record(model, { requiredKeys: keys })
}

const action = fc.oneof(
  required('offer', { predicate: relations, price: amount }, { kind, f: amount }),
  required('accept', { challenge: number }),
  required('reoffer', { challenge: number, price: amount }),
  required('deliver', { challenge: number, instance }, { secret }),
  required('solve', { challenge: number, solution }),
  required('reveal', { challenge: number, solution, nonce: words }),
)

test('every bundle is the same in both languages', () => {
  const protocol = fc.constantFrom(1, 2, 3)
  const actions = fc.array(action, { maxLength: 6 })
  const question = fc.oneof(number, fc.constant(null))
  const bundles = fc.oneof(
    fc.record({ actions, question, protocol }, { requiredKeys: ['actions'] }),
    fc.record({ ready: fc.constant(true), question: number, protocol }, { requiredKeys: ['ready'] }),
  )
  fc.assert(
    fc.property(bundles, (value) => sameInBoth(csp, copy(value), 'player')),
    { numRuns: 300 },
  )
})

const placed = { round: number, seat: number }
const event = fc.oneof(
  required('accepted', { ...placed, challenge: number, price: amount }),
  required('offered', { ...placed, challenge: number, price: amount }, { kind, f: amount, predicate: relations }),
  required('reoffered', { ...placed, challenge: number, undercut: number, price: amount }),
  required('delivered', { ...placed, challenge: number }, { secret, instance }),
  required(
    'solved',
    { ...placed, challenge: number, quality: words, payoff: number },
    { discounted: fc.boolean(), solution },
  ),
  required('refused', { ...placed, action: number, rule: words, text: words }),
  required('revealed', { ...placed, challenge: number, quality: words }, { solution, nonce: words }),
  required('removed', { ...placed, rule: words, text: words }),
  required('voided', { ...placed, challenge: number, buyer: number, refund: number, shortfall: number, text: words }),
)
const entry = { challenge: number, seller: number, predicate: relations, price: amount }
const terms = { kind, f: amount }
const entries = <T extends object>(
  of: { [K in keyof T]: fc.Arbitrary<T[K]> },
  optional: { readonly [key: string]: fc.Arbitrary<unknown> } = {},
) =>
  fc.array(
    fc.record(
      { ...entry, ...of, ...terms, ...optional },
      { requiredKeys: [...Object.keys(entry), ...Object.keys(of)] as never[] },
    ),
    { maxLength: 3 },
  )

const settings = fc.record(
  {
    ...{ init: amount, maxTurns: number, mindec: amount, offersMin: number, offersMax: number },
    acceptOrReoffer: fc.constantFrom('all', 'one'),
    order: fc.constantFrom('fixed', 'rotating'),
    ...{ mode: words, duration: number, variant: words, profitFactor: fc.double({ min: 0, max: 9, noNaN: true }) },
    ...{ timeslot: fc.option(number), f: fc.constantFrom('price', 'free') },
    ...{ league: fc.option(words), leagueParameter: fc.option(number), falseSecrets: words, judgement: words },
  },
  { noNullPrototype: true },
)

test('every message of the administrator is the same in both languages', () => {
  const turn = required(
    'turn',
    {
      protocol: fc.constantFrom(1, 2, 3),
      round: number,
      trading: fc.boolean(),
      account: number,
      players: fc.array(fc.record({ seat: number, account: number, removed: fc.boolean() }), { maxLength: 4 }),
      store: entries({}),
      toDeliver: entries({ buyer: number }),
      toSolve: entries({ instance }, { secret }),
      events: fc.array(event, { maxLength: 6 }),
    },
    {
      toReveal: entries({ buyer: number, secret }),
      step: fc.constantFrom('offer', 'decide', 'deliver', 'solve', 'reveal'),
      me: number,
      challenge: fc.record({ name: words, config: fc.dictionary(words, fc.integer()) }),
      config: settings,
    },
  )
  const removed = required('removed', { protocol: fc.constantFrom(1, 2, 3), round: number, rule: words, text: words })
  const refused = required('refused', {
    protocol: fc.constantFrom(1, 2, 3),
    question: fc.oneof(number, fc.constant(null)),
    text: words,
  })
  const asked = fc.record({ question: number, limitMs: fc.double({ min: 0, max: 1e6, noNaN: true }) })
  fc.assert(
    fc.property(fc.oneof(turn, removed, refused), fc.option(asked), (message, question) => {
      const value = { ...copy(message), ...(message.type === 'refused' ? {} : (copy(question ?? {}) as object)) }
      sameInBoth(csp, value as JsonObject, 'administrator')
    }),
    { numRuns: 300 },
  )
})

describe('an invalid text is refused in one sentence with its place', () => {
  test.each([
    ['buy 3', /^The line buy 3 is not of the language: column 1: .+\.$/],
    ['answer accept', /^The line answer accept is not of the language: column \d+: .+\.$/],
    [
      'answer offer at 5 "relations x"',
      /^The predicate relations x is not of the challenge's language: column \d+: .+\.$/,
    ],
    ['{"actions":[]}', /is not of the language: column 1/],
  ])('%s', (line, sentence) => expect(csp.hear(line)).toMatch(sentence))

  test('whatever the line, nothing is thrown', () => {
    const word = fc.constantFrom(
      'answer',
      'offer',
      'at',
      '3',
      '"relations 22"',
      'kind',
      '"',
      'to',
      'ready',
      'unasked',
      '-',
      'reveal',
    )
    const line = fc.oneof(
      fc.array(word).map((all) => all.join(' ')),
      anyText(),
    )
    fc.assert(
      fc.property(line, (text) => void csp.hear(text)),
      { numRuns: 500 },
    )
  })
})
