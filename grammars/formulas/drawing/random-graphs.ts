import { INT } from '../checking/types.ts'
import type { Type } from '../checking/types.ts'
import { listOf, numberFrom } from '../cost/extremes.ts'
import type { BuiltIn } from '../functions/built-in.ts'
import { numberExtreme } from '../functions/prices.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import { LIST_STEPS, spend } from '../running/frame.ts'
import type { Below } from '../running/frame.ts'
import { chanceOf, differentBelow, shuffleInPlace, unlessInts, wholeNumber } from './draw.ts'

/** An edge between vertices, which count from 1; the smaller one first. */
type Edge = readonly [number, number]

/** Pairs of more vertices could not be counted exactly. */
const MOST_VERTICES = 2 ** 26

/** The steps of each edge: a list of two, and the work to find it. */
const EDGE = 10
/** Exchanges of ends, for each edge of a regular graph. */
const SWITCHES = 10

const edgeOf = (a: number, b: number): Edge => (a < b ? [a, b] : [b, a])

const pairsOf = (n: number): number => (n * (n - 1)) / 2

/** Pairs in the order (1 2), (1 3), (2 3), (1 4), ... are numbered from 0. */
const numberOf = ([a, b]: Edge): number => pairsOf(b - 1) + a - 1

function pairAt(number: number): Edge {
  let b = Math.floor((1 + Math.sqrt(1 + 8 * number)) / 2)
  // The root is rounded.
  while (pairsOf(b) > number) b--
  while (pairsOf(b + 1) <= number) b++
  return [number - pairsOf(b) + 1, b + 1]
}

/** A list of edges says nothing of the order in which they were found. */
function inOrder(edges: readonly Edge[]): readonly Edge[] {
  return edges.toSorted((one, other) => one[0] - other[0] || one[1] - other[1])
}

/** Each vertex gets the name of another. */
function renamed(n: number, edges: readonly Edge[], below: Below): readonly Edge[] {
  const names = shuffleInPlace(
    Array.from({ length: n }, (_, vertex) => vertex + 1),
    below,
  )
  return edges.map(([a, b]) => edgeOf(names[a - 1]!, names[b - 1]!))
}

/** A tree by its Prüfer code, so that each tree is equally probable. */
function treeOf(n: number, below: Below): readonly Edge[] {
  if (n <= 1) return []
  const code = Array.from({ length: n - 2 }, () => 1 + below(n))
  const degrees = new Int32Array(n + 1).fill(1)
  for (const vertex of code) degrees[vertex]!++
  const edges: Edge[] = []
  let smallest = 1
  while (degrees[smallest] !== 1) smallest++
  let leaf = smallest
  for (const vertex of code) {
    edges.push(edgeOf(leaf, vertex))
    if (--degrees[vertex]! === 1 && vertex < smallest) leaf = vertex
    else {
      do smallest++
      while (degrees[smallest] !== 1)
      leaf = smallest
    }
  }
  edges.push(edgeOf(leaf, n))
  return edges
}

/** A tree, and any of the other pairs. */
function connectedOf(n: number, m: number, below: Below): readonly Edge[] {
  const tree = treeOf(n, below)
  const taken = tree.map(numberOf).sort((a, b) => a - b)
  const others = differentBelow(pairsOf(n) - taken.length, m - taken.length, below).sort((a, b) => a - b)
  let passed = 0
  const added = others.map((other) => {
    while (passed < taken.length && taken[passed]! <= other + passed) passed++
    return pairAt(other + passed)
  })
  return [...tree, ...added]
}

/** Edges of a triangulation that grows by a vertex within one of its triangles. */
function planarOf(n: number, m: number, below: Below): readonly Edge[] {
  const all: Edge[] = n < 2 ? [] : [[1, 2]]
  const triangles: [number, number, number][] = []
  for (let vertex = 3; vertex <= n; vertex++) {
    if (vertex === 3) {
      all.push([1, 3], [2, 3])
      // The inner and the outer one.
      triangles.push([1, 2, 3], [1, 2, 3])
      continue
    }
    const place = below(triangles.length)
    const [a, b, c] = triangles[place]!
    all.push([a, vertex], [b, vertex], [c, vertex])
    triangles[place] = [a, b, vertex]
    triangles.push([a, c, vertex], [b, c, vertex])
  }
  const kept = differentBelow(all.length, m, below).map((place) => all[place]!)
  return renamed(n, kept, below)
}

/** A circle in which each vertex has its nearest ones as neighbours, whose edges then exchange their ends many times. */
function regularOf(n: number, degree: number, below: Below): readonly Edge[] {
  const edges: Edge[] = []
  for (let a = 0; a < n; a++) {
    for (let step = 1; step <= degree >> 1; step++) edges.push(edgeOf(a + 1, ((a + step) % n) + 1))
    if (degree % 2 === 1 && a < n / 2) edges.push([a + 1, a + n / 2 + 1])
  }
  const present = new Set(edges.map(numberOf))
  for (let tried = 0; tried < SWITCHES * edges.length; tried++) {
    const [one, other] = [below(edges.length), below(edges.length)]
    const [a, b] = edges[one]!
    const [c, d] = below(2) === 0 ? edges[other]! : (edges[other]!.toReversed() as [number, number])
    if (a === d || c === b || a === c || b === d) continue
    const [first, second] = [edgeOf(a, d), edgeOf(c, b)]
    if (present.has(numberOf(first)) || present.has(numberOf(second))) continue
    for (const gone of [one, other]) present.delete(numberOf(edges[gone]!))
    edges[one] = first
    edges[other] = second
    for (const added of [one, other]) present.add(numberOf(edges[added]!))
  }
  return renamed(n, edges, below)
}

