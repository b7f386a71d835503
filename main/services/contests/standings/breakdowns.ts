import type { ConfigPatch, GameContests } from '../../../contract/contests/contest-format.ts'
import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import type { Breakdowns, BreakdownRow } from '../../../contract/contests/standings.ts'
import { pointsOf, shownScore } from '../formats/counting.ts'
import { entrantPlaces } from '../formats/entrant-places.ts'
import type { StagePlace } from '../schedule/stages.ts'

/** The results of entrants in parts of a contest. */
export interface ContestBreakdowns {
  add(match: MatchNumber, entrants: readonly EntrantId[], outcome: Outcome, place: StagePlace): void
  tables(): Breakdowns
}

/** The maximum number of parts over time, each of equally many match numbers. */
const PARTS_MAX = 16
/** The maximum number of rows of a table that is shown; more entrants have no breakdowns. */
const ROWS_MAX = 200

interface Sum {
  matches: number
  points: number
  score: number
}

/** Creates empty breakdowns. `variants`: the format's changes to the config, such as the maps of its matches. */
export function createBreakdowns(
  names: readonly EntrantId[],
  contests: GameContests,
  variants: readonly ConfigPatch[],
): ContestBreakdowns {
  const places = new Map(names.length > ROWS_MAX ? [] : names.map((name, at) => [name, at]))
  const bySeat = createSums(names.length)
  const byVariant = createSums(names.length)
  /** By part of `width` matches. The width doubles when there would be too many parts. */
  let overTime = createSums(names.length)
  let width = 1
  /** The highest number of a match; -1: there is none. */
  let last = -1

  const widenFor = (match: MatchNumber): void => {
    while (match >= width * PARTS_MAX) {
      width *= 2
      overTime = overTime.merged((part) => part >> 1)
    }
  }
  const rowsOf = (sums: Sums, label: (part: number) => string): readonly BreakdownRow[] =>
    [...sums.parts()].map(([part, own]) => {
      const [entrant, of] = part
      const score = shownScore(own.score, contests)
      return { agent: names[entrant]!, part: label(of), ...own, score, pointsPerMatch: own.points / own.matches }
    })

  return {
    add(match, entrants, outcome, { extras, variant }) {
      const points = pointsOf(outcome, contests)
      widenFor(match)
      last = Math.max(last, match)
      const entrantAt = (seat: number): number => {
        const entrant = places.get(entrants[seat] ?? '') ?? -1
        return extras.includes(entrant) ? -1 : entrant
      }
      for (const [at, { seat, score }] of outcome.places.entries()) {
        const entrant = entrantAt(seat)
        if (entrant !== -1) bySeat.add(entrant, seat, { matches: 1, points: points[at]!, score })
      }
      for (const { entrant, points: own, score } of entrantPlaces(outcome, points, entrantAt)) {
        if (entrant === -1) continue
        const reached = { matches: 1, points: own, score }
        // 0 is the contest's own config.
        if (variants.length > 0) byVariant.add(entrant, variant === undefined ? 0 : variant + 1, reached)
        overTime.add(entrant, Math.floor(match / width), reached)
      }
    },
    tables: () => ({
      'By seat': rowsOf(bySeat, (seat) => `seat ${seat + 1}${roleName(contests, seat)}`),
      ...(variants.length === 0
        ? {}
        : { 'By map or setting': rowsOf(byVariant, (number) => variantName(variants, number)) }),
      'Over time': rowsOf(overTime, (part) => matchesName(part * width, Math.min((part + 1) * width - 1, last))),
    }),
  }
}

const matchesName = (from: number, to: number): string => (from === to ? `match ${from}` : `matches ${from} to ${to}`)

const roleName = ({ roleOf }: GameContests, seat: number): string => (roleOf === undefined ? '' : ` (${roleOf(seat)})`)

/** Characters of a value in the name of a variant: a map's name, or the beginning of a text. */
const VALUE_MAX = 24

function variantName(variants: readonly ConfigPatch[], number: number): string {
  const patch = variants[number - 1]
  if (patch === undefined) return 'the settings of the contest'
  const values = Object.entries(patch).map(([field, value]) => `${field} ${valueName(value)}`)
  return `${number}. ${values.join(', ')}`
}

function valueName(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Screens have its name instead.
  if (text.startsWith('sha256:')) return text
  const [line = ''] = text.split('\n')
  return line.length <= VALUE_MAX ? line : `${line.slice(0, VALUE_MAX)}…`
}

interface Sums {
  add(entrant: number, part: number, reached: Readonly<Sum>): void
  /** By entrant, then by part. */
  parts(): Iterable<readonly [readonly [entrant: number, part: number], Readonly<Sum>]>
  /** Sums of larger parts. */
  merged(partOf: (part: number) => number): Sums
}

function createSums(entrants: number): Sums {
  const sums = Array.from({ length: entrants }, (): Map<number, Sum> => new Map())
  const result: Sums = {
    add(entrant, part, { matches, points, score }) {
      const sum = sums[entrant]!.get(part) ?? { matches: 0, points: 0, score: 0 }
      sums[entrant]!.set(part, sum)
      sum.matches += matches
      sum.points += points
      sum.score += score
    },
    *parts() {
      for (const [entrant, own] of sums.entries())
        for (const [part, sum] of [...own].sort(([a], [b]) => a - b)) yield [[entrant, part], { ...sum }] as const
    },
    merged(partOf) {
      const larger = createSums(entrants)
      for (const [[entrant, part], sum] of result.parts()) larger.add(entrant, partOf(part), sum)
      return larger
    },
  }
  return result
}
