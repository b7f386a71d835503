import type { SeatId } from '../../contract/ids.ts'
import type { Outcome } from '../../contract/game/outcome.ts'
import { marketOf } from './legality.ts'
import { POINT } from './points.ts'
import { botsOf, COPS, isAsWritten, isDirty, lootOf, nameOf, ROBBER, type State } from './state.ts'

/** Points of a bonus. */
const BONUS = 60

/** A seat's earnings, in tenths of a point. */
export interface Earned {
  base: number
  /** For the most evidence, the most elected plans, the capture, and in the twist for the last bribe. */
  evidence: number
  plans: number
  capture: number
  bribe: number
  /** For waiting on the black market without being chosen. */
  market: number
  /** Lost by a false accusation: negative or 0. */
  penalty: number
}

const totalOf = (earned: Earned): number => Object.values<number>({ ...earned }).reduce((sum, each) => sum + each, 0)

/** Places by score in tenths of a point; a disqualification voids the game for everybody. null: the match has not ended. */
export function outcomeOf(state: State): Outcome | null {
  if (state.end === null) return null
  const earned = earnedBy(state)
  const scores = earned.map(totalOf)
  return {
    places: state.brains.map(({ disqualified }, seat) => {
      const score = scores[seat]!
      const removed = disqualified !== null
      const better = scores.filter((other, each) => isBetter(state, each, other, seat, score)).length
      return { seat, rank: 1 + better, score, removed, ...(removed ? { reason: disqualified } : {}) }
    }),
    end: state.end,
    world: state.world,
    loot: lootOf(state),
    vaults: [...state.vaults],
    names: state.brains.map((_, seat) => nameOf(state, seat)),
    earned: earned.map((each) => ({ ...each })),
  }
}

/** A disqualified player is behind all others. */
function isBetter({ brains }: State, other: SeatId, otherScore: number, seat: SeatId, score: number): boolean {
  const [otherOut, out] = [brains[other]!.disqualified !== null, brains[seat]!.disqualified !== null]
  return otherOut === out ? otherScore > score : out
}

/** By seat (section 2.4 and the second rule set). */
function earnedBy(state: State): readonly Earned[] {
  const { brains, end } = state
  const earned = brains.map((): Earned => ({
    base: 0,
    evidence: 0,
    plans: 0,
    capture: 0,
    bribe: 0,
    market: 0,
    penalty: 0,
  }))
  if (end === 'disqualified') return earned
  base(state, earned)
  const playing = COPS.filter((seat) => !brains[seat]!.out)
  const clean = playing.filter((seat) => !isDirty(brains[seat]!))
  const dirty = playing.filter((seat) => isDirty(brains[seat]!))
  share(
    earned,
    'evidence',
    leaders(clean, (seat) => evidenceOf(state, seat)),
  )
  share(
    earned,
    'plans',
    leaders(clean, (seat) => brains[seat]!.elected),
  )
  share(
    earned,
    'capture',
    clean.filter((seat) => state.catchers.includes(seat)),
  )
  share(
    earned,
    'plans',
    leaders(dirty, (seat) => brains[seat]!.elected + brains[seat]!.scoundrelElected),
  )
  share(
    earned,
    'bribe',
    leaders(dirty, (seat) => 1 + brains[seat]!.bribed!),
  )
  for (const seat of isAsWritten(state) ? playing : clean)
    earned[seat]!.market = Math.floor(waitedOf(state, seat) / 2) * POINT
  for (const seat of playing) if (brains[seat]!.liar) penalize(earned[seat]!)
  return earned
}

/** The most pieces that one of a brain's bots has found; by the earlier reading those that the brain was given. */
function evidenceOf(state: State, seat: SeatId): number {
  if (!isAsWritten(state)) return state.brains[seat]!.found
  return Math.max(0, ...botsOf(state, seat).map((bot) => state.bots[bot]!.found))
}

/** Even worlds in which a brain could be bribed and was not. In the last world of an escape the robber only looks. */
function waitedOf(state: State, seat: SeatId): number {
  const isInLast = isAsWritten(state) && state.end === 'escaped' && marketOf(state).includes(seat)
  return state.brains[seat]!.waited + (isInLast ? 1 : 0)
}

function base(state: State, earned: readonly Earned[]): void {
  const { brains, end, vaults } = state
  if (end === 'caught') {
    const fifth = (vaults.reduce((sum, vault) => sum + vault, 0) * POINT) / COPS.length
    for (const seat of COPS) {
      if (!isDirty(brains[seat]!)) earned[seat]!.base = fifth * botsOf(state, seat).length
    }
    return
  }
  let loot = lootOf(state)
  const eighth = Math.floor(loot / 8)
  for (const seat of COPS) {
    const brain = brains[seat]!
    if (!isDirty(brain) || brain.out) continue
    earned[seat]!.base = eighth * POINT
    loot -= eighth
  }
  earned[ROBBER]!.base = loot * POINT
}

/** A false accusation costs half of everything, rounded up to whole points. */
function penalize(earned: Earned): void {
  const total = totalOf(earned)
  earned.penalty = -Math.min(total, Math.ceil(total / 2 / POINT) * POINT)
}

/** Those with the most, unless nobody has any. */
function leaders(seats: readonly SeatId[], count: (seat: SeatId) => number): readonly SeatId[] {
  const most = Math.max(0, ...seats.map(count))
  return most === 0 ? [] : seats.filter((seat) => count(seat) === most)
}

function share(earned: readonly Earned[], bonus: keyof Earned, seats: readonly SeatId[]): void {
  for (const seat of seats) earned[seat]![bonus] += (BONUS * POINT) / seats.length
}
