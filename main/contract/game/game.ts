import type * as z from 'zod'
import type { GameContests } from '../contests/contest-format.ts'
import type { SeatEncounter } from './encounter.ts'
import type { GameTables, RowWriter, TableForms } from './event-tables.ts'
import type { Fault } from '../faults.ts'
import type { GameId, SeatId, Sha256 } from '../ids.ts'
import type { Json } from '../json.ts'
import type { Limits } from '../limits.ts'
import type { PartsForm, SeatPart } from './match-parts.ts'
import type { SpectatorView } from './live-match.ts'
import type { Farewell, NativeEntry } from './native-dialogue.ts'
import type { Outcome, RemovalRecord } from './outcome.ts'
import type { ProgramMessages } from './program-messages.ts'
import type { Outliner, OutlineWithSwings } from './outline.ts'
import type { NarratedInput, Narrator } from './narration.ts'
import type { MoveWireHost, Wire, WireHost } from './wire.ts'
import type { Seat, Post, Table, RefereeLimits, RawTable } from './table.ts'

/**
 * A game as a pure state machine: no clock, no randomness except from the seed, no Node. `apply` may change the state
 * it is given (the caller owns it). Faults, deadlines and zombies are inputs, too.
 */
export interface Rules<C, S, I, V> {
  /** `seed`: 64 hex digits. */
  initial(config: C, seats: readonly Seat[], seed: Sha256): S
  /** null: applied. Otherwise the reason for refusing the input; the state is unchanged. */
  apply(state: S, input: I): string | null
  /** The match as a viewer knows it while it is played: a seat, any spectator (`public`), or the panel, which knows everything. */
  view(state: S, viewer: SeatId | 'public' | 'panel'): V
  /**
   * The changing part of the state as JSON; state hashes cover its canonical text. It need not contain what follows
   * from the config and the seats, such as a map, because `load` gets both again.
   */
  save(state: S): Json
  /** Called several times with the same value, so it copies what `apply` may change. */
  load(saved: Json, config: C, seats: readonly Seat[]): S
  /** null until the match has ended. */
  outcome(state: S): Outcome | null
  /**
   * Results of the last input that follow from the rules by judgements of the game's own, such as the quality of a solution:
   * recorded beside the input, so that another program can follow the match without these judgements. null: nothing.
   */
  findings?(state: S): Json | null
  /** Removed seats in order, with reasons. Absent: the game removes none, or the outcome contains the reasons. */
  removals?(state: S): readonly RemovalRecord[]
}

/** How script agents of a game are called. */
export interface ScriptApi {
  /**
   * JavaScript source of a function expression `(exported, log) => (message, body) => answer`, evaluated inside the
   * agent's realm, one for all bodies of a seat: `exported` is the agent's module.exports, `log` records one line of
   * text for the agent's team (agents cannot print lines that begin with U+25B8 otherwise), `message` is the message's
   * value (created inside the realm), and the result is converted to JSON inside the realm; undefined means no answer.
   * Instead of a function it may return a sentence: why the exported value is not an agent.
   */
  readonly adapter: string
  /** Names of methods or functions of which every agent has at least one. Absent: not known. */
  readonly methods?: readonly string[]
  /** The realm has `global` and a `Buffer` created inside it, as scripts written for Node expect. */
  readonly nodeGlobals?: boolean
}

/** A player's action from which an input was made. `body`: of its seat; absent: the first. */
export type PlayerAction<A> = { readonly seat: SeatId; readonly body?: number } &
  /** `ready`: the answer was given during start-up. */
  (
    | { readonly answer: A; readonly ready?: true }
    /** `ready` false: the fault occurred during start-up. `gone`: nothing more came from the player. */
    | { readonly fault: Fault; readonly ready?: false; readonly gone?: boolean }
  )

/** Converts recorded inputs back into what players did, so that a match can be conducted again. */
export interface Replay<I, M, A> {
  /** The answer of a ready player to a message that starts an agent; null: the message asks for a move. */
  ready(message: M): A | null
  /** True for a start message that leaves a person a choice. Absent: a person is always ready. */
  asksPerson?(message: M): boolean
  /** The actions from which an input was made, in any order. Empty: the input alone does not determine them. */
  actions(input: I): readonly PlayerAction<A>[]
}

