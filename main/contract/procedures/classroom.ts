import * as z from 'zod'
import { agentManifest, webAddress } from '../players/agents.ts'
import { arenaPlace } from '../players/arena.ts'
import { component, componentUse } from './components.ts'
import { contestDescription } from '../contests/contests.ts'
import { DECISIONS_MAX, placedDecision } from '../contests/decisions.ts'
import { moment } from '../contests/contest-phases.ts'
import { schoolName, signedEntry } from '../contests/entries.ts'
import { registration } from '../contests/registration.ts'
import { contestId, entrantId, gameId, matchNumber, sha256Hex } from '../ids.ts'
import { unsharedTier } from '../limits.ts'
import { line } from '../players/line.ts'
import { deadline, extension, EXTENSIONS_MAX } from '../people/closing-time.ts'
import { handInRecord, handInRules, inactiveState, usualRules } from '../people/hand-in.ts'
import { lockedNames } from '../people/locked-names.ts'
import { PEOPLE_MAX, person } from '../people/people.ts'
import { noRetention, retention } from '../people/retention.ts'
import { terms } from '../people/terms.ts'
import { team, teamId } from '../people/teams.ts'
import { bounty } from '../contests/policy.ts'
import { occurrence, recurringContest, timeZone } from '../contests/recurring.ts'
import { trustedKeys } from '../histories/trusted-keys.ts'

const webAddresses = z.array(webAddress).max(1_000)

