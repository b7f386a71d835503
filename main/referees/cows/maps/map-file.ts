import * as z from 'zod'
import { complaintLine, parsePlainly } from '../../../contract/complaints.ts'

/** The organisers' code did not take larger grids. */
export const SIDE_MAX = 200
/** The smallest side on which two corrals and two teams fit. */
export const SIDE_MIN = 4
export const HERDERS_MAX = 20

/** A cell: x grows to the east, y to the south, both from 0. */
export type Cell = readonly [x: number, y: number]

const coordinate = z
  .int()
  .min(0)
  .max(SIDE_MAX - 1)
const cell = z.tuple([coordinate, coordinate])
const rectangle = z.strictObject({ x0: coordinate, y0: coordinate, x1: coordinate, y1: coordinate })
/** A rectangle of cells with both its corners. */
export type Rectangle = Readonly<z.infer<typeof rectangle>>

const herders = z.array(cell).min(1).max(HERDERS_MAX)

/** The meaning of the characters of a row. */
export const terrain = { empty: '.', obstacle: '#', cow: 'c' } as const

/**
 * The beginning of a simulation. `rows`: from north to south, a character a cell, see `terrain`. `corrals` and `herders`: of
 * both teams; a herder's number is its place in the list.
 */
const mapFile = z.strictObject({
  rows: z
    .array(
      z
        .string()
        .min(SIDE_MIN)
        .max(SIDE_MAX)
        .regex(/^[.#c]+$/, 'a row has the characters "." (empty), "#" (obstacle) and "c" (cow)'),
    )
    .min(SIDE_MIN)
    .max(SIDE_MAX),
  corrals: z.tuple([rectangle, rectangle]),
  herders: z.tuple([herders, herders]),
})
export type HerdMap = z.infer<typeof mapFile>

/** A map, or what is wrong with it, a sentence each. */
export type MapReading = { readonly map: HerdMap } | { readonly problems: readonly string[] }

/** More characters than any map file needs. */
export const MAP_CHARACTERS_MAX = 262_144
/** Problems of one map that are listed; a file may have hundreds. */
const LISTED_MAX = 20

/** Reads the text of a map file: JSON as `mapText` writes it. */
export function readMapFile(text: string): MapReading {
  if (text.length > MAP_CHARACTERS_MAX)
    return { problems: [`The map has more than ${MAP_CHARACTERS_MAX.toLocaleString('en')} characters.`] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problems: [`The map is not JSON: ${error instanceof Error ? error.message : String(error)}.`] }
  }
  const parsed = parsePlainly(mapFile, value)
  if (!parsed.ok) return { problems: [`The map cannot be read: ${complaintLine(parsed.complaint)}.`] }
  const problems = mapProblems(parsed.value)
  return problems.length === 0 ? { map: parsed.value } : { problems: problems.slice(0, LISTED_MAX) }
}

/** A map as the text of a file, with one row or cell a line. */
export function mapText({ rows, corrals, herders }: HerdMap): string {
  const list = (items: readonly string[], indent: string): string =>
    `[\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}]`
  const corralTexts = corrals.map(({ x0, y0, x1, y1 }) => `{ "x0": ${x0}, "y0": ${y0}, "x1": ${x1}, "y1": ${y1} }`)
  const teams = herders.map((team) =>
    list(
      team.map(([x, y]) => `[${x}, ${y}]`),
      '    ',
    ),
  )
  const rowTexts = rows.map((row) => JSON.stringify(row))
  return `{\n  "rows": ${list(rowTexts, '  ')},\n  "corrals": ${list(corralTexts, '  ')},\n  "herders": ${list(teams, '  ')}\n}\n`
}

export function isInside({ x0, y0, x1, y1 }: Rectangle, [x, y]: Cell): boolean {
  return x0 <= x && x <= x1 && y0 <= y && y <= y1
}

/** The problems of a map, a sentence each. */
export function mapProblems({ rows, corrals, herders }: HerdMap): readonly string[] {
  const [width, height] = [rows[0]!.length, rows.length]
  const ragged = rows.findIndex((row) => row.length !== width)
  if (ragged !== -1) return [`Row ${ragged} has ${rows[ragged]!.length} cells and row 0 has ${width}.`]
  return [
    ...corrals.flatMap((corral, team) => corralProblems(corral, team, width, height)),
    ...(overlap(corrals[0], corrals[1]) ? ['The corrals have a cell in common.'] : []),
    ...herderProblems(herders, rows),
    ...(rows.some((row) => row.includes(terrain.cow)) ? [] : ['The map has no cows: nobody could score.']),
  ]
}

function corralProblems({ x0, y0, x1, y1 }: Rectangle, team: number, width: number, height: number): readonly string[] {
  if (x0 > x1 || y0 > y1) return [`The corral of team ${team} ends before it begins.`]
  return x1 < width && y1 < height ? [] : [`The corral of team ${team} is not within the grid.`]
}

function herderProblems(herders: HerdMap['herders'], rows: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  const problems: string[] = []
  if (herders[0].length !== herders[1].length)
    problems.push(`Team 0 has ${herders[0].length} herders and team 1 has ${herders[1].length}.`)
  for (const [team, list] of herders.entries()) {
    for (const [number, [x, y]] of list.entries()) {
      const who = `Herder ${number} of team ${team}`
      const below = rows[y]?.[x]
      if (below === undefined) problems.push(`${who} is not within the grid.`)
      else if (below !== terrain.empty) problems.push(`${who} stands on ${below === '#' ? 'an obstacle' : 'a cow'}.`)
      else if (taken.has(`${x} ${y}`)) problems.push(`${who} stands on another herder.`)
      taken.add(`${x} ${y}`)
    }
  }
  return problems
}

const overlap = (a: Rectangle, b: Rectangle): boolean => a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1
