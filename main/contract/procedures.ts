import { z } from 'zod'
import type { AgentManifest } from './agents.ts'
import { settings, type ClassSettings, type TargetingReport } from './classroom.ts'
import { contestDescription, type ContestDescription } from './contests.ts'
import type { Fault } from './faults.ts'
import type { OutlineMark } from './game.ts'
import type { MatchFacts } from './history.ts'
import { contestId, entrantId, gameId, matchNumber, type ContestId, type EntrantId, type MatchNumber } from './ids.ts'
import { sha256Hex, type GameId, type SeatId, type Sha256 } from './ids.ts'
import type { Json } from './json.ts'
import { kitNames, type KitName } from './kits.ts'
import type { IsolationTier } from './limits.ts'
import type { Outcome } from './outcome.ts'
import { playAnswer, playWish, type Opponent, type Play, type PlayWish } from './play.ts'

/**
 * Everything that a screen can ask of the program, over a MessagePort in Electron and a WebSocket in a browser. An input is
 * parsed here, on arrival, whatever the transport; an output is data of ours and only typed. Long lists are paged.
 */
export interface Procedure<I, O> {
  /** Who may call it. */
  readonly right: Right
  readonly input: z.ZodType<I>
  /** Most characters (texts, names and numbers together) that an input may hold; more is not even parsed. */
  readonly characters: number
  /** Only a type: never set. */
  readonly output?: O
}

export const right = z.enum(['educator'])
export type Right = z.infer<typeof right>

/** Who is at the other end of a connection. `right` null: nobody has signed in there. */
export interface Caller {
  readonly right: Right | null
}

/**
 * What a call comes back with. `code` is for programs, `message` one sentence for people. 'conflict': what was to be changed is
 * not any more what it was when the change began.
 */
export type Reply<O> = { readonly ok: true; readonly value: O } | { readonly ok: false; readonly error: CallError }
export interface CallError {
  readonly code: 'unknown-procedure' | 'forbidden' | 'malformed' | 'refused' | 'conflict' | 'host'
  readonly message: string
}

/**
 * A part of a long list. `total` counts what the filter lets through. Where items are large there are fewer than were asked
 * for, at least one: the next page begins at `offset + items.length`.
 */
export interface Page<T> {
  readonly items: readonly T[]
  readonly offset: number
  readonly total: number
}

const page = { offset: z.int().min(0).default(0), limit: z.int().min(1).max(1_000).default(100) }
const search = z.string().max(200).default('')
const nothing = z.strictObject({})

/**
 * A contest as the New contest screen writes it: a contest's description, in which `config.challenge` may be the name of a
 * challenge of the class or one that ships. Agents by hash: they have been handed in before.
 */
export const contestDraft = contestDescription
export type ContestDraft = ContestDescription

export interface AgentSummary {
  readonly name: EntrantId
  readonly game: GameId
  readonly kind: AgentManifest['kind']
  /** Newest first; the first is the one that contests take. */
  readonly versions: readonly AgentVersion[]
  /** Faults in all recorded matches, host faults not counted. */
  readonly faults: number
}

export interface AgentVersion {
  readonly agent: Sha256
  /** ISO 8601, UTC. */
  readonly submitted: string
  /** Verdict of the smoke match; null: there is none. */
  readonly smoke: { readonly ok: boolean; readonly text: string } | null
  /** Without a verdict: the smoke match is played or waits, or why it could not be played. null: nobody has tried. */
  readonly trial: 'playing' | { readonly trouble: string } | null
}

/** One fault of an agent, with the place to look at. */
export interface AgentFault {
  readonly contest: ContestId
  /** The contest's. */
  readonly title: string
  readonly match: MatchNumber
  readonly seat: SeatId
  /** ms on the match clock. */
  readonly at: number
  readonly fault: Fault
}

/** What an agent printed in one match, in order. */
export interface AgentConsole {
  readonly contest: ContestId
  /** The contest's. */
  readonly title: string
  readonly match: MatchNumber
  readonly text: string
}

export interface ChallengeSummary {
  readonly name: string
  readonly title: string
  /** Markdown, for students. */
  readonly text: string
  /** Of this class, which may change it; the others come with Tartaglia. */
  readonly own: boolean
  /** Why it is only a draft, which no contest takes: the first thing wrong, with its place. null: it can be played. */
  readonly problem: string | null
  /** Of its file: changes with every character. */
  readonly version: Sha256
}

/** A challenge with its file. */
export type ChallengeDetail = ChallengeSummary & { readonly source: string }

