import * as z from 'zod'
import { marketWorlds } from './config.ts'

/** The settings of the contest in pods. */
export const podsSettings = z.strictObject({
  /** A contestant who does not win its pod against the house in the regular season is eliminated. */
  elimination: z.boolean().default(true),
  /** How often a pod is played again when one of its members is disqualified; after that, those members just leave. */
  reruns: z.int().min(0).max(5).default(2),
  /** Second phase, regular season: when cops of the house list themselves, from the last one on; the others never do. Empty: as they like. */
  houseMarket: marketWorlds.default([]),
})
export type PodsSettings = z.infer<typeof podsSettings>
