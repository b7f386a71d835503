import { z } from 'zod'
import type {
  AgentConsole,
  AgentFault,
  AgentSummary,
  ChallengeDetail,
  ChallengeSummary,
  ContestDetail,
  ContestSummary,
  Finding,
  HistoryVerdict,
  LookedAt,
  MatchDetail,
  MatchEvent,
  MatchSummary,
  OutlinePage,
  Overview,
  Page,
  Settings,
  StandingRow,
  TakesPart,
  TierFinding,
} from './answers.ts'
import { belonging, type Belonging } from './agents.ts'
import { arenaPlace, type ArenaPlace, type OpenArena } from './arena.ts'
import { settings } from './classroom.ts'
import { contestDescription, type ContestDescription } from './contests.ts'
import { contestId, entrantId, entrantName, gameId, matchNumber, type ContestId } from './ids.ts'
import { sha256Hex, type Sha256 } from './ids.ts'
import type { Json } from './json.ts'
import { kitNames, type KitName } from './kits.ts'
import { playAnswer, playWish, type Opponent, type Play, type PlayWish } from './human-match.ts'

export type * from './answers.ts'

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

const page = { offset: z.int().min(0).default(0), limit: z.int().min(1).max(1_000).default(100) }
const search = z.string().max(200).default('')
const nothing = z.strictObject({})

/**
 * A contest as the New contest screen writes it: a contest's description, in which `config.challenge` may be the name of a
 * challenge of the class or one that ships. Agents by hash: they have been handed in before.
 */
export const contestDraft = contestDescription
export type ContestDraft = ContestDescription

/** The name of a challenge, and of its file: `new` is the screen's for one that has no name yet. */
export const challengeName = z
  .string()
  .max(64)
  .regex(
    /^(?!new$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'expected small letters and digits, words joined by "-", and not "new"',
  )

/** A text that configs of a game give by name. */
const textField = { game: gameId, field: z.string().min(1).max(64) }
export interface TextField {
  readonly game: string
  /** The field of the config. */
  readonly field: string
}

/** The name of a text and of its file, such as of a map. */
export const textName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'expected at most 64 small letters, digits and "-"')

/** Characters of such a text. */
const TEXT_CHARACTERS_MAX = 16_000_000

export interface TextSummary {
  readonly name: string
  /** The class's own; else it ships with the game. */
  readonly own: boolean
  readonly bytes: number
}

/** Characters of a challenge file. */
export const CHALLENGE_CHARACTERS_MAX = 1_000_000

/** Entrants and places of a contest that its detail holds; `contests.entrants` and `contests.standings` have all. */
export const DETAIL_MAX = 200

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

const settingsChange = settings.partial()

/** Name of a file that somebody hands over: never a path here. */
export const fileName = z.string().min(1).max(255)

/**
 * What a file becomes that is handed in: a new agent, by default under a name that follows from its agent.json or its file's name
 * and that no agent has; or the newest version of an agent, which is never guessed from a name.
 */