/** The name of a challenge, and of its file: `new` is the screen's for one that has no name yet. */
export const challengeName = z
  .string()
  .max(64)
  .regex(
    /^(?!new$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'expected small letters and digits, words joined by "-", and not "new"',
  )

/** Characters of a challenge file. */
export const CHALLENGE_CHARACTERS_MAX = 1_000_000

/** `open`: it can be started, or gone on with. `queued`: it begins when the one that runs has ended; one runs at a time. */
export type ContestState = 'open' | 'queued' | 'running' | 'ended' | 'cancelled'

export interface ContestSummary {
  readonly contest: ContestId
  readonly title: string
  readonly game: GameId
  readonly state: ContestState
  readonly entrants: number
  readonly progress: ContestProgress
}

export interface ContestProgress {
  readonly done: number
  readonly total: number
  /** null: unknown, or not running. */
  readonly msLeft: number | null
}

/** A row of the ladder; see administrator/contests/standings.ts. */
export interface StandingRow {
  readonly agent: EntrantId
  readonly rank: number
  readonly points: number
  readonly matches: number
  readonly wins: number
  readonly faults: number
  readonly removals: number
  readonly score: number
  /**
   * In a contest of ordered pairs, whose points are the score: sessions that ended in an agreement, the sessions and scores of
   * each seat, and whether it reached the final, where only sessions with other finalists count.
   */
  readonly session?: {
    readonly agreements: number
    readonly bySeat: readonly { readonly sessions: number; readonly score: number }[]
    readonly final: boolean
  }
}

/** Sessions of one ordered pair; lists have a number for each seat. */
export interface PairRow {
  readonly first: EntrantId
  readonly second: EntrantId
  readonly sessions: number
  readonly agreements: number
  readonly score: readonly number[]
  readonly aborts: readonly number[]
}

/** Why an entrant broke sessions off, and how many. */
export interface WalkedAway {
  readonly agent: EntrantId
  readonly reason: string
  readonly sessions: number
}

/**
 * Who beat whom: `better[i][j]` matches in which entrant i ended before entrant j, half for level; `met[i][j]`: of so many.
 * All empty where there are more entrants than `DETAIL_MAX`.
 */
export interface HeadToHead {
  readonly names: readonly EntrantId[]
  readonly better: readonly (readonly number[])[]
  readonly met: readonly (readonly number[])[]
  /** `better[i][j]` is what i scored in these matches instead. */
  readonly scores?: true
}

/** Entrants and places of a contest that its detail holds; `contests.entrants` and `contests.standings` have all. */
export const DETAIL_MAX = 200

export interface ContestDetail {
  /** `entrants`: how many there are. */
  readonly summary: ContestSummary
  /** Its entrants are the first `DETAIL_MAX`. */
  readonly draft: ContestDraft
  /** The tier in use, or that was used last; null before the first run. */
  readonly isolation: IsolationTier | null
  /** Best first, `DETAIL_MAX` at most. */
  readonly standings: readonly StandingRow[]
  readonly headToHead: HeadToHead
  readonly voided: readonly MatchNumber[]
  /** Sentences for the educator, newest last: repairs, void matches, why it stopped. */
  readonly notices: readonly string[]
  /** Of a contest that has ended and in which nobody may treat others differently; null: there is none. */
  readonly targeting: TargetingReport | null
}

export interface MatchSummary {
  readonly contest: ContestId
  /** The contest's. */
  readonly title: string
  readonly match: MatchNumber
  readonly seats: readonly { readonly name: EntrantId; readonly rank: number; readonly removed: boolean }[]
  readonly faults: number
}

/** Where a match's history is read from: a contest of this class, or a file that was opened. */
export const matchSource = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('contest'), contest: contestId, match: matchNumber }),
  z.strictObject({ from: z.literal('file'), file: z.string().min(1).max(100) }),
])
export type MatchSource = z.infer<typeof matchSource>

/** One name for each source, as topics have it: `<file>` or `<contest>/<match>`. */
export function sourceName(source: MatchSource): string {
  return source.from === 'file' ? source.file : `${source.contest}/${source.match}`
}

export interface MatchDetail {
  readonly facts: MatchFacts
  /** The game's config, complete: with facts.seats and `seed` all that its rules start from. */
  readonly config: Json
  readonly seed: Sha256
  readonly outcome: Outcome
  /** Of a long match that has not been looked through yet: as many as there can be. `matches.outline` finds their end. */
  readonly events: number
}

