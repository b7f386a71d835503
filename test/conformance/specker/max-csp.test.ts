import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { inProcessPlayer } from '../../in-process-player.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { createTable } from '../../../main/worker/table.ts'
import { saying } from '../../refusal.ts'

const source = readFileSync(new URL('../../../grammars/challenges/max-csp.challenge', import.meta.url), 'utf8')
const game = eraseGame(specker)
const SEED = '5e'.repeat(32)
const LIMITS = { startMs: 10_000, moveMs: 10_000 }

type Message = Json & { readonly type?: Json }

/** Plays a match on the real table. `bundles`: what each seat answers, in order, first to the start. */
async function played(settings: Record<string, Json>, bundles: readonly (readonly Json[])[]) {
  const config = game.config({ challenge: source, ...settings })
  if (!config.ok) throw new Error(config.error)
  const seats = game.seats(config.value, bundles.length)
  if (typeof seats === 'string') throw new Error(seats)
  const told: Json[][] = bundles.map(() => [])
  const inputs: Json[] = []
  const faults: string[] = []
  const table = createTable({
    seats,
    seed: SEED,
    seeds: 'hmac',
    log: {
      input: (_at, _audience, input) => inputs.push(input),
      fault: (_at, _post, _question, fault) => faults.push(fault.text),
      console: () => undefined,
    },
    seatPlayer: ({ id: seat }, emit) =>
      inProcessPlayer((message) => bundles[seat]?.[told[seat]!.push(message) - 1] ?? { actions: [] }, emit),
  })
  await table.ready()
  const final = await game.conduct(table, config.value, SEED, LIMITS)
  table.close()
  return { config: config.value, seats, told, inputs, faults, final }
}

const MATERIAL = {
  variables: 4,
  constraints: [
    { weight: 2, relation: 22, variables: [1, 2, 3] },
    { weight: 1, relation: 22, variables: [2, 3, 4] },
  ],
}

/** Seat 0 sells {22} at 0.7, seat 1 buys it and satisfies 2 of 3. */
const trade = (): readonly (readonly Json[])[] => [
  [
    { actions: [] },
    { actions: [{ type: 'offer', predicate: { relations: [22] }, price: 700_000_000 }] },
    { actions: [{ type: 'deliver', challenge: 0, instance: MATERIAL }] },
  ],
  [
    { actions: [] },
    {
      actions: [
        { type: 'accept', challenge: 0 },
        { type: 'offer', predicate: { relations: [6, 2, 6] }, price: 500_000_000 },
      ],
    },
    { actions: [{ type: 'solve', challenge: 0, solution: { values: [1, 0, 0, 0] } }] },
  ],
]

describe('a match of MAX-CSP, word for word', () => {
  test('the start', async () => {
    const { told } = await played({ maxTurns: 1, challengeConfig: { maxVars: 9 } }, trade())
    expect(told[1]?.[0]).toEqual({
      type: 'start',
      protocol: 1,
      me: 1,
      players: 2,
      challenge: { name: 'max-csp', source, config: { maxVars: 9, maxConstraints: 200, maxWeight: 10 } },
      config: {
        init: 10_000_000_000,
        maxTurns: 1,
        mindec: 10_000_000,
        acceptOrReoffer: 'all',
        offersMin: 1,
        offersMax: 10,
      },
    })
  })

  test('the turns', async () => {
    const { told } = await played({ maxTurns: 1 }, trade())
    const [, first] = told[1]!
    expect(first).toEqual({
      type: 'turn',
      protocol: 1,
      round: 1,
      trading: true,
      account: 10_000_000_000,
      players: [
        { seat: 0, account: 10_000_000_000, removed: false },
        { seat: 1, account: 10_000_000_000, removed: false },
      ],
      store: [{ challenge: 0, seller: 0, predicate: { relations: [22] }, price: 700_000_000 }],
      toDeliver: [],
      toSolve: [],
      events: [{ round: 1, seat: 0, type: 'offered', challenge: 0, price: 700_000_000 }],
    })
    expect(told[0]?.[2]).toEqual({
      type: 'turn',
      protocol: 1,
      round: 2,
      trading: false,
      account: 10_700_000_000,
      players: [
        { seat: 0, account: 10_700_000_000, removed: false },
        { seat: 1, account: 9_300_000_000, removed: false },
      ],
      store: [{ challenge: 1, seller: 1, predicate: { relations: [2, 6] }, price: 500_000_000 }],
      toDeliver: [{ challenge: 0, seller: 0, predicate: { relations: [22] }, price: 700_000_000, buyer: 1 }],
      toSolve: [],
      events: [
        { round: 1, seat: 0, type: 'offered', challenge: 0, price: 700_000_000 },
        { round: 1, seat: 1, type: 'accepted', challenge: 0, price: 700_000_000 },
        { round: 1, seat: 1, type: 'offered', challenge: 1, price: 500_000_000 },
      ],
    })
    expect(told[1]?.[2]).toMatchObject({ toSolve: [{ challenge: 0, seller: 0, instance: MATERIAL }] })
    expect(told.map((messages) => messages.map((message) => (message as Message).type))).toEqual([
      ['start', 'turn', 'turn'],
      ['start', 'turn', 'turn'],
    ])
  })

  test('the result: 2 of 3 pays 0.666666666', async () => {
    const { final, faults } = await played({ maxTurns: 1 }, trade())
    expect(faults).toEqual([])
    expect(final.outcome()).toEqual({
      places: [
        { seat: 0, rank: 1, score: 10_700_000_000 - 666_666_666, removed: false },
        { seat: 1, rank: 2, score: 9_300_000_000 + 666_666_666, removed: false },
      ],
    })
  })

  test('the inputs, read back from text, give the same state, at every step', async () => {
    const { config, seats, inputs, final } = await played({ maxTurns: 1 }, trade())
    const fold = game.fold(JSON.parse(JSON.stringify(config)) as Json, seats, SEED)
    for (const input of inputs) expect(fold.apply(JSON.parse(JSON.stringify(input)) as Json)).toBeNull()
    expect(JSON.stringify(fold.save())).toBe(JSON.stringify(final.save()))
    expect(fold.outcome()).toEqual(final.outcome())
  })
})

