import { drawBelow, shuffled } from '../../../contract/random.ts'
import { largestComponent, neighboursOf, type Sketch } from './sketch.ts'

/** Ways to place mines. */
export const mineRules = ['spread', 'hubs', 'random'] as const
type MineRule = (typeof mineRules)[number]

/**
 * Places mines in the largest component; no more than it has sites. `spread`: the first at random, each other one as
 * far from those before it as possible; `hubs`: the sites with the most rivers; `random`: any. Among equal sites the one
 * with the lowest number is taken. Ascending.
 */
export function placeMines(sketch: Sketch, count: number, rule: MineRule, next: () => number): readonly number[] {
  const sites = largestComponent(sketch)
  const wanted = Math.min(count, sites.length)
  return [...rules[rule](sketch, sites, wanted, next)].sort((a, b) => a - b)
}

type Place = (sketch: Sketch, sites: readonly number[], count: number, next: () => number) => readonly number[]

const rules: Readonly<Record<MineRule, Place>> = {
  random: (_sketch, sites, count, next) => shuffled(sites, next).slice(0, count),
  hubs(sketch, sites, count) {
    const neighbours = neighboursOf(sketch)
    return sites.toSorted((a, b) => neighbours[b]!.length - neighbours[a]!.length || a - b).slice(0, count)
  },
  spread(sketch, sites, count, next) {
    const neighbours = neighboursOf(sketch)
    const distances = new Map(sites.map((site) => [site, Infinity]))
    const mines: number[] = []
    let mine = sites[drawBelow(next, sites.length)]!
    while (mines.push(mine) < count) {
      approach(mine, neighbours, distances)
      mine = sites.reduce((best, site) => (distances.get(site)! > distances.get(best)! ? site : best))
    }
    return mines
  },
}

/** Lowers the distances of sites that are nearer to a new mine than to those before it. */
function approach(mine: number, neighbours: readonly (readonly number[])[], distances: Map<number, number>): void {
  const queue = [mine]
  distances.set(mine, 0)
  for (const site of queue) {
    const distance = distances.get(site)! + 1
    for (const next of neighbours[site]!) {
      if (distances.get(next)! <= distance) continue
      distances.set(next, distance)
      queue.push(next)
    }
  }
}
