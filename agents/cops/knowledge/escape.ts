import type { World } from './belief.ts'
import { bestOf } from './pursuit.ts'
import { stepsOf, type Town } from './town.ts'

/** What it costs to have a cop so many moves away after one's own move; a cop that is one move away may catch it. */
const DANGER = [100_000, 6_000, 900, 150, 30]

/** What a bank is worth a step further away. */
const DECAY = 0.75

/** The robber's next corner: away from cops, and towards banks that can be reached before them. */
export function escape(town: Town, { players, banks }: World, robber: string): number {
  const cops = players.filter(({ bot }) => bot !== robber)
  const own = players.find(({ bot }) => bot === robber)
  if (own === undefined) return town.start
  const here = town.numbers.get(own.loc)!
  const away = (corner: number): number =>
    Math.min(...cops.map(({ loc, ptype }) => stepsOf(town, ptype, town.numbers.get(loc)!, corner)))
  const lead = town.names.map((_, corner) => away(corner))
  const vaults = banks.map(({ loc, value }) => ({ corner: town.numbers.get(loc)!, value }))
  const worth = (to: number): number => {
    const danger = DANGER[lead[to]!] ?? 0
    const money = vaults.reduce((sum, { corner, value }) => {
      const steps = stepsOf(town, 'robber', to, corner)
      // A bank that cops reach as soon is worth little.
      const safety = steps < lead[corner]! ? 1 : 0.1
      return sum + value * safety * DECAY ** steps + (steps === 0 ? value : 0)
    }, 0)
    return money + 20 * room(town, to, lead) - danger
  }
  return bestOf([here, ...town.ways.foot[here]!], worth)
}

/** Corners near one that the robber reaches before any cop: with few of them it is cornered. */
function room(town: Town, from: number, lead: readonly number[]): number {
  let corners = 0
  for (let corner = 0; corner < lead.length; corner++) {
    const steps = stepsOf(town, 'robber', from, corner)
    if (steps <= 8 && steps + 1 < lead[corner]!) corners++
  }
  return corners
}
