import * as z from 'zod'
import { errorCodes } from '../error-codes.ts'
import { anyJson } from './output-parts.ts'

/** A file to which a map was written. */
const written = z.strictObject({ file: z.string() })

const seat = z.literal([0, 1])
const numbers = z.array(z.number())
const pair = z.tuple([z.number(), z.number()])

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

const copsGame = z.strictObject({
  end: z.enum(['caught', 'escaped', 'disqualified']),
  ...{ world: z.number(), loot: z.number(), banks: z.number(), names: z.array(z.string()), scores: numbers },
  ...{ evidence: numbers, elected: numbers, catchers: z.array(z.string()) },
  disqualified: z.array(z.string().nullable()),
  waited: numbers,
  refused: z.array(z.strictObject({ name: z.string(), world: z.number(), text: z.string() })),
})

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

/** The outputs of the games' own verbs, with --json. */
export const gamesOutputs = {
  haggle: z.union([session, sessionLog]).describe('Printed for each session; with --replay, a log.'),
  'haggle scenario': z
    .strictObject({ seed: z.number(), counts: numbers, values: z.array(numbers) })
    .describe('Printed for each seed.'),
  'haggle arena': z.strictObject({
    address: z.string(),
    arenas: z.record(z.string(), z.string()),
    scores: z.string(),
  }),
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
  'cops play': copsGame,
  'cops map': z.union([z.strictObject({ map: z.string() }), written]),
  'cows map': z.union([z.looseObject({ rows: z.array(z.string()) }), written]),
  'cows serve': z.strictObject({
    teams: z.array(z.strictObject({ name: z.string(), points: z.number(), cows: z.number() })),
    winner: z.string().nullable(),
    simulations: z.array(
      z.strictObject({ name: z.string(), steps: z.number(), teams: z.array(z.string()), scores: numbers }),
    ),
  }),
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
