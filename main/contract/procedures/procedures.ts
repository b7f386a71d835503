import * as z from 'zod'
import { networkProcedures } from './network.ts'
import { classesProcedures } from './classes.ts'
import type {
  AgentConsole,
  AgentFault,
  AgentResults,
  AgentSummary,
  ComparedCode,
  ChallengeDetail,
  ChallengeSummary,
  DoctorFinding,
  LookedAt,
  MatchDetail,
  MatchEvent,
  OutlinePage,
  Overview,
  Page,
  Settings,
  SimilarAgent,
  SimilarPair,
  TakesPart,
  TierFinding,
} from './answers.ts'
import { belonging, type Belonging } from '../players/agents.ts'
import { settings } from './classroom.ts'
import {
  publication,
  type ComponentDetail,
  type ComponentSummary,
  type ComponentUse,
  type Publication,
} from './components.ts'
import { caseProcedures } from '../cases/case-procedures.ts'
import type { Caller } from '../people/caller.ts'
import { practiceProcedures } from '../people/practice.ts'
import { studentProcedures } from '../people/student-home.ts'
import { teamProcedures } from '../people/team-procedures.ts'
import { contestProcedures } from '../contests/contest-procedures.ts'
import { entryProcedures } from '../contests/entry-procedures.ts'
import { registrationProcedures } from '../contests/registration.ts'
import type { ErrorCode } from '../error-codes.ts'
import { contestId, entrantId, gameId, matchNumber, newName, type ContestId } from '../ids.ts'
import { sha256Hex, type Sha256 } from '../ids.ts'
import type { Json } from '../json.ts'
import type { LiveFacts } from '../game/live-match.ts'
import { gradeProcedures } from '../grades/grade-procedures.ts'
import { recurringProcedures } from '../contests/recurring-procedures.ts'
import { historyProcedures } from '../histories/history-procedures.ts'
import { miningProcedures } from '../histories/mining-procedures.ts'
import { matchSource, type MatchSource } from '../histories/match-source.ts'
import { otherAnswerWish, type OtherAnswer, type OtherAnswerWish } from '../histories/other-answers.ts'
import { homeProcedures } from '../people/educator-home.ts'
import { lockedNamesProcedures } from '../people/locked-names.ts'
import { peopleProcedures } from '../people/people-procedures.ts'
import { dossierProcedures } from '../evidence/dossier-procedures.ts'
import { downloadProcedures, type StartedDownload } from './downloads.ts'
import { kitProcedures } from './kit-procedures.ts'
import { nothing, oneContest, page, procedure, search } from './procedure.ts'
import { oneSourceFile, oneVersion, type OneVersion, type PublicSource, type SourceDetail } from '../players/sources.ts'
import {
  TEXT_CHARACTERS_MAX,
  TEXT_TOO_LONG,
  textField,
  textName,
  type TextField,
  type TextSummary,
} from './class-texts.ts'
import { uploadHandle } from './uploads.ts'
import { playAnswer, humanMatchRequest, type Opponent, type Play, type PlayWish } from './human-match.ts'

export type * from './answers.ts'
export type * from '../histories/history-procedures.ts'
export type * from '../histories/mining-procedures.ts'
export { contestDraft, type ContestDraft, type NextPhase } from '../contests/contest-procedures.ts'
export type { LiveFacts, PlayingMatch } from '../game/live-match.ts'

/**
 * The result of a call. `code` and `reason` are for programs, `message` is one sentence for people. 'conflict': the thing to change
 * was changed by someone else in the meantime. `reason`: the very refusal.
 */
export type CallReply<O> = { readonly ok: true; readonly value: O } | { readonly ok: false; readonly error: CallError }
export interface CallError {
  readonly code: 'unknown-procedure' | 'forbidden' | 'malformed' | 'refused' | 'conflict' | 'host'
  readonly reason: ErrorCode
  readonly message: string
  /** See ExpectedError. */
  readonly details?: string
}

/** The name of a challenge and of its file. `new` is reserved: the screen uses it for a challenge without a name. */
export const challengeName = z
  .string()
  .max(64)
  .regex(
    /^(?!new$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'expected small letters and digits, words joined by "-", and not "new"',
  )

/** Maximum characters of a challenge file. */
export const CHALLENGE_CHARACTERS_MAX = 1_000_000

/** Maximum entrants and standings rows in a contest's detail; `contests.entrants` and `contests.standings` list all. */
export const DETAIL_MAX = 200
/** The maximum number of messages on a contest's page; the newest remain. */
export const NOTICES_MAX = 200

const settingsChange = settings.partial()

/**
 * The effect of a handed-in file: a new agent, by default with an unused name derived from its agent.json or file name;
 * or the newest version of an existing agent, which is never guessed from a name.
 */
const becomes = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('agent'), name: newName.nullable() }),
  z.strictObject({ what: z.literal('version'), of: entrantId }),
])
export type Becomes = z.infer<typeof becomes>

