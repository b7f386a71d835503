import type { Rules } from '../../contract/game/game.ts'
import type { Seat } from '../../contract/game/table.ts'
import type { SeatId, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import type { Outcome } from '../../contract/game/outcome.ts'
import { SEED_MAX, spaceOf, type Config } from './config.ts'
import type { Input } from './input.ts'
import type { Scenario } from './scenario.ts'

/** The number of objects by type. */
export type Share = readonly number[]

/** A session. The seat on turn is `offers.length % 2`. */
export interface State extends Scenario {
  readonly seed: number
  readonly maxRounds: number
  /** The demand of the player on turn for itself; null: it accepted. Turn 0 belongs to seat 0. */
  readonly offers: (Share | null)[]
  ending: Ending | null
  /** Absent: a side that walks away shares a rank with the other side, which gets nothing either. */
  readonly walkingAway?: 'last'
  /** Absent: the reason of an invalid offer does not say what is wrong with it. */
  readonly invalidOffers?: 'explained'
}

export type Ending =
  | { readonly type: 'agreed' }
  | { readonly type: 'not agreed' }
  | { readonly type: 'abort'; readonly seat: SeatId; readonly reason: string }

/** A session as a viewer knows it. */
export interface View {
  readonly seed: number | null
  readonly counts: Share
  /** By seat; null: hidden from this viewer until the end. */
  readonly values: readonly [Share | null, Share | null]
  readonly maxRounds: number
  readonly offers: readonly (Share | null)[]
  /** null: the session is over. */
  readonly turn: SeatId | null
  readonly ending: Ending | null
  /** By seat, in dollars; null before the end. */
  readonly scores: readonly [number, number] | null
}

/**
 * The rules of the 2018 challenge. Behaviour of haggle.js that its description does not mention is noted where it is
 * implemented.
 */
export const rules: Rules<Config, State, Input, View> = {
  initial(config: Config, _seats: readonly Seat[], seed: Sha256): State {
    const scenarios = spaceOf(config)
    if (typeof scenarios === 'string') throw new Error(`the config has no scenario: ${scenarios}`)
    const number = config.seed ?? seedOf(seed)
    const last = config.walkingAway === 'last' ? { walkingAway: config.walkingAway } : {}
    const explained = config.invalidOffers === 'explained' ? { invalidOffers: config.invalidOffers } : {}
    return {
      ...scenarios.scenario(number),
      seed: number,
      maxRounds: config.maxRounds,
      offers: [],
      ending: null,
      ...last,
      ...explained,
    }
  },

  apply(state, input) {
    if (state.ending !== null) return 'The session is over.'
    if (input.type === 'abort') {
      state.ending = { type: 'abort', seat: input.seat, reason: input.reason }
      return null
    }
    if (input.seat !== moverOf(state)) return `It is not the turn of seat ${input.seat}.`
    answer(state, input.seat, input.value)
    return null
  },

  view(state, viewer) {
    const { counts, values, maxRounds, offers, ending } = state
    const open = ending !== null || viewer === 'panel'
    return {
      seed: open ? state.seed : null,
      counts,
      values: [open || viewer === 0 ? values[0] : null, open || viewer === 1 ? values[1] : null],
      maxRounds,
      offers: [...offers],
      turn: ending === null ? moverOf(state) : null,
      ending,
      scores: ending === null ? null : scoresOf(state),
    }
  },

  save: (state) => copy(state) satisfies Json,
  load: (saved) => copy(saved as Json & State),

  outcome(state): Outcome | null {
    const { ending } = state
    if (ending === null) return null
    const scores = scoresOf(state)
    return {
      agreed: ending.type === 'agreed',
      places: scores.map((score, seat) => {
        const walked = ending.type === 'abort' && ending.seat === seat
        const behind = score < scores[1 - seat]! || (walked && state.walkingAway === 'last')
        const rank = behind ? 2 : 1
        return { seat, rank, score, removed: walked, ...(walked ? { reason: ending.reason } : {}) }
      }),
    }
  },
}

function copy({ offers, ...state }: State) {
  return { ...state, offers: [...offers] }
}

/** The seat whose turn it is, or would be after the end. */
export function moverOf({ offers }: Pick<State, 'offers'>): SeatId {
  return offers.length % 2
}

/** The objects that the last demand leaves the player on turn; null in the first turn. */
export function offered({ offers, counts }: Pick<State, 'offers' | 'counts'>): Share | null {
  const demand = offers.at(-1) ?? null
  return demand === null ? null : counts.map((count, type) => count - demand[type]!)
}

/** Dollars by seat: 0 without an agreement. */
export function scoresOf(state: State): readonly [number, number] {
  return state.ending?.type === 'agreed' ? onTable(state) : [0, 0]
}

/** Dollars by seat if the last demand is accepted; 0 before the first demand. */
export function onTable(state: Pick<State, 'counts' | 'values' | 'offers'>): readonly [number, number] {
  const shares = sharesOf(state)
  return shares === null ? [0, 0] : [worth(shares[0], state.values[0]), worth(shares[1], state.values[1])]
}

/** Both sides' shares under the last demand; null before the first. */
export function sharesOf({ offers, counts }: Pick<View, 'counts' | 'offers'>): readonly [Share, Share] | null {
  // An acceptance follows the last demand; the side that accepts gets the rest.
  const turn = offers.at(-1) === null ? offers.length - 2 : offers.length - 1
  const demand = offers[turn] ?? null
  if (demand === null) return null
  const rest = counts.map((count, type) => count - demand[type]!)
  return turn % 2 === 0 ? [demand, rest] : [rest, demand]
}

/** The value of a share for a side with these values. */
export function worth(share: Share, values: Share): number {
  return share.reduce((sum, objects, type) => sum + objects * values[type]!, 0)
}

function answer(state: State, seat: SeatId, value: Json): void {
  const walk = (reason: string): void => {
    state.ending = { type: 'abort', seat, reason }
  }
  const isExplained = state.invalidOffers === 'explained'
  // Every value that is falsy in JavaScript accepts, as in the original.
  if (!value) {
    if (state.offers.length === 0)
      return walk(`Offer expected${isExplained ? ': it accepted, or returned nothing, in the first turn' : ''}`)
    state.offers.push(null)
    state.ending = { type: 'agreed' }
    return
  }
  if (!isShare(value, state.counts))
    return walk(`Invalid offer${isExplained ? `: ${whyNoShare(value, state.counts)}` : ''}`)
  state.offers.push(value.map((objects) => objects))
  if (state.offers.length === 2 * state.maxRounds) state.ending = { type: 'not agreed' }
}

/** True if a demand is for objects that exist. */
export function isShare(value: Json, counts: Share): value is Share & Json {
  if (!Array.isArray(value) || value.length !== counts.length) return false
  return value.every(
    (objects, type) =>
      typeof objects === 'number' && Number.isInteger(objects) && objects >= 0 && objects <= counts[type]!,
  )
}

/** The wrong part of a demand that `isShare` refuses, with the value found there and the expected one. */
function whyNoShare(value: Json, counts: Share): string {
  const list = `expected a list of ${counts.length} whole numbers`
  if (!Array.isArray(value)) return `${list}, found ${kindOf(value)}`
  const given: readonly Json[] = value
  if (given.length !== counts.length) return `${list}, found a list of ${given.length}`
  const type = counts.findIndex((_, at) => !isShare([given[at]!], [counts[at]!]))
  return `[${type}]: expected a whole number from 0 to ${counts[type]!}, found ${kindOf(given[type]!)}`
}

/** Larger numbers are not written out: other languages write them differently. */
const WRITTEN_MAX = 1e15

function kindOf(value: Json): string {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return 'a fraction'
    return Math.abs(value) < WRITTEN_MAX ? String(value) : 'a large number'
  }
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}

/** The number of the scenario, derived from the match's seed. */
function seedOf(seed: Sha256): number {
  const number = Number.parseInt(seed.slice(0, 8), 16)
  return number === 0 ? SEED_MAX : number
}
