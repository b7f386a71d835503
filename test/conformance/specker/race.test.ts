import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import { limits } from '../../../main/contract/limits.ts'
import { createScriptPool } from '../../../main/players/scripts/script-pool.ts'
import type { Input } from '../../../main/referees/specker/input.ts'
import type { PublicEvent } from '../../../main/referees/specker/messages.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { createTable } from '../../../main/worker/table.ts'
import { files } from '../../hostile/players/seats.ts'

const RACES = 1_000
const RACERS = 8

/** Has one challenge for sale at a time; after the last race it offers what tells everybody to leave. */
const seller = `module.exports = class {
  constructor(start) { this.me = start.me }
  turn(view) {
    const instance = { variables: 3, constraints: [{ weight: 1, relation: 22, variables: [1, 2, 3] }] }
    const actions = view.toDeliver.map(({ challenge }) => ({ type: 'deliver', challenge, instance }))
    if (view.trading && view.store.length === 0) {
      actions.push({ type: 'offer', predicate: { relations: [22] }, price: 1000000000 })
    }
    return actions
  }
}`

/** Grabs whatever it sees. */
const racer = `module.exports = class {
  turn(view) {
    if (view.store.some(({ challenge }) => challenge >= ${RACES})) throw new Error('enough')
    return [
      ...view.toSolve.map(({ challenge }) => ({ type: 'solve', challenge, solution: { values: [0, 1, 0] } })),
      ...view.store.map(({ challenge }) => ({ type: 'accept', challenge })),
    ]
  }
}`

const pool = createScriptPool({ ...files, tier: 'none', warmMax: 0, recycleAfter: 1 })
afterAll(() => pool.close())

test('eight processes race for one challenge, again and again: each time there is exactly one buyer', async () => {
  const source = readFileSync(new URL('../../../grammars/challenges/max-csp.challenge', import.meta.url), 'utf8')
  const game = eraseGame(specker)
  const config = specker.config.parse({ challenge: source, mode: 'asynchronous', duration: 86_400_000 })
  const seats = specker.seats(config, 1 + RACERS)
  if (typeof seats === 'string') throw new Error(seats)
  const inputs: Input[] = []
  const seed = '0'.repeat(64)
  const table = createTable({
    seats,
    seed,
    seeds: 'hmac',
    log: {
      input: (_at, _audience, input) => inputs.push(specker.input.parse(input)),
      fault: () => undefined,
      console: () => undefined,
    },
    seatPlayer: ({ id: seat }, emit) =>
      pool.seat({
        agent: String(seat).padStart(64, '0'),
        source: seat === 0 ? seller : racer,
        adapter: specker.script.adapter,
        seed: String(seat),
        clock: 'frozen',
        limits: limits.parse({ moveMs: 60_000, startMs: 60_000 }),
        emit,
      }),
  })
  await table.ready()
  const end = await game.conduct(table, config as Json, seed, { startMs: 60_000, moveMs: 60_000 })
  table.close()

  const state = specker.rules.initial(config, seats, seed)
  const events: PublicEvent[] = []
  for (const input of inputs) {
    const before = state.dropped + state.events.length
    expect(specker.rules.apply(state, input)).toBeNull()
    events.push(...state.events.slice(Math.max(0, before - state.dropped)))
  }
  expect(specker.rules.save(state)).toEqual(end.save())
  const races = Array.from({ length: RACES }, (_, challenge) => challenge)
  const bought = events.filter((event) => event.type === 'accepted')
  expect(bought.map(({ challenge }) => challenge)).toEqual(races)
  const actions = inputs.flatMap((input) => (input.type === 'turn' ? input.actions : []))
  const tried = races.map(
    (race) => actions.filter((action) => action.type === 'accept' && action.challenge === race).length,
  )
  // They do race: every challenge was wanted, most by several, and it is not always the same one who gets it.
  expect(Math.min(...tried)).toBeGreaterThanOrEqual(1)
  expect(tried.filter((count) => count > 1).length).toBeGreaterThan(RACES / 2)
  expect(new Set(bought.map(({ seat }) => seat)).size).toBeGreaterThan(1)
  // Whoever came too late was refused; nobody was removed but by the end.
  const refused = events.filter((event) => event.type === 'refused')
  expect(refused).toHaveLength(tried.reduce((sum, count) => sum + count - 1, 0))
  expect(new Set(state.removals.map(({ violation }) => violation.rule))).toEqual(new Set(['crash']))
}, 300_000)
