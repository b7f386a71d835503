import { lazily } from '../../lazily.ts'
import type { BestKnown, Exchange, Exported, ImportedMaterial } from './format.ts'
import type { Pattern } from './fit.ts'
import { readingWith } from './reading.ts'
import { mycielski, queens, type Edge } from './well-known.ts'
import { endOf, linesOf, Unreadable, wholeNumber } from './words.ts'

interface Graph {
  readonly name: string | null
  readonly vertices: number
  /** Each once, the smaller vertex first. */
  readonly edges: readonly Edge[]
  readonly notes: readonly string[]
}

/** Well-known graphs of the DIMACS challenge on colouring: their vertices, and the least number of colours. */
const chromatic: Readonly<Record<string, { readonly vertices: number; readonly colours: number }>> = {
  anna: { vertices: 138, colours: 11 },
  david: { vertices: 87, colours: 11 },
  games120: { vertices: 120, colours: 9 },
  huck: { vertices: 74, colours: 11 },
  jean: { vertices: 80, colours: 10 },
  miles250: { vertices: 128, colours: 8 },
  myciel3: { vertices: 11, colours: 4 },
  myciel4: { vertices: 23, colours: 5 },
  myciel5: { vertices: 47, colours: 6 },
  myciel6: { vertices: 95, colours: 7 },
  queen5_5: { vertices: 25, colours: 5 },
  queen6_6: { vertices: 36, colours: 7 },
  queen7_7: { vertices: 49, colours: 7 },
  queen8_8: { vertices: 64, colours: 9 },
}

/** Those of them that can be made anew, by their number of vertices. */
const made = lazily(() => {
  const graphs = Object.keys(chromatic).flatMap((name) => {
    const [, mycielskian, board] = /^(?:myciel(\d)|queen(\d)_\d)$/.exec(name) ?? []
    if (mycielskian !== undefined) return [{ name, ...mycielski(Number(mycielskian)) }]
    return board === undefined ? [] : [{ name, ...queens(Number(board)) }]
  })
  return new Map(graphs.map((graph) => [graph.vertices, graph]))
})

function recognized({ vertices, edges }: Pick<Graph, 'vertices' | 'edges'>): BestKnown | null {
  const graph = made().get(vertices)
  if (graph?.edges.length !== edges.length) return null
  const key = ({ a, b }: Edge): string => `${a} ${b}`
  const keys = new Set(edges.map(key))
  return graph.edges.every((edge) => keys.has(key(edge))) ? bestOf(graph.name, edges.length) : null
}

/** All edges are good with as many colours as are known to suffice. */
function bestOf(name: string, edges: number): BestKnown {
  return { name, measure: edges, settings: { colours: chromatic[name]!.colours } }
}

const EDGES: Pattern = { list: { fields: { a: 'int', b: 'int' } } }

/** The colours of a contest if nothing is known about the graph. */
const COLOURS = 3

/** DIMACS graphs for graph-colouring: `p edge vertices edges`, then `e a b`; duplicates, which its collection has, count once. */
export const colouringGraphs: Exchange = readingWith({
  formats: ['col'],
  instance: { fields: { vertices: 'int', edges: EDGES } },
  read(text): ImportedMaterial {
    const { name, vertices, edges, notes } = readGraph(text)
    const graph = name === null ? undefined : chromatic[name]
    // A file may have the name of another graph.
    const known = graph?.vertices === vertices ? graph.colours : undefined
    return {
      instance: { vertices, edges },
      predicate: { gaps: [...new Set(edges.map(({ a, b }) => b - a))].toSorted((a, b) => a - b) },
      config: { maxVertices: vertices, maxEdges: edges.length, colours: known ?? COLOURS },
      notes,
      best: known === undefined ? null : bestOf(name!, edges.length),
    }
  },
  write: (instance, format = 'col') => writeGraph('graph-colouring', instance as unknown as Graph, format),
  recognized: (instance) => recognized(instance as unknown as Graph),
})

/** The same for vertex-cover, whose vertices get one colour. */
export const coverGraphs: Exchange = readingWith({
  formats: ['col'],
  instance: { fields: { colours: { list: 'int' }, edges: EDGES } },
  read(text): ImportedMaterial {
    const { vertices, edges, notes } = readGraph(text)
    return {
      instance: { colours: Array.from({ length: vertices }, () => 1), edges },
      predicate: { joins: [{ a: 1, b: 1 }] },
      config: { maxVertices: vertices, maxEdges: edges.length, colours: 1 },
      notes,
      best: null,
    }
  },
  write(instance, format = 'col') {
    const { colours, edges } = instance as unknown as {
      readonly colours: readonly number[]
      readonly edges: Graph['edges']
    }
    return writeGraph('vertex-cover', { vertices: colours.length, edges }, format)
  },
})

function readGraph(text: string): Graph {
  let vertices: number | null = null
  let name: string | null = null
  const edges = new Map<string, Edge>()
  let lines = 0
  for (const [first, ...rest] of linesOf(text, /[^\s]+/g)) {
    if (first === undefined || first.text.startsWith('c')) {
      name ??=
        rest
          .map((word) => /^([a-z]\w*)(?:\.col(?:\.b)?)?$/i.exec(word.text)?.[1])
          .find((one) => one !== undefined && Object.hasOwn(chromatic, one)) ?? null
    } else if (first.text === 'p') {
      if (vertices !== null) throw new Unreadable(first.at, 'There may be only one header, before all edges.')
      const [kind, count, edgeCount, more] = rest
      if (
        kind === undefined ||
        !['edge', 'col'].includes(kind.text) ||
        count === undefined ||
        edgeCount === undefined ||
        more !== undefined
      )
        throw new Unreadable(first.at, 'The header must be "p edge vertices edges".')
      vertices = wholeNumber(count, 2, 'The number of vertices')
      wholeNumber(edgeCount, 0, 'The number of edges')
    } else if (first.text === 'e') {
      const [from, to, more] = rest
      if (vertices === null)
        throw new Unreadable(first.at, 'The header "p edge vertices edges" must come before all edges.')
      if (from === undefined || to === undefined || more !== undefined)
        throw new Unreadable(first.at, 'An edge must be "e vertex vertex".')
      const ends = [from, to].map((word) => {
        const end = wholeNumber(word, 1, 'A vertex')
        if (end > vertices!)
          throw new Unreadable(word.at, `The header says ${vertices} vertices, but this is vertex ${end}.`)
        return end
      })
      const [a, b] = [Math.min(...ends), Math.max(...ends)]
      if (a === b) throw new Unreadable(first.at, `An edge joins two vertices, but this one joins ${a} with itself.`)
      edges.set(`${a} ${b}`, { a, b })
      lines += 1
    } else if (first.text !== 'n') throw new Unreadable(first.at, 'A line of a graph begins with c, p, n or e.')
  }
  if (vertices === null || edges.size === 0) throw new Unreadable(endOf(text), 'The graph has no edges.')
  const twice = lines - edges.size
  const notes = twice === 0 ? [] : [`${twice} of the ${lines} edges are there already, and count once.`]
  return { name, vertices, edges: [...edges.values()], notes }
}

function writeGraph(
  challenge: string,
  { vertices, edges }: Pick<Graph, 'vertices' | 'edges'>,
  format: string,
): Exported {
  if (format !== 'col') return { ok: false, error: `${challenge} can be written as col, not as ${format}.` }
  const lines = edges.map(({ a, b }) => `e ${a} ${b}\n`)
  return { ok: true, format, text: `p edge ${vertices} ${edges.length}\n${lines.join('')}` }
}
