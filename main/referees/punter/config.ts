import * as z from 'zod'
import { readCourse, type Course } from './course.ts'

/** More characters than any map of the contest of 2017 had. */
const MAP_CHARACTERS = 16_777_216

const fields = z.strictObject({
  /** The whole text of a map file: JSON with sites, rivers and mines. */
  map: z.string().min(1).max(MAP_CHARACTERS),
  /** Repairs a map with faults; otherwise it is refused. */
  repair: z.boolean().default(false),
  /** The edition of the rules: that of the first day has no extensions, no handshake offline, and a stop that hides no moves. */
  edition: z.enum(['1.0', '1.3']).default('1.3'),
  futures: z.boolean().default(false),
  splurges: z.boolean().default(false),
  options: z.boolean().default(false),
  /** Tells punters the coordinates of sites. */
  coordinates: z.boolean().default(false),
  /** The number of time-outs that makes a zombie. */
  maxTimeouts: z.int().min(1).max(1_000).default(10),
  /** The time-outs that count: all of a match, or those since the last answer. */
  timeouts: z.enum(['total', 'in-a-row']).default('total'),
  /** Ends the input of an offline process after its message, for programs that read until the end. */
  endInput: z.boolean().default(false),
})

/** The settings of a contest, with the official server's choices as defaults. */
export type Config = z.infer<typeof fields>

/** Parses a config and reads its map. */
export const config: z.ZodType<Config> = fields.superRefine((value, context) => {
  const complain = (path: keyof Config, message: string): void =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (value.edition === '1.0') {
    for (const extension of ['futures', 'splurges', 'options'] as const)
      if (value[extension]) complain(extension, 'edition 1.0 has no extensions')
  }
  const read = readCourse(value.map, value.repair)
  if ('problems' in read) complain('map', read.problems.join(' '))
})

/** The map of a config that was parsed by the schema. */
export function courseOf({ map, repair }: Pick<Config, 'map' | 'repair'>): Course {
  const read = readCourse(map, repair)
  if ('problems' in read) throw new Error(`the map cannot be used: ${read.problems.join(' ')}`)
  return read.course
}