const becomes = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('agent'), name: entrantName.nullable() }),
  z.strictObject({ what: z.literal('version'), of: entrantId }),
])
export type Becomes = z.infer<typeof becomes>

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
  'agents.get': procedure<
    { name: string },
    AgentSummary & { readonly source: string | null; readonly takesPart: TakesPart }
  >(z.strictObject({ name: entrantId })),
  'agents.faults': procedure<{ name: string; offset: number; limit: number }, Page<AgentFault>>(
    z.strictObject({ name: entrantId, ...page }),
  ),
  'agents.console': procedure<{ name: string; offset: number; limit: number }, Page<AgentConsole>>(
    z.strictObject({ name: entrantId, ...page }),
  ),
  /** Looks at a file without taking it in. Refused where it is none that could be. */
  'agents.look': procedure<{ fileName: string; content: string; game: string }, LookedAt>(
    z.strictObject({ fileName, content: fileContent, game: gameId }),
    fileCharacters + 1_000,
  ),
  /**
   * Stores the file, plays the smoke match, and says in words whether the agent walks and talks. `belonging` holds where the
   * file's own agent.json says nothing of it. `wait` false: it answers as soon as the file is stored. `note`: what else is to be
   * said, as that the class has these very bytes; null: nothing.
   */
  'agents.submit': procedure<
    { fileName: string; content: string; game: string; belonging: Belonging; becomes: Becomes; wait: boolean },
    AgentSummary & { readonly note: string | null }
  >(
    z.strictObject({
      fileName,
      content: fileContent,
      game: gameId,
      belonging: belonging.default({}),
      becomes: becomes.default({ what: 'agent', name: null }),
      wait: z.boolean().default(true),
    }),
    fileCharacters + 1_000,
  ),
  /**
   * Hands in the agents that come with a game, but those that the class has; one whose name is taken gets the game's behind its
   * own. Gives the names of the new ones.
   */
  'agents.adopt': procedure<{ game: string }, readonly string[]>(z.strictObject({ game: gameId })),
  /** Its versions stay, and contests keep the name that it had in them. Refused where another agent has such a name. */
  'agents.rename': procedure<{ name: string; to: string }, null>(z.strictObject({ name: entrantId, to: entrantName })),
  /**
   * Takes an agent with all its versions out of the class and deletes its files. Refused while it takes part in a contest that is
   * not over; results and histories of the others stay.
   */
  'agents.remove': procedure<{ name: string }, null>(z.strictObject({ name: entrantId })),
  /** Plays the smoke match of an agent's newest version once more; its verdict then takes the old one's place. */
  'agents.try': procedure<{ name: string }, null>(z.strictObject({ name: entrantId })),
  /** Ends an agent's smoke match, which then has no verdict. */
  'agents.stop': procedure<{ name: string }, null>(z.strictObject({ name: entrantId })),
  /** What students begin with: a zip, in base64. */
  'kits.get': procedure<{ game: string; kit: KitName }, { readonly fileName: string; readonly content: string }>(
    z.strictObject({ game: gameId, kit: z.enum(kitNames) }),
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

  /** The texts to choose from for a field of a game's config, such as maps; challenges have procedures of their own. */
  'texts.list': procedure<TextField, readonly TextSummary[]>(z.strictObject(textField)),
  'texts.get': procedure<TextField & { name: string }, string>(z.strictObject({ ...textField, name: textName })),
  'texts.add': procedure<TextField & { name: string; text: string }, TextSummary>(
    z.strictObject({ ...textField, name: textName, text: z.string().max(TEXT_CHARACTERS_MAX) }),
    // Each character of JSON may be escaped.
    2 * TEXT_CHARACTERS_MAX,
  ),
  /** Only one of the class's own; contests that were made with it keep it. */
  'texts.delete': procedure<TextField & { name: string }, null>(z.strictObject({ ...textField, name: textName })),

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
  /** `arena`: where agents of other machines connect, if some are to; without it on this machine alone. */
  'contests.create': procedure<{ draft: ContestDraft; arena?: ArenaPlace }, { readonly contest: ContestId }>(
    z.strictObject({ draft: contestDraft, arena: arenaPlace.exactOptional() }),
  ),
  /**
   * Answers when it has been started. Where agents of other machines play, its arena is open then, and it begins when everybody
   * is there. `arena`: where, from now on.
   */
  'contests.start': procedure<{ contest: string; arena?: ArenaPlace }, null>(
    z.strictObject({ contest: contestId, arena: arenaPlace.exactOptional() }),
  ),
  /** The credentials of an arena that is open: once, to whoever asks first. Each start makes new ones. */
  'contests.credentials': procedure<{ contest: string }, OpenArena>(oneContest),
  /** Nobody is waited for any more, running matches are dropped; `contests.start` goes on. */
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

  /** Addresses by which other machines reach this one: where an arena may be. */
  'arena.hosts': procedure<z.infer<typeof nothing>, readonly string[]>(nothing),

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

/** What does the procedures' work. A handler throws ExpectedError or MachineError for what a person must be told. */
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