const practice = z.strictObject({
  name: entrantId,
  agent: sha256Hex,
  opponents: z.array(sha256Hex).min(1).max(99),
  /** With each opponent. */
  matches: z.int().min(1).max(1_000),
})
export type Practice = z.infer<typeof practice>

export const procedures = {
  'class.overview': procedure<z.infer<typeof nothing>, Overview>(nothing),

  'agents.list': procedure<{ offset: number; limit: number; search: string }, Page<AgentSummary>>(
    z.strictObject({ ...page, search }),
  ),
  'agents.get': procedure<
    { name: string },
    AgentSummary & {
      readonly source: string | null
      /** In its newest version. */
      readonly components: readonly ComponentUse[]
      readonly takesPart: TakesPart
    }
  >(z.strictObject({ name: entrantId })),
  /**
   * The shipped agents that the newest version of a script is similar to, the most similar first. It says where to look,
   * and does not prove anything.
   */
  'agents.similar': procedure<{ name: string }, readonly SimilarAgent[]>(z.strictObject({ name: entrantId })),
  /** The same for agents of other teams of the class. Code that everybody has from the kits does not count. */
  'agents.similarInClass': procedure<{ name: string }, readonly SimilarAgent[]>(z.strictObject({ name: entrantId })),
  /** All pairs of such agents of the class, and with those of earlier classes; for each game the most similar ones first. */
  'agents.similarPairs': procedure<z.infer<typeof nothing>, readonly SimilarPair[]>(nothing),
  /**
   * The code of the newest versions of two agents with the passages that they have in common; code of kits and of the shipped baby is not
   * marked. `earlier`: the earlier class of the second one; null: this class.
   */
  'agents.compareCode': procedure<{ name: string; other: string; earlier: string | null }, ComparedCode>(
    z.strictObject({ name: entrantId, other: entrantId, earlier: z.string().max(255).nullable() }),
  ),
  'agents.faults': procedure<{ name: string; offset: number; limit: number }, Page<AgentFault>>(
    z.strictObject({ name: entrantId, ...page }),
  ),
  'agents.results': procedure<{ name: string }, AgentResults>(z.strictObject({ name: entrantId })),
  /**
   * Opens the history of a version's last trial match and returns its id as an opened file. Refused if there is none.
   */
  'agents.trialMatch': procedure<{ name: string; agent: Sha256 }, { readonly file: string }>(
    z.strictObject({ name: entrantId, agent: sha256Hex }),
  ),
  'agents.console': procedure<{ name: string; offset: number; limit: number }, Page<AgentConsole>>(
    z.strictObject({ name: entrantId, ...page }),
  ),
  /** Examines an uploaded file (`POST /packages`), which can then be handed in. Refused if it cannot be an agent. */
  'agents.look': procedure<{ file: string; game: string }, LookedAt>(
    z.strictObject({ file: uploadHandle, game: gameId }),
  ),
  /**
   * Stores the uploaded file, plays the smoke match, and reports its verdict. `belonging` applies to what the file's own
   * agent.json leaves open. `wait` false: returns as soon as the file is stored. `note`: a remark for the person, for
   * example that the class already has an identical agent; null: none.
   */
  'agents.submit': procedure<
    { file: string; game: string; belonging: Belonging; becomes: Becomes; wait: boolean },
    AgentSummary & { readonly note: string | null }
  >(
    z.strictObject({
      file: uploadHandle,
      game: gameId,
      belonging: belonging.default({}),
      becomes: becomes.default({ what: 'agent', name: null }),
      wait: z.boolean().default(true),
    }),
  ),
  /**
   * Hands in the agents that ship with a game, except those that the class already has. If a name is taken, the game's
   * name is appended. Returns the names of the new agents.
   */
  'agents.adopt': procedure<{ game: string }, readonly string[]>(z.strictObject({ game: gameId })),
  /** Renames an agent; contests keep the former name. Refused if another agent's name is equal or looks the same. */
  'agents.rename': procedure<{ name: string; to: string }, null>(z.strictObject({ name: entrantId, to: newName })),
  /**
   * Removes an agent with all its versions from the class and deletes its files. Refused while it takes part in an
   * unfinished contest; results and histories of finished contests stay.
   */
  'agents.remove': procedure<{ name: string }, null>(z.strictObject({ name: entrantId })),
  /** Plays the smoke match of an agent's newest version again; the new verdict replaces the old one. */
  'agents.try': procedure<{ name: string }, null>(z.strictObject({ name: entrantId })),
  /**
   * Begins a contest in which a version of an agent plays each of the opponents a number of times. It is practice: it does not
   * count among the results of the agents. `opponents`: versions of the class's agents, or agents that ship, by package.
   */
  'agents.practise': procedure<Practice, { readonly contest: ContestId }>(practice),
  /** Stops an agent's smoke match, which then has no verdict. */
  'agents.stop': procedure<{ name: string }, null>(z.strictObject({ name: entrantId })),

  /** The versions of agents whose source is public by the class's reveal rule, newest first. */
  'sources.list': procedure<{ offset: number; limit: number; search: string }, Page<PublicSource>>(
    z.strictObject({ ...page, search }),
  ),
  /** Refused, like the two below, if the source is not public. */
  'sources.get': procedure<OneVersion, SourceDetail>(oneVersion),
  /** The text of a file. Refused if the file cannot be shown. */
  'sources.file': procedure<OneVersion & { path: string }, { readonly text: string }>(oneSourceFile),
  /** All files of a source as a zip: a download. */
  'sources.download': procedure<OneVersion, StartedDownload>(oneVersion),

  'components.list': procedure<{ offset: number; limit: number; search: string }, Page<ComponentSummary>>(
    z.strictObject({ ...page, search }),
  ),
  'components.get': procedure<{ component: Sha256 }, ComponentDetail>(z.strictObject({ component: sha256Hex })),
  /** Stores an uploaded component; it stays while the class exists. Refused if it is not a module, or if another team has its name or its bytes. */
  'components.publish': procedure<Publication, ComponentSummary>(publication),
  /** Withdraws a component from new agents, or takes that back. Agents that contain it keep it, and its text stays. */
  'components.withdraw': procedure<{ component: Sha256; isWithdrawn: boolean }, null>(
    z.strictObject({ component: sha256Hex, isWithdrawn: z.boolean() }),
  ),

  ...kitProcedures,

  'challenges.list': procedure<z.infer<typeof nothing>, readonly ChallengeSummary[]>(nothing),
  'challenges.get': procedure<{ name: string }, ChallengeDetail>(z.strictObject({ name: z.string().min(1).max(64) })),
  /**
   * Stores a challenge of the class; one with errors is stored as a draft. `from`: the version that it replaces, with
   * the error 'conflict' if that is no longer the stored one; null: the challenge is new.
   */
  'challenges.save': procedure<{ name: string; source: string; from: Sha256 | null }, ChallengeSummary>(
    z.strictObject({
      name: challengeName,
      source: z.string().max(CHALLENGE_CHARACTERS_MAX),
      from: sha256Hex.nullable(),
    }),
  ),
  /** Deletes a challenge of the class; contests that were created with it keep its text. */
  'challenges.delete': procedure<{ name: string }, null>(z.strictObject({ name: challengeName })),

  /** The available texts for a field of a game's config, such as maps; challenges have their own procedures. */
  'texts.list': procedure<TextField, readonly TextSummary[]>(z.strictObject(textField)),
  'texts.get': procedure<TextField & { name: string }, string>(z.strictObject({ ...textField, name: textName })),
  'texts.add': procedure<TextField & { name: string; text: string }, TextSummary>(
    z.strictObject({ ...textField, name: textName, text: z.string().max(TEXT_CHARACTERS_MAX, TEXT_TOO_LONG) }),
    // Each character may be escaped in JSON.
    2 * TEXT_CHARACTERS_MAX,
  ),
  /** Deletes a text of the class; contests that were created with it keep it. */
  'texts.delete': procedure<TextField & { name: string }, null>(z.strictObject({ ...textField, name: textName })),

  ...contestProcedures,
  ...recurringProcedures,
  ...registrationProcedures,

  ...entryProcedures,
  ...teamProcedures,
  ...studentProcedures,
  ...caseProcedures,
  ...practiceProcedures,

  'matches.get': procedure<{ source: MatchSource }, MatchDetail>(z.strictObject({ source: matchSource })),
  'matches.events': procedure<{ source: MatchSource; offset: number; limit: number }, Page<MatchEvent>>(
    z.strictObject({ source: matchSource, ...page }),
  ),

  /**
   * A match that is being played, as spectators see it: the topic `live:` has how it goes on. null: it is not being played,
   * or has just begun. The contest's detail lists such matches.
   */
  'matches.live': procedure<{ contest: string; match: number }, LiveFacts | null>(
    z.strictObject({ contest: contestId, match: matchNumber }),
  ),

  /** The events after `from`, as soon as there are any; returns at once if there will be none. */
  'matches.outline': procedure<{ source: MatchSource; from: number }, OutlinePage>(
    z.strictObject({ source: matchSource, from: z.int().min(0) }),
  ),
  /**
   * The saved state of the game's rules at the nearest saved position up to this one; null: start from the beginning. A
   * position is a number of events. Only few events need to be applied to reach the requested position from there.
   */
  'matches.state': procedure<
    { source: MatchSource; position: number },
    { readonly position: number; readonly state: Json } | null
  >(z.strictObject({ source: matchSource, position: z.int().min(0) })),

  /**
   * Plays the messages that a seat received in a finished match to another agent, isolated and with the clock, limits and seed
   * of the match, and returns its answer at the moment shown. The topic `otherAnswer:` reports the progress.
   */
  'matches.otherAnswer': procedure<OtherAnswerWish, OtherAnswer>(otherAnswerWish),
  /** Stops such a request, which then fails with a message that it was stopped. */
  'matches.stopOtherAnswer': procedure<{ request: string }, null>(z.strictObject({ request: z.uuid() })),

  /** The agents that a person can play against: the newest versions of the class's agents, and those that ship. */
  'play.opponents': procedure<{ game: string }, readonly Opponent[]>(z.strictObject({ game: gameId })),
  /** Starts a match in which a person plays in this window. It is recorded as a contest with one match. */
  'play.begin': procedure<PlayWish, { readonly contest: ContestId }>(humanMatchRequest),
  'play.get': procedure<{ contest: string }, Play>(oneContest),
  /** Refused if the question has expired or the game cannot parse the answer. */
  'play.answer': procedure<z.infer<typeof playAnswer>, null>(playAnswer, 100_000),
  /** The person leaves; the game's rules decide what that means for the seat. No effect if the match is over. */
  'play.leave': procedure<{ contest: string }, null>(oneContest),

  ...historyProcedures,

  ...miningProcedures,

  ...dossierProcedures,

  ...downloadProcedures,

  ...peopleProcedures,
  ...lockedNamesProcedures,

  ...homeProcedures,

  ...gradeProcedures,

  /** This machine's addresses on which an arena can listen. */
  'arena.hosts': procedure<z.infer<typeof nothing>, readonly string[]>(nothing),

  /** Creates an address that admits one more browser of this machine, once. Refused where no browsers are served. */
  'screens.invite': procedure<z.infer<typeof nothing>, { readonly address: string; readonly minutes: number }>(nothing),

  ...networkProcedures,

  ...classesProcedures,

  'settings.get': procedure<z.infer<typeof nothing>, Settings>(nothing),
  'settings.set': procedure<z.infer<typeof settingsChange>, Settings>(settingsChange),
  /**
   * Copies the class's data into a new numbered folder beside the data folder, itself usable as a data folder.
   */
  'settings.backup': procedure<z.infer<typeof nothing>, { readonly folder: string; readonly bytes: number }>(nothing),
  /** The isolation tiers of this machine, strongest first, by a quick check; `doctor.run` attacks each tier. */
  'isolation.tiers': procedure<z.infer<typeof nothing>, readonly TierFinding[]>(nothing),
  'doctor.run': procedure<
    z.infer<typeof nothing>,
    { readonly findings: readonly DoctorFinding[]; readonly tiers: readonly TierFinding[] }
  >(nothing),
  /** Stops a `doctor.run`, which then fails with a message that it was stopped. `examination` reports its progress. */
  'doctor.stop': procedure<z.infer<typeof nothing>, null>(nothing),
} as const

