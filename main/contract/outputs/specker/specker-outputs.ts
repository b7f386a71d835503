import * as z from 'zod'
import { pair } from '../game-output-parts.ts'
import { anyJson } from '../output-parts.ts'

const part = z.union([
  z.strictObject({ relation: z.number(), weight: z.union([z.string(), z.number()]) }),
  z.strictObject({ clause: pair, weight: z.union([z.string(), z.number()]) }),
])

const targetingFinding = z.strictObject({
  ...{ about: z.string(), p: z.number(), compared: z.number(), other: z.string().nullable() },
  ...{ mean: z.number(), expected: z.number(), deviations: z.number() },
  events: z.array(z.strictObject({ match: z.number(), input: z.number(), what: z.string() })),
})

const exportsRead = { matches: z.number(), duplicates: z.array(z.string()) }

/** The outputs of the verbs of the Specker Challenge Game, with --json. */
export const speckerOutputs = {
  'specker price': z.strictObject({
    value: z.union([z.string(), z.number()]),
    mixture: z.array(part),
    bias: z.union([z.string(), z.number()]),
    variables: z.number().optional(),
  }),
  'specker solve': z.strictObject({
    ...{ challenge: z.string(), solution: anyJson, text: z.string(), quality: z.string(), number: z.number() },
    ...{ measure: z.number(), optimal: z.boolean() },
    best: z
      .strictObject({ name: z.string(), measure: z.number(), settings: z.record(z.string(), z.number()) })
      .nullable(),
  }),
  'specker targeting': z.strictObject({
    ...exportsRead,
    agents: z.array(
      z.strictObject({
        ...{ agent: z.string(), p: z.number(), flagged: z.boolean() },
        findings: z.array(targetingFinding),
      }),
    ),
  }),
  'specker predicates': z.strictObject({
    ...exportsRead,
    // A value for each column of the table.
    predicates: z.array(z.looseObject({ agent: z.string(), part: z.string().nullable(), role: z.string() })),
  }),
}
