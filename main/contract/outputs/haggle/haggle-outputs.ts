import * as z from 'zod'
import { numbers, pair } from '../game-output-parts.ts'
import { anyJson } from '../output-parts.ts'

const seat = z.literal([0, 1])

const session = z.strictObject({
  ...{ seed: z.number(), first: z.string(), second: z.string(), counts: numbers },
  ...{ values: z.tuple([numbers, numbers]), max_rounds: z.number(), offers: z.array(numbers.nullable()) },
  outcome: z.enum(['agreed', 'not agreed', 'abort']),
  ...{ score: pair, aborted_by: z.number().nullable(), reason: z.string().nullable(), turns: z.number() },
})

/** The entries of a log of 2018, in order. */
const sessionLog = z.array(
  z.union([
    z.tuple([z.literal('seed'), z.number()]),
    z.tuple([z.literal('init'), z.tuple([z.string(), z.string()]), numbers, z.number()]),
    z.tuple([z.literal('info'), seat, anyJson]),
    z.tuple([z.literal('offer'), seat]),
    z.tuple([z.literal('offer'), seat, z.tuple([numbers, numbers]).nullable()]),
    z.tuple([z.literal('abort'), seat.nullable(), anyJson]),
    z.tuple([z.literal('valuation'), seat, numbers]),
    z.tuple([z.literal('score'), seat, z.number()]),
    z.tuple([z.literal('done'), z.boolean()]),
  ]),
)

/** The outputs of the verbs of Haggling, with --json. */
export const haggleOutputs = {
  haggle: z.union([session, sessionLog]).describe('Printed for each session; with --replay, a log.'),
  'haggle scenario': z
    .strictObject({ seed: z.number(), counts: numbers, values: z.array(numbers) })
    .describe('Printed for each seed.'),
  'haggle arena': z.strictObject({
    address: z.string(),
    arenas: z.record(z.string(), z.string()),
    scores: z.string(),
  }),
}