interface Kind {
  readonly name: string
  readonly second: string | null
  readonly meaning: string
  readonly steps: string
  /** The edges that a graph has, if it exists; null: it does not exist. */
  edges(n: number, second: number): number | null
  /** The most edges, for the largest arguments. */
  most(n: number, second: number): number
  make(n: number, second: number, below: Below): readonly Edge[]
  /** Steps of each edge. */
  readonly price: number
}

const EDGES: Type = { kind: 'list', of: { kind: 'list', of: INT } }

function builtIn({ name, second, meaning, steps, price, ...kind }: Kind): BuiltIn {
  const takes = second === null ? 1 : 2
  return {
    name,
    call: second === null ? `${name}(n)` : `${name}(n, ${second})`,
    meaning,
    steps,
    takes: [takes],
    resolve: (args) =>
      unlessInts(name, args) ?? {
        type: EDGES,
        run(frame, given) {
          const n = wholeNumber(name, given[0], 0)
          const other = second === null ? 0 : wholeNumber(name, given[1], 0)
          if (n > MOST_VERTICES)
            throw new FormulaError(`${name}(...) makes graphs of at most ${MOST_VERTICES} vertices.`)
          const edges = kind.edges(n, other)
          if (edges === null) {
            const wanted = second === null ? '' : ` and ${other} ${second === 'm' ? 'edges' : 'edges at each'}`
            throw new FormulaError(`${name}(...) has no graph with ${n} vertices${wanted}.`)
          }
          spend(frame, LIST_STEPS + n + price * edges)
          return inOrder(kind.make(n, other, chanceOf(frame)))
        },
        most([vertices, number]) {
          const n = Math.max(0, numberExtreme(vertices).high)
          const edges = Math.max(0, kind.most(n, number === undefined ? 0 : Math.max(0, numberExtreme(number).high)))
          const edge = listOf(numberFrom(1, n), 2, false)
          return { steps: LIST_STEPS + n + price * edges, value: listOf(edge, edges, false) }
        },
      },
  }
}

const PRICE = `4, 1 for each vertex and ${EDGE} for each edge`

const asMany = (_: number, m: number): number => m
const upTo =
  (most: (n: number) => number, least: (n: number) => number = () => 0) =>
  (n: number, m: number): number | null =>
    m >= least(n) && m <= most(n) ? m : null

const planarMost = (n: number): number => (n < 3 ? Math.max(0, n - 1) : 3 * n - 6)

/** Graphs are lists of edges [a, b] between the vertices 1 to n, a < b, in the order of a and b. */
export const randomGraphs: readonly BuiltIn[] = [
  builtIn({
    name: 'graph',
    second: 'm',
    meaning: 'the edges of a graph with n vertices and m edges, each such graph with equal probability',
    steps: PRICE,
    price: EDGE,
    edges: upTo(pairsOf),
    most: asMany,
    make: (n, m, below) => differentBelow(pairsOf(n), m, below).map(pairAt),
  }),
  builtIn({
    name: 'tree',
    second: null,
    meaning: 'the edges of a tree with n vertices, each such tree with equal probability',
    steps: PRICE,
    price: EDGE,
    edges: (n) => Math.max(0, n - 1),
    most: (n) => n,
    make: (n, _, below) => treeOf(n, below),
  }),
  builtIn({
    name: 'connectedGraph',
    second: 'm',
    meaning: 'the edges of a graph that is connected: a tree, and m - n + 1 of the other pairs',
    steps: PRICE,
    price: EDGE,
    edges: upTo(pairsOf, (n) => Math.max(0, n - 1)),
    most: asMany,
    make: connectedOf,
  }),
  builtIn({
    name: 'planarGraph',
    second: 'm',
    meaning: 'the edges of a planar graph: m of the 3 n - 6 of a random triangulation',
    steps: `4, 1 for each vertex and ${3 * EDGE} for each edge that a planar graph may have`,
    price: 3 * EDGE,
    edges: (n, m) => (m <= planarMost(n) ? planarMost(n) : null),
    most: (n) => 3 * n,
    make: planarOf,
  }),
  builtIn({
    name: 'regularGraph',
    second: 'degree',
    meaning: 'the edges of a graph each of whose vertices has this number of neighbours',
    steps: `4, 1 for each vertex and ${SWITCHES * EDGE} for each edge`,
    price: SWITCHES * EDGE,
    edges: (n, degree) => ((n * degree) % 2 === 0 && degree < Math.max(1, n) ? (n * degree) / 2 : null),
    most: (n, degree) => (n * degree) / 2,
    make: regularOf,
  }),
]
