import * as z from 'zod'
import { toolchainName } from '../players/toolchains.ts'
import { remedy } from '../contests/rulings.ts'

// Parts of the outputs about contests.

export const seedReveal = z.strictObject({
  commitment: z.string(),
  phrase: z.string().nullable(),
  seed: z.string().nullable(),
  nonce: z.string().nullable(),
})

const seatResult = z.strictObject({ matches: z.number(), points: z.number(), score: z.number() })

export const sessionResult = z.strictObject({
  bySeat: z.array(z.strictObject({ sessions: z.number(), score: z.number() })),
  final: z.boolean(),
})

/** A row of the standings without the counts of the game. */
export const ratedRowBody = z.strictObject({
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
  stage: z.number().optional(),
  rating: z.number(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
  superiority: z.number().nullable(),
})

export const ratedRow = ratedRowBody.extend({
  counts: z.record(z.string(), z.number()).optional(),
  session: sessionResult.optional(),
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

/** The toolchains of which the matches of a contest used several versions; none: every match used the same. */
export const toolchainDifferences = z.array(
  z.strictObject({
    name: toolchainName,
    versions: z.array(z.strictObject({ version: z.string(), matches: z.number(), match: z.number() })),
  }),
)

/** The rulings of hearings, with the standings as they were played. */
export const contestRulings = z.strictObject({
  after: z.number(),
  rulings: z.array(countedRuling),
  toPlayAgain: z.array(z.number()),
  replayed: z.array(replayedMatch),
  replayedVoid: z.array(replayedMatch),
  asPlayed: z.array(ratedRow),
})
