import * as z from 'zod'
import { securityPolicy } from '../contests/policy.ts'
import { isolationTier } from '../limits.ts'
import { rerun, targetingReport } from '../procedures/classroom.ts'
import { entrySchool } from './output-parts.ts'
import {
  contestRulings,
  ratedRow,
  ratedRowBody,
  seedReveal,
  sessionResult,
  toolchainDifferences,
} from './standings-parts.ts'

const interval = z.tuple([z.number(), z.number()]).nullable()

/** Sessions have the game's own counts beside their results. */
const standing = z.union([
  ratedRowBody.extend({ pointsInterval: interval, session: sessionResult.catchall(z.unknown()) }),
  ratedRow.omit({ session: true }).extend({ pointsInterval: interval }),
])

const breakdownRow = z.union([
  z.strictObject({
    ...{ agent: z.string(), part: z.string(), pointsPerMatch: z.number() },
    ...{ matches: z.number(), points: z.number(), score: z.number() },
  }),
  // A row of the game's table of parts, with a value for each of its columns.
  z.looseObject({ agent: z.string(), part: z.string().nullable(), role: z.string() }),
])

/** The game's own counts are beside these. */
const pairRow = z.looseObject({
  ...{ first: z.string(), second: z.string(), sessions: z.number() },
  ...{ score: z.array(z.number()), aborts: z.array(z.number()) },
})

const shareRow = z.strictObject({
  ...{ rank: z.number(), team: z.string(), points: z.number() },
  ...{ given: z.number(), received: z.number(), total: z.number() },
})

const workerRecord = z.strictObject({
  ...{ worker: z.string(), matches: z.number(), refused: z.number(), interrupted: z.number() },
  ...{ voided: z.number(), confirmed: z.number(), different: z.number(), ms: z.number() },
})

const phases = z.strictObject({
  contests: z.array(z.string()),
  weights: z.array(z.number()),
  deadline: z.string().nullable(),
  combined: z.array(
    z.strictObject({
      ...{ agent: z.string(), rank: z.number(), points: z.number() },
      byPhase: z.array(z.number().nullable()),
    }),
  ),
})

/** The report of a contest that was played, or stopped. A format adds tables of its own, by their names. */
export const playedContest = z.looseObject({
  contest: z.string(),
  title: z.string(),
  seed: z.string().nullable(),
  state: z.enum(['finished', 'stopped']),
  isolation: isolationTier,
  policy: securityPolicy,
  counts: z.boolean(),
  reveal: seedReveal,
  matches: z.strictObject({ total: z.number(), played: z.number(), void: z.number() }),
  ending: z.string().nullable(),
  toolchains: toolchainDifferences,
  playedAgain: z.strictObject({ matches: z.number(), different: z.array(z.number()) }).nullable(),
  targeting: targetingReport.nullable(),
  standings: z.array(standing),
  shareIntervals: z.array(interval),
  headToHead: z.strictObject({
    names: z.array(z.string()),
    better: z.array(z.array(z.number())),
    met: z.array(z.array(z.number())),
    scores: z.literal(true).optional(),
  }),
  breakdowns: z.record(z.string(), z.array(breakdownRow)),
  parts: z.strictObject({ title: z.string(), matches: z.number(), complete: z.boolean() }).optional(),
  ruled: contestRulings.optional(),
  shares: z.array(shareRow).optional(),
  histories: z.array(
    z.union([
      z.strictObject({ match: z.number(), file: z.string() }),
      z.strictObject({ match: z.number(), folder: z.string(), run: z.number() }),
    ]),
  ),
  data: z.string(),
  resumed: z.boolean(),
  workers: z.array(workerRecord),
  phases: phases.nullable(),
  schools: z.array(
    z.strictObject({ entrant: z.string(), pseudonym: z.string(), agent: z.string(), school: entrySchool }),
  ),
  rerun: rerun.nullable(),
  pairs: z.array(pairRow).optional(),
})
