import * as z from 'zod'
import { SEATS_MAX } from '../../contract/contests/contests.ts'

/** Maps by name, by file, by hash, or as whole texts. */
const maps = z.array(z.string().min(1)).min(1).max(100)

/** The settings of the contest in rounds; see `rounds`. */
export const roundsSettings = z.strictObject({
  /** 1: every entrant plays on the small maps, and nobody is eliminated. */
  rounds: z.int().min(1).max(3).default(3),
  /** Punters in a game; fewer where fewer are left. */
  seats: z.int().min(2).max(SEATS_MAX).default(4),
  /** Games of each entrant on each map of a round. */
  games: z.int().min(1).max(1_000).default(4),
  small: maps.default(['lambda', 'sierpinski']),
  larger: maps.default(['web', 'town']),
  fiendish: maps.default(['city', 'archipelago']),
})
export type RoundsSettings = z.infer<typeof roundsSettings>

/** The names of each round's maps in section 6 of the specification, and in the settings. */
export const roundNames = ['small', 'larger', 'fiendish'] as const

/** The maps of each round. */
export function mapsOfRounds(settings: RoundsSettings): readonly (readonly string[])[] {
  return roundNames.slice(0, settings.rounds).map((name) => settings[name])
}
