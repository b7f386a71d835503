import * as z from 'zod'
import { anyJson } from './output-parts.ts'

const bestKnown = z.strictObject({ name: z.string(), measure: z.number(), settings: z.record(z.string(), z.number()) })

const evaluation = z.strictObject({
  challenge: z.string(),
  legal: z.boolean().nullable(),
  feasible: z.boolean().nullable(),
  quality: z.string().nullable(),
  number: z.number().nullable(),
  measure: z.number().nullable(),
  bound: z.number().nullable(),
  best: bestKnown.nullable(),
  reason: z.string().nullable(),
})

const importedFile = z.strictObject({
  challenge: z.string(),
  texts: z.strictObject({ predicate: z.string().nullable(), instance: z.string() }),
  instance: anyJson,
  predicate: anyJson,
  config: z.record(z.string(), z.number()),
  notes: z.array(z.string()),
  best: bestKnown.nullable(),
})

/** The outputs of verbs about challenges, with --json. */
export const challengesOutputs = {
  'challenge evaluate': evaluation,
  'challenge import': importedFile,
  'challenge export': z.union([
    z.strictObject({ format: z.string(), text: z.string() }),
    z.strictObject({
      format: z.enum(['wcsp', 'minizinc']),
      text: z.string(),
      notes: z.array(z.string()),
      instance: z.string(),
    }),
  ]),
}
