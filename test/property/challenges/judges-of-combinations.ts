import { total, whole, within, words, type Judge } from './judge.ts'

interface Graph {
  readonly vertices: number
  readonly edges: readonly { readonly a: number; readonly b: number }[]
}

const colouring: Judge<{ gaps: number[] }, Graph, { colours: number[] }> = {
  small: { maxVertices: 6, maxEdges: 15 },
  legal({ maxVertices, maxEdges }, { gaps }, { vertices, edges }) {
    const seen = new Set<string>()
    for (const { a, b } of edges) {
      if (a < 1 || b > vertices || a >= b || !gaps.includes(b - a)) return false
      seen.add(`${a} ${b}`)
    }
    return within(vertices, 2, maxVertices!) && within(edges.length, 1, maxEdges!) && seen.size === edges.length
  },
  feasible: ({ colours: most }, { vertices }, { colours }) =>
    colours.length === vertices && colours.every((colour) => within(colour, 1, most!)),
  quality: ({ edges }, { colours }) => [
    edges.filter(({ a, b }) => colours[a - 1] !== colours[b - 1]).length,
    edges.length,
  ],
  *solutions({ colours: most }, { vertices }) {
    for (const colours of words(vertices, most!)) yield { colours }
  },
}

interface Groups {
  readonly sets: readonly { readonly cost: number; readonly members: readonly number[] }[]
}

const covering: Judge<{ sizes: number[] }, Groups, { chosen: number[] }> = {
  small: { maxSets: 8, maxMember: 6 },
  legal: ({ maxSets, maxMember, maxSize, maxCost }, { sizes }, { sets }) =>
    within(sets.length, 1, maxSets!) &&
    sets.every(
      ({ cost, members }) =>
        within(cost, 1, maxCost!) &&
        sizes.includes(members.length) &&
        members.length <= maxSize! &&
        new Set(members).size === members.length &&
        members.every((member) => within(member, 1, maxMember!)),
    ),
  feasible(_, { sets }, { chosen }) {
    if (new Set(chosen).size < chosen.length || !chosen.every((i) => within(i, 1, sets.length))) return false
    const covered = new Set(chosen.flatMap((i) => sets[i - 1]!.members))
    return sets.every(({ members }) => members.every((member) => covered.has(member)))
  },
  quality({ sets }, { chosen }) {
    // 2520 × 11 × 13 × ... is not needed: sizes are at most 5, so sixtieths are exact.
    let sixtieths = 0
    for (const member of new Set(sets.flatMap(({ members }) => members))) {
      const shares = sets
        .filter(({ members }) => members.includes(member))
        .map(({ cost, members }) => (60 * cost) / members.length)
      sixtieths += Math.min(...shares)
    }
    return [sixtieths, 60 * total(chosen.map((i) => sets[i - 1]!.cost))]
  },
  *solutions(_, { sets }) {
    for (const bits of words(sets.length, 2)) yield { chosen: bits.flatMap((bit, at) => (bit === 2 ? [at + 1] : [])) }
  },
}

interface Shop {
  readonly speeds: readonly number[]
  readonly jobs: readonly number[]
}

const scheduling: Judge<{ durations: number[] }, Shop, { machines: number[] }> = {
  small: { maxJobs: 6 },
  legal: ({ maxJobs, maxMachines, fastest }, { durations }, { speeds, jobs }) =>
    within(speeds.length, 1, maxMachines!) &&
    within(jobs.length, 1, maxJobs!) &&
    speeds.every((speed) => within(speed, 1, fastest!)) &&
    jobs.every((job) => durations.includes(job)),
  feasible: (_, { speeds, jobs }, { machines }) =>
    machines.length === jobs.length && machines.every((machine) => within(machine, 1, speeds.length)),
  quality({ speeds, jobs }, { machines }) {
    // Speeds are at most 3 and add up to at most 9: times in units of 1/2520 are exact.
    const work = speeds.map((_, machine) => total(jobs.filter((_job, at) => machines[at] === machine + 1)))
    const done = Math.max(...work.map((amount, machine) => (2520 * amount) / speeds[machine]!))
    return [Math.max((2520 * total(jobs)) / total(speeds), (2520 * Math.max(...jobs)) / Math.max(...speeds)), done]
  },
  *solutions(_, { speeds, jobs }) {
    for (const machines of words(jobs.length, speeds.length)) yield { machines }
  },
}

