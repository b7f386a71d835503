import * as z from 'zod'
import { anyJson, checkedText, placedFinding } from './output-parts.ts'

// The output of `challenge check`, which tries a challenge out as a game.

const tally = z.strictObject({ tried: z.number(), found: z.number(), refused: z.string().nullable() })

const drawnAt = z.strictObject({
  config: anyJson,
  predicates: tally,
  instances: tally,
  solutions: tally,
  sizes: z.strictObject({ least: z.number(), median: z.number(), most: z.number() }).nullable(),
  judgements: z.array(z.strictObject({ what: z.string(), steps: z.number().nullable(), ms: z.number() })),
})

const bound = z.strictObject({
  ...{ instances: z.number(), solutions: z.number(), reached: z.number().nullable() },
  counterexample: z
    .strictObject({
      ...{ predicate: z.string(), instance: z.string(), solution: z.string() },
      ...{ measure: z.string(), bound: z.string() },
    })
    .nullable(),
})

const margin = z.strictObject({ predicate: z.string(), price: z.number(), chance: z.number(), margin: z.number() })

const spread = z.strictObject({
  ...{ instances: z.number(), chance: z.number(), baby: z.number(), best: z.number() },
  ...{ zero: z.number(), one: z.number(), flat: z.number() },
  margins: z.array(margin),
})

const reference = z.strictObject({
  ...{ title: z.string(), kind: z.string(), language: z.enum(['formulas', 'javascript']), share: z.number() },
  ...{ instances: z.number(), late: z.boolean(), refused: z.number(), quality: z.number().nullable() },
  ...{ best: z.number().nullable(), steps: z.number().nullable(), ok: z.boolean().nullable() },
  problem: z.string().nullable(),
})

const difficultyPoint = z.strictObject({
  ...{ value: z.number(), instances: z.number(), chance: z.number(), baby: z.number() },
  ...{ best: z.number(), planted: z.number().nullable() },
})

const match = z.strictObject({
  game: z.string(),
  seats: z.array(
    z.strictObject({
      ...{ agent: z.string(), score: z.string(), removed: z.string().nullable() },
      faults: z.array(z.string()),
    }),
  ),
  traded: z.boolean(),
})

/** The verdict on a challenge; what the test of its game found is absent if it was not tried. */
export const checkedChallenge = checkedText.extend({
  challenge: z.string().nullable(),
  warnings: z.array(placedFinding),
  steps: z.array(z.strictObject({ what: z.string(), usual: z.number().nullable(), most: z.number().nullable() })),
  playable: z.boolean().optional(),
  complete: z.boolean().optional(),
  draws: z.strictObject({ usual: drawnAt, largest: drawnAt.nullable() }).optional(),
  bound: bound.optional(),
  spread: spread.nullable().optional(),
  cost: z
    .array(
      z.strictObject({
        ...{ value: z.string(), what: z.string(), before: z.number() },
        ...{ after: z.number().nullable(), grown: z.string() },
      }),
    )
    .optional(),
  references: z.array(reference).optional(),
  difficulty: z
    .strictObject({ curves: z.array(z.strictObject({ parameter: z.string(), points: z.array(difficultyPoint) })) })
    .nullable()
    .optional(),
  match: match.optional(),
})
