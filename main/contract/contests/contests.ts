import * as z from 'zod'
import {
  doubleRoundRobinSettings,
  gauntletSettings,
  knockoutSettings,
  ladderSettings,
  orderedPairsSettings,
  poolsSettings,
  roundRobinSettings,
  singleSettings,
  swissSettings,
} from './format-settings.ts'
import { contestPhase, moment, phaseWeight, PHASES_MAX } from './contest-phases.ts'
import { signedEntry } from './entries.ts'
import { entrantId, gameId, newName, olderName, sha256Hex } from '../ids.ts'
import { clockMode, isolationTier, limits, writtenLimits, type IsolationTier } from '../limits.ts'
import { line } from '../players/line.ts'
import { offeredToolchains } from '../players/toolchains.ts'
import { isolationRefusal, policyOf, securityPolicy, type SecurityPolicy } from './policy.ts'

export { SEATS_MAX } from './format-settings.ts'

/** True if a history can hold a value. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, each]) => key.isWellFormed() && isWellFormed(each))
}

const loneSurrogate = 'a lone surrogate (half of a character) is not allowed'

/** A format that the game defines; the game's format of this name parses the settings. */
const gameFormat = z.strictObject({
  type: z.literal('game'),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected a short lower-case name'),
  settings: z.json().refine(isWellFormed, loneSurrogate).default({}),
})

/** The formats are implemented in services/contests/formats; see registry.ts. */
const contestFormat = z.discriminatedUnion('type', [
  roundRobinSettings,
  doubleRoundRobinSettings,
  gauntletSettings,
  swissSettings,
  knockoutSettings,
  ladderSettings,
  poolsSettings,
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

/** The maximum share of points for the authors of components, in percent. */
export const SHARE_MAX = 50

const common = {
  title: line,
  game: gameId,
  /** The game's own settings; parsed by the game's schema. */
  config: z.json().refine(isWellFormed, loneSurrogate).default({}),
  format: contestFormat,
  /** Any text. The schedule and the randomness of every match are derived from it. */
  seed: line,
  /**
   * The class gives a phrase when entries are closed, and the seed is mixed with it, so that nobody can have chosen what
   * follows from it. Absent: the seed is used as it is.
   */
  classPhrase: z.literal(true).exactOptional(),
  limits: limits.prefault({}),
  /** The weakest tier to accept. A stronger one is used if available; `shared` means exactly that tier. */
  isolation: isolationTier.default('bubblewrap'),
  clock: clockMode.default('frozen'),
  /** The share of matches that is played once more in fresh processes and compared; absent: DEFAULT_SAMPLE. */
  sample: z.number().min(0).max(1).exactOptional(),
  /** The percentage of its points that a team gives to the authors of the components in its agents. Absent: none. */
  componentShare: z.int().min(1).max(SHARE_MAX).exactOptional(),
  /** Practice: it does not count among the results of its agents, and each history says so. Absent: it counts. */
  practice: z.literal(true).exactOptional(),
  /** The toolchains of which programs may make use. Machines and workers that lack one do not play. Absent: no choice is made. */
  toolchains: offeredToolchains.exactOptional(),
  /** Absent: `defaultPolicy`, which allows attacks on the intelligence of agents only. */
  policy: securityPolicy.exactOptional(),
}

/** The part of a contest's conditions that does not depend on its game. */
export const conditionsOfContest = z.strictObject({
  limits: common.limits,
  isolation: common.isolation,
  clock: common.clock,
})

interface IsolationChoice {
  readonly isolation: IsolationTier
  readonly policy?: SecurityPolicy | undefined
}

/** Refuses an isolation tier that the policy forbids. */
function checkIsolation({ value, issues }: z.core.ParsePayload<IsolationChoice>): void {
  const message = isolationRefusal(value.isolation, policyOf(value))
  if (message !== null) issues.push({ code: 'custom', message, input: value.isolation, path: ['isolation'] })
}

/** The fields of which an entrant in a contest file has exactly one: where its agent comes from. */
const agentSources = ['agent', 'network', 'school', 'entries'] as const

/**
 * An entrant as an educator writes it: an agent's file, an agent that connects from another machine, or the entry of
 * another school.
 */
const writtenEntrant = (name: typeof newName) =>
  z
    .strictObject({
      name,
      agent: path.exactOptional(),
      network: z.literal(true).exactOptional(),
      /** The entrant is the entry with this name that was imported from this school. */
      school: line.exactOptional(),
      /** The entrant is the entry with this name in this entries file. */
      entries: path.exactOptional(),
    })
    .refine((entrant) => agentSources.filter((source) => entrant[source] !== undefined).length === 1, {
      path: ['agent'],
      message:
        'expected a file, or instead "network": true for an agent on another machine, or "school" or "entries" for the entry of another school',
    })

/** A phase of a contest, as an educator writes it. */
const writtenPhase = z.strictObject({
  weight: phaseWeight.default(1),
  /** The settings of the game that change; absent: those of the contest. */
  config: z.record(z.string(), z.json()).refine(isWellFormed, loneSurrogate).default({}),
  format: contestFormat.exactOptional(),
  /** Absent: it follows from the contest's, so that the seeds of ended phases tell nothing of the others. */
  seed: line.exactOptional(),
  /** Until when entries may be adapted; the phase cannot begin before. Absent: it follows the phase before at once. */
  deadline: moment.exactOptional(),
})

/** The version of the form of contest files. */
export const CONTEST_FILE_VERSION = 1

/** The maximum number of entrants of a contest. */
export const ENTRANTS_MAX = 10_000

const contestFileWith = (name: typeof newName) =>
  z
    .strictObject({
      ...common,
      /** The form of this file; absent: the current one. Files of a newer form are refused before anything else. */
      version: z.literal(CONTEST_FILE_VERSION).exactOptional(),
      /** The game sets the limits that are left out. */
      limits: writtenLimits.prefault({}),
      entrants: z.array(writtenEntrant(name)).min(1).max(ENTRANTS_MAX),
      /** Several contests one after the other, whose results count together; absent: one. */
      phases: z
        .array(writtenPhase)
        .min(2)
        .max(PHASES_MAX)
        .refine(([first]) => first?.deadline === undefined, 'the first phase cannot have a deadline')
        .exactOptional(),
    })
    .check(checkIsolation)

/** A contest file as an educator writes it for `tartaglia contest run FILE`. Agent paths are relative to that file. */
export const contestFile = contestFileWith(newName)
export type ContestFile = z.infer<typeof contestFile>

/** The file of a contest that exists already, perhaps since a version that allowed more names. */
export const olderContestFile = contestFileWith(olderName)

/** A contest as stored and run: agents by the SHA-256 of their packages. The schedule is a pure function of this. */
export const contestDescription = z
  .strictObject({
    ...common,
    /** Absent: it is a contest of its own, or the first phase of one. */
    phase: contestPhase.exactOptional(),
    entrants: z
      .array(
        z.strictObject({
          name: entrantId,
          agent: sha256Hex,
          /** The school's statement, if the agent is the entry of another school. Histories publish it. */
          entry: signedEntry.exactOptional(),
        }),
      )
      .min(1)
      .max(ENTRANTS_MAX),
  })
  .check(checkIsolation)
export type ContestDescription = z.infer<typeof contestDescription>
