import { lazily } from '../../lazily.ts'
import type { BestKnown, Exchange, Exported, ImportedMaterial } from './format.ts'
import { readingWith } from './reading.ts'
import { placesOnEarth } from './well-known.ts'
import { endOf, linesOf, Unreadable, wholeNumber, type Word } from './words.ts'

interface Cities {
  readonly cities: number
  readonly distances: readonly number[]
}

type Point = readonly [number, number]

/** The lengths of the shortest tours of problems of TSPLIB with at most 100 cities. */
const shortest: Readonly<Record<string, number>> = {
  ...{ burma14: 3323, ulysses16: 6859, gr17: 2085, gr21: 2707, ulysses22: 7013, gr24: 1272, fri26: 937, bays29: 2020 },
  ...{ bayg29: 1610, dantzig42: 699, swiss42: 1273, gr48: 5046, hk48: 11461, att48: 10628, eil51: 426, berlin52: 7542 },
  ...{
    brazil58: 25395,
    st70: 675,
    eil76: 538,
    pr76: 108159,
    rat99: 1211,
    kroA100: 21282,
    kroB100: 22141,
    kroC100: 20749,
  },
}

const MOST_CITIES = 1_000

/**
 * TSPLIB for travelling-salesman: coordinates (EUC_2D, CEIL_2D, ATT, GEO), whose distances are computed and rounded as TSPLIB 95 says, or
 * EXPLICIT distances as a matrix or one of its halves.
 */
export const tours: Exchange = readingWith({
  formats: ['tsp'],
  read,
  instance: { fields: { cities: 'int', distances: { list: 'int' } } },
  write: (instance, format = 'tsp') => write(instance as unknown as Cities, format),
  recognized: (instance) => recognized(instance as unknown as Cities),
})

/** The distances of problems that can be made anew. */
const made = lazily(() =>
  Object.entries(placesOnEarth).map(([name, places]) => {
    const distance = onEarth(places)
    const pairs = places.flatMap((_, a) => places.slice(a + 1).map((_, later) => distance(a, a + 1 + later)))
    return { name, distances: pairs.join() }
  }),
)

function recognized({ cities, distances }: Cities): BestKnown | null {
  const name = made().find((one) => one.name.endsWith(String(cities)) && one.distances === distances.join())?.name
  return name === undefined ? null : { name, measure: shortest[name]!, settings: {} }
}

interface Sections {
  readonly fields: ReadonlyMap<string, { readonly value: string; readonly word: Word }>
  readonly points: readonly (readonly Word[])[]
  readonly weights: readonly Word[]
}

function read(text: string): ImportedMaterial {
  const { fields, points, weights } = sectionsOf(text)
  const field = (name: string): { readonly value: string; readonly word: Word } => {
    const found = fields.get(name)
    if (found === undefined) throw new Unreadable(endOf(text), `The line ${name} is missing.`)
    return found
  }
  const type = fields.get('TYPE')
  if (type !== undefined && type.value !== 'TSP')
    throw new Unreadable(type.word.at, `Only the TYPE TSP can be read, not ${type.value.slice(0, 40)}.`)
  const dimension = field('DIMENSION')
  const n = wholeNumber({ text: dimension.value, at: dimension.word.at }, 3, 'The DIMENSION')
  if (n > MOST_CITIES) throw new Unreadable(dimension.word.at, `At most ${MOST_CITIES} cities can be read, not ${n}.`)
  const kind = field('EDGE_WEIGHT_TYPE')
  const distance =
    kind.value === 'EXPLICIT'
      ? explicit(n, field('EDGE_WEIGHT_FORMAT'), weights, text)
      : between(pointsOf(n, points, text), kind)
  const distances: number[] = []
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      const length = distance(a, b)
      if (length < 1)
        throw new Unreadable(
          endOf(text),
          `Cities ${a + 1} and ${b + 1} have the distance ${length}; it must be at least 1.`,
        )
      distances.push(length)
    }
  }
  const name = fields.get('NAME')?.value.replace(/\.tsp$/, '') ?? ''
  // These names end with the number of cities; a file may have the name of another problem.
  const best = Object.hasOwn(shortest, name) && name.endsWith(String(n)) ? shortest[name] : undefined
  const different = [...new Set(distances)].toSorted((a, b) => a - b)
  return {
    instance: { cities: n, distances },
    predicate: { distances: different },
    config: { maxCities: n, maxDistance: different.at(-1)! },
    notes: [],
    best: best === undefined ? null : { name, measure: best, settings: {} },
  }
}

function sectionsOf(text: string): Sections {
  const fields = new Map<string, { readonly value: string; readonly word: Word }>()
  const points: (readonly Word[])[] = []
  const weights: Word[] = []
  let section = ''
  for (const words of linesOf(text, /:|[^\s:]+/g)) {
    const [first, second] = words as [Word, Word | undefined]
    if (first.text === 'EOF') break
    if (/^[A-Z]\w*_SECTION$/.test(first.text)) section = first.text
    else if (/^[A-Z]/.test(first.text)) {
      section = ''
      const values = words.slice(second?.text === ':' ? 2 : 1)
      fields.set(first.text, { value: values.map((word) => word.text).join(' '), word: values[0] ?? first })
    } else if (section === 'NODE_COORD_SECTION') points.push(words)
    else if (section === 'EDGE_WEIGHT_SECTION') weights.push(...words)
    else if (section === '')
      throw new Unreadable(first.at, 'A line of TSPLIB begins with a word, such as NAME or DIMENSION.')
  }
  return { fields, points, weights }
}

