import { z } from 'zod'
import { MAP_CHARACTERS_MAX, readMapFile, type HerdMap } from './maps/map-file.ts'

/** A match is one simulation on one map; a tournament plays several (maps/tournament.ts). Weights within spec 5.1. */
const fields = z.strictObject({
  /** The whole text of a map file, see maps/map-file.ts. */
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
})
export type Config = z.infer<typeof fields>

/** Parses a config and reads its map. */
export const config: z.ZodType<Config> = fields.superRefine(({ map }, context) => {
  const read = readMapFile(map)
  if ('problems' in read) context.addIssue({ code: 'custom', path: ['map'], message: read.problems.join(' ') })
})

/** The map of a config that was parsed by the schema. */
export function mapOf({ map }: Pick<Config, 'map'>): HerdMap {
  const read = readMapFile(map)
  if ('problems' in read) throw new Error(`the map cannot be used: ${read.problems.join(' ')}`)
  return read.map
}
