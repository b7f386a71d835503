import * as z from 'zod'
import { playedContest } from './played-contest-output.ts'
import { contestRulings, ratedRow, seedReveal, toolchainDifferences } from './standings-parts.ts'

const award = z.union([
  z.strictObject({ agent: z.string(), amount: z.number(), by: z.literal('educator'), why: z.string() }),
  z.strictObject({
    agent: z.string(),
    amount: z.number(),
    by: z.literal('ruling'),
    ruling: z.number(),
    case: z.string(),
  }),
])

const listedContest = z.strictObject({
  contest: z.string(),
  title: z.string(),
  state: z.enum(['open', 'ended', 'cancelled']),
  entrants: z.number(),
  archived: z.boolean(),
  policy: z.strictObject({
    administratorAttack: z.boolean(),
    intelligenceAttack: z.boolean(),
    mechanismAttack: z.boolean(),
  }),
  bounties: z.array(z.strictObject({ agent: z.string(), energy: z.number(), why: z.string() })),
  awards: z.array(award),
  reveal: seedReveal,
})

const listedRecurring = z.strictObject({
  recurring: z.string(),
  title: z.string(),
  timeZone: z.string(),
  next: z.string().nullable(),
  last: z.string().nullable(),
  days: z.array(z.number()),
  time: z.string(),
})

/** `decided`: false if the consequences were only shown. */
const decision = z.strictObject({ contest: z.string(), decided: z.boolean(), consequences: z.array(z.string()) })

/** The next round of a contest; without a pairing the round before is not over. */
const nextRound = z.strictObject({
  round: z.number(),
  seats: z.number(),
  entrants: z.array(z.strictObject({ name: z.string(), points: z.number(), byes: z.number() })),
  met: z.record(z.string(), z.array(z.string())),
  pairing: z.strictObject({ tables: z.array(z.array(z.string())), byes: z.array(z.string()) }).nullable(),
  byHand: z.boolean(),
})

/** The outputs of verbs about contests, with --json. */
export const contestsOutputs = {
  'contest run': playedContest,
  'contest resume': playedContest,
  'contest rerun': playedContest,
  'contest withdraw': decision,
  'contest enter': decision,
  'contest pair': z.union([nextRound, decision]),
  'contest accept': decision,
  'contest list': z.strictObject({ data: z.string(), contests: z.array(listedContest) }),
  'contest standings': z.strictObject({
    state: z.enum(['open', 'ended', 'cancelled']),
    matches: z.strictObject({ total: z.number(), played: z.number() }),
    contest: z.string(),
    title: z.string(),
    ruled: contestRulings.optional(),
    toolchains: toolchainDifferences,
    standings: z.array(ratedRow.extend({ pointsInterval: z.tuple([z.number(), z.number()]).nullable() })),
  }),
  'contest recurring': z.strictObject({ data: z.string(), recurring: z.array(listedRecurring) }),
  'contest cancel': z.strictObject({ contest: z.string(), state: z.string() }),
  'contest archive': z.strictObject({ contest: z.string(), archived: z.boolean() }),
  'contest delete': z.strictObject({ contest: z.string(), deleted: z.boolean(), consequences: z.array(z.string()) }),
  'contest bounty': z.strictObject({ contest: z.string(), agent: z.string(), energy: z.number(), why: z.string() }),
}
