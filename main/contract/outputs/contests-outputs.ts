import * as z from 'zod'
import { remedy } from '../contests/rulings.ts'

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

const seedReveal = z.strictObject({
  commitment: z.string(),
  phrase: z.string().nullable(),
  seed: z.string().nullable(),
  nonce: z.string().nullable(),
})

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

const countedRuling = z.strictObject({
  reversedBy: z.number().optional(),
  case: z.string(),
  entry: z.string(),
  remedies: z.array(remedy),
  at: z.string(),
  number: z.number(),
  reverses: z.number().optional(),
})

const replayedMatch = z.strictObject({ match: z.number(), as: z.number() })

const seatResult = z.strictObject({ matches: z.number(), points: z.number(), score: z.number() })

const ratedRow = z.strictObject({
  bySeat: z.array(seatResult),
  agent: z.string(),
  rank: z.number(),
  points: z.number(),
  matches: z.number(),
  wins: z.number(),
  faults: z.number(),
  removals: z.number(),
  score: z.number(),
  withdrawn: z.enum(['removed', 'annulled', 'forfeited', 'kept', 'advanced']).optional(),
  late: z.literal(true).optional(),
  removedBy: z.number().optional(),
  asPlayed: z.strictObject({ rank: z.number(), points: z.number() }).optional(),
  counts: z.record(z.string(), z.number()).optional(),
  stage: z.number().optional(),
  session: z
    .strictObject({ bySeat: z.array(z.strictObject({ sessions: z.number(), score: z.number() })), final: z.boolean() })
    .optional(),
  rating: z.number(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  superiority: z.number().nullable(),
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

/** The outputs of verbs about contests, with --json. */
export const contestsOutputs = {
  'contest list': z.strictObject({ data: z.string(), contests: z.array(listedContest) }),
  'contest standings': z.strictObject({
    state: z.enum(['open', 'ended', 'cancelled']),
    matches: z.strictObject({ total: z.number(), played: z.number() }),
    contest: z.string(),
    title: z.string(),
    ruled: z
      .strictObject({
        after: z.number(),
        rulings: z.array(countedRuling),
        toPlayAgain: z.array(z.number()),
        replayed: z.array(replayedMatch),
        replayedVoid: z.array(replayedMatch),
        asPlayed: z.array(ratedRow),
      })
      .optional(),
    standings: z.array(ratedRow.extend({ pointsInterval: z.tuple([z.number(), z.number()]).nullable() })),
  }),
  'contest recurring': z.strictObject({ data: z.string(), recurring: z.array(listedRecurring) }),
  'contest cancel': z.strictObject({ contest: z.string(), state: z.string() }),
  'contest archive': z.strictObject({ contest: z.string(), archived: z.boolean() }),
  'contest delete': z.strictObject({ contest: z.string(), deleted: z.boolean(), consequences: z.array(z.string()) }),
  'contest bounty': z.strictObject({ contest: z.string(), agent: z.string(), energy: z.number(), why: z.string() }),
}
