import { describe, expect, test } from 'vitest'
import { exchangeOf, type Imported, type ImportedMaterial } from '../../../grammars/challenges/formats/index.ts'
import { placesOnEarth } from '../../../grammars/challenges/formats/well-known.ts'
import { toNumber } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { saying, type Fact } from '../../refusal.ts'
import { accepted, challengeOf, sourceOf } from './shipped.ts'
import { burma14, myciel3 } from './well-known.ts'

function material(read: Imported): ImportedMaterial {
  if (!read.ok) throw new Error(read.problem.message)
  return read.material
}

/** Raw material is legal for the predicate and the settings that come with it. */
function expectLegal(name: string, { instance, predicate, config }: ImportedMaterial): void {
  const challenge = challengeOf(sourceOf(name))
  const settings = accepted(challenge.config(config)).value
  expect(challenge.legal(settings, accepted(challenge.predicate(settings, predicate)).value, instance)).toBeNull()
}

function* colourings(vertices: number, colours: number): Generator<number[]> {
  for (let code = 0; code < colours ** vertices; code++) {
    yield Array.from({ length: vertices }, (_, v) => (Math.floor(code / colours ** v) % colours) + 1)
  }
}

describe('DIMACS graphs', () => {
  const dimacs = exchangeOf(challengeOf(sourceOf('graph-colouring')))!

  test('a well-known graph gets the colours that suffice for it, and a note about that', () => {
    const read = material(dimacs.read(myciel3))
    expect(read).toMatchObject({ config: { maxVertices: 11, maxEdges: 20, colours: 4 }, instance: { vertices: 11 } })
    expect(read.notes).toEqual([saying('myciel3', 4)])
    expectLegal('graph-colouring', read)
  })

  test('that is true: three colours lose an edge, whatever one does', () => {
    const read = material(dimacs.read(myciel3))
    const { edges } = read.instance as unknown as { edges: { a: number; b: number }[] }
    let best = 0
    for (const colours of colourings(11, 3)) {
      let good = 0
      for (const { a, b } of edges) if (colours[a - 1] !== colours[b - 1]) good += 1
      best = Math.max(best, good)
    }
    expect(best).toBe(19)
  })

  test('edges that are there twice, in any direction, count once', () => {
    const read = material(dimacs.read('p col 3 3\ne 1 2\ne 2 1\ne 3 2\n'))
    expect(read).toMatchObject({
      instance: { vertices: 3, edges: [1, 2].map((a) => ({ a, b: a + 1 })) },
      predicate: { gaps: [1] },
      notes: [saying(1, 3)],
    })
  })

  test('vertex-cover reads the same graphs, with one colour', () => {
    const read = material(exchangeOf(challengeOf(sourceOf('vertex-cover')))!.read(myciel3))
    expect(read).toMatchObject({ predicate: { joins: [{ a: 1, b: 1 }] }, config: { maxVertices: 11, colours: 1 } })
    expectLegal('vertex-cover', read)
  })
})

describe('OR-Library', () => {
  const library = exchangeOf(challengeOf(sourceOf('set-cover')))!

  test('rows are members, columns are sets; one that covers nothing is left out', () => {
    const read = material(library.read(' 3 4\n 2 1 5 9\n 2\n 1 2\n 1 1\n 2 2\n 4\n'))
    expect(read).toEqual({
      instance: {
        sets: [
          { cost: 2, members: [1, 2] },
          { cost: 1, members: [1, 3] },
          { cost: 9, members: [3] },
        ],
      },
      predicate: { sizes: [1, 2] },
      config: { maxSets: 3, maxMember: 3, maxSize: 2, maxCost: 9 },
      notes: [saying(3)],
      best: null,
    })
    expectLegal('set-cover', read)
  })
})

/** A text of the OR-Library with this number of rows, each covered by its own column and by the last one. */
function covers(rows: number, columns: number): string {
  const lines = Array.from({ length: rows }, (_, row) => `2\n${row + 1} ${columns}\n`)
  return `${rows} ${columns}\n${'1 '.repeat(columns)}\n${lines.join('')}`
}

test.each([
  ['scp41.txt', 200, 1000, 429],
  ['scp410.txt', 200, 1000, 514],
  ['scp510', 200, 2000, 265],
  ['scp65.txt', 200, 1000, 161],
  ['scpd5.txt', 400, 4000, 61],
  ['scpe3.txt', 50, 500, 5],
  ['scp41.txt', 200, 999, null],
  ['scp66.txt', 200, 1000, null],
  ['scpe10.txt', 50, 500, null],
  ['myscp41.txt', 200, 1000, null],
  ['', 200, 1000, null],
])('the file %s of %i rows and %i columns has the best known cost %s', (file, rows, columns, measure) => {
  const { best, notes } = material(exchangeOf(challengeOf(sourceOf('set-cover')))!.read(covers(rows, columns), file))
  expect(best).toEqual(measure === null ? null : { name: file.replace('.txt', ''), measure, settings: {} })
  expect(notes.at(-1)).toEqual(measure === null ? expect.any(String) : saying(measure))
})

/** The shortest tour, by dynamic programming over sets of cities. */
function shortestTour(n: number, distance: (a: number, b: number) => number): number {
  const lengths = Array.from({ length: 2 ** (n - 1) }, () => new Array<number>(n - 1).fill(Infinity))
  for (let city = 0; city < n - 1; city++) lengths[2 ** city]![city] = distance(0, city + 1)
  for (const [cities, ends] of lengths.entries()) {
    for (let last = 0; last < n - 1; last++) {
      if (ends[last] === Infinity) continue
      for (let next = 0; next < n - 1; next++) {
        if ((cities >> next) & 1) continue
        const more = lengths[cities | (1 << next)]!
        more[next] = Math.min(more[next]!, ends[last]! + distance(last + 1, next + 1))
      }
    }
  }
  return Math.min(...lengths.at(-1)!.map((length, last) => length + distance(last + 1, 0)))
}