/** A line of a match's history that a viewer shows or folds. `n`: its place in the run. */
export type MatchEvent = { readonly n: number; readonly at: number } & (
  | { readonly kind: 'input'; readonly input: Json }
  | { readonly kind: 'fault'; readonly seat: SeatId; readonly fault: Fault }
  | { readonly kind: 'console'; readonly seat: SeatId; readonly text: string }
)

/**
 * A match's events as numbers, for lists and pictures of the whole match; the program gathers them by folding the match, which
 * takes a while for a long one. One each for the events from `from` on.
 */
export interface OutlinePage {
  readonly from: number
  /** ms on the match clock. */
  readonly at: readonly number[]
  readonly round: readonly number[]
  /** -1: nobody's. */
  readonly seat: readonly number[]
  /** Lines that it takes to tell it, 1 at least. */
  readonly lines: readonly number[]
  /** What each seat has after it: as many numbers for each event as there are seats. */
  readonly levels: readonly number[]
  readonly marks: readonly (OutlineMark & { readonly event: number })[]
  /** What each seat has at the beginning. */
  readonly initial: readonly number[]
  /** Positions behind `from`, up to that of the last of these events, of which there is a saved state. */
  readonly states: readonly number[]
  /** Nothing follows these events: the match ends, or cannot be folded any further for what `broken` says. */
  readonly last: boolean
  readonly broken: string | null
}

/** What a verification says to people. */
export type HistoryVerdict =
  | {
      readonly ok: true
      readonly contest: ContestId
      readonly match: MatchNumber
      readonly keyChecked: boolean
      readonly replayed: boolean
      /** What was checked, a sentence each; then what was not. */
      readonly checked: readonly string[]
      readonly notes: readonly string[]
    }
  | { readonly ok: false; readonly line: number; readonly message: string }

export interface Settings extends ClassSettings {
  readonly dataFolder: string
  /** The line that verifies this class's histories. */
  readonly publicKey: string
}
const settingsChange = settings.partial()

export interface Finding {
  readonly name: string
  readonly verdict: 'good' | 'weak' | 'bad'
  readonly text: string
  readonly advice?: string
}

export interface TierFinding {
  readonly tier: IsolationTier
  readonly available: boolean
  readonly text: string
  readonly command: string | null
}

export interface Overview {
  readonly agents: number
  readonly contests: readonly ContestSummary[]
  /** What wants the educator, most urgent first; `link` is a screen's address such as `#/contests/x-1`. */
  readonly attention: readonly { readonly text: string; readonly link: string }[]
}

/** Name of a file that somebody hands over: never a path here. */
export const fileName = z.string().min(1).max(255)

/** Base64 of a file that was dropped: 64 MiB at most. */
const fileCharacters = 89_478_488
const fileContent = z.base64().max(fileCharacters)
/** Base64 of a history's last bytes: 256 KiB at most. */
const endCharacters = 349_528

function procedure<I, O>(input: z.ZodType<I>, characters = 4_000_000): Procedure<I, O> {
  return { right: 'educator', input, characters }
}

const oneContest = z.strictObject({ contest: contestId })

