import { z } from 'zod'
import { entrantId, entrantName, gameId, sha256Hex } from './ids.ts'
import { clockMode, isolationTier, limits, writtenLimits, type IsolationTier } from './limits.ts'
import { isolationRefusal, policyOf, securityPolicy, type SecurityPolicy } from './policy.ts'

/** Text that a history can hold (RFC 8785 forbids lone surrogates), at most 200 code points. */
const line = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed(), 'a lone surrogate (half of a character) is not allowed')
  .refine((text) => Array.from(text).length <= 200, 'more than 200 characters')

/** Whether a history can hold a value. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, each]) => key.isWellFormed() && isWellFormed(each))
}

/** The maximum number of players in a match: each is a separate process. */
export const SEATS_MAX = 100

/** Scenarios of a stage: a count of scenarios that are derived from the phrase, or a list of their numbers. */
const scenarios = z.union([
  z.int().min(1).max(100_000_000),
  z
    .array(
      z
        .int()
        .min(1)
        .max(2 ** 32 - 1),
    )
    .min(1)
    .max(100_000),
])

/** Every set of `seats` entrants plays `repeats` matches; seat orders are balanced. */
export const roundRobinSettings = z.strictObject({
  type: z.literal('round-robin'),
  /** Players per match. */
  seats: z.int().min(1).max(SEATS_MAX),
  repeats: z.int().min(1).max(100_000).default(1),
})
export type RoundRobin = z.infer<typeof roundRobinSettings>

/** One match of all entrants, seated in the order of the list. */
export const singleSettings = z.strictObject({ type: z.literal('single') })

/**
 * The tournament of 2018: every ordered pair plays once on each seed; then the finalists play each other on further
 * seeds. Finalists are ranked by their scores against one another in both stages.
 */
export const orderedPairsSettings = z.strictObject({
  type: z.literal('ordered-pairs'),
  seeds: scenarios.default(500),
  /** How many entrants reach the final; 0: there is none. */
  finalists: z.int().min(0).max(10_000).default(50),
  finalSeeds: scenarios.default(500),
  /** A published text from which the seeds are derived; absent: the contest's seed. */
  phrase: line.exactOptional(),
})
export type OrderedPairs = z.infer<typeof orderedPairsSettings>

/** A format that the game defines; the game's format of this name parses the settings. */
const gameFormat = z.strictObject({
  type: z.literal('game'),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected a short lower-case name'),
  settings: z.json().refine(isWellFormed, 'a lone surrogate (half of a character) is not allowed').default({}),
})

/** The formats are implemented in administrator/contests/formats; see registry.ts. */
const contestFormat = z.discriminatedUnion('type', [
  roundRobinSettings,
  singleSettings,
  orderedPairsSettings,
  gameFormat,
])
export type FormatSettings = z.infer<typeof contestFormat>

const path = z
  .string()
  .min(1)
  .max(4096)
  .refine((text) => !text.includes('\0'), 'a path cannot contain a zero byte')

/** The default share of matches that is played once more. */
export const DEFAULT_SAMPLE = 0.01

const common = {
  title: line,
  game: gameId,
  /** The game's own settings; parsed by the game's schema. */
  config: z.json().refine(isWellFormed, 'a lone surrogate (half of a character) is not allowed').default({}),
  format: contestFormat,
  /** Any text. The schedule and the randomness of every match are derived from it. */
  seed: line,
  limits: limits.prefault({}),
  /** The weakest tier to accept. A stronger one is used if available; `shared` means exactly that tier. */
  isolation: isolationTier.default('bubblewrap'),
  clock: clockMode.default('frozen'),
  /** The share of matches that is played once more in fresh processes and compared; absent: DEFAULT_SAMPLE. */
  sample: z.number().min(0).max(1).exactOptional(),
  /** Absent: `defaultPolicy`, which allows attacks on the intelligence of agents only. */
  policy: securityPolicy.exactOptional(),
}

interface IsolationChoice {
  readonly isolation: IsolationTier
  readonly policy?: SecurityPolicy | undefined
}

/** Refuses an isolation tier that the policy forbids. */
function checkIsolation({ value, issues }: z.core.ParsePayload<IsolationChoice>): void {
  const message = isolationRefusal(value.isolation, policyOf(value))
  if (message !== null) issues.push({ code: 'custom', message, input: value.isolation, path: ['isolation'] })
}

/** An entrant as an educator writes it: an agent's file, or an agent that connects from another machine. */
const writtenEntrant = z
  .strictObject({ name: entrantName, agent: path.exactOptional(), network: z.literal(true).exactOptional() })
  .refine(({ agent, network }) => (agent === undefined) === (network === true), {
    path: ['agent'],
    message: 'expected a file, or "network": true instead for an agent that connects from another machine',
  })

/** A contest file as an educator writes it for `tartaglia contest run FILE`. Agent paths are relative to that file. */
export const contestFile = z
  .strictObject({
    ...common,
    /** The game sets the limits that are left out. */
    limits: writtenLimits.prefault({}),
    entrants: z.array(writtenEntrant).min(1).max(10_000),
  })
  .check(checkIsolation)
export type ContestFile = z.infer<typeof contestFile>

/** A contest as stored and run: agents by the SHA-256 of their packages. The schedule is a pure function of this. */
export const contestDescription = z
  .strictObject({
    ...common,
    entrants: z
      .array(z.strictObject({ name: entrantId, agent: sha256Hex }))
      .min(1)
      .max(10_000),
  })
  .check(checkIsolation)
export type ContestDescription = z.infer<typeof contestDescription>
