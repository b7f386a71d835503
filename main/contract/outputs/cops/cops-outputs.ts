import * as z from 'zod'
import { numbers, written } from '../game-output-parts.ts'

const copsGame = z.strictObject({
  end: z.enum(['caught', 'escaped', 'disqualified']),
  ...{ world: z.number(), loot: z.number(), banks: z.number(), names: z.array(z.string()), scores: numbers },
  ...{ evidence: numbers, elected: numbers, catchers: z.array(z.string()) },
  disqualified: z.array(z.string().nullable()),
  waited: numbers,
  refused: z.array(z.strictObject({ name: z.string(), world: z.number(), text: z.string() })),
})

/** The outputs of the verbs of Cops & Robbers, with --json. */
export const copsOutputs = {
  'cops play': copsGame,
  'cops map': z.union([z.strictObject({ map: z.string() }), written]),
}