const partition: Judge<{ numbers: number[] }, { numbers: number[] }, { heaps: number[] }> = {
  small: { maxNumbers: 8, largest: 20 },
  legal: ({ maxNumbers }, predicate, { numbers }) =>
    within(numbers.length, 2, maxNumbers!) && numbers.every((number) => predicate.numbers.includes(number)),
  feasible: (_, { numbers }, { heaps }) =>
    heaps.length === numbers.length && heaps.every((heap) => heap === 1 || heap === 2),
  quality({ numbers }, { heaps }) {
    const left = total(numbers.filter((_, at) => heaps[at] === 1))
    const most = Math.max(...numbers)
    const apart = Math.max(total(numbers) % 2, most - (total(numbers) - most))
    return [1 + apart, 1 + Math.abs(total(numbers) - left - left)]
  },
  *solutions(_, { numbers }) {
    for (const heaps of words(numbers.length, 2)) yield { heaps }
  },
}

interface Strings {
  readonly a: readonly string[]
  readonly b: readonly string[]
}

const subsequence: Judge<{ letters: string[] }, Strings, { a: number[]; b: number[] }> = {
  small: { maxLength: 8, maxLetters: 3 },
  legal: ({ maxLength }, { letters }, { a, b }) =>
    [a, b].every((word) => within(word.length, 1, maxLength!) && word.every((letter) => letters.includes(letter))),
  feasible(_, instance, { a, b }) {
    if (a.length !== b.length) return false
    let [x, y] = [0, 0]
    for (const [at, i] of a.entries()) {
      const j = b[at]!
      if (i <= x || j <= y || i > instance.a.length || j > instance.b.length) return false
      if (instance.a[i - 1] !== instance.b[j - 1]) return false
      ;[x, y] = [i, j]
    }
    return true
  },
  quality({ a, b }, solution) {
    const left = [...b]
    let most = 0
    for (const letter of a) {
      const at = left.indexOf(letter)
      if (at < 0) continue
      left.splice(at, 1)
      most += 1
    }
    return [solution.a.length, most]
  },
  /** The best alone, by dynamic programming: nobody has to try all pairs of places. */
  *solutions(_, { a, b }) {
    const longest = whole(0, a.length).map(() => whole(0, b.length).map((): [number, number][] => []))
    for (const i of whole(1, a.length)) {
      for (const j of whole(1, b.length)) {
        const [up, left] = [longest[i - 1]![j]!, longest[i]![j - 1]!]
        const both: [number, number][] = a[i - 1] === b[j - 1] ? [...longest[i - 1]![j - 1]!, [i, j]] : []
        longest[i]![j] = [up, left, both].reduce((x, y) => (y.length > x.length ? y : x))
      }
    }
    const pairs = longest[a.length]![b.length]!
    yield { a: pairs.map(([i]) => i), b: pairs.map(([, j]) => j) }
  },
}

interface Sack {
  readonly capacity: number
  readonly items: readonly { readonly weight: number; readonly worth: number }[]
}

const packing: Judge<{ weights: number[] }, Sack, { packed: number[] }> = {
  small: { maxItems: 8 },
  legal: ({ maxItems, maxWorth }, { weights }, { capacity, items }) =>
    capacity >= 1 &&
    within(items.length, 1, maxItems!) &&
    items.every(({ weight, worth }) => weights.includes(weight) && within(worth, 1, maxWorth!)),
  feasible: (_, { capacity, items }, { packed }) =>
    packed.every((i) => within(i, 1, items.length)) &&
    new Set(packed).size === packed.length &&
    total(packed.map((i) => items[i - 1]!.weight)) <= capacity,
  quality({ capacity, items }, { packed }) {
    const worth = total(packed.map((i) => items[i - 1]!.worth))
    // The item that is worth most by its weight, without a division.
    const best = items.reduce((a, b) => (b.worth * a.weight > a.worth * b.weight ? b : a))
    const all = total(items.map((item) => item.worth))
    return capacity * best.worth < all * best.weight ? [worth * best.weight, capacity * best.worth] : [worth, all]
  },
  *solutions(_, { items }) {
    for (const bits of words(items.length, 2)) yield { packed: bits.flatMap((bit, at) => (bit === 2 ? [at + 1] : [])) }
  },
}

