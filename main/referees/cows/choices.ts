import * as z from 'zod'

/** The settings of the tournament. */
export const tournamentSettings = z.strictObject({
  /** Maps by name, by file, by hash, or as whole texts: a simulation on each, so that an odd number leaves no draw by simulations. */
  maps: z.array(z.string().min(1)).min(1).max(25).default(['meadow', 'prairie', 'canyons']),
  /** Matches of each pair; the corrals of an even one are those of the odd one before it, swapped. */
  matches: z.int().min(1).max(100).default(2),
})
export type TournamentSettings = z.infer<typeof tournamentSettings>
