import { z } from 'zod'
import { agentManifest, webAddress } from './agents.ts'
import { arenaPlace } from './arena.ts'
import { contestDescription } from './contests.ts'
import { contestId, entrantId, matchNumber, sha256Hex } from './ids.ts'
import { apartTier } from './limits.ts'
import { bounty } from './policy.ts'
import { trustedKeys } from './trusted-keys.ts'

const webAddresses = z.array(webAddress).max(1_000)

/** What an educator chooses once for the class. */
export const settings = z.strictObject({
  appearance: z.enum(['system', 'light', 'dark']),
  /** BCP 47, for numbers and dates; empty: the system's. */
  locale: z
    .string()
    .max(35)
    .regex(/^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$/, 'expected a language tag such as en-GB'),
  /** The tour has been taken or skipped for ever. */
  tourSeen: z.boolean(),
  /** The weakest tier in which agents that are handed in may play their smoke match. */
  isolation: apartTier,
  /** Where web applications that play may be: at one of these addresses, or below one. Nothing else is ever asked. */
  webAddresses,
  /** Whose histories are genuine beside the class's own: other classes, other schools. */
  trustedKeys,
  /** Whether letters, digits and signs alone are keys for commands (WCAG 2.1.4). */
  letterKeys: z.boolean(),
})
export type ClassSettings = z.infer<typeof settings>

/** What the smoke match said of an agent's version: does it walk and talk, in a sentence for the student. */
const smoke = z.strictObject({ ok: z.boolean(), text: z.string().max(8_000) })

/** A package that was handed in, under the hash of its bytes. Versions with one name in their manifests are one agent. */
const agentVersion = z.strictObject({
  hash: sha256Hex,
  manifest: agentManifest,
  /** Names that its agent had before, the last one last: contests keep them. */
  formerly: z.array(entrantId).exactOptional(),
  /** Folders from before this was noted say the beginning of time. */
  submitted: z.iso.datetime().default('1970-01-01T00:00:00.000Z'),
  /** null: not played yet. */
  smoke: smoke.nullable().default(null),
})
export type StoredAgentVersion = z.infer<typeof agentVersion>

/** Of a contest in which nobody may treat others differently: how likely what agents did is, if they treat all alike. */
const targeting = z.strictObject({
  /** Matches that were looked at. */
  matches: z.int().min(0),
  /** The clearest first; those of whom there is anything to be compared. */
  agents: z
    .array(
      z.strictObject({
        agent: entrantId,
        p: z.number().min(0).max(1),
        flagged: z.boolean(),
        /** What speaks most for it: what was done with `other`, and the mean value of it beside what was to be expected. */
        finding: z.strictObject({
          about: z.string().max(100),
          /** A name, whose characters may each be two units. */
          other: z.string().max(128),
          mean: z.number(),
          expected: z.number(),
          /** `input`: its place among the inputs of the match, from 0. */
          events: z.array(z.strictObject({ match: matchNumber, input: z.int().min(0), what: z.string() })).max(10),
        }),
      }),
    )
    .max(100),
})
export type TargetingReport = z.infer<typeof targeting>

/** A contest, and how far the educator has taken it. */
const contestEntry = z.strictObject({
  id: contestId,
  description: contestDescription,
  /** Random; histories commit to the seed with it, so that nobody computes later matches from a history. */
  nonce: sha256Hex,
  /** open: it goes on when it is run again. cancelled: it was given up; what was played stays. */
  state: z.enum(['open', 'ended', 'cancelled']),
  /** It was running or waiting for its turn in a classroom: it goes on as soon as that is open again. */
  goesOn: z.literal(true).exactOptional(),
  /** Where agents of other machines connect when it is run from a window; absent: nobody has said. */
  arena: arenaPlace.exactOptional(),
  /** Oldest first; of a practice contest alone. */
  bounties: z.array(bounty).max(10_000).exactOptional(),
  /** What playing a sample of its matches again has found; absent: it was not. */
  playedAgain: z.strictObject({ matches: z.int().min(0), different: z.array(matchNumber).max(10_000) }).exactOptional(),
  /** What was found when it had ended; absent: nobody has looked. */
  targeting: targeting.exactOptional(),
})
export type ContestEntry = z.infer<typeof contestEntry>

/** What people edit, kept in `class.json`. Never matches, standings or events: those are recomputed from histories. */
export const classroom = z.strictObject({
  format: z.literal('tartaglia-class/1'),
  settings: settings
    .extend({
      webAddresses: webAddresses.default([]),
      trustedKeys: trustedKeys.default([]),
      letterKeys: z.boolean().default(true),
    })
    .default({
      appearance: 'system',
      locale: '',
      tourSeen: false,
      isolation: 'bubblewrap',
      webAddresses: [],
      trustedKeys: [],
      letterKeys: true,
    }),
  /** Oldest first. */
  agents: z.array(agentVersion),
  contests: z.array(contestEntry),
})
export type Classroom = z.infer<typeof classroom>