describe('what the challenge refuses removes the player, with the challenge’s own words', () => {
  const removal = async (seat: number, turn: number, actions: Json) => {
    const bundles = trade().map((list) => [...list])
    bundles[seat]![turn] = { actions }
    const { final } = await played({ maxTurns: 1 }, bundles)
    return (final.view('public') as { removals: { violation: { rule: string; text: string } }[] }).removals[0]
      ?.violation
  }

  test('a predicate', async () => {
    const found = await removal(0, 1, [{ type: 'offer', predicate: { relations: [256] }, price: 1 }])
    expect(found).toMatchObject({ rule: 'illegal-predicate' })
    expect(found?.text).toMatch(/Relations are numbered 0 to 255; 256 is none/)
  })

  test('raw material', async () => {
    const constraints = [{ weight: 1, relation: 6, variables: [1, 2, 3] }]
    const found = await removal(0, 2, [{ type: 'deliver', challenge: 0, instance: { variables: 3, constraints } }])
    expect(found).toMatchObject({ rule: 'illegal-material' })
    expect(found?.text).toEqual(saying('relation 6', 'predicate'))
  })

  test('a solution', async () => {
    const found = await removal(1, 2, [{ type: 'solve', challenge: 0, solution: { values: [1, 0] } }])
    expect(found).toMatchObject({ rule: 'infeasible-solution' })
    expect(found?.text).toMatch(/must have 4 values, not 2/)
  })

  test('an answer that is not a bundle', async () => {
    const found = await removal(0, 1, 'all of them')
    expect(found).toMatchObject({ rule: 'unreadable' })
    expect(found?.text).toBe(
      'The answer cannot be read: actions is "all of them" and must be a list of at most 10000 actions.',
    )
  })
})

test('a market in which every predicate of a small challenge is free has no new offer to ask for', async () => {
  const small = source
    .slice(0, source.indexOf('example "'))
    .replace('require relation in 0..255', 'require relation in 1..2')
    .concat('example "one" { predicate {{ relations 2 }} instance {{ variables 3  1 : 2 (1 2 3) }}')
    .concat('  solution {{ 0 0 1 }} quality = 1 }')
  const all = [[1], [2], [1, 2]].map((relations) => ({ type: 'offer', predicate: { relations }, price: 0 }))
  const again = { type: 'offer', predicate: { relations: [1] }, price: 0 }
  const { final } = await played({ challenge: small, maxTurns: 1, offersMin: 3 }, [
    [{ actions: [] }, { actions: all }, { actions: [{ type: 'deliver', challenge: 0, instance: only(1) }] }],
    [
      { actions: [] },
      { actions: [{ type: 'accept', challenge: 0 }, again] },
      { actions: [{ type: 'solve', challenge: 0, solution: { values: [0, 0, 0] } }] },
    ],
  ])
  expect(final.outcome()?.places.map((place) => place.removed)).toEqual([false, false])
})

function only(relation: number): Json {
  return { variables: 3, constraints: [{ weight: 1, relation, variables: [1, 2, 3] }] }
}