/** How network agents take part: with the game's wire in lines of text, or with the game's own protocol. */
export interface NetworkPlay {
  /** The game's wire may use plain TCP, if the educator opens a port for it. */
  readonly plain: boolean
  /** An agent that disconnects during a match may reconnect to it. */
  readonly rejoins: boolean
  /** How clients connect that were written for the game rather than for Tartaglia. With `Dialogue.nativeWire`. */
  readonly native?: NativeEntry
}

/** The wire of a game's native clients. V: the seat's view at the end. */
export interface NativeWire<M, A, V> extends Wire<M, A> {
  /** Called at the end of the match if the connection is still open. Absent: no farewell. */
  over?(view: V): Farewell
}

/** How programs and network agents are spoken to. The config may select a profile of a wire. Pure. */
export interface Dialogue<C, M, A, V> {
  /** The dialogue of one post. Absent: one JSON object per line (main/referees/json-wire.ts). */
  wire?(config: C, post: Post, seats: readonly Seat[], host: WireHost): Wire<M, A>
  /**
   * The dialogue of one program for all bodies of a seat. Absent: the dialogues of `wire` with a field `body` in each
   * line; they must consist of one JSON object per line.
   */
  seatWire?(config: C, seat: Seat, seats: readonly Seat[], host: WireHost): Wire<M, A>
  /** The dialogue of a program started anew for each question. Absent: that of `wire` as JSON lines with a state. */
  moveWire?(config: C, post: Post, seats: readonly Seat[], host: MoveWireHost): Wire<M, A>
  /** The protocol of the game's own clients, which `NetworkPlay.native` lets in. */
  nativeWire?(config: C, post: Post, seats: readonly Seat[], host: WireHost): NativeWire<M, A, V>
  /** Absent: the game cannot be played over the network. */
  readonly network?: NetworkPlay
}

/**
 * A text in a config that people may give by name or as a file. A match's config contains the text itself, so that a
 * history is self-contained.
 */
export interface NamedText {
  /**
   * The kind of text in options and messages, such as `challenge` or `map`. A name refers to a text that ships or that
   * belongs to the class.
   */
  readonly kind: string
  /** The extension of its files, without the dot; absent: the kind. */
  readonly ending?: string
  /** Why a text is not valid, in a sentence; null: it is valid. Absent: only the config's schema checks it. */
  problem?(text: string): string | null
  /** The field of the config that contains settings for this particular text; they do not apply to another one. */
  readonly settings?: string
  /**
   * For large texts: stored once in the class under its SHA-256, to which contests refer. Absent: each contest contains
   * it.
   */
  readonly byHash?: true
}

/** The trial match that shows if an agent can play; its opponents are the game's `baby`. */
export interface TrialMatch {
  /** Absent: all defaults. */
  readonly config?: Json
  /** Number of entrants, including the agent; absent: the fewest with which the game can be played. */
  readonly entrants?: number
  /** Its opponents are copies of itself, so that every role is tried: for games whose seats have several. */
  readonly againstItself?: true
}

/** A contest for newcomers, among agents that ship with the game. */
export interface ExampleContest {
  readonly config: Json
  /** Names of agents that ship with the game. */
  readonly agents: readonly string[]
  /** Entrants per match: every set of this many plays one match. */
  readonly seats: number
}

/** Facts about a game's settings besides their schema. */
export interface GameSettings<C = Json> {
  /**
   * Defaults for new contests only, for settings whose absence has another meaning in recorded configs. Absent: the
   * defaults of the schema apply to both.
   */
  readonly forNewContests?: Readonly<Record<string, Json>>
  /**
   * The config of a new contest that is made from an older one with this config: what that contest sets stays, and settings of
   * `forNewContests` that it lacks and that mean something in it are added. Absent: all that it lacks are added.
   */
  renewed?(older: C): C
  /** By the field of the config that holds the text. */
  readonly texts?: Readonly<Record<string, NamedText>>
  /**
   * The subject of matches with this config, such as the name of their challenge, for lists and filters; null: it has
   * no name. Gets recorded configs of any age, as they are. Absent: always null.
   */
  subject?(config: Json): string | null
}

