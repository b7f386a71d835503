import * as z from 'zod'
import { MAP_CHARACTERS_MAX, type HerdMap } from './maps/map-file.ts'
import { readMap } from './maps/server-config.ts'

/** A match is one simulation on one map; a tournament plays several (maps/tournament.ts). Weights within spec 5.1. */
const fields = z.strictObject({
  /** The whole text of a map, see readMap. */
  map: z.string().min(1).max(MAP_CHARACTERS_MAX),
  steps: z.int().min(1).max(10_000).default(700),
  /** `document`: the written rules. `server-2008`: what the organisers' server did. */
  profile: z.enum(['document', 'server-2008']).default('document'),
  cowWeight: z.int().min(1).max(10).default(5),
  cowPrivateWeight: z.int().min(-10).max(-1).default(-10),
  agentWeight: z.int().min(-300).max(-100).default(-200),
  /** Obstacles have the opposite weight, corrals the same. */
  emptyWeight: z.int().min(1).max(10).default(1),
  /** Per cent of actions that fail. */
  failure: z.int().min(0).max(100).default(10),
  /** Side of the square that a herder sees, in cells: an odd number; null: 17 (spec 5.2). */
  lineOfSight: z
    .int()
    .min(1)
    .max(41)
    .refine((side) => side % 2 === 1, 'it must be odd')
    .nullable()
    .default(null),
  /** How far a cow sees in each direction, in cells; null: as the profile has it. */
  attractionRange: z.int().min(1).max(20).nullable().default(null),
  /** A herder frightens a cow that is nearer than this, in cells; null: as the profile has it. */
  fearRange: z.int().min(1).max(21).nullable().default(null),
})
export type Config = z.infer<typeof fields>

/** Parses a config and reads its map. */
export const config: z.ZodType<Config> = fields.superRefine(({ map }, context) => {
  const read = readMap(map)
  if ('problems' in read) context.addIssue({ code: 'custom', path: ['map'], message: read.problems.join(' ') })
})

/** How far bodies see, in cells. */
export interface Ranges {
  /** A herder, in each direction. */
  readonly sight: number
  /** A cow, in each direction. */
  readonly attraction: number
  /** A herder that is nearer frightens a cow; Infinity: every herder that it sees does. */
  readonly fear: number
}

/** Spec 5.2: 17 by 17 cells. */
const LINE_OF_SIGHT = 17

/** The ranges of a match. Cows see 9 by 9 cells as written (spec 5.2); on the organisers' server 11 by 11, and fear within 7 by 7. */
export function rangesOf(config: Pick<Config, 'profile' | 'lineOfSight' | 'attractionRange' | 'fearRange'>): Ranges {
  const asServer = config.profile === 'server-2008'
  return {
    sight: ((config.lineOfSight ?? LINE_OF_SIGHT) - 1) / 2,
    attraction: config.attractionRange ?? (asServer ? 5 : 4),
    fear: config.fearRange ?? (asServer ? 4 : Infinity),
  }
}

/** The map of a config that was parsed by the schema. */
export function mapOf({ map }: Pick<Config, 'map'>): HerdMap {
  const read = readMap(map)
  if ('problems' in read) throw new Error(`the map cannot be used: ${read.problems.join(' ')}`)
  return read.map
}
