import * as z from 'zod'
import type { Seat } from '../../contract/game/table.ts'
import type { Json } from '../../contract/json.ts'
import { courseOf, type Config } from './config.ts'
import { move, passOf } from './messages.ts'
import { createNetwork } from './network.ts'
import type { Punter, State } from './state.ts'

/** The changing part of a match. The map follows from the config, the networks from the rivers. */
const saved = z.strictObject({
  moves: z.int(),
  /** Each river that somebody has: its number, owner and move; the holder and move of its option, -1 where there is none. */
  rivers: z.array(z.tuple([z.int(), z.int(), z.int(), z.int(), z.int()])),
  punters: z.array(
    z.strictObject({
      setup: z.enum(['ready', 'failed']).nullable(),
      credit: z.int(),
      options: z.int(),
      timeouts: z.int(),
      zombie: z.string().nullable(),
      futures: z.array(z.strictObject({ mine: z.int(), target: z.int(), worth: z.int(), kept: z.boolean() })),
      notes: z.array(z.string()),
      last: move,
      lastAt: z.int(),
      refused: z.string().nullable(),
    }),
  ),
})

/** A match before anybody was heard of. */
export function initialState(config: Config, seats: readonly Seat[]): State {
  const course = courseOf(config)
  const byRiver = (): Int32Array => new Int32Array(course.rivers.length).fill(-1)
  return {
    course,
    config,
    punters: seats.map(({ id }): Punter => ({
      setup: null,
      credit: 0,
      options: course.mines.length,
      timeouts: 0,
      zombie: null,
      futures: [],
      notes: [],
      last: passOf(id),
      lastAt: -1,
      refused: null,
      network: createNetwork(course),
    })),
    moves: 0,
    owners: byRiver(),
    claimedAt: byRiver(),
    holders: byRiver(),
    soldAt: byRiver(),
  }
}

export function save({ moves, owners, claimedAt, holders, soldAt, punters }: State): Json {
  const rivers = [...owners.keys()].filter((river) => owners[river] !== -1)
  return {
    moves,
    rivers: rivers.map((river) => [river, owners[river]!, claimedAt[river]!, holders[river]!, soldAt[river]!]),
    punters: punters.map(({ network: _, ...rest }) => rest),
  } satisfies Json
}

export function load(from: Json, config: Config, seats: readonly Seat[]): State {
  const { moves, rivers, punters } = saved.parse(from)
  const state = initialState(config, seats)
  state.moves = moves
  for (const [seat, punter] of state.punters.entries()) Object.assign(punter, punters[seat])
  for (const [river, owner, claimedAt, holder, soldAt] of rivers) {
    state.owners[river] = owner
    state.claimedAt[river] = claimedAt
    state.holders[river] = holder
    state.soldAt[river] = soldAt
    const { source, target } = state.course.rivers[river]!
    state.punters[owner]!.network.join(source, target)
    if (holder !== -1) state.punters[holder]!.network.join(source, target)
  }
  return state
}