/** An address of HTTPS, or of this machine; empty: none. */
const updateAddress = z
  .string()
  .max(500)
  .regex(
    /^(https:\/\/[^\s?#@\\/]+(\/[^\s#@\\]*)?|http:\/\/127\.0\.0\.1(:\d{1,5})?(\/[^\s#@\\]*)?)?$/,
    'expected an address such as https://school.example/tartaglia.json, or nothing',
  )

/** The maximum of the reveal rule, in contests. */
export const REVEAL_AFTER_MAX = 1_000

/** The maximum of trials at once. */
export const TRIALS_AT_ONCE_MAX = 64

/** The maximum time between backups: a week. */
export const BACKUP_HOURS_MAX = 168

/** Backups by themselves, while the class is open. */
const backups = z.strictObject({
  /** An existing folder, such as that of a stick; empty: beside the data folder. */
  folder: z
    .string()
    .max(4_096)
    .refine((path) => !path.includes('\0'), 'a path cannot contain a zero byte'),
  /** 0: none. */
  everyHours: z.int().min(0).max(BACKUP_HOURS_MAX),
})
export type BackupSettings = z.infer<typeof backups>

/** The settings of a class. */
export const settings = z.strictObject({
  appearance: z.enum(['system', 'light', 'dark']),
  /** BCP 47, for numbers and dates; empty: the system's. */
  locale: z
    .string()
    .max(35)
    .regex(/^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$/, 'expected a language tag such as en-GB'),
  /** The tour was completed or dismissed. */
  tourSeen: z.boolean(),
  /** The weakest isolation to accept for smoke matches of agents that are handed in. */
  isolation: unsharedTier,
  /** Allowed addresses of web applications that play: these and addresses below them. No other address is contacted. */
  webAddresses,
  /** Keys of other classes and schools, whose histories are genuine like the class's own. */
  trustedKeys,
  /** The name of this class in entries that it exports; empty: none was given yet. */
  school: z.union([schoolName, z.literal('')]),
  /** By whose clocks recurring contests begin. */
  timeZone,
  /** Enables single-character keyboard shortcuts (WCAG 2.1.4). */
  letterKeys: z.boolean(),
  /** How many contests an agent's version that is handed in from now on plays before its source becomes public; 0: never. */
  revealAfter: z.int().min(0).max(REVEAL_AFTER_MAX),
  /** The game that the class begins with, whose kit students are pointed to; empty: not chosen yet. */
  game: z.union([gameId, z.literal('')]),
  /**
   * The share of the cores that hand-ins get beside contests: the number of trials that are played at once, and of packages that are read
   * and built at once. Each takes up to a core.
   */
  trialsAtOnce: z.int().min(1).max(TRIALS_AT_ONCE_MAX),
  /** By which complaints of teams are counted. */
  terms,
  /** An educator has passed on the link to the kit. */
  kitGiven: z.boolean(),
  backups,
  /** All students appear under pseudonyms in everything public; otherwise those who wish it. */
  pseudonyms: z.boolean(),
  retention,
  /** The address that tells the newest version of the program; empty: nobody is asked. */
  updates: updateAddress,
})
export type ClassSettings = z.infer<typeof settings>

/** The verdict of an agent's smoke match; `text` is a sentence for the student. */
const smoke = z.strictObject({ ok: z.boolean(), text: z.string().max(8_000) })

/** A package that was handed in, by the hash of its bytes. Versions with one name in their manifests are one agent. */
export const agentVersion = z.strictObject({
  hash: sha256Hex,
  /** Its number among the versions of its agent, from 1: it stays, whatever is handed in later. Absent: older data. */
  number: z.int().min(1).exactOptional(),
  manifest: agentManifest,
  /** The team to which its agent belongs, from the session in which it was handed in. Absent: the educator's own. */
  owner: teamId.exactOptional(),
  /** The statement of the other school whose entry it is; absent: it was handed in here. */
  entry: signedEntry.exactOptional(),
  /** Former names of its agent, oldest first: contests keep them. */
  formerly: z.array(entrantId).exactOptional(),
  /** In data folders written by older versions: the Unix epoch. */
  submitted: z.iso.datetime().default('1970-01-01T00:00:00.000Z'),
  /**
   * The reveal rule under which it was handed in: after how many contests its source becomes public. Absent: never. Later
   * changes of the class's rule do not change it.
   */
  revealAfter: z.int().min(1).max(REVEAL_AFTER_MAX).exactOptional(),
  /** null: not played yet. */
  smoke: smoke.nullable().default(null),
  /** How its team handed it in. Absent: the educator did. */
  handIn: handInRecord.exactOptional(),
  /** Why it does not play, whatever was handed in when. Absent: it may be its team's active agent. */
  inactive: inactiveState.exactOptional(),
  /** For a paused version: why, for its team. */
  pausedFor: line.exactOptional(),
})
export type StoredAgentVersion = z.infer<typeof agentVersion>

/**
 * The targeting test of a contest in which no agent may treat others differently: how likely the agents' behaviour is
 * if they treat all others alike.
 */
export const targetingReport = z.strictObject({
  /** The number of examined matches. */
  matches: z.int().min(0),
  /** Agents with comparable encounters, smallest p first. */
  agents: z
    .array(
      z.strictObject({
        agent: entrantId,
        p: z.number().min(0).max(1),
        flagged: z.boolean(),
        /** The strongest evidence: the behaviour towards `other`, its mean value, and the expected value. */
        finding: z.strictObject({
          about: z.string().max(100),
          /** A name; each of its characters may take two UTF-16 units. */
          other: z.string().max(128),
          mean: z.number(),
          expected: z.number(),
          /** `input`: the index among the inputs of the match, from 0. */
          events: z.array(z.strictObject({ match: matchNumber, input: z.int().min(0), what: z.string() })).max(10),
        }),
      }),
    )
    .max(100),
})
export type TargetingReport = z.infer<typeof targetingReport>

/** How many matches were played twice, and which of them went differently. */
const comparedMatches = z.strictObject({ matches: z.int().min(0), different: z.array(matchNumber).max(10_000) })

/** The contest that a contest repeats. `compared`: their matches; absent: it has not ended. */
export const rerun = z.strictObject({ of: contestId, compared: comparedMatches.exactOptional() })
export type Rerun = z.infer<typeof rerun>

/** A stored contest. */
export const contestEntry = z.strictObject({
  id: contestId,
  /**
   * It was rebuilt from its histories, which do not hold its seed: the seed of its description is the commitment, and its
   * nonce is zeros. Absent: both are known.
   */
  rebuilt: z.literal('histories').exactOptional(),
  description: contestDescription,
  /** ISO 8601; absent: added by a version that did not record it. */
  added: z.string().max(40).exactOptional(),
  /** Random; histories commit to the seed with it, so that later matches cannot be computed from a history. */
  nonce: sha256Hex,
  /**
   * Entries may be adapted until then: at the start, each entrant gets the version of its agent that was active at this
   * time. Absent: they are closed, and the agents are those of the description.
   */
  entriesUntil: moment.exactOptional(),
  /** Teams register for it until then. Absent: the educator chooses its entrants. */
  registration: registration.exactOptional(),
  /** Given by the class after entries were closed, in a contest that asks for it; absent: not yet. */
  phrase: line.exactOptional(),
  /**
   * The educator's decisions about it, oldest first; its histories have them too. The description has the entrants that
   * entered late at its end. Absent: there are none.
   */
  decisions: z.array(placedDecision).max(DECISIONS_MAX).exactOptional(),
  /** How the seeds of its matches and players are derived; absent: `sha256`. */
  seeds: z.literal('hmac').exactOptional(),
  /** open: it continues when it is started again. cancelled: it will not continue; its finished matches are kept. */
  state: z.enum(['open', 'ended', 'cancelled']),
  /** When it ended, by the clock of the class; absent: it has not, or an older version did not record it. */
  ended: moment.exactOptional(),
  /** It is over and left out of lists; its results count. Absent: it is not. */
  archived: z.literal(true).exactOptional(),
  /** The practice of this team, which the rest of the class does not see; absent: it is not. */
  practiceOf: teamId.exactOptional(),
  /** It was running or queued in an open classroom, and resumes when the classroom is opened again. */
  goesOn: z.literal(true).exactOptional(),
  /** It is one of a recurring contest; absent: it is not, or was made by hand. */
  recurring: occurrence.exactOptional(),
  /** It was made from an older contest and has these settings of new contests besides. Absent: it has no others. */
  renewed: z.array(line).max(100).exactOptional(),
  /** It repeats a contest with the same agents and seed, and does not count among their results. Absent: it does not. */
  rerun: rerun.exactOptional(),
  /** The addresses for agents on other machines when it is started from a window; absent: not set. */
  arena: arenaPlace.exactOptional(),
  /**
   * The components in its entrants' packages, which name them too, since it was added or its entries were closed; only in a contest
   * with a share for them.
   */
  components: z.array(z.strictObject({ agent: sha256Hex, uses: z.array(componentUse) })).exactOptional(),
  /** Oldest first; only in practice contests. */
  bounties: z.array(bounty).max(10_000).exactOptional(),
  /** The result of playing a sample of its matches again; absent: not done. */
  playedAgain: comparedMatches.exactOptional(),
  /** The result of the targeting test after its end; absent: not done. */
  targeting: targetingReport.exactOptional(),
})
export type ContestEntry = z.infer<typeof contestEntry>

/** The form of `class.json` that is written. It is raised when older programs cannot read what is new. */
export const CLASS_FORMAT = 4
const format = `tartaglia-class/${CLASS_FORMAT}` as const

/** The contents of `class.json`: what people edit. Matches, standings and events are recomputed from histories. */
export const classroom = z.strictObject({
  format: z.literal(['tartaglia-class/1', 'tartaglia-class/2', 'tartaglia-class/3', format]).transform(() => format),
  /** The number of times that it was written; records of contests and agents with a higher one are newer. */
  revision: z.int().min(0).default(0),
  settings: settings
    .extend({
      webAddresses: webAddresses.default([]),
      trustedKeys: trustedKeys.default([]),
      school: settings.shape.school.default(''),
      timeZone: timeZone.default(''),
      letterKeys: z.boolean().default(true),
      revealAfter: settings.shape.revealAfter.default(0),
      game: settings.shape.game.default(''),
      kitGiven: z.boolean().default(false),
      terms: terms.default([]),
      trialsAtOnce: settings.shape.trialsAtOnce.default(1),
      backups: backups.default({ folder: '', everyHours: 0 }),
      pseudonyms: z.boolean().default(false),
      retention: retention.default(noRetention),
      updates: updateAddress.default(''),
    })
    .default({
      appearance: 'system',
      locale: '',
      tourSeen: false,
      isolation: 'bubblewrap',
      webAddresses: [],
      trustedKeys: [],
      school: '',
      timeZone: '',
      letterKeys: true,
      revealAfter: 0,
      game: '',
      kitGiven: false,
      terms: [],
      trialsAtOnce: 1,
      backups: { folder: '', everyHours: 0 },
      pseudonyms: false,
      retention: noRetention,
      updates: '',
    }),
  /** Oldest first. */
  agents: z.array(agentVersion),
  /** Oldest first; none is ever changed or removed. */
  components: z.array(component).default([]),
  contests: z.array(contestEntry),
  recurring: z.array(recurringContest).max(1_000).default([]),
  /** Oldest first; those who left included. */
  people: z.array(person).max(PEOPLE_MAX).default([]),
  /** Oldest first. `TEAMS_MAX` concerns those that have members. */
  teams: z.array(team).default([]),
  handInRules: handInRules.default(usualRules),
  /** One a contest at most. */
  deadlines: z.array(deadline).default([]),
  /** In the order in which they were granted. */
  extensions: z.array(extension).max(EXTENSIONS_MAX).default([]),
  /** Contests that were deleted: histories elsewhere have their ids, so no other contest gets them. */
  deleted: z.array(contestId).default([]),
  /** The names behind a passphrase. Absent: the class has no passphrase. */
  names: lockedNames.exactOptional(),
})
export type Classroom = z.infer<typeof classroom>
