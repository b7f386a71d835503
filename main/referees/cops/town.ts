import { readSkeleton, type SkeletonEdge, type SkeletonNode } from '../../../grammars/cops/index.ts'

/** A map with numbered intersections. Lists of neighbours have no doubles. */
export interface Town {
  readonly nodes: readonly SkeletonNode[]
  /** Foot edges before car edges, as in the recordings; otherwise in the order of the map. */
  readonly edges: readonly SkeletonEdge[]
  /** The number of an intersection by its name. */
  readonly numbers: ReadonlyMap<string, number>
  readonly hq: number
  readonly start: number
  /** In alphabetical order of their names. */
  readonly banks: readonly number[]
  /** By intersection: where one can go on foot, in either direction. */
  readonly foot: readonly (readonly number[])[]
  /** By intersection: where a Robo-Cruiser can go. */
  readonly car: readonly (readonly number[])[]
}

export type TownReading = { readonly town: Town } | { readonly problems: readonly string[] }

/** Banks of a map. */
const BANKS = 6

/** More characters than 2000 lines with tokens of 100 characters can have. */
const MAP_CHARACTERS = 1_000_000

/** Problems of one map that are listed. */
const LISTED = 20

/** Towns by the text of their map: the matches of a contest share few maps, and reading one takes as long as playing. */
const towns = new Map<string, TownReading>()
const TOWNS_KEPT = 8

/**
 * Reads a map in world-skeleton form; the names of players in it do not matter. It has one hq, one robber-start and six
 * banks; all of it can be reached from the start on foot, and banks from the hq by car.
 */
export function readTown(text: string): TownReading {
  if (text.length > MAP_CHARACTERS)
    return { problems: [`The map has more than ${MAP_CHARACTERS.toLocaleString('en')} characters.`] }
  const known = towns.get(text)
  if (known !== undefined) return known
  const read = newTown(text)
  const [oldest] = towns.keys()
  if (towns.size >= TOWNS_KEPT && oldest !== undefined) towns.delete(oldest)
  towns.set(text, read)
  return read
}

function newTown(text: string): TownReading {
  const read = readSkeleton(text)
  if ('problem' in read) return { problems: [`The map is not a world skeleton. ${read.problem}`] }
  const { nodes, edges } = read.value
  const problems = [...nodeProblems(nodes), ...edgeProblems(nodes, edges)]
  if (problems.length > 0) return { problems: problems.slice(0, LISTED) }
  const town = townOf(nodes, edges)
  const unreachable = reachProblems(town)
  return unreachable.length > 0 ? { problems: unreachable.slice(0, LISTED) } : { town }
}

function nodeProblems(nodes: readonly SkeletonNode[]): readonly string[] {
  const seen = new Set<string>()
  const problems: string[] = []
  for (const { loc } of nodes) {
    if (seen.has(loc)) problems.push(`The intersection ${loc} is listed twice.`)
    seen.add(loc)
  }
  const count = (tag: SkeletonNode['tag']): number => nodes.filter((node) => node.tag === tag).length
  for (const [tag, wanted] of [
    ['hq', 1],
    ['robber-start', 1],
    ['bank', BANKS],
  ] as const) {
    if (count(tag) !== wanted)
      problems.push(
        `The map must have ${wanted} ${wanted === 1 ? 'intersection' : 'intersections'} with the tag ${tag}, and has ${count(tag)}.`,
      )
  }
  return problems
}

function edgeProblems(nodes: readonly SkeletonNode[], edges: readonly SkeletonEdge[]): readonly string[] {
  const known = new Set(nodes.map(({ loc }) => loc))
  const seen = new Set<string>()
  const problems: string[] = []
  for (const { from, to, type } of edges) {
    const missing = [from, to].find((end) => !known.has(end))
    if (missing !== undefined)
      problems.push(`The street from ${from} to ${to} needs the intersection ${missing}, which does not exist.`)
    else if (from === to) problems.push(`A street leads from ${from} to itself.`)
    const text = `${from} ${to} ${type}`
    if (seen.has(text)) problems.push(`The ${type} street from ${from} to ${to} is listed twice.`)
    seen.add(text)
  }
  return problems
}

function townOf(nodes: readonly SkeletonNode[], edges: readonly SkeletonEdge[]): Town {
  const numbers = new Map(nodes.map(({ loc }, number) => [loc, number]))
  const foot = nodes.map(() => new Set<number>())
  const car = nodes.map(() => new Set<number>())
  for (const { from, to, type } of edges) {
    const [a, b] = [numbers.get(from)!, numbers.get(to)!]
    car[a]!.add(b)
    if (type === 'car') continue
    foot[a]!.add(b)
    foot[b]!.add(a)
  }
  const numberOf = (tag: SkeletonNode['tag']): number => nodes.findIndex((node) => node.tag === tag)
  const banks = [...nodes.keys()].filter((number) => nodes[number]!.tag === 'bank')
  return {
    nodes,
    edges: [...edges.filter(({ type }) => type === 'foot'), ...edges.filter(({ type }) => type === 'car')],
    numbers,
    hq: numberOf('hq'),
    start: numberOf('robber-start'),
    banks: banks.sort((a, b) => (nodes[a]!.loc < nodes[b]!.loc ? -1 : 1)),
    foot: foot.map((ends) => [...ends]),
    car: car.map((ends) => [...ends]),
  }
}

function reachProblems({ nodes, foot, car, hq, start, banks }: Town): readonly string[] {
  const onFoot = distancesFrom(start, foot)
  const byCar = distancesFrom(hq, car)
  return [
    ...[...nodes.keys()]
      .filter((node) => onFoot[node] === -1)
      .map((node) => `The intersection ${nodes[node]!.loc} cannot be reached on foot.`),
    ...banks
      .filter((node) => byCar[node] === -1)
      .map((node) => `The bank ${nodes[node]!.loc} cannot be reached by car from the hq.`),
  ]
}

/** Streets from one intersection to each other one, by breadth-first search; -1: it cannot be reached. */
export function distancesFrom(from: number, neighbours: Town['foot']): readonly number[] {
  const distances = neighbours.map(() => -1)
  distances[from] = 0
  const queue = [from]
  for (const node of queue) {
    for (const next of neighbours[node]!) {
      if (distances[next] !== -1) continue
      distances[next] = distances[node]! + 1
      queue.push(next)
    }
  }
  return distances
}
