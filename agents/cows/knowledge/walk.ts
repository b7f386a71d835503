import { moves, type Action, type Place } from './perception.ts'
import type { Pasture } from './pasture.ts'

/** Extra steps that a cell costs, from 0 to COST_MAX. */
export type Cost = (cell: number) => number
const COST_MAX = 12

/**
 * The first move of the cheapest way from a place to a goal around obstacles; `skip` where there is none or one is there. Other
 * herders and cows in the way cost extra, because they move on.
 */
export function stepTo(pasture: Pasture, from: Place, goal: Place, cost: Cost = () => 0): Action {
  const { width, height, obstacles } = pasture
  const [start, end] = [pasture.cell(from.x, from.y), pasture.cell(goal.x, goal.y)]
  if (start === end) return 'skip'
  const occupied = occupiedCells(pasture, start)
  const best = new Int32Array(width * height).fill(-1)
  // Buckets by total cost, from the goal to the start.
  const buckets: number[][] = [[end]]
  best[end] = 0
  for (let total = 0; total < buckets.length; total++) {
    for (const at of buckets[total] ?? []) {
      if (best[at] !== total) continue
      if (at === start) return firstMove(pasture, start, best, occupied)
      const [x, y] = [at % width, Math.floor(at / width)]
      const here = total + 1 + Math.min(COST_MAX, Math.max(0, Math.round(cost(at)) + (occupied.has(at) ? 4 : 0)))
      for (const [, dx, dy] of moves) {
        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
        const next = at + dy * width + dx
        if (obstacles[next] === 1 || (best[next] !== -1 && best[next]! <= here)) continue
        best[next] = here
        ;(buckets[here] ??= []).push(next)
      }
    }
  }
  return 'skip'
}

function firstMove(pasture: Pasture, start: number, best: Int32Array, occupied: ReadonlySet<number>): Action {
  const { width, height, obstacles } = pasture
  const [x, y] = [start % width, Math.floor(start / width)]
  let action: Action = 'skip'
  let least = Infinity
  for (const [name, dx, dy] of moves) {
    if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
    const next = start + dy * width + dx
    if (obstacles[next] === 1 || best[next] === -1 || occupied.has(next)) continue
    if (best[next]! < least) [action, least] = [name, best[next]!]
  }
  return action
}

function occupiedCells({ cell, cows, herders, others }: Pasture, own: number): ReadonlySet<number> {
  const found = new Set(others.keys())
  for (const { x, y } of herders.values()) found.add(cell(x, y))
  for (const { x, y } of cows.values()) found.add(cell(x, y))
  found.delete(own)
  return found
}
