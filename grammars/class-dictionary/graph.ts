/**
 * Strongly connected components of a directed graph (Tarjan, without recursion): for every node the number of its
 * component. `next(node)` lists its successors.
 */
export function components(size: number, next: (node: number) => readonly number[]): readonly number[] {
  const component = new Array<number>(size).fill(-1)
  const order = new Array<number>(size).fill(-1)
  const low = new Array<number>(size).fill(0)
  const open: number[] = []
  let count = 0
  let found = 0
  for (let root = 0; root < size; root++) {
    if (order[root] !== -1) continue
    const work: { node: number; edges: readonly number[]; i: number }[] = []
    const enter = (node: number): void => {
      order[node] = low[node] = count++
      open.push(node)
      work.push({ node, edges: next(node), i: 0 })
    }
    enter(root)
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const target = top.edges[top.i++]
      if (target !== undefined) {
        if (order[target] === -1) enter(target)
        else if (component[target] === -1) low[top.node] = Math.min(low[top.node]!, order[target]!)
        continue
      }
      work.pop()
      const parent = work.at(-1)
      if (parent !== undefined) low[parent.node] = Math.min(low[parent.node]!, low[top.node]!)
      if (low[top.node] !== order[top.node]) continue
      for (let node = open.pop()!; ; node = open.pop()!) {
        component[node] = found
        if (node === top.node) break
      }
      found++
    }
  }
  return component
}

/** One cycle for each component with a cycle, as a list of nodes beginning with the smallest. */
export function cycles(size: number, next: (node: number) => readonly number[]): readonly (readonly number[])[] {
  const component = components(size, next)
  const done = new Set<number>()
  const found: number[][] = []
  for (let node = 0; node < size; node++) {
    const mine = component[node]!
    if (done.has(mine)) continue
    done.add(mine)
    const cycle = shortestCycle(node, (from) => next(from).filter((to) => component[to] === mine))
    if (cycle !== null) found.push(cycle)
  }
  return found
}

function shortestCycle(from: number, next: (node: number) => readonly number[]): number[] | null {
  const cameFrom = new Map<number, number>()
  const queue = [from]
  for (const node of queue) {
    for (const target of next(node)) {
      if (target === from) {
        const path = [node]
        for (let at = node; at !== from; path.unshift(at)) at = cameFrom.get(at)!
        return path
      }
      if (cameFrom.has(target)) continue
      cameFrom.set(target, node)
      queue.push(target)
    }
  }
  return null
}
