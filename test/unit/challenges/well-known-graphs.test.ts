import { expect, test } from 'vitest'
import { bestKnownOf, exchangeOf } from '../../../grammars/challenges/formats/index.ts'
import { mycielski, queens } from '../../../grammars/challenges/formats/well-known.ts'
import type { Json } from '../../../grammars/json.ts'
import { challengeOf, sourceOf } from './shipped.ts'
import { myciel3 } from './well-known.ts'

interface Graph {
  readonly vertices: number
  readonly edges: readonly { readonly a: number; readonly b: number }[]
}

/** True if this number of colours suffices: the vertex with the fewest free colours is coloured first, and every free colour is tried. */
function isColourable({ vertices, edges }: Graph, most: number): boolean {
  const near = Array.from({ length: vertices }, () => new Array<number>())
  for (const { a, b } of edges) {
    near[a - 1]!.push(b - 1)
    near[b - 1]!.push(a - 1)
  }
  const colours = new Array<number>(vertices).fill(0)
  const taken = near.map(() => new Array<number>(most + 1).fill(0))
  const busy = new Array<number>(vertices).fill(0)
  const mark = (v: number, colour: number, by: 1 | -1): void => {
    for (const w of near[v]!) {
      taken[w]![colour]! += by
      if (taken[w]![colour] === (by === 1 ? 1 : 0)) busy[w]! += by
    }
  }
  const extend = (used: number): boolean => {
    let next = -1
    for (let v = 0; v < vertices; v++) {
      if (colours[v] !== 0) continue
      if (next < 0 || busy[v]! > busy[next]! || (busy[v] === busy[next] && near[v]!.length > near[next]!.length))
        next = v
    }
    if (next < 0) return true
    // Colours that no vertex has yet differ in name only.
    for (let colour = 1; colour <= Math.min(most, used + 1); colour++) {
      if (taken[next]![colour]! > 0) continue
      colours[next] = colour
      mark(next, colour, 1)
      if (extend(Math.max(used, colour))) return true
      mark(next, colour, -1)
      colours[next] = 0
    }
    return false
  }
  return extend(0)
}

/** The sets of n squares of which no queen attacks another, a column for each row. */
function placements(n: number): readonly (readonly number[])[] {
  const safe = (columns: readonly number[], column: number): boolean =>
    columns.every((other, row) => other !== column && Math.abs(other - column) !== columns.length - row)
  let found: readonly (readonly number[])[] = [[]]
  for (let row = 0; row < n; row++) {
    found = found.flatMap((columns) =>
      Array.from({ length: n }, (_, column) => column)
        .filter((column) => safe(columns, column))
        .map((column) => [...columns, column]),
    )
  }
  return found
}

/** True if placements of n queens cover the board without an overlap: that is the same as n colours, since none is in a row twice. */
function isCovered(n: number): boolean {
  const all = placements(n)
  const extend = (chosen: readonly (readonly number[])[]): boolean => {
    if (chosen.length === n) return true
    return all.some(
      (one) =>
        // The first row's squares are covered from left to right.
        one[0] === chosen.length &&
        chosen.every((other) => other.every((column, row) => column !== one[row])) &&
        extend([...chosen, one]),
    )
  }
  return extend([])
}

const colouring = challengeOf(sourceOf('graph-colouring'))
const known = (graph: Graph, colours: number) =>
  bestKnownOf(colouring, { maxVertices: 200, maxEdges: 5000, colours }, graph as unknown as Json, null)

test('the graph of the collection is made anew as its file has it', () => {
  const read = exchangeOf(colouring)!.read(myciel3)
  if (!read.ok) throw new Error(read.problem.message)
  const sorted = ({ edges }: Graph) => edges.map(({ a, b }) => `${a} ${b}`).toSorted()
  expect(sorted(mycielski(3))).toEqual(sorted(read.material.instance as unknown as Graph))
})

test.each([
  [3, 11, 20],
  [4, 23, 71],
  [5, 47, 236],
])('myciel%i needs a colour more than its number', (n, vertices, edges) => {
  const graph = mycielski(n)
  expect([graph.vertices, graph.edges.length]).toEqual([vertices, edges])
  expect([n, n + 1].map((colours) => isColourable(graph, colours))).toEqual([false, true])
  expect(known(graph, n + 1)).toEqual({ name: `myciel${n}`, measure: edges, settings: { colours: n + 1 } })
  expect(known(graph, n)).toBeNull()
})

/** The step of Mycielski by its definition, from neighbours: no triangle comes, and one colour more is needed (Mycielski 1955). */
function step({ vertices, edges }: Graph): Graph {
  const joined: Graph['edges'][number][] = [...edges]
  for (let v = 1; v <= vertices; v++) {
    for (const { a, b } of edges) {
      if (a === v) joined.push({ a: b, b: vertices + v })
      if (b === v) joined.push({ a, b: vertices + v })
    }
    joined.push({ a: vertices + v, b: 2 * vertices + 1 })
  }
  return { vertices: 2 * vertices + 1, edges: joined }
}

test('myciel6 comes from myciel5 by one step, so that it needs one colour more, and seven suffice', () => {
  const [graph, made] = [mycielski(6), step(mycielski(5))]
  const sorted = ({ edges }: Graph) => edges.map(({ a, b }) => `${a} ${b}`).toSorted()
  expect([graph.vertices, graph.edges.length, sorted(graph)]).toEqual([95, 755, sorted(made)])
  expect(isColourable(graph, 7)).toBe(true)
  expect(known(graph, 7)).toEqual({ name: 'myciel6', measure: 755, settings: { colours: 7 } })
  expect(known(graph, 6)).toBeNull()
})

test.each([
  [5, 160, 5],
  [6, 290, 7],
  [7, 476, 7],
  [8, 728, 9],
])('the queens of a board of %i by itself', (n, edges, least) => {
  const graph = queens(n)
  expect([graph.vertices, graph.edges.length]).toEqual([n * n, edges])
  // A row needs n colours, so the least number is n exactly if placements of n queens cover the board.
  expect(isCovered(n)).toBe(least === n)
  if (least > n) expect(isColourable(graph, least)).toBe(true)
  expect(known(graph, least)).toEqual({ name: `queen${n}_${n}`, measure: edges, settings: { colours: least } })
  expect(known({ ...graph, edges: [...graph.edges.slice(1), { a: 1, b: n * n - 1 }] }, least)).toBeNull()
})
