import { BOOLEAN, fits, INT } from '../checking/types.ts'
import type { Type } from '../checking/types.ts'
import { plain } from '../cost/extremes.ts'
import type { Extreme } from '../cost/extremes.ts'
import { times } from '../cost/magnitudes.ts'
import type { Exact } from '../numbers/exact.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import { show } from '../numbers/value.ts'
import type { Value } from '../numbers/value.ts'
import { spend } from '../running/frame.ts'
import type { Frame } from '../running/frame.ts'
import { misfit } from './built-in.ts'
import type { Applied, BuiltIn, Misfit } from './built-in.ts'
import { listExtreme, numberExtreme } from './prices.ts'

/** Steps for each edge; each vertex takes one. */
const EDGE = 4

/** The ends of edges as vertices from 1 to n, edge after edge. */
interface Graph {
  readonly n: number
  readonly ends: readonly number[]
}

type Ends = (edge: Value) => readonly [Value, Value]

/** How the two ends of an edge are read, by the type of the edges; null: it has no two ends. */
function endsOf(type: Type): Ends | null {
  // An empty list has no type of its own. The number of elements of others is known only when they are there.
  if (type.kind === 'nothing' || (type.kind === 'list' && fits(type.of, INT))) {
    return (edge) => {
      const list = edge as readonly Value[]
      if (list.length !== 2) throw new FormulaError(`An edge has two ends, unlike ${show(edge)}.`)
      return list as readonly [Value, Value]
    }
  }
  if (type.kind !== 'class') return null
  const whole = type.fields.filter((field) => field.type.kind === 'int').map(({ label }) => label)
  const named = whole.includes('from') && whole.includes('to') ? ['from', 'to'] : whole
  const [from, to, another] = named
  if (from === undefined || to === undefined || another !== undefined) return null
  return (edge) => {
    const fields = edge as { readonly [label: string]: Value }
    return [fields[from]!, fields[to]!]
  }
}

function graphOf(frame: Frame, n: Exact, edges: readonly Value[], ends: Ends): Graph {
  const vertices = typeof n === 'number' && n > 0 ? n : 0
  spend(frame, typeof n === 'number' ? vertices : Infinity)
  spend(frame, EDGE * edges.length)
  const all: number[] = []
  for (const edge of edges) {
    for (const end of ends(edge)) {
      if (typeof end !== 'number' || end < 1 || end > vertices) {
        throw new FormulaError(`An edge ends at ${show(end)}, but the vertices are 1 to ${vertices}.`)
      }
      all.push(end)
    }
  }
  return { n: vertices, ends: all }
}

/** The number of parts that edges do not join, and whether an edge closes a cycle; edges have no direction. */
function partsOf({ n, ends }: Graph): { readonly parts: number; readonly cyclic: boolean } {
  const above = Int32Array.from({ length: n + 1 }, (_, vertex) => vertex)
  const root = (vertex: number): number => {
    let at = vertex
    while (above[at] !== at) {
      // Halving the path keeps the trees flat.
      above[at] = above[above[at]!]!
      at = above[at]!
    }
    return at
  }
  let parts = n
  let cyclic = false
  for (let i = 0; i < ends.length; i += 2) {
    const [a, b] = [root(ends[i]!), root(ends[i + 1]!)]
    if (a === b) cyclic = true
    else {
      above[Math.max(a, b)] = Math.min(a, b)
      parts--
    }
  }
  return { parts, cyclic }
}

/** Calls `visit` with each vertex to which an arc leads from a vertex. Small arrays of a vertex each would fill the memory. */
function successors({ n, ends }: Graph): (vertex: number, visit: (next: number) => void) => void {
  const last = new Int32Array(n + 1).fill(-1)
  const before = new Int32Array(ends.length / 2)
  for (let arc = 0; arc < before.length; arc++) {
    const from = ends[2 * arc]!
    before[arc] = last[from]!
    last[from] = arc
  }
  return (vertex, visit) => {
    for (let arc = last[vertex]!; arc >= 0; arc = before[arc]!) visit(ends[2 * arc + 1]!)
  }
}

