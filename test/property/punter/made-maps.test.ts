import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { config } from '../../../main/referees/punter/config.ts'
import { sha256 } from '../../../main/referees/sha256.ts'
import { readCourse } from '../../../main/referees/punter/course.ts'
import { makeMap, mapKinds, mapOptions, mapText, type MapOptions } from '../../../main/referees/punter/kinds.ts'
import type { MapFile } from '../../../main/referees/punter/map-file.ts'
import { mineRules } from '../../../main/referees/punter/maps/mines.ts'

const options: fc.Arbitrary<MapOptions> = fc.record({
  kind: fc.constantFrom(...mapKinds),
  sites: fc.integer({ min: 4, max: 150 }),
  mines: fc.integer({ min: 1, max: 10 }),
  placement: fc.constantFrom(...mineRules),
  thin: fc.constantFrom(0, 0.3, 1),
  seed: fc.string(),
})
const small = (kind: MapOptions['kind']) =>
  fc.record({ sites: fc.integer({ min: 4, max: 25 }), seed: fc.string() }).map((given) => {
    return makeMap(mapOptions.parse({ kind, ...given }))
  })

/** The sites of each component, by depth first. */
function components({ sites, rivers }: MapFile): readonly ReadonlySet<number>[] {
  const found: Set<number>[] = []
  const visit = (site: number, into: Set<number>): void => {
    into.add(site)
    for (const { source, target } of rivers) {
      for (const [from, to] of [
        [source, target],
        [target, source],
      ] as const) {
        if (from === site && !into.has(to)) visit(to, into)
      }
    }
  }
  for (const { id } of sites) {
    if (found.some((component) => component.has(id))) continue
    const component = new Set<number>()
    visit(id, component)
    found.push(component)
  }
  return found
}
const key = (one: number, other: number): string => [one, other].sort((a, b) => a - b).join('-')
const keys = ({ rivers }: MapFile): readonly string[] => rivers.map(({ source, target }) => key(source, target)).sort()

describe('maps that are made', () => {
  test('are maps without faults, with mines in one component and no more sites than were asked for', () => {
    fc.assert(
      fc.property(options, (given) => {
        const map = makeMap(given)
        expect(readCourse(mapText(map), false)).toHaveProperty('course')
        expect(JSON.parse(mapText(map))).toEqual(map)
        expect(map.sites.length).toBeLessThanOrEqual(given.sites)
        expect(new Set(map.sites.map(({ x, y }) => `${x} ${y}`)).size).toBe(map.sites.length)
        expect(new Set(keys(map)).size).toBe(map.rivers.length)
        expect(map.rivers.every(({ source, target }) => source !== target)).toBe(true)
        const largest = Math.max(...components(map).map(({ size }) => size))
        const home = components(map).find((component) => component.has(map.mines[0]!))!
        expect(home.size).toBe(largest)
        expect(map.mines.every((mine) => home.has(mine))).toBe(true)
        expect(new Set(map.mines).size).toBe(Math.min(given.mines, largest))
      }),
      { numRuns: 200 },
    )
  })

  test('are the same for equal options, and others for another seed', () => {
    fc.assert(
      fc.property(options, (given) => {
        expect(makeMap(given)).toEqual(makeMap({ ...given }))
      }),
      { numRuns: 20 },
    )
    const of = (seed: string) => makeMap(mapOptions.parse({ kind: 'gabriel', seed }))
    expect(of('a')).not.toEqual(of('b'))
  })

  test.each([
    ['grid', '50b0bf00f29611dc'],
    ['geometric', '3ea87687cc458af1'],
    ['gabriel', 'fed06f2db901c039'],
    ['delaunay', '3e224874ba1024ec'],
    ['sierpinski', 'e07f90d084383306'],
    ['web', 'cb06efc131834c13'],
    ['lambda', 'd5a4b15ca69b4c37'],
  ] as const)('of kind %s are the same on every system and from now on', (kind, hash) => {
    const text = mapText(makeMap(mapOptions.parse({ kind, thin: 0.2, seed: 'Oxford' })))
    expect(sha256(text).slice(0, 16)).toBe(hash)
  })

  test('stay as connected as they were when they are thinned, down to a tree', () => {
    fc.assert(
      fc.property(options, (given) => {
        const [whole, tree] = [0, 1].map((thin) => makeMap({ ...given, thin }))
        expect(components(tree!)).toEqual(components(whole!))
        expect(tree!.rivers.length).toBe(tree!.sites.length - components(tree!).length)
        expect(keys(whole!)).toEqual(expect.arrayContaining([...keys(tree!)]))
      }),
      { numRuns: 50 },
    )
  })
})

const at = ({ sites }: MapFile, id: number): { x: number; y: number } => ({ x: sites[id]!.x!, y: sites[id]!.y! })

test('the Gabriel graph has the rivers whose circle holds no other site, and no others', () => {
  fc.assert(
    fc.property(small('gabriel'), (map) => {
      const found: string[] = []
      for (const { id: a } of map.sites) {
        for (const { id: b } of map.sites.slice(a + 1)) {
          const [one, other] = [at(map, a), at(map, b)]
          const inside = map.sites.some(({ id, x, y }) => {
            return id !== a && id !== b && (one.x - x!) * (other.x - x!) + (one.y - y!) * (other.y - y!) < 0
          })
          if (!inside) found.push(key(a, b))
        }
      }
      expect(keys(map)).toEqual(found.sort())
    }),
  )
})

