import type { Move, Punter, River, RiverMap, Settings } from './punter.d.ts'

/**
 * Claims rivers by the rules and without much thought: always the first free one. The last method rates rivers: start there.
 */
export default class Agent implements Punter {
  /** My number. */
  punter = 0
  mines: readonly number[] = []
  /** Unclaimed rivers. */
  free: River[] = []
  /** My rivers. */
  own: River[] = []
  /** Those of all others. */
  others: River[] = []
  /** By mine: the number of rivers from it to each site. */
  distances = new Map<number, Map<number, number>>()

  setup(map: RiverMap, settings: Settings): void {
    this.punter = settings.punter
    this.mines = map.mines
    this.free = [...map.rivers]
    for (const mine of map.mines) this.distances.set(mine, this.reach(mine, map.rivers))
  }

  move(moves: readonly Move[]): Move {
    for (const move of moves) if ('claim' in move) this.hear(move.claim)
    const river = this.choose()
    if (river === undefined) return { pass: { punter: this.punter } }
    return { claim: { punter: this.punter, source: river.source, target: river.target } }
  }

  /** Records the claim of a river. */
  hear({ punter, source, target }: River & { readonly punter: number }): void {
    const isIt = this.isBetween(source, target)
    const rivers = punter === this.punter ? this.own : this.others
    rivers.push({ source, target })
    this.free = this.free.filter((river) => !isIt(river))
  }

  isBetween(a: number, b: number): (river: River) => boolean {
    return ({ source, target }) => (source === a && target === b) || (source === b && target === a)
  }

  /** The sites that can be reached from a site over some rivers, each with the number of rivers on the way. */
  reach(from: number, rivers: readonly River[]): Map<number, number> {
    const found = new Map([[from, 0]])
    for (const [site, distance] of found) {
      for (const { source, target } of rivers) {
        if (source === site && !found.has(target)) found.set(target, distance + 1)
        if (target === site && !found.has(source)) found.set(source, distance + 1)
      }
    }
    return found
  }

  /** The free river with the best rating; the first of equals. */
  choose(): River | undefined {
    let best: River | undefined
    let most = -1
    for (const river of this.free) {
      const worth = this.worth(river)
      if (worth <= most) continue
      best = river
      most = worth
    }
    return best
  }

  /** The rating of a free river: 0 or more. */
  worth(river: River): number {
    return this.free.includes(river) ? 1 : 0
  }
}
