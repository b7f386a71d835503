import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeMap, mapKinds, mapOptions, type MapOptions } from '../../../main/referees/cows/kinds.ts'
import { isInside, mapText, readMapFile, type HerdMap } from '../../../main/referees/cows/maps/map-file.ts'
import { sha256 } from '../../../main/referees/sha256.ts'

const options: fc.Arbitrary<MapOptions> = fc
  .record({
    kind: fc.constantFrom(...mapKinds),
    width: fc.integer({ min: 20, max: 60 }),
    height: fc.integer({ min: 20, max: 60 }),
    obstacles: fc.integer({ min: 0, max: 600 }),
    cows: fc.integer({ min: 2, max: 60 }),
    herders: fc.integer({ min: 1, max: 10 }),
    corral: fc.integer({ min: 1, max: 20 }),
    seed: fc.string(),
  })
  .filter((given) => mapOptions.safeParse(given).success)
const uneven = options.filter(({ kind }) => kind === 'random')
const fair = options.filter(({ kind }) => kind !== 'random')
const turned = (rows: readonly string[]): readonly string[] => rows.map((row) => [...row].reverse().join('')).reverse()

/** Cells that a herder of `team` can walk to, by repeated spreading. */
function walkable({ rows, herders }: HerdMap): ReadonlySet<string> {
  const found = new Set([herders[0][0]!.join()])
  for (const place of found) {
    const [x, y] = place.split(',').map(Number) as [number, number]
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const there = rows[y + dy]?.[x + dx]
        if (there !== undefined && there !== '#') found.add(`${x + dx},${y + dy}`)
      }
    }
  }
  return found
}

describe('maps that are made', () => {
  test('have no faults, the herders that were asked for, no more cows and none in a corral', () => {
    fc.assert(
      fc.property(options, (given) => {
        const map = makeMap(given)
        expect(readMapFile(mapText(map))).toEqual({ map })
        const cells = map.rows.flatMap((row, y) => [...row].map((what, x) => ({ what, at: [x, y] as const })))
        const cows = cells.filter(({ what }) => what === 'c')
        expect(cows.length).toBeLessThanOrEqual(given.cows)
        expect(map.herders.map(({ length }) => length)).toEqual([given.herders, given.herders])
        for (const { what, at } of cells) {
          if (what !== '.') expect(map.corrals.some((corral) => isInside(corral, at))).toBe(false)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('are the same for both teams when one turns its map by 180 degrees', () => {
    fc.assert(
      fc.property(fair, (given) => {
        const { rows, corrals, herders } = makeMap(given)
        expect(turned(rows)).toEqual(rows)
        const turn = ([x, y]: readonly [number, number]) => [given.width - 1 - x, given.height - 1 - y]
        expect(herders[0].map(turn)).toEqual(herders[1])
        const [x0, y0] = turn([corrals[0].x1, corrals[0].y1])
        expect([corrals[1].x0, corrals[1].y0]).toEqual([x0, y0])
      }),
      { numRuns: 100 },
    )
  })

  test('have no cell that a herder cannot get to', () => {
    fc.assert(
      fc.property(fair, (given) => {
        const map = makeMap(given)
        const free = map.rows.join('').replaceAll('#', '').length
        expect(walkable(map).size).toBe(free)
      }),
      { numRuns: 60 },
    )
  })

  test('of the kind random use neither the last row nor the last column', () => {
    fc.assert(
      fc.property(uneven, (given) => {
        const { rows, herders } = makeMap(given)
        expect(rows.at(-1)).toMatch(/^\.+$/)
        expect(rows.every((row) => row.endsWith('.'))).toBe(true)
        expect(herders.flat().every(([x, y]) => x < given.width - 1 && y < given.height - 1)).toBe(true)
        expect(rows.join('').replaceAll(/[^#]/g, '').length).toBe(given.obstacles)
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['random', 'c992bafae7c21c56'],
    ['scattered', 'decf85b8f27a9fda'],
    ['maze', 'f5460f618f998a75'],
    ['corridors', 'd31419ea680ed843'],
  ] as const)('of kind %s are the same on every system and from now on', (kind, hash) => {
    expect(sha256(mapText(makeMap(mapOptions.parse({ kind, seed: 'Lemuria' })))).slice(0, 16)).toBe(hash)
  })
})

const good = makeMap(mapOptions.parse({ width: 20, height: 20, corral: 4, cows: 6, obstacles: 10 }))

test.each([
  ['nothing', '', /not JSON/],
  ['another shape', '{"rows":[]}', /cannot be read/],
  [
    'a row that is too short',
    JSON.stringify({ ...good, rows: good.rows.with(3, '.....') }),
    /Row 3 has 5 cells and row 0 has 20/,
  ],
  ['a letter that means nothing', JSON.stringify({ ...good, rows: good.rows.with(3, 'x'.repeat(20)) }), /characters/],
  [
    'a corral over the edge',
    mapText({ ...good, corrals: [{ x0: 0, y0: 0, x1: 3, y1: 20 }, good.corrals[1]] }),
    /corral of team 0 is not within/,
  ],
  ['corrals that overlap', mapText({ ...good, corrals: [good.corrals[1], good.corrals[1]] }), /cell in common/],
  [
    'two herders on one cell',
    mapText({ ...good, herders: [good.herders[0], good.herders[0]] }),
    /stands on another herder/,
  ],
  [
    'a missing herder',
    mapText({ ...good, herders: [good.herders[0], good.herders[1].slice(1)] }),
    /Team 0 has 6 herders and team 1 has 5/,
  ],
  ['no cows', mapText({ ...good, rows: good.rows.map((row) => row.replaceAll('c', '.')) }), /no cows/],
])('a map with %s is refused in words', (_, text, words) => {
  expect(readMapFile(text)).toEqual({ problems: expect.arrayContaining([expect.stringMatching(words)]) as unknown })
})

const folder = 'agents/cows/maps'

test.each([
  ['meadow', { kind: 'scattered', width: 50, height: 50, corral: 10, cows: 60, obstacles: 80, seed: 'meadow' }],
  ['prairie', { kind: 'scattered', seed: 'prairie' }],
  ['labyrinth', { kind: 'maze', seed: 'labyrinth' }],
  ['canyons', { kind: 'corridors', seed: 'canyons' }],
  ['small', { kind: 'scattered', width: 30, height: 30, corral: 6, cows: 24, obstacles: 20, seed: 'small' }],
])('the map %s ships as it is made', (name, given) => {
  const made = mapText(makeMap(mapOptions.parse(given)))
  expect(readFileSync(`${folder}/${name}.json`, 'utf8')).toBe(made)
})

test('every map that ships has no faults', () => {
  for (const name of readdirSync(folder)) {
    expect(readMapFile(readFileSync(`${folder}/${name}`, 'utf8'))).toHaveProperty('map')
  }
})
