import * as z from 'zod'
import { errorCodes } from '../../error-codes.ts'
import { numbers, written } from '../game-output-parts.ts'

const punterScores = { scores: numbers, futures: numbers, credits: numbers, options: numbers }

const punterGame = z.strictObject({
  // In a lobby, the game that it was.
  ...{ table: z.number().optional(), names: z.array(z.string()).optional() },
  ...punterScores,
  zombies: z.array(z.string().nullable()),
  moves: z.number(),
  refused: z.array(z.strictObject({ punter: z.number(), move: z.number().nullable(), text: z.string() })),
})

const punterMap = z.strictObject({
  sites: z.array(z.strictObject({ id: z.number(), x: z.number(), y: z.number() })),
  rivers: z.array(z.strictObject({ source: z.number(), target: z.number() })),
  mines: numbers,
})

/** The outputs of the verbs of Lambda Punter, with --json. */
export const punterOutputs = {
  'punter serve': punterGame.describe('Printed for each game.'),
  'punter play': punterGame,
  'punter rescore': z
    .union([
      z.strictObject({
        ...{ file: z.string(), ...punterScores, ok: z.boolean() },
        differences: z.array(z.string()).optional(),
      }),
      z.strictObject({ file: z.string(), ok: z.literal(false), error: z.string(), code: z.enum(errorCodes) }),
    ])
    .describe('Printed for each file.'),
  'punter map': z.union([punterMap, written]),
}
