import type { Json } from '../../../main/contract/json.ts'
import { upTo, type Craft } from './craft.ts'

interface Graph {
  readonly colours: readonly number[]
  readonly edges: readonly { readonly a: number; readonly b: number }[]
}

const CERTAIN_VERTICES = 30

/**
 * Branch and bound: either the vertex of highest degree is in the cover, or all its neighbours are. In its hard raw
 * material one vertex has such a high degree that the bound, which divides by it, is 2, while the other vertices still
 * need many: they form triangles if a colour may be joined to itself, otherwise pairs.
 */
export function vertexCover(config: Json): Craft {
  const { maxVertices, maxEdges } = config as { readonly maxVertices: number; readonly maxEdges: number }
  return {
    exact: maxVertices <= CERTAIN_VERTICES,
    solve: (instance, effort) => ({ cover: smallestCover(instance as unknown as Graph, effort) }),
    hard(predicate) {
      const { joins } = predicate as { readonly joins: readonly { readonly a: number; readonly b: number }[] }
      return joins
        .flatMap(({ a, b }) => (a === b ? [fan(a, maxVertices, maxEdges)] : []))
        .concat(joins.map(({ a, b }) => spider(a, b, maxVertices, maxEdges)))
        .map((graph) => graph as unknown as Json)
    },
  }
}

/** The smallest cover, or the best one found with this effort. */
function smallestCover({ colours, edges }: Graph, effort: number): number[] {
  const neighbours: number[][] = Array.from({ length: colours.length + 1 }, () => [])
  for (const { a, b } of edges) {
    neighbours[a]!.push(b)
    neighbours[b]!.push(a)
  }
  const degrees = neighbours.map(({ length }) => length)
  const gone = new Uint8Array(degrees.length)
  const cover: number[] = []
  let best = upTo(colours.length)
  let steps = effort
  const take = (vertex: number): number => {
    const removed = degrees[vertex]!
    gone[vertex] = 1
    cover.push(vertex)
    for (const other of neighbours[vertex]!) degrees[other]! -= 1
    return removed
  }
  const giveBack = (): void => {
    const vertex = cover.pop()!
    gone[vertex] = 0
    for (const other of neighbours[vertex]!) degrees[other]! += 1
  }
  const visit = (left: number): void => {
    if (left === 0) {
      if (cover.length < best.length) best = [...cover]
      return
    }
    let busiest = 0
    for (let vertex = 1; vertex < degrees.length; vertex++) {
      if (gone[vertex] === 0 && (busiest === 0 || degrees[vertex]! > degrees[busiest]!)) busiest = vertex
    }
    steps -= degrees.length
    if (cover.length + Math.ceil(left / degrees[busiest]!) >= best.length) return
    visit(left - take(busiest))
    giveBack()
    // When the effort is used up the first path, which takes the vertex of highest degree each time, remains.
    if (steps < 0 || degrees[busiest]! < 2) return
    const taken = neighbours[busiest]!.filter((other) => gone[other] === 0)
    const removed = taken.reduce((sum, other) => sum + take(other), 0)
    visit(left - removed)
    for (let given = 0; given < taken.length; given++) giveBack()
  }
  visit(edges.length)
  return best
}

/** Joins vertex 1 to all others, which form triangles; one or two that remain are single or a pair. */
function fan(colour: number, vertices: number, mostEdges: number): Graph {
  let count = vertices
  while (count > 2 && fanEdges(count).length > mostEdges) count -= 1
  return { colours: upTo(count).map(() => colour), edges: fanEdges(count) }
}

function fanEdges(count: number): { a: number; b: number }[] {
  const spokes = upTo(count - 1).map((at) => ({ a: 1, b: at + 1 }))
  const triangles = upTo(count - 1).flatMap((at) => {
    const vertex = at + 1
    const later = (at - 1) % 3 === 0 ? [vertex + 1, vertex + 2] : (at - 1) % 3 === 1 ? [vertex + 1] : []
    return later.filter((other) => other <= count).map((other) => ({ a: vertex, b: other }))
  })
  return [...spokes, ...triangles]
}

/** Joins vertex 1 to the middle vertices, and each middle vertex but the last to an end vertex of its own. */
function spider(a: number, b: number, vertices: number, mostEdges: number): Graph {
  const legs = Math.max(0, Math.floor(Math.min((vertices - 2) / 2, (mostEdges - 1) / 2)))
  const middles = upTo(legs + 1).map((at) => at + 1)
  const ends = upTo(legs).map((at) => legs + 2 + at)
  return {
    colours: [a, ...middles.map(() => b), ...ends.map(() => a)],
    edges: [...middles.map((middle) => ({ a: 1, b: middle })), ...ends.map((end, at) => ({ a: at + 2, b: end }))],
  }
}
