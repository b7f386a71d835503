import { z } from 'zod'
import { readMapFile, type HerdMap } from './maps/map-file.ts'

const percent = z.int().min(0).max(100)
const fields = z.strictObject({
  /** The whole text of a map file. */
  map: z.string().min(1),
  steps: z.int().min(1).max(10_000).default(700),
  /** Per cent of actions that fail by chance. */
  failures: percent.default(10),
  /** Per cent of cells whose content a body is not told. */
  unknown: percent.default(10),
})
export type Config = z.infer<typeof fields>

export const config: z.ZodType<Config> = fields.superRefine(({ map }, context) => {
  const read = readMapFile(map)
  if ('problems' in read) context.addIssue({ code: 'custom', path: ['map'], message: read.problems.join(' ') })
})

const KEPT = 8
const known = new Map<string, HerdMap>()

/** The map of a config that was parsed by the schema. */
export function mapOf({ map }: Pick<Config, 'map'>): HerdMap {
  const found = known.get(map) ?? readAnew(map)
  known.delete(map)
  known.set(map, found)
  if (known.size > KEPT) known.delete(known.keys().next().value!)
  return found
}

function readAnew(text: string): HerdMap {
  const read = readMapFile(text)
  if ('problems' in read) throw new Error(`the map cannot be used: ${read.problems.join(' ')}`)
  return read.map
}