/** How matches of a game are played. */
export interface MatchFacts<C> {
  /** Matches that one worker may play at a time, 1 by default. More is faster for games with very short matches. */
  readonly lanes?: number
  /** True if the time of answers matters, so that equal seeds may give different matches. Absent: it never does. */
  timed?(config: C): boolean
  /**
   * The length of matches with this config relative to those with others, such as the number of rounds; above 0.
   * Absent: 1, all are equally long. Used only for estimates.
   */
  length?(config: C): number
  /** Default limits of the game's contests; those left out are as for every game. */
  readonly limits?: Partial<Limits>
}

/** Agents of a game: those that ship with it, and those made for the game's own contest. */
export interface GameAgents {
  /** Absent: a match of the fewest possible entrants with the default config. */
  readonly trial?: TrialMatch
  /**
   * The config of single matches, by which a person looks at an agent or compares it, such as the first match in a kit: long enough for
   * agents to score. Absent: that of the trial match.
   */
  readonly singleMatch?: Json
  /** Absent: the game has no contest for newcomers. */
  readonly example?: ExampleContest
  /**
   * Why an agent that ships with the game cannot play matches with a complete config, as the end of a sentence after its name;
   * null: it can. Absent: all play with every config.
   */
  unable?(agent: string, config: Json): string | null
  /** Agents that ship with the game and that kits leave out, because students could hand them in. Absent: none. */
  readonly keptFromKits?: readonly string[]
  /** Agents that ship with the game, the weakest first as far as it is known. Absent: they are listed by name. */
  readonly byStrength?: readonly string[]
  /**
   * Reads a package without an agent.json that was made for the game's own contest; null: it is another kind of
   * package; a string: it looks like one, and what it lacks, after "NAME cannot be used: ". Absent: the game has no such packages.
   */
  submission?(files: SubmittedFiles): SubmittedProgram | string | null
}

/** How matches are shown to people. */
export interface Presentation<C, S, I> {
  /** Absent: one line for each input, and no charts. */
  readonly outline?: Outliner<S, I>
  /** Absent: inputs are shown as JSON. */
  readonly narrator?: Narrator<S, I>
  /** Absent: spectators of a running match see only who plays and how many inputs there have been. */
  readonly spectatorView?: SpectatorView<C, S, I>
  /** A score as shown to people. Absent: its digits. */
  scoreText?(score: number): string
}

/** Computations over the inputs of a finished match, in order. They throw if the rules refuse an input. */
export interface Analyses<C, I> {
  /**
   * How the players of a match treated each other. A contest whose policy forbids treating others differently ends with
   * a report on it. Absent: the game has no such report.
   */
  encounters?(config: C, players: number, inputs: Iterable<I>): readonly SeatEncounter[]
  /** The results of seats in parts of a match, for the table `partsTable`. Absent: its contests have no such table. */
  parts?(config: C, players: number, inputs: Iterable<I>): readonly SeatPart[]
  readonly partsTable?: PartsForm
}

/**
 * One game: a folder under main/referees. C: config, S: state, I: input, M: message to a player, A: answer, V: view.
 * The parts that every game needs come first; the others are facets, each with defaults.
 */
export interface Game<C, S, I, M extends Json, A, V> {
  readonly id: GameId
  readonly title: string
  /** The version of rules and inputs together; a history is replayed with the version that it names. */
  readonly version: number
  readonly config: z.ZodType<C>
  readonly input: z.ZodType<I>
  readonly answer: z.ZodType<A>
  /** Messages to programs and of programs. Absent: no schemas and types are made of them. */
  readonly programMessages?: ProgramMessages
  /** The seats of a match of `entrants` contestants, or why the game cannot be played by that number. */
  seats(config: C, entrants: number): readonly Seat[] | string
  readonly rules: Rules<C, S, I, V>
  /** Conducts one match until the rules have an outcome. */
  referee(table: Table<M, A, I, S>, config: C, limits: RefereeLimits): Promise<void>
  readonly script: ScriptApi
  readonly settings?: GameSettings<C>
  readonly dialogue?: Dialogue<C, M, A, V>
  /** Absent: its matches cannot be conducted again. */
  readonly replay?: Replay<I, M, A>
  readonly presentation?: Presentation<C, S, I>
  readonly matches?: MatchFacts<C>
  /** Formats, points and counts of its contests. */
  readonly contests?: GameContests
  readonly agents?: GameAgents
  readonly analyses?: Analyses<C, I>
  /** Its tables in the events databases of contests. Absent: they have only the tables of every game. */
  readonly tables?: GameTables<S, I>
}

