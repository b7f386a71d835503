import { otherEnd, type Board } from './board.ts'

/**
 * The free river that adds most to the current score; of several the one deepest among free rivers, so that the path
 * can be extended. If none adds anything, one beside a mine, otherwise any. null: no river is free.
 */
export function greediest(board: Board): number | null {
  const { rivers } = board
  let best: number | null = null
  let most = -1
  for (let river = 0; river < rivers.length; river++) {
    if (board.owner(river) !== -1) continue
    const worth = board.gain(river) + outlook(board, river)
    if (worth > most) [best, most] = [river, worth]
  }
  return best
}

/** Below 1, so that it decides only between equal rivers. */
function outlook(board: Board, river: number): number {
  const { source, target } = board.rivers[river]!
  const free = [source, target].reduce((sum, site) => sum + freeAround(board, site), 0)
  return free / (free + 10) + (board.mines.includes(source) || board.mines.includes(target) ? 0.01 : 0)
}

const freeAround = ({ around, owner }: Board, site: number): number =>
  around[site]!.reduce((sum, river) => sum + (owner(river) === -1 ? 1 : 0), 0)

/** A path over rivers that I have or could take. */
export interface RiverPath {
  /** Its rivers that I do not have, in order. */
  readonly missing: readonly number[]
  /** The sites from the first of these rivers to the last; null: rivers that I have are between them. */
  readonly route: readonly number[] | null
}

/** The path from a site to one that `isGoal` with the fewest missing rivers; null: none with at most `most`. */
export function wayTo(board: Board, from: number, isGoal: (site: number) => boolean, most: number): RiverPath | null {
  const { around, rivers } = board
  const before = new Map<number, { readonly site: number; readonly river: number }>()
  const costs = new Map([[from, 0]])
  /** By cost: the sites still to be visited. */
  const levels: number[][] = [[from]]
  for (let cost = 0; cost < levels.length && cost <= most; cost++) {
    const level = levels[cost] ?? []
    for (const site of level) {
      if (costs.get(site) !== cost) continue
      if (site !== from && isGoal(site)) return wayBack(board, site, before)
      for (const river of around[site]!) {
        const own = board.isMine(river)
        if (!own && board.owner(river) !== -1) continue
        const next = otherEnd(rivers[river]!, site)
        const total = cost + (own ? 0 : 1)
        if ((costs.get(next) ?? Infinity) <= total) continue
        costs.set(next, total)
        before.set(next, { site, river })
        ;(levels[total] ??= []).push(next)
      }
    }
  }
  return null
}

function wayBack(
  board: Board,
  end: number,
  before: ReadonlyMap<number, { readonly site: number; readonly river: number }>,
): RiverPath {
  const sites = [end]
  const rivers: number[] = []
  for (let step = before.get(end); step !== undefined; step = before.get(step.site)) {
    sites.unshift(step.site)
    rivers.unshift(step.river)
  }
  const missing = rivers.filter((river) => !board.isMine(river))
  const first = rivers.indexOf(missing[0] ?? -1)
  const last = rivers.indexOf(missing.at(-1) ?? -1)
  const isBare = last - first + 1 === missing.length
  return { missing, route: isBare ? sites.slice(first, last + 2) : null }
}