function pointsOf(n: number, lines: Sections['points'], text: string): readonly Point[] {
  if (lines.length !== n)
    throw new Unreadable(endOf(text), `There are ${lines.length} cities, but the DIMENSION is ${n}.`)
  return lines.map(([number, x, y], at) => {
    const values = [x, y].map((word) =>
      /^[-+]?(?:\d{1,15}\.?\d{0,15}|\.\d{1,15})(?:e[-+]?\d{1,2})?$/i.test(word?.text ?? '') ? Number(word!.text) : NaN,
    )
    if (number?.text !== String(at + 1) || values.some((value) => !(Math.abs(value) <= 1e9)))
      throw new Unreadable(number!.at, `City ${at + 1} must be its number and two coordinates.`)
    return values as unknown as Point
  })
}

/** The distances of TSPLIB 95, section 2. */
function between(points: readonly Point[], { value, word }: { readonly value: string; readonly word: Word }) {
  const apart = (a: number, b: number): number =>
    Math.hypot(points[a]![0] - points[b]![0], points[a]![1] - points[b]![1])
  switch (value) {
    case 'EUC_2D':
      return (a: number, b: number) => Math.floor(apart(a, b) + 0.5)
    case 'CEIL_2D':
      return (a: number, b: number) => Math.ceil(apart(a, b))
    case 'ATT':
      return (a: number, b: number) => Math.ceil(apart(a, b) / Math.sqrt(10))
    case 'GEO':
      return onEarth(points)
    default:
      throw new Unreadable(
        word.at,
        `Distances can be EUC_2D, CEIL_2D, ATT, GEO or EXPLICIT, not ${value.slice(0, 40)}.`,
      )
  }
}

function onEarth(points: readonly Point[]): (a: number, b: number) => number {
  const radian = (x: number): number => (3.141592 * (Math.trunc(x) + (5 * (x - Math.trunc(x))) / 3)) / 180
  const places = points.map(([x, y]) => [radian(x), radian(y)] as const)
  return (a, b) => {
    const [[latitude, longitude], [otherLatitude, otherLongitude]] = [places[a]!, places[b]!]
    const q1 = Math.cos(longitude - otherLongitude)
    const q2 = Math.cos(latitude - otherLatitude)
    const q3 = Math.cos(latitude + otherLatitude)
    return Math.trunc(6378.388 * Math.acos(0.5 * ((1 + q1) * q2 - (1 - q1) * q3)) + 1)
  }
}

function explicit(
  n: number,
  { value, word }: { readonly value: string; readonly word: Word },
  weights: readonly Word[],
  text: string,
) {
  /** The length of row a, and the column with which it begins. */
  const forms: Readonly<Record<string, (row: number) => readonly [number, number]>> = {
    FULL_MATRIX: () => [n, 0],
    UPPER_ROW: (row) => [n - 1 - row, row + 1],
    LOWER_ROW: (row) => [row, 0],
    UPPER_DIAG_ROW: (row) => [n - row, row],
    LOWER_DIAG_ROW: (row) => [row + 1, 0],
  }
  const form = Object.hasOwn(forms, value) ? forms[value] : undefined
  if (form === undefined)
    throw new Unreadable(word.at, `Matrices can be ${Object.keys(forms).join(', ')}, not ${value.slice(0, 40)}.`)
  const known = new Map<number, number>()
  let at = 0
  for (let row = 0; row < n; row++) {
    const [length, first] = form(row)
    for (let column = first; column < first + length; column++) {
      const weight = weights[at++]
      if (weight === undefined) throw new Unreadable(endOf(text), `The distances end before those of city ${row + 1}.`)
      const distance = wholeNumber(weight, 0, 'A distance')
      const key = Math.min(row, column) * n + Math.max(row, column)
      if (row !== column && known.has(key) && known.get(key) !== distance)
        throw new Unreadable(
          weight.at,
          `Cities ${column + 1} and ${row + 1} have two distances; the way back must be as long.`,
        )
      known.set(key, distance)
    }
  }
  const rest = weights[at]
  if (rest !== undefined) throw new Unreadable(rest.at, 'There are more distances than pairs of cities.')
  return (a: number, b: number): number => known.get(a * n + b)!
}

function write({ cities, distances }: Cities, format: string): Exported {
  if (format !== 'tsp') return { ok: false, error: `travelling-salesman can be written as tsp, not as ${format}.` }
  const head = [
    'NAME: tour',
    'TYPE: TSP',
    `DIMENSION: ${cities}`,
    'EDGE_WEIGHT_TYPE: EXPLICIT',
    'EDGE_WEIGHT_FORMAT: UPPER_ROW',
  ]
  const rows: string[] = []
  let at = 0
  for (let row = 1; row < cities; row++) {
    rows.push(distances.slice(at, at + cities - row).join(' '))
    at += cities - row
  }
  return { ok: true, format, text: [...head, 'EDGE_WEIGHT_SECTION', ...rows, 'EOF', ''].join('\n') }
}