export const procedures = {
  'class.overview': procedure<z.infer<typeof nothing>, Overview>(nothing),

  'agents.list': procedure<{ offset: number; limit: number; search: string }, Page<AgentSummary>>(
    z.strictObject({ ...page, search }),
  ),
  'agents.get': procedure<{ name: string }, AgentSummary & { readonly source: string | null }>(
    z.strictObject({ name: entrantId }),
  ),
  'agents.faults': procedure<{ name: string; offset: number; limit: number }, Page<AgentFault>>(
    z.strictObject({ name: entrantId, ...page }),
  ),
  'agents.console': procedure<{ name: string; offset: number; limit: number }, Page<AgentConsole>>(
    z.strictObject({ name: entrantId, ...page }),
  ),
  /**
   * Stores the file, plays the smoke match, and says in words whether the agent walks and talks. `wait` false: it answers as
   * soon as the file is stored.
   */
  'agents.submit': procedure<{ fileName: string; content: string; game: string; wait: boolean }, AgentSummary>(
    z.strictObject({ fileName, content: fileContent, game: gameId, wait: z.boolean().default(true) }),
    fileCharacters + 1_000,
  ),
  /** Plays the smoke match of an agent's newest version once more; its verdict then takes the old one's place. */
  'agents.try': procedure<{ name: string }, null>(z.strictObject({ name: entrantId })),
  /** Ends an agent's smoke match, which then has no verdict. */
  'agents.stop': procedure<{ name: string }, null>(z.strictObject({ name: entrantId })),
  /** What students begin with: a zip, in base64. */
  'kits.get': procedure<{ kit: KitName }, { readonly fileName: string; readonly content: string }>(
    z.strictObject({ kit: z.enum(kitNames) }),
  ),

  'challenges.list': procedure<z.infer<typeof nothing>, readonly ChallengeSummary[]>(nothing),
  'challenges.get': procedure<{ name: string }, ChallengeDetail>(z.strictObject({ name: z.string().min(1).max(64) })),
  /**
   * Keeps a challenge of the class; one with errors is kept as a draft. `from`: the version that was changed, in whose place it
   * comes, or 'conflict' where that is not there any more; null: there is none of that name.
   */
  'challenges.save': procedure<{ name: string; source: string; from: Sha256 | null }, ChallengeSummary>(
    z.strictObject({
      name: challengeName,
      source: z.string().max(CHALLENGE_CHARACTERS_MAX),
      from: sha256Hex.nullable(),
    }),
  ),
  /** Only one of the class's own; contests that were made with it keep its text. */
  'challenges.delete': procedure<{ name: string }, null>(z.strictObject({ name: challengeName })),

  'contests.list': procedure<{ offset: number; limit: number; search: string }, Page<ContestSummary>>(
    z.strictObject({ ...page, search }),
  ),
  'contests.get': procedure<{ contest: string }, ContestDetail>(oneContest),
  /** Best first. */
  'contests.standings': procedure<{ contest: string; offset: number; limit: number }, Page<StandingRow>>(
    z.strictObject({ contest: contestId, ...page }),
  ),
  /** In the order of the description. */
  'contests.entrants': procedure<
    { contest: string; offset: number; limit: number },
    Page<ContestDraft['entrants'][number]>
  >(z.strictObject({ contest: contestId, ...page })),
  'contests.matches': procedure<
    { contest: string; offset: number; limit: number; entrant: string },
    Page<MatchSummary>
  >(z.strictObject({ contest: contestId, ...page, entrant: search })),
  /** How many matches it would be, and for how long on this machine (null: no experience yet). */
  'contests.estimate': procedure<{ draft: ContestDraft }, { readonly matches: number; readonly ms: number | null }>(
    z.strictObject({ draft: contestDraft }),
  ),
  'contests.create': procedure<{ draft: ContestDraft }, { readonly contest: ContestId }>(
    z.strictObject({ draft: contestDraft }),
  ),
  'contests.start': procedure<{ contest: string }, null>(oneContest),
  /** Running matches are dropped; `contests.start` goes on. */
  'contests.pause': procedure<{ contest: string }, null>(oneContest),
  'contests.cancel': procedure<{ contest: string }, null>(oneContest),

  'matches.get': procedure<{ source: MatchSource }, MatchDetail>(z.strictObject({ source: matchSource })),
  'matches.events': procedure<{ source: MatchSource; offset: number; limit: number }, Page<MatchEvent>>(
    z.strictObject({ source: matchSource, ...page }),
  ),

  /** What follows `from`, as soon as there is something; at once where nothing will. */
  'matches.outline': procedure<{ source: MatchSource; from: number }, OutlinePage>(
    z.strictObject({ source: matchSource, from: z.int().min(0) }),
  ),
  /**
   * The saved state of the game's rules at the last position up to this one of which there is one; null: the beginning, which
   * needs none. Positions count events. The events from there on are few, and lead to any position behind it.
   */
  'matches.state': procedure<
    { source: MatchSource; position: number },
    { readonly position: number; readonly state: Json } | null
  >(z.strictObject({ source: matchSource, position: z.int().min(0) })),

  /** Whom a person can play against: the newest versions of the class's agents, and those that ship. */
  'play.opponents': procedure<{ game: string }, readonly Opponent[]>(z.strictObject({ game: gameId })),
  /** Begins a match in which a person plays at this window. It is recorded as a contest of its own, which has one match. */
  'play.begin': procedure<PlayWish, { readonly contest: ContestId }>(playWish),
  'play.get': procedure<{ contest: string }, Play>(oneContest),
  /** Refused where the question is over, or the game cannot read the answer. */
  'play.answer': procedure<z.infer<typeof playAnswer>, null>(playAnswer, 100_000),
  /** The person goes, which ends the match for that seat as its game has it. Nothing happens where it is over. */
  'play.leave': procedure<{ contest: string }, null>(oneContest),

  'histories.list': procedure<{ offset: number; limit: number; search: string }, Page<MatchSummary>>(
    z.strictObject({ ...page, search }),
  ),
  /**
   * Announces a history that is about to be taken in, so that what is here of it can be read while it comes. `end`: its last
   * bytes, where its outcome stands. `file`: what it is called from now on; it is to begin to come within ten seconds.
   */
  'histories.expect': procedure<{ fileName: string; bytes: number; end: string }, { readonly file: string }>(
    z.strictObject({ fileName, bytes: z.int().min(0), end: z.base64().max(endCharacters) }),
    endCharacters + 1_000,
  ),
  /** Answers with the verdict when there is one; `verification:` tells how far it is. A file's verdict is kept with it. */
  'histories.verify': procedure<{ source: MatchSource }, HistoryVerdict>(z.strictObject({ source: matchSource })),
  /** Ends a verification that runs: it answers that it was stopped. */
  'histories.stop': procedure<{ source: MatchSource }, null>(z.strictObject({ source: matchSource })),
  /** The exported file's text, and the public key to verify it with. */
  'histories.export': procedure<
    { contest: string; match: number },
    { readonly fileName: string; readonly content: string; readonly publicKey: string }
  >(z.strictObject({ contest: contestId, match: matchNumber })),

  'settings.get': procedure<z.infer<typeof nothing>, Settings>(nothing),
  'settings.set': procedure<z.infer<typeof settingsChange>, Settings>(settingsChange),
  /** Copies what is to be kept into a new folder `backups/<number>` of the data folder, which can be opened as one itself. */
  'settings.backup': procedure<z.infer<typeof nothing>, { readonly folder: string; readonly bytes: number }>(nothing),
  /** How agents can be held here, strongest first: quick, where `doctor.run` attacks each tier. */
  'isolation.tiers': procedure<z.infer<typeof nothing>, readonly TierFinding[]>(nothing),
  'doctor.run': procedure<
    z.infer<typeof nothing>,
    { readonly findings: readonly Finding[]; readonly tiers: readonly TierFinding[] }
  >(nothing),
  /** Ends a `doctor.run`: it answers that it was stopped. `examination` tells how far it is. */
  'doctor.stop': procedure<z.infer<typeof nothing>, null>(nothing),
} as const