interface ColouredGraph {
  readonly colours: readonly number[]
  readonly edges: readonly { readonly a: number; readonly b: number }[]
}

const coveringEdges: Judge<{ joins: { a: number; b: number }[] }, ColouredGraph, { cover: number[] }> = {
  small: { maxVertices: 8 },
  legal({ maxVertices, maxEdges, colours: most }, { joins }, { colours, edges }) {
    const allowed = new Set(joins.flatMap(({ a, b }) => [`${a} ${b}`, `${b} ${a}`]))
    return (
      within(colours.length, 2, maxVertices!) &&
      within(edges.length, 1, maxEdges!) &&
      colours.every((colour) => within(colour, 1, most!)) &&
      edges.every(({ a, b }) => a >= 1 && a < b && b <= colours.length) &&
      edges.every(({ a, b }) => allowed.has(`${colours[a - 1]} ${colours[b - 1]}`)) &&
      new Set(edges.map(({ a, b }) => `${a} ${b}`)).size === edges.length
    )
  },
  feasible: (_, { colours, edges }, { cover }) =>
    cover.every((v) => within(v, 1, colours.length)) &&
    new Set(cover).size === cover.length &&
    edges.every(({ a, b }) => cover.includes(a) || cover.includes(b)),
  quality({ edges }, { cover }) {
    const degrees = new Map<number, number>()
    for (const v of edges.flatMap(({ a, b }) => [a, b])) degrees.set(v, (degrees.get(v) ?? 0) + 1)
    return [Math.ceil(edges.length / Math.max(...degrees.values())), cover.length]
  },
  *solutions(_, { colours }) {
    for (const bits of words(colours.length, 2)) yield { cover: bits.flatMap((bit, at) => (bit === 2 ? [at + 1] : [])) }
  },
}

interface Roads {
  readonly cities: number
  readonly distances: readonly number[]
}

/** The distances as a square table, read row by row. */
function tableOf({ cities, distances }: Roads): readonly (readonly number[])[] {
  const table = whole(1, cities).map(() => whole(1, cities).map(() => 0))
  const left = [...distances]
  for (const a of whole(0, cities - 1)) {
    for (const b of whole(a + 1, cities - 1)) table[a]![b] = table[b]![a] = left.shift()!
  }
  return table
}

const travelling: Judge<{ distances: number[] }, Roads, { tour: number[] }> = {
  small: { maxCities: 6 },
  legal: ({ maxCities }, predicate, { cities, distances }) =>
    within(cities, 3, maxCities!) &&
    distances.length === total(whole(1, cities - 1)) &&
    distances.every((distance) => predicate.distances.includes(distance)),
  feasible: (_, { cities }, { tour }) =>
    tour.length === cities && tour.toSorted((a, b) => a - b).every((city, at) => city === at + 1),
  quality(roads, { tour }) {
    const table = tableOf(roads)
    const shortest = table.map((row, a) => {
      const [first, second] = row.filter((_, b) => b !== a).toSorted((x, y) => x - y)
      return first! + second!
    })
    const way = total(tour.map((city, at) => table[city - 1]![tour[(at + 1) % tour.length]! - 1]!))
    return [total(shortest), 2 * way]
  },
  *solutions(_, { cities }) {
    for (const tour of words(cities, cities)) if (new Set(tour).size === cities) yield { tour }
  },
}

/** By the name of the challenge. */
export const judgesOfCombinations = {
  'graph-colouring': colouring,
  'set-cover': covering,
  'job-scheduling': scheduling,
  'number-partition': partition,
  'longest-common-subsequence': subsequence,
  knapsack: packing,
  'vertex-cover': coveringEdges,
  'travelling-salesman': travelling,
}