describe('TSPLIB', () => {
  const library = exchangeOf(challengeOf(sourceOf('travelling-salesman')))!

  test('coordinates on the earth: the shortest tour of burma14 is the one that is known', () => {
    const read = material(library.read(burma14))
    expectLegal('travelling-salesman', read)
    const { distances } = read.instance as unknown as { distances: number[] }
    const distance = (a: number, b: number): number => {
      const [i, j] = [Math.min(a, b) + 1, Math.max(a, b) + 1]
      return distances[((i - 1) * (28 - i)) / 2 + j - i - 1]!
    }
    expect(shortestTour(14, distance)).toBe(3323)
    expect(read.notes).toEqual([saying('burma14', 3323)])
    // The challenge measures tours as TSPLIB does.
    const tour = Array.from({ length: 14 }, (_, at) => at + 1)
    const challenge = challengeOf(sourceOf('travelling-salesman'))
    const rated = challenge.rating(read.config as Json, read.instance, { tour })
    if (typeof rated === 'string') throw new Error(rated)
    expect(toNumber(rated.measure)).toBe(tour.reduce((sum, city) => sum + distance(city - 1, city % 14), 0))
  })

  test('the shortest tour of ulysses16 is the one that is known', () => {
    const places = placesOnEarth['ulysses16']!.map(([x, y], at) => `${at + 1} ${x} ${y}\n`).join('')
    const head = 'NAME: ulysses16\nTYPE: TSP\nDIMENSION: 16\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n'
    const read = material(library.read(`${head}${places}EOF\n`))
    const { distances } = read.instance as unknown as { distances: number[] }
    const distance = (a: number, b: number): number => {
      const [i, j] = [Math.min(a, b) + 1, Math.max(a, b) + 1]
      return distances[((i - 1) * (32 - i)) / 2 + j - i - 1]!
    }
    expect(shortestTour(16, distance)).toBe(read.best!.measure)
    expect(read.best).toEqual({ name: 'ulysses16', measure: 6859, settings: {} })
  })

  test.each([
    ['EUC_2D', [5, 3, 4]],
    ['CEIL_2D', [5, 3, 4]],
    ['ATT', [2, 1, 2]],
  ])('coordinates in the plane, %s', (kind, distances) => {
    const text = `DIMENSION : 3\nEDGE_WEIGHT_TYPE : ${kind}\nNODE_COORD_SECTION\n1 0 0\n2 3.0e0 4\n3 3 0\nEOF\n`
    expect(material(library.read(text)).instance).toEqual({ cities: 3, distances })
  })

  test.each([
    ['FULL_MATRIX', '0 1 2\n1 0 3\n2 3 0'],
    ['UPPER_ROW', '1 2 3'],
    ['LOWER_ROW', '1\n2 3'],
    ['UPPER_DIAG_ROW', '0 1 2\n0 3\n0'],
    ['LOWER_DIAG_ROW', '0\n1 0\n2 3 0'],
  ])('explicit distances, %s', (format, rows) => {
    const text = `DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: ${format}\nEDGE_WEIGHT_SECTION\n${rows}\nEOF\n`
    expect(material(library.read(text)).instance).toEqual({ cities: 3, distances: [1, 2, 3] })
  })
})

const head = 'DIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n'

test.each<[string, string, string, ...Fact[]]>([
  ['graph-colouring', 'e 1 2\n', '1:1', 'p edge'],
  ['graph-colouring', 'p edge 3 1\ne 1 4\n', '2:5', 3, 4],
  ['graph-colouring', 'p edge 3 1\ne 2 2\n', '2:1', 2],
  ['graph-colouring', 'p edge 3 0\n', '2:1', 'has no edges'],
  ['vertex-cover', 'p edge 3 1\nx\n', '2:1', 'c, p, n or e'],
  ['set-cover', '1 1 3 1 2', '1:9', 1, 2],
  ['set-cover', '1 1 3 1', '1:8', 'missing'],
  ['set-cover', '1 1 3 1 1 7', '1:11', 'end'],
  ['set-cover', '1 1 0 1 1', '1:5', 'cost'],
  ['travelling-salesman', `${head}0 1 2\n1 0 3\n2 4 0\n`, '7:3', 3, 2],
  ['travelling-salesman', `${head}0 1 2\n1 0 3\n2 3\n`, '8:1', 3],
  ['travelling-salesman', `${head}0 1 2\n1 0 0\n2 0 0\n`, '8:1', 2, 3, 0],
  ['travelling-salesman', 'DIMENSION: 2000\n', '1:12', 1000, 2000],
  [
    'travelling-salesman',
    'DIMENSION: 3\nEDGE_WEIGHT_TYPE: XRAY1\nNODE_COORD_SECTION\n1 0 0\n2 1 0\n3 0 1\n',
    '2:19',
    'XRAY1',
  ],
])('%s: %j is refused at its place', (name, text, place, ...facts) => {
  const read = exchangeOf(challengeOf(sourceOf(name)))!.read(text)
  if (read.ok) throw new Error('it was read')
  const { at, message } = read.problem
  expect([`${at.line}:${at.column}`, message]).toEqual([place, saying(...facts)])
})