test('a Delaunay triangulation is planar and has every river of the Gabriel graph', () => {
  fc.assert(
    fc.property(fc.record({ sites: fc.integer({ min: 4, max: 60 }), seed: fc.string() }), (given) => {
      const map = makeMap(mapOptions.parse({ kind: 'delaunay', ...given }))
      const side = (p: { x: number; y: number }, q: { x: number; y: number }, r: { x: number; y: number }): number =>
        Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x))
      for (const [index, one] of map.rivers.entries()) {
        for (const other of map.rivers.slice(index + 1)) {
          const [a, b, c, d] = [one.source, one.target, other.source, other.target].map((id) => at(map, id))
          const cross = side(a!, b!, c!) * side(a!, b!, d!) < 0 && side(c!, d!, a!) * side(c!, d!, b!) < 0
          expect(cross).toBe(false)
        }
      }
      expect(components(map).length).toBe(1)
      // A triangulation of n points, h of them on its hull, has 3n - 3 - h sides.
      expect(map.rivers.length).toBeLessThanOrEqual(3 * map.sites.length - 6)
      expect(map.rivers.length).toBeGreaterThanOrEqual(2 * map.sites.length - 3)
    }),
    { numRuns: 30 },
  )
})

test('a random geometric graph has a river between two sites if and only if they are near enough', () => {
  const map = makeMap(mapOptions.parse({ kind: 'geometric', sites: 400, seed: 'near' }))
  const length = (a: number, b: number): number => {
    const [one, other] = [at(map, a), at(map, b)]
    return Math.hypot(one.x - other.x, one.y - other.y)
  }
  const longest = Math.max(...map.rivers.map(({ source, target }) => length(source, target)))
  const near = map.sites.flatMap(({ id: a }) =>
    map.sites.slice(a + 1).flatMap(({ id: b }) => (length(a, b) <= longest ? [key(a, b)] : [])),
  )
  expect(keys(map)).toEqual(near.sort())
  expect(longest).toBeCloseTo(Math.sqrt(6 / Math.PI), 1)
})

test.each([
  [3, 6],
  [9, 15],
  [27, 42],
  [81, 123],
])('a Sierpinski triangle of %i corners has the sites and rivers of its level', (corners, sites) => {
  const map = makeMap(mapOptions.parse({ kind: 'sierpinski', sites: sites + 1 }))
  expect([map.sites.length, map.rivers.length]).toEqual([sites, 3 * corners])
  const degrees = new Map<number, number>()
  for (const { source, target } of map.rivers) {
    for (const end of [source, target]) degrees.set(end, (degrees.get(end) ?? 0) + 1)
  }
  // Two at the three corners of the whole, four everywhere else.
  expect([...degrees.values()].sort((a, b) => a - b)).toEqual([2, 2, 2, ...Array<number>(sites - 3).fill(4)])
})

test('a web has its threads and rings, a grid its rows', () => {
  const [web, grid] = (['web', 'grid'] as const).map((kind) => makeMap(mapOptions.parse({ kind, sites: 41 })))
  // 9 threads with 4 rings, and the middle.
  expect([web!.sites.length, web!.rivers.length]).toEqual([37, 2 * 36])
  expect(web!.rivers.filter(({ source, target }) => source === 0 || target === 0).length).toBe(9)
  // 5 rows of 7, and one of 6.
  expect([grid!.sites.length, grid!.rivers.length]).toEqual([41, 5 * 6 + 5 + 5 * 7 - 1])
})

test('mines are far apart, or where most rivers are', () => {
  const mines = (given: object) => makeMap(mapOptions.parse(given)).mines
  // In a square the corner opposite to the first mine is the farthest.
  const square = makeMap(mapOptions.parse({ kind: 'grid', sites: 4, mines: 2 }))
  const [one, other] = square.mines
  expect(Math.abs(square.sites[one!]!.x! - square.sites[other!]!.x!)).toBe(1)
  expect(Math.abs(square.sites[one!]!.y! - square.sites[other!]!.y!)).toBe(1)
  expect(mines({ kind: 'web', sites: 41, mines: 1, placement: 'hubs' })).toEqual([0])
})

const folder = 'agents/punter/maps'

test('every map that ships is one that a contest takes', () => {
  for (const name of readdirSync(folder)) {
    expect(config.safeParse({ map: readFileSync(`${folder}/${name}`, 'utf8') }).success).toBe(true)
  }
})

test.each([
  ['lambda', { kind: 'lambda', sites: 38 }],
  ['sierpinski', { kind: 'sierpinski', sites: 42, mines: 3 }],
  ['web', { kind: 'web', sites: 153, mines: 6 }],
  ['town', { kind: 'gabriel', sites: 200, mines: 6, thin: 0.2, seed: 'town' }],
  ['city', { kind: 'delaunay', sites: 700, mines: 10, thin: 0.4, seed: 'city' }],
  ['archipelago', { kind: 'geometric', sites: 500, mines: 12, thin: 0.1, seed: 'archipelago' }],
])('the map %s ships as it is made', (name, given) => {
  expect(readFileSync(`${folder}/${name}.json`, 'utf8')).toBe(mapText(makeMap(mapOptions.parse(given))))
})
