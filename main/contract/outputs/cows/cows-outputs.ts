import * as z from 'zod'
import { numbers, written } from '../game-output-parts.ts'

/** The outputs of the verbs of Cows and Herders, with --json. */
export const cowsOutputs = {
  'cows map': z.union([z.looseObject({ rows: z.array(z.string()) }), written]),
  'cows serve': z.strictObject({
    teams: z.array(z.strictObject({ name: z.string(), points: z.number(), cows: z.number() })),
    winner: z.string().nullable(),
    simulations: z.array(
      z.strictObject({ name: z.string(), steps: z.number(), teams: z.array(z.string()), scores: numbers }),
    ),
  }),
}
