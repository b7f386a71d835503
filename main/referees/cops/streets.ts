import type { SeatId } from '../../contract/ids.ts'
import { botsOf, type CopBot, type Mode, type State } from './state.ts'
import type { Town } from './town.ts'

/** True if an intersection is within one turn, on foot or by car: standing still is legal. */
export function canGo(town: Town, from: number, to: number, mode: Mode | 'robber'): boolean {
  return from === to || (mode === 'cop-car' ? town.car : town.foot)[from]!.includes(to)
}

/** How far off a bot smells the robber: 1 or, on foot, 2 legal moves; 0: it smells nothing (section 2.1). */
export function smellOf(town: Town, { node, mode }: Pick<CopBot, 'node' | 'mode'>, robber: number): number {
  if (node === robber) return 0
  if (mode === 'cop-car') return town.car[node]!.includes(robber) ? 1 : 0
  const near = town.foot[node]!
  if (near.includes(robber)) return 1
  return near.some((next) => town.foot[next]!.includes(robber)) ? 2 : 0
}

/** The smallest distance that one of a brain's bots smells, 0 if none does. */
export function smellOfSeat(state: State, seat: SeatId): number {
  const distances = botsOf(state, seat)
    .map((bot) => smellOf(state.town, state.bots[bot]!, state.robber))
    .filter((distance) => distance > 0)
  return distances.length === 0 ? 0 : Math.min(...distances)
}
