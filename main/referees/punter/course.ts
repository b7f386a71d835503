import { readMapFile, type MapFile } from './map-file.ts'

/** A river between two sites, which have the numbers of `Course`. Both ends are one site where it is a loop. */
export interface River {
  readonly source: number
  readonly target: number
}

/**
 * A map as the rules use it. Sites are numbered from 0 in the order of the file, and so are rivers, without those that come a
 * second time in either direction: the official server merged them, and R is what is left.
 */
export interface Course {
  readonly file: MapFile
  /** The ids of the sites, by number. */
  readonly ids: readonly number[]
  readonly rivers: readonly River[]
  /** Numbers of the sites that are mines, in the order of the file. */
  readonly mines: readonly number[]
  /** By mine: how many rivers it takes to get from it to each site; -1: there is no way. */
  readonly distances: readonly Int32Array[]
  /** The number of a site; undefined where there is none with this id. */
  site(id: number): number | undefined
  /** The number of the river between two sites, by their ids; undefined where there is none. */
  river(source: number, target: number): number | undefined
  /** The place of a site among the mines; undefined: it is not a mine. */
  mine(site: number): number | undefined
}

/** Maps of this many contests are kept; a large one takes a few megabytes. */
const KEPT = 8
const known = new Map<string, CourseReading>()

/** The map of a text, or what is wrong with it, a sentence each. */
export type CourseReading = { readonly course: Course } | { readonly problems: readonly string[] }

/** Reads the text of a map file; all matches of a contest share one reading. See `readMapFile`. */
export function readCourse(text: string, repair: boolean): CourseReading {
  const key = `${repair} ${text}`
  const found = known.get(key) ?? readAnew(text, repair)
  known.delete(key)
  known.set(key, found)
  if (known.size > KEPT) known.delete(known.keys().next().value!)
  return found
}

function readAnew(text: string, repair: boolean): CourseReading {
  const read = readMapFile(text, repair)
  return 'problems' in read ? read : { course: createCourse(read.file) }
}

/** `file`: without problems. */
function createCourse(file: MapFile): Course {
  const ids = file.sites.map(({ id }) => id)
  const numbers = new Map(ids.map((id, number) => [id, number]))
  const rivers: River[] = []
  const byEnds = new Map<number, number>()
  const keyOf = (a: number, b: number): number => (a < b ? a * ids.length + b : b * ids.length + a)
  for (const river of file.rivers) {
    const source = numbers.get(river.source)!
    const target = numbers.get(river.target)!
    const key = keyOf(source, target)
    if (byEnds.has(key)) continue
    byEnds.set(key, rivers.length)
    rivers.push({ source, target })
  }
  const mines = [...new Set(file.mines)].map((id) => numbers.get(id)!)
  const places = new Map(mines.map((site, place) => [site, place]))
  return {
    file,
    ids,
    rivers,
    mines,
    distances: distancesFrom(mines, ids.length, rivers),
    site: (id) => numbers.get(id),
    river(source, target) {
      const a = numbers.get(source)
      const b = numbers.get(target)
      return a === undefined || b === undefined ? undefined : byEnds.get(keyOf(a, b))
    },
    mine: (site) => places.get(site),
  }
}

/** Breadth first from each mine, over all rivers. */
function distancesFrom(mines: readonly number[], sites: number, rivers: readonly River[]): readonly Int32Array[] {
  const neighbours = neighboursOf(sites, rivers)
  const queue = new Int32Array(sites)
  return mines.map((mine) => {
    const distances = new Int32Array(sites).fill(-1)
    distances[mine] = 0
    queue[0] = mine
    let end = 1
    for (let at = 0; at < end; at++) {
      const site = queue[at]!
      for (const next of neighbours[site]!) {
        if (distances[next] !== -1) continue
        distances[next] = distances[site]! + 1
        queue[end++] = next
      }
    }
    return distances
  })
}

/** By site: the sites at the other ends of its rivers. */
function neighboursOf(sites: number, rivers: readonly River[]): readonly (readonly number[])[] {
  const neighbours: number[][] = Array.from({ length: sites }, () => [])
  for (const { source, target } of rivers) {
    neighbours[source]!.push(target)
    neighbours[target]!.push(source)
  }
  return neighbours
}
