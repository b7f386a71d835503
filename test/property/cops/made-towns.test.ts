import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeTown, townOptions, townText, type TownOptions } from '../../../main/referees/cops/kinds.ts'

const options: fc.Arbitrary<TownOptions> = fc
  .record({
    avenues: fc.integer({ min: 5, max: 24 }),
    streets: fc.integer({ min: 5, max: 20 }),
    gaps: fc.constantFrom(0, 0.15, 0.4),
    oneWay: fc.constantFrom(0, 0.38, 0.8),
    culdesacs: fc.integer({ min: 0, max: 40 }),
    shortcuts: fc.integer({ min: 0, max: 200 }),
    seed: fc.string({ maxLength: 20 }),
  })
  .filter(({ avenues, streets }) => avenues * streets <= 240)

interface Read {
  readonly tags: ReadonlyMap<string, string>
  readonly places: readonly string[]
  readonly edges: readonly (readonly [from: string, to: string, kind: string])[]
}

/** Reads a world skeleton line by line, without the game's own reader. */
function read(text: string): Read {
  const lines = text.split('\n')
  const nodes = lines.flatMap((line) => /^nod: (\S+) (\S+) (\d+ \d+)$/.exec(line)?.slice(1) ?? [])
  const edges = lines.flatMap((line) => {
    const [, from, to, kind] = /^edg: (\S+) (\S+) (foot|car)$/.exec(line) ?? []
    return from === undefined ? [] : [[from, to!, kind!] as const]
  })
  const every = (offset: number): string[] => nodes.filter((_, at) => at % 3 === offset)
  const names = every(0)
  expect(new Set(names).size).toBe(names.length)
  return { tags: new Map(names.map((name, at) => [name, every(1)[at]!])), places: every(2), edges }
}

/** The steps from a node to every other that can be reached. */
function steps(start: string, pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, number> {
  const found = new Map([[start, 0]])
  for (const [node, so] of found) {
    for (const [from, to] of pairs) if (from === node && !found.has(to)) found.set(to, so + 1)
  }
  return found
}

const both = (pairs: readonly (readonly [string, string])[]) =>
  pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])
const tagged = ({ tags }: Read, tag: string): string[] =>
  [...tags].flatMap(([name, its]) => (its === tag ? [name] : []))

test('a town has one headquarters, one start and six banks, and everything can be reached', () => {
  fc.assert(
    fc.property(options, (given) => {
      const text = townText(makeTown(given))
      const town = read(text)
      const [headquarters, start] = [tagged(town, 'hq'), tagged(town, 'robber-start')]
      expect([headquarters.length, start.length, tagged(town, 'bank').length]).toEqual([1, 1, 6])
      for (const name of town.tags.keys()) expect(name).toMatch(/^[-a-zA-Z0-9_#()]{1,100}$/)
      expect(new Set(town.places).size).toBe(town.tags.size)
      for (const place of town.places) for (const at of place.split(' ')) expect(Number(at)).toBeLessThanOrEqual(1023)
      expect(town.edges.length).toBeLessThanOrEqual(1_000)
      expect(new Set(town.edges.map((edge) => edge.join(' '))).size).toBe(town.edges.length)
      const foot = town.edges.filter(([, , kind]) => kind === 'foot').map(([from, to]) => [from, to] as const)
      const car = town.edges.map(([from, to]) => [from, to] as const)
      const back = car.map(([from, to]) => [to, from] as const)
      expect(steps(start[0]!, both(foot)).size).toBe(town.tags.size)
      expect(steps(headquarters[0]!, car).size).toBe(town.tags.size)
      expect(steps(headquarters[0]!, back).size).toBe(town.tags.size)
    }),
    { numRuns: 40 },
  )
})

test.each([0, 3])(
  'with shares of 0 and %i culs-de-sac every side of a block is a street in both directions',
  (culdesacs) => {
    const bounds = { avenues: 8, streets: 6, gaps: 0, oneWay: 0, culdesacs, shortcuts: 0 }
    const town = read(townText(makeTown(townOptions.parse(bounds))))
    expect(town.tags.size).toBe(8 * 6 + culdesacs)
    expect(town.edges.length).toBe(2 * (7 * 6 + 8 * 5 + culdesacs))
    expect(town.edges.every(([, , kind]) => kind === 'foot')).toBe(true)
  },
)

test('equal seeds make equal towns, others make others', () => {
  const made = (seed: string): string => townText(makeTown(townOptions.parse({ seed })))
  expect(made('Oxford')).toBe(made('Oxford'))
  expect(made('Oxford')).not.toBe(made('Bath'))
})

test('a town with the usual settings measures like Hyde Park', () => {
  for (const seed of ['1', '2', '3', '4', '5', '6', '7', '8']) {
    const town = read(townText(makeTown(townOptions.parse({ seed }))))
    const foot = town.edges.filter(([, , kind]) => kind === 'foot').map(([from, to]) => [from, to] as const)
    const ways = new Set(foot.map(([from, to]) => `${from} ${to}`))
    // Hyde Park: 229 nodes, 579 ways on foot of which 135 have no reverse, 120 for cars only.
    expect(town.tags.size).toBe(240)
    expect(foot.length).toBeGreaterThan(560)
    expect(foot.length).toBeLessThan(640)
    const oneWay = foot.filter(([from, to]) => !ways.has(`${to} ${from}`)).length
    expect(oneWay).toBeGreaterThan(120)
    expect(oneWay).toBeLessThan(150)
    expect(town.edges.length - foot.length).toBe(120)
    const fromStart = steps(tagged(town, 'robber-start')[0]!, both(foot))
    // Hyde Park: headquarters 4, banks 5 5 5 5 11 12, the furthest corner 17.
    expect(fromStart.get(tagged(town, 'hq')[0]!)).toBe(4)
    const banks = tagged(town, 'bank')
      .map((bank) => fromStart.get(bank)!)
      .sort((a, b) => a - b)
    expect(banks.slice(0, 4)).toEqual([5, 5, 5, 5])
    for (const far of banks.slice(4)) expect(far).toBeGreaterThanOrEqual(10)
    expect(Math.max(...fromStart.values())).toBeLessThanOrEqual(22)
    // Cars: within 9 of headquarters.
    const car = steps(
      tagged(town, 'hq')[0]!,
      town.edges.map(([from, to]) => [from, to] as const),
    )
    expect(Math.max(...car.values())).toBeLessThanOrEqual(12)
  }
})
