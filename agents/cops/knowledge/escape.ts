import type { World } from './belief.ts'
import { bestOf } from './pursuit.ts'
import { stepsOf, type Town } from './town.ts'

/** The cost of a cop this number of moves away after the robber's own move; from one move away it may catch it. */
const DANGER = [100_000, 6_000, 900, 150, 30]

/** The factor on a bank's value for each step of its distance: while cops are near, and while none is. */
const DECAY = 0.75
const CALM_DECAY = 0.9

/** Nobody is near a corner that has as many moves to the nearest cop, and as many corners around that the robber reaches first. */
const CALM_LEAD = 3
const CALM_ROOM = 6

/** The least that is worth a way, in dollars. */
const LEAST_GAIN = 40

/** Chooses the robber's next corner. */
export interface Escape {
  readonly to: number
  /** Moves of the nearest clean cop to that corner. */
  readonly lead: number
  /** How good the corner is; only to be compared. */
  readonly worth: number
}

/** The robber's next corner: away from cops, and towards banks that can be reached before them. Those that are bribed keep off it. */
export function escape(town: Town, { players, banks, twist }: World, robber: string): Escape {
  const others = players.filter(({ bot }) => bot !== robber)
  const taken = twist?.control.filter(({ brain }) => twist.dirty.includes(brain)).map(({ bot }) => bot) ?? []
  const isBribed = new Set([...(twist?.dirty ?? []), ...taken])
  const cops = others.filter(({ bot }) => !isBribed.has(bot))
  const own = players.find(({ bot }) => bot === robber)
  if (own === undefined) return { to: town.start, lead: 0, worth: 0 }
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
  // Even a bribed cop catches it where it stands.
  const occupied = new Set(others.map(({ loc }) => town.numbers.get(loc)!))
  const free = [here, ...town.ways.foot[here]!].filter((corner) => !occupied.has(corner))
  const options = free.length === 0 ? [here] : free
  const calm = options.filter((to) => lead[to]! >= CALM_LEAD && room(town, to, lead) >= CALM_ROOM)
  // While nobody is near, it goes to the bank that pays best among those that it reaches before any cop.
  const gain = (to: number): number =>
    Math.max(
      0,
      ...vaults.map(({ corner, value }) => {
        const steps = stepsOf(town, 'robber', to, corner)
        return steps < lead[corner]! ? value * CALM_DECAY ** steps : 0
      }),
    )
  const best = bestOf(calm, gain)
  const to = calm.length > 0 && gain(best) > LEAST_GAIN ? best : bestOf(options, worth)
  return { to, lead: lead[to]!, worth: worth(to) }
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
