import { z } from 'zod'
import { agentManifest } from './agents.ts'
import { contestDescription } from './contests.ts'
import { contestId, sha256Hex } from './ids.ts'

/** What people edit, kept in `class.json`. Never matches, standings or events: those are recomputed from histories. */
export const classroom = z.strictObject({
  format: z.literal('tartaglia-class/1'),
  /** Packages that were handed in, under the hash of their bytes. */
  agents: z.array(z.strictObject({ hash: sha256Hex, manifest: agentManifest })),
  contests: z.array(
    z.strictObject({
      id: contestId,
      description: contestDescription,
      /** Random; histories commit to the seed with it, so that nobody computes later matches from a history. */
      nonce: sha256Hex,
      /** open: it goes on when it is run again. cancelled: it was given up; what was played stays. */
      state: z.enum(['open', 'ended', 'cancelled']),
    }),
  ),
})
export type Classroom = z.infer<typeof classroom>
