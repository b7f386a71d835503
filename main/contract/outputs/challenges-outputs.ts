import * as z from 'zod'
import { checkedChallenge } from './game-test-output.ts'
import { anyJson, checkedText, placedFinding, schemaOutput, uncheckedText } from './output-parts.ts'

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

const checkedDictionary = checkedText.extend({ dialect: z.enum(['A', 'B', 'C']), warnings: z.array(placedFinding) })

const printed = z.strictObject({ text: z.string() })

/** The first place at which a text breaks the grammar of its class. */
const wrongValue = z.strictObject({
  error: z.strictObject({ line: z.number(), column: z.number(), message: z.string() }),
})

const drawn = z.strictObject({
  ...{ predicate: anyJson, instance: anyJson, solution: anyJson, quality: z.string() },
  texts: z.strictObject({ predicate: z.string(), instance: z.string(), solution: z.string() }),
})

const generated = z.strictObject({
  ...{ predicate: anyJson, instance: anyJson, parameters: anyJson },
  planted: z.strictObject({ solution: anyJson, quality: z.string() }).nullable().optional(),
  texts: z.strictObject({ predicate: z.string(), instance: z.string(), planted: z.string().optional() }),
})

const describedChallenge = z.strictObject({
  ...{ challenge: z.string(), title: z.string(), text: z.string(), config: anyJson },
  generator: z
    .array(
      z.strictObject({
        ...{ name: z.string(), whole: z.boolean() },
        ...{ standard: z.number(), low: z.number(), high: z.number() },
      }),
    )
    .nullable(),
})

/** The outputs of verbs about challenges and dictionaries, with --json. */
export const challengesOutputs = {
  'dictionary check': z.union([checkedDictionary, uncheckedText]).describe('Printed for each file.'),
  'dictionary parse': anyJson.describe(
    'The value, or {"error": {"line", "column", "message"}} if the text cannot be read.',
  ),
  'dictionary print': z.union([printed, wrongValue]),
  'dictionary sample': anyJson.describe('Printed for each value.'),
  'dictionary types': z.union([printed, schemaOutput]),
  'challenge check': z.union([checkedChallenge, uncheckedText]).describe('Printed for each file.'),
  'challenge print': z.union([describedChallenge, printed]),
  'challenge sample': z.union([drawn, generated]).describe('Printed for each sample.'),
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