function leads(graph: Graph, from: number, to: number): boolean {
  const eachAfter = successors(graph)
  const seen = new Uint8Array(graph.n + 1)
  const open = [from]
  seen[from] = 1
  for (let vertex = open.pop(); vertex !== undefined; vertex = open.pop()) {
    eachAfter(vertex, (next) => {
      if (seen[next] === 1) return
      seen[next] = 1
      open.push(next)
    })
  }
  return seen[to] === 1
}

/** Removes vertices without arcs to them, again and again: the rest is on a cycle or behind one. */
function hasNoCycle(graph: Graph): boolean {
  const eachAfter = successors(graph)
  const arcsTo = new Int32Array(graph.n + 1)
  for (let i = 1; i < graph.ends.length; i += 2) arcsTo[graph.ends[i]!]!++
  const open: number[] = []
  for (let vertex = 1; vertex <= graph.n; vertex++) if (arcsTo[vertex] === 0) open.push(vertex)
  let removed = 0
  for (let vertex = open.pop(); vertex !== undefined; vertex = open.pop()) {
    removed++
    eachAfter(vertex, (next) => {
      if (--arcsTo[next]! === 0) open.push(next)
    })
  }
  return removed === graph.n
}

function most([n, edges]: readonly Extreme[]): { readonly steps: number; readonly value: Extreme } {
  const { high } = numberExtreme(n)
  return { steps: Math.max(0, high) + times(EDGE, listExtreme(edges).most), value: plain(2, 0) }
}

const STEPS = '1 for each vertex, and 4 for each edge'

/** A predicate of a graph with the vertices 1 to n. `more`: the vertices that it takes after the edges. */
function predicate(
  [name, call, meaning]: readonly [name: string, call: string, meaning: string],
  decide: (graph: Graph, more: readonly Value[]) => boolean,
  assume?: Applied['assume'],
): BuiltIn {
  const takes = call.split(',').length
  const resolve = (args: readonly Type[]): Applied | Misfit => {
    for (const [argument, type] of args.entries()) {
      if (argument !== 1 && !fits(type, INT)) return misfit(name, argument, 'an int', type)
    }
    const edges = args[1] ?? INT
    const ends = edges.kind === 'list' ? endsOf(edges.of) : null
    if (ends === null) {
      const hint =
        'An edge is a list of two vertices, or of a class with int fields from and to, or with only two int fields.'
      return misfit(name, 1, 'a list of edges', edges, hint)
    }
    return {
      type: BOOLEAN,
      run: (frame, [n, list, ...more]) => {
        const graph = graphOf(frame, n as Exact, list as readonly Value[], ends)
        for (const vertex of more) {
          if (typeof vertex === 'number' && vertex >= 1 && vertex <= graph.n) continue
          throw new FormulaError(`The vertex ${show(vertex)} is unknown: the vertices are 1 to ${graph.n}.`)
        }
        return decide(graph, more)
      },
      most,
      ...(assume && { assume }),
    }
  }
  return { name, call, meaning, steps: STEPS, takes: [takes], resolve }
}

const connected = predicate(
  ['connected', 'connected(n, edges)', 'whether edges, in either direction, join all vertices 1 to n'],
  (graph) => partsOf(graph).parts <= 1,
)

const isTree = predicate(
  ['isTree', 'isTree(n, edges)', 'whether they do so without a cycle: n - 1 edges, of which none can be left out'],
  (graph) => {
    const { parts, cyclic } = partsOf(graph)
    return parts === 1 && !cyclic
  },
  ([n, edges]) => {
    if (edges?.kind === 'list') edges.most = Math.min(edges.most, Math.max(0, numberExtreme(n).high - 1))
  },
)

const isAcyclic = predicate(
  ['isAcyclic', 'isAcyclic(n, arcs)', 'whether no arcs, each from its first end to its second, lead in a circle'],
  hasNoCycle,
)

const reachable = predicate(
  ['reachable', 'reachable(n, arcs, a, b)', 'whether arcs, each from its first end to its second, lead from a to b'],
  (graph, [from, to]) => leads(graph, from as number, to as number),
)

export const graphFunctions: readonly BuiltIn[] = [connected, isTree, isAcyclic, reachable]
