import * as z from 'zod'
import type { Json } from '../../contract/json.ts'
import { seatId } from '../../contract/ids.ts'
import { answer } from './answer.ts'
import { townOf, type Config } from './config.ts'
import { COPS, isAsWritten, ROBBER, type State } from './state.ts'

const mode = z.enum(['cop-foot', 'cop-car'])
const evidence = z.array(z.strictObject({ node: z.int(), world: z.int() }))
const accusations = z.array(z.strictObject({ accuser: seatId, accused: seatId, world: z.int() }))
const [, inform, plan] = answer.options

/** The changing part of a match; the map follows from the config. */
const saved = z.strictObject({
  brains: z.array(
    z.strictObject({
      name: z.string().nullable(),
      disqualified: z.string().nullable(),
      gone: z.boolean(),
      refused: z.string().nullable(),
      found: z.int(),
      elected: z.int(),
      scoundrelElected: z.int(),
      listedIn: z.int().nullable(),
      bribed: z.int().nullable(),
      out: z.boolean(),
      liar: z.boolean(),
      waited: z.int(),
    }),
  ),
  bots: z.array(z.strictObject({ node: z.int(), mode, controller: seatId, evidence, found: z.int().default(0) })),
  world: z.int(),
  step: z.enum(['register', 'inform', 'plan', 'vote', 'move', 'bribe', 'orders', 'over']),
  waiting: z.array(seatId),
  round: z.int(),
  said: z.array(
    z.strictObject({
      informs: inform.shape.informs.nullable(),
      plan: plan.shape.plan.nullable(),
      ballot: z.array(seatId).nullable(),
    }),
  ),
  decisions: z.array(
    z
      .strictObject({
        moves: z.array(z.strictObject({ bot: z.int(), node: z.int(), mode })),
        lists: z.boolean(),
        accuse: z.array(seatId),
      })
      .nullable(),
  ),
  deed: z
    .strictObject({
      node: z.int(),
      push: z.strictObject({ bot: z.int(), node: z.int() }).nullable(),
      bribes: z.array(seatId),
    })
    .nullable(),
  /** A list of none or one: there may be no election, or one without a winner. */
  winner: z.array(seatId.nullable()).max(1),
  robber: z.int(),
  loot: z.int(),
  pushCosts: z.int(),
  vaults: z.array(z.int()),
  thefts: z.array(z.strictObject({ bank: z.int(), turn: z.int() })),
  evidence,
  asked: z.boolean(),
  accusations,
  falseAccusations: accusations.default([]),
  catchers: z.array(seatId),
  end: z.enum(['caught', 'escaped', 'disqualified']).nullable(),
})

/** The money of each bank when a game begins. */
const VAULT = 1_000

/** A match before anybody has registered. */
export function initialState(config: Config): State {
  const town = townOf(config)
  const seats = [ROBBER, ...COPS]
  return {
    config,
    town,
    brains: seats.map(() => ({
      name: null,
      disqualified: null,
      gone: false,
      refused: null,
      found: 0,
      elected: 0,
      scoundrelElected: 0,
      listedIn: null,
      bribed: null,
      out: false,
      liar: false,
      waited: 0,
    })),
    bots: COPS.map((controller) => ({ node: town.hq, mode: 'cop-foot', controller, evidence: [], found: 0 })),
    world: 0,
    step: 'register',
    waiting: seats,
    round: 0,
    said: seats.map(() => ({ informs: null, plan: null, ballot: null })),
    decisions: seats.map(() => null),
    deed: null,
    winner: undefined,
    robber: town.start,
    loot: 0,
    pushCosts: 0,
    vaults: town.banks.map(() => VAULT),
    thefts: [],
    evidence: [],
    asked: false,
    accusations: [],
    falseAccusations: [],
    catchers: [],
    end: null,
  }
}

export function save({ winner, ...state }: State): Json {
  const changing = {
    ...state,
    winner: winner === undefined ? [] : [winner],
    config: undefined,
    town: undefined,
    // States of earlier matches, whose hashes are recorded, had neither.
    ...(isAsWritten(state)
      ? {}
      : { falseAccusations: undefined, bots: state.bots.map((bot) => ({ ...bot, found: undefined })) }),
  }
  // Plain JSON that shares nothing with the state, without what is undefined.
  return JSON.parse(JSON.stringify(changing)) as Json
}

export function load(from: Json, config: Config): State {
  const { winner, ...rest } = saved.parse(from)
  const [result] = winner
  return { ...rest, winner: result, config, town: townOf(config) }
}