/** Rebuilds a match's state from its inputs, with the game's types hidden. */
export interface Replayer {
  apply(input: Json): string | null
  /** Like `apply`, but returns the input's outline; a string: the reason for refusing it. */
  outline(input: Json): OutlineWithSwings | string
  /**
   * Like `apply`, but returns the input in sentences; a string: the reason for refusing it; null: the game has no
   * narrator.
   */
  narrate(input: Json, names: readonly string[]): NarratedInput | string | null
  /** The findings of the rules about the last input; null: none. */
  findings(): Json | null
  /** The level of each seat; empty if the game has no outline. */
  levels(): readonly number[]
  save(): Json
  outcome(): Outcome | null
  removals(): readonly RemovalRecord[]
  view(viewer: SeatId | 'public' | 'panel'): Json
}

/** Makes the rows of a match from its inputs, with the game's types hidden. */
export interface RowFold {
  /** Applies an input and adds its rows. Returns why the rules refuse it; null: it is applied. */
  apply(input: Json): string | null
  /** Adds the rows of the end. Returns false if the match has not ended. */
  end(): boolean
}

/** `new`: the config is for a contest that is being created. `recorded`: it belongs to an existing contest or match. */
export type ConfigAge = 'new' | 'recorded'

/** F with defaults for the members K. */
type Defaulted<F, K extends keyof F> = F & Required<Pick<F, K>>

/**
 * A game with its types hidden; created only by `eraseGame`. Its facets are those of `Game` with JSON in place of the
 * game's types, and with their defaults.
 */
export interface ErasedGame extends Pick<
  Game<Json, unknown, Json, Json, Json, Json>,
  'id' | 'title' | 'version' | 'script' | 'seats' | 'programMessages'
> {
  /**
   * Parses a config and fills in its defaults. `new` (the default): includes the defaults for new contests
   * (`GameSettings.forNewContests`).
   */
  config(
    value: Json,
    age?: ConfigAge,
  ): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string }
  /** The JSON Schema of configs, of answers of agents, or of the inputs in histories. */
  jsonSchema(part: 'config' | 'answer' | 'input'): object
  /** Why the game cannot parse an answer; null: it can. */
  unreadable(answer: Json): string | null
  readonly settings: Required<GameSettings>
  readonly dialogue: Dialogue<Json, Json, Json, Json>
  readonly replay: Replay<Json, Json, Json> | undefined
  readonly matches: Required<MatchFacts<Json>>
  readonly contests: GameContests
  readonly agents: Defaulted<GameAgents, 'trial' | 'keptFromKits' | 'byStrength'>
  readonly analyses: Analyses<Json, Json>
  /** Null: the game has no tables of its own. */
  readonly tables: Omit<GameTables<never, never>, 'rows'> | null
  /** Folds a match into the rows of `tables`. */
  foldRows(config: Json, seats: readonly Seat[], seed: Sha256, writer: RowWriter<TableForms>): RowFold
  scoreText(score: number): string
  /** The ground of the game's spectator view; null: it has none. */
  ground(config: Json): Json
  fold(config: Json, seats: readonly Seat[], seed: Sha256): Replayer
  /** Plays one match; resolves to the final state. */
  conduct(table: RawTable, config: Json, seed: Sha256, limits: RefereeLimits): Promise<Replayer>
}

/** The files of a package without an agent.json. */
export interface SubmittedFiles {
  /** True if the package has this file, by its path from the top. */
  has(path: string): boolean
  /** The text of a file in UTF-8; null: there is none. */
  text(path: string): string | null
}

/** A program that was packed for a game's own contest: the parts of an agent.json that follow from its files. */
export interface SubmittedProgram {
  readonly command: string[]
  readonly build?: string[]
  readonly process: 'match' | 'move'
  /** Packages that it needs on the machine, as it lists them. */
  readonly packages: string[]
}