export type ProcedureName = keyof typeof procedures
export type InputOf<N extends ProcedureName> = z.input<(typeof procedures)[N]['input']>
export type ParsedInputOf<N extends ProcedureName> = ReturnType<(typeof procedures)[N]['input']['parse']>
export type OutputOf<N extends ProcedureName> = NonNullable<(typeof procedures)[N]['output']> | Nullable<N>
type Nullable<N extends ProcedureName> = null extends (typeof procedures)[N]['output'] ? null : never

/**
 * The implementation of the procedures. A handler throws ExpectedError or MachineError for problems to show to a
 * person.
 */
export type Handlers = {
  readonly [N in ProcedureName]: (input: ParsedInputOf<N>, caller: Caller) => Promise<OutputOf<N>>
}

/** Functions of the program that a screen calls (birpc). */
export interface ProgramSide {
  /** `as`: the id of a student as whom staff looks at the class; absent: as oneself. */
  call(name: string, input: unknown, as?: string): Promise<CallReply<unknown>>
  subscribe(topic: string, as?: string): Promise<CallReply<null>>
  unsubscribe(topic: string): Promise<CallReply<null>>
}

/** Functions of a screen that the program calls (birpc, without an answer). */
export interface ScreenSide {
  notify(topic: string, value: unknown): void
}
