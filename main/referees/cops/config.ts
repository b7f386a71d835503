import * as z from 'zod'
import { readTown, type Town } from './town.ts'

/** By cop: the odd world in which it lists itself on the black market; 0: never. */
export const marketWorlds = z
  .array(
    z
      .int()
      .min(0)
      .max(199)
      .refine((world) => world === 0 || world % 2 === 1, 'expected an odd world, or 0 for never'),
  )
  .max(5)

const fields = z.strictObject({
  /** The whole text of a map: a world skeleton (section 3.2.2), whose names of players do not matter. */
  map: z.string(),
  /** The rule set: that of the first phase, or that of the second with bribes, pushes and accusations. */
  rules: z.enum(['2005', '2005-twist']).default('2005'),
  /**
   * How the text of the second phase is read; absent: as by this program before it had the setting. Both readings are described in
   * docs/games/cops.md, "Earlier matches".
   */
  secondPhase: z.enum(['earlier', 'as-written']).exactOptional(),
  /** From the last cop on; their own announcements do not count. Cops without an entry announce for themselves. */
  marketWorlds: marketWorlds.exactOptional(),
  /** The number of the last world: a robber that nobody has caught by its end has escaped. */
  lastWorld: z.int().min(2).max(200).multipleOf(2).default(200),
  /** The penalty for an illegal, malformed or late message. A robot whose brain is gone stands still. */
  illegal: z.enum(['disqualified', 'stands-still']).default('disqualified'),
  /** The number of McGruffs, the last ones of the cops, which stand still where others would be disqualified (section 4). */
  mcgruffs: z.int().min(0).max(5).default(0),
  /** With fewer than six entrants: whether the first one plays the robber or the first cop. */
  first: z.enum(['robber', 'cop']).default('robber'),
})

/** The defaults of a new contest. In recorded configs, absent settings keep their original meaning. */
export const newContestSettings = { secondPhase: 'as-written' } as const

/** The settings of a contest; the defaults are those of the playoffs of 2005. */
export type Config = z.infer<typeof fields>

/** Parses a config and checks its map. */
export const config: z.ZodType<Config> = fields.superRefine(({ map }, context) => {
  const problem = mapProblem(map)
  if (problem !== null) context.addIssue({ code: 'custom', path: ['map'], message: problem })
})

/** Why a text is not a map; null: it is one. */
export function mapProblem(text: string): string | null {
  const read = readTown(text)
  return 'problems' in read ? read.problems.join(' ') : null
}

/** The map of a config that was parsed by the schema. */
export function townOf({ map }: Pick<Config, 'map'>): Town {
  const read = readTown(map)
  if ('problems' in read) throw new Error(`the map cannot be used: ${read.problems.join(' ')}`)
  return read.town
}