export type ProcedureName = keyof typeof procedures
export type InputOf<N extends ProcedureName> = z.input<(typeof procedures)[N]['input']>
export type ParsedInputOf<N extends ProcedureName> = z.output<(typeof procedures)[N]['input']>
export type OutputOf<N extends ProcedureName> = NonNullable<(typeof procedures)[N]['output']> | Nullable<N>
type Nullable<N extends ProcedureName> = null extends (typeof procedures)[N]['output'] ? null : never

/** What does the procedures' work. A handler throws Trouble or HostTrouble for what a person must be told. */
export type Handlers = {
  readonly [N in ProcedureName]: (input: ParsedInputOf<N>, caller: Caller) => Promise<OutputOf<N>>
}

/** What the program tells screens that have subscribed, at most four times a second each. */
export interface Topics {
  /** Contests that run. */
  readonly status: readonly ContestSummary[]
  /** The contest that one screen shows: `contest:<id>`. */
  readonly contest: ContestDetail
  /** The list of agents has changed. */
  readonly agents: null
  /** The class's settings, whoever changes them. */
  readonly settings: Settings
  /** How much of `doctor.run` is done, 0 to 1; null: none runs. */
  readonly examination: number | null
  /** A match that is played at the window: `play:<contest>`. Whoever listens to it is taken to be the one who plays. */
  readonly play: Play
  /** How much of a verification is done, 0 to 1; null: none runs. `verification:` and the source's name. */
  readonly verification: number | null
}

/** `status`, `agents`, `settings`, `examination`, `contest:` or `play:` and an id, or `verification:` and the name of a source. */
export const topic = z
  .string()
  .regex(
    /^(status|agents|settings|examination|(contest|play):[a-z0-9][a-z0-9-]{0,79}|verification:[a-z0-9][a-z0-9-]{0,99}(\/\d{1,9})?)$/,
  )

/** Functions of the program that a screen calls (birpc). */
export interface ProgramSide {
  call(name: string, input: unknown): Promise<Reply<unknown>>
  subscribe(topic: string): Promise<Reply<null>>
  unsubscribe(topic: string): Promise<Reply<null>>
}

/** Functions of a screen that the program calls (birpc, without an answer). */
export interface ScreenSide {
  notify(topic: string, value: unknown): void
}
