import type { z } from 'zod'
import type { GameContests } from './contest-format.ts'
import type { SeatEncounter } from './encounter.ts'
import type { Ms } from './clock.ts'
import type { Fault } from './faults.ts'
import type { EntrantId, GameId, SeatId, Sha256 } from './ids.ts'
import type { Json } from './json.ts'
import type { Limits } from './limits.ts'
import type { Farewell, NativeEntry } from './native-dialogue.ts'
import type { Outcome, RemovalRecord } from './outcome.ts'
import type { MoveWireHost, Wire, WireHost } from './wire.ts'

/** A place in a match. */
export interface Seat {
  readonly id: SeatId
  /** Which entrant of the match sits here, from 0. One entrant may take several seats, also in several roles. */
  readonly entrant: number
  readonly role: string
  /** Lines of communication: one, but where a seat has several bodies. */
  readonly bodies: number
}

/** One line of communication with a seat. */
export interface Post {
  readonly seat: SeatId
  readonly body: number
}

/** Who may read an event while the match runs. `sealed`: nobody. When the match has ended every input is public. */
export type Audience = 'public' | 'sealed' | readonly SeatId[]

/** Everything that reaches a referee, in one total order. */
export type Arrival<A> = { readonly at: Ms; readonly post: Post } & (
  | { readonly type: 'answer'; readonly to: number; readonly late: boolean; readonly value: A; readonly tookMs: Ms }
  /** Unasked: an action of the asynchronous game, an abort, a ping's payload. */
  | { readonly type: 'said'; readonly value: A }
  | { readonly type: 'fault'; readonly to: number | null; readonly fault: Fault; readonly gone: boolean }
  /** A network player came (back) or dropped. */
  | { readonly type: 'joined' | 'left' }
)

/** What a referee asks. */
export interface Question<M> {
  readonly post: Post
  readonly message: M
  readonly limitMs: Ms
  /** It begins the agent's work (a constructor, a set-up) and takes nothing from the seat's time bank. */
  readonly start?: boolean
}

/**
 * Where a match is played: what a referee sees of the world. M: messages to players, A: what players say, I: inputs of the
 * rules, S: the state. The table owns the state: it changes by `commit` alone, and what is committed is recorded, so a
 * history always replays to the same state.
 */
export interface Table<M, A, I, S> {
  readonly seats: readonly Seat[]
  readonly state: S
  now(): Ms
  /** A stream of unsigned 32-bit numbers that depends on the match's seed and the stream's name alone. */
  random(stream: string): () => number
  /** Returns at once with the question's number. A post that owes an answer or was dismissed must not be asked: throws. */
  ask(question: Question<M>): number
  /** Gives up waiting. A later answer arrives with `late: true`. */
  withdraw(question: number): void
  tell(to: readonly Post[], message: M): void
  /** The only await: the next arrival, or `time` when the match clock passes `until`. */
  next(until: Ms): Promise<Arrival<A> | 'time'>
  /** Closes all posts of a seat; nothing arrives from them any more. Idempotent. */
  dismiss(seat: SeatId): void
  /** Applies an input. A refusal in words changes and records nothing. */
  commit(input: I, audience: Audience): string | null
}

/**
 * A game as a pure state machine: no clock, no randomness but the seed's, no Node. `apply` may change the state it is
 * given (the caller owns it). A fault, a deadline, a zombie: all are inputs.
 */
export interface Rules<C, S, I, V> {
  /** `seed`: 64 hex digits. */
  initial(config: C, seats: readonly Seat[], seed: Sha256): S
  /** A refusal in words leaves the state untouched. */
  apply(state: S, input: I): string | null
  view(state: S, viewer: SeatId | 'public' | 'panel'): V
  /**
   * What of the state changes, as JSON; its canonical text is what a state hash covers. What follows from the config and the
   * seats alone, such as a map, need not be in it: `load` is given both again.
   */
  save(state: S): Json
  load(saved: Json, config: C, seats: readonly Seat[]): S
  /** null while the match goes on. */
  outcome(state: S): Outcome | null
  /** Who was removed, in order, for what. Absent: nobody ever is, or the outcome says all there is to say. */
  removals?(state: S): readonly RemovalRecord[]
}

/** What a referee is told of the limits; those of memory and output are none of its business. */
export interface RefereeLimits {
  /** For a question that begins the agent's work: a constructor, a set-up. */
  readonly startMs: Ms
  readonly moveMs: Ms
  readonly bankMs?: Ms
  readonly strikes?: number
}

/** How a script agent is spoken to. */
export interface ScriptApi {
  /**
   * JavaScript source of a function expression `(exported, log) => (message, body) => answer`, evaluated inside the agent's
   * realm, one for all bodies of a seat: `exported` is the agent's module.exports, `log` keeps one line of text for the agent's team
   * (one that begins with U+25B8 cannot have been printed in another way), `message` is the message's value (made inside
   * the realm), the result is turned to JSON inside the realm. undefined means: no answer. In place of a
   * function the expression's function may give a sentence: why what was exported is no agent.
   */
  readonly adapter: string
  /** Whether the realm has `global` and a `Buffer` made inside it, as scripts that were written for Node expect. */
  readonly nodeGlobals?: boolean
}

/**
 * What an event of a match is to lists and pictures of the whole match: numbers only, so that a match of a million events is
 * shown as one of ten.
 */
export interface Outline {
  /** Round, turn, day: what the game counts, from 1. */
  readonly round: number
  /** Whom it is about; null: nobody, such as the end of trading. */
  readonly seat: SeatId | null
  /** Lines that it takes to tell what happened, 1 at least. */
  readonly lines: number
  readonly marks: readonly OutlineMark[]
}

/** How a game's matches are outlined. */
export interface Outliner<S, I> {
  /** What each seat has: an account, a score. */
  levels(state: S): readonly number[]
  /** Called with the state before an input is applied; what it returns is called after it. */
  input(state: S): (input: I) => Outline
}

/** Something that went wrong. */
export interface OutlineMark {
  readonly seat: SeatId
  readonly kind: 'removed' | 'fault' | 'voided'
  /** Which of its event's lines tells it, from 0; absent: the first. */
  readonly line?: number
}

/** What a player did of which an input was made. */
export type Deed<A> = { readonly seat: SeatId } & (
  | { readonly answer: A }
  /** `ready` false: instead of getting ready. */
  | { readonly fault: Fault; readonly ready?: false }
)

/** How recorded inputs are told back into what players said, so that a match can be conducted again. */
export interface Retelling<I, M, A> {
  /** What one who is ready answers to a message that begins an agent's work; null: the message wants a move. */
  ready(message: M): A | null
  /** null: it cannot be told from the input alone. */
  deed(input: I): Deed<A> | null
}

/** A game's wire as its native clients speak it. V: what the seat may see in the end. */
export interface NativeWire<M, A, V> extends Wire<M, A> {
  /** The match is over for everybody, and the connection is still there. Absent: nothing is said. */
  over?(view: V): Farewell
}

/** The protocol of a game's own clients, beside Tartaglia's. Pure. */
export interface NativeDialogue<C, M, A, V> extends NativeEntry {
  wire(post: Post, config: C, seats: readonly Seat[], host: WireHost): NativeWire<M, A, V>
}

/** How agents that connect from another machine take part: with the game's wire in lines of text, or with its own protocol. */
export interface NetworkPlay<C, M, A, V> {
  /** The game's own protocol goes over plain TCP: it may, where the educator opens that. */
  readonly plain: boolean
  /** Whoever drops out of a match may come back into it. */
  readonly rejoins: boolean
  /** The protocol of clients that were made for the game and not for Tartaglia. Absent: there is none. */
  readonly native?: NativeDialogue<C, M, A, V>
}

/**
 * A text in a config that people may give by name or as a file. A match's config holds the text itself, so that a history
 * needs nothing else.
 */
export interface NamedText {
  /**
   * What it is called in options and messages, such as `challenge` or `map`. One that ships or that the class has of its own
   * is meant by its name.
   */
  readonly kind: string
  /** How names of its files end, without the dot; absent: in the kind. */
  readonly ending?: string
  /** Why a text is none of this kind, in a sentence; null: it is one. Absent: only the config's schema tells. */
  problem?(text: string): string | null
  /** The field of the config that holds settings of this very text; they mean nothing to another one. */
  readonly settings?: string
  /** For large texts: the class keeps it once, under its SHA-256, and its contests refer to it. Absent: each contest holds it. */
  readonly byHash?: true
}

/** A match that shows whether an agent plays at all; its opponents are the game's `baby`. */
export interface TrialMatch {
  /** Absent: every setting has its default. */
  readonly config?: Json
  /** Entrants, the agent among them; absent: as few as the game can be played by. */
  readonly entrants?: number
}

/** A contest for newcomers, among agents that ship with the game. */
export interface ExampleContest {
  readonly config: Json
  /** Names of agents that ship with the game. */
  readonly agents: readonly string[]
  /** Entrants a match: every set of so many meets once. */
  readonly seats: number
}

/** One game: a folder under main/referees. C: config, S: state, I: input, M: message to a player, A: answer, V: view. */
export interface Game<C, S, I, M extends Json, A, V> {
  readonly id: GameId
  readonly title: string
  /** Of rules and inputs together; a history is replayed with the version that it names. */
  readonly version: number
  readonly config: z.ZodType<C>
  /**
   * Settings that a new contest has where it states none, for settings whose absence means something else in recorded
   * configs, which do not get these. Absent: the defaults of `config` hold for both.
   */
  readonly newContest?: Readonly<Record<string, Json>>
  readonly input: z.ZodType<I>
  readonly answer: z.ZodType<A>
  /** Matches that one worker may play at a time, 1 by default. More is faster for games with very short matches. */
  readonly lanes?: number
  /** Whether the time at which players speak matters: equal seeds then give different matches. Absent: it never matters. */
  timed?(config: C): boolean
  /**
   * How long matches with this config are in proportion to those with others, such as their number of rounds; above 0. Absent: all
   * are alike. Only for estimates.
   */
  length?(config: C): number
  /** The seats of a match of `entrants` contestants, or why that number cannot play. */
  seats(config: C, entrants: number): readonly Seat[] | string
  readonly rules: Rules<C, S, I, V>
  /** Absent: a line for each input, and nothing to draw. */
  readonly outline?: Outliner<S, I>
  /** Conducts one match until the rules have an outcome. */
  referee(table: Table<M, A, I, S>, config: C, limits: RefereeLimits): Promise<void>
  readonly script: ScriptApi
  /** Absent: its matches cannot be conducted again. */
  readonly retelling?: Retelling<I, M, A>
  /**
   * The dialogue of one post, for programs and network agents. The config may choose between profiles of it. Absent: one JSON
   * object a line (main/referees/json-wire.ts).
   */
  wire?(post: Post, config: C, seats: readonly Seat[], host: WireHost): Wire<M, A>
  /**
   * The dialogue of one program for all bodies of a seat. Absent: those of `wire`, each line with a field `body`; they must be
   * JSON objects, one a line.
   */
  seatWire?(seat: Seat, config: C, seats: readonly Seat[], host: WireHost): Wire<M, A>
  /** The dialogue of a program that is started anew for each question. Absent: that of `wire`, as JSON lines with a state. */
  moveWire?(post: Post, config: C, seats: readonly Seat[], host: MoveWireHost): Wire<M, A>
  /** A score as people read it. Absent: its digits. */
  scoreText?(score: number): string
  /** Limits of a contest that names none; what is left out is as in every game. */
  readonly limits?: Partial<Limits>
  /** Absent: a match of as few entrants as the game can be played by, with the default config. */
  readonly trial?: TrialMatch
  /** Absent: there is no such contest. */
  readonly example?: ExampleContest
  /** By the field of the config that holds the text. */
  readonly texts?: Readonly<Record<string, NamedText>>
  /** Absent: the game cannot be played over the network. */
  readonly network?: NetworkPlay<C, M, A, V>
  /** Formats, points and counts of its contests; absent: all as usual. */
  readonly contests?: GameContests
  /**
   * How the players of a match treat each other, by its inputs in their order. A contest whose policy forbids to treat others
   * differently ends with a report on it. Absent: nothing can be told from a history. Throws where an input is refused.
   */
  encounters?(config: C, players: number, inputs: Iterable<I>): readonly SeatEncounter[]
}

/** A match's state being rebuilt from inputs, with the game's types hidden. */
export interface Replayer {
  apply(input: Json): string | null
  /** As `apply`, and what the input was; text: the refusal. */
  tell(input: Json): Outline | string
  /** What each seat has; none where the game does not say. */
  levels(): readonly number[]
  save(): Json
  outcome(): Outcome | null
  removals(): readonly RemovalRecord[]
  view(viewer: SeatId | 'public' | 'panel'): Json
}

/** What is written down of a match as it is played. Times are ms on the match clock. */
export interface MatchLog {
  /** An input that the rules have applied. `save` gives the state after it, for checkpoints. */
  input(at: Ms, audience: Audience, input: Json, save: () => Json): void
  /** A fault as it arrived; `question` null: nothing was asked. */
  fault(at: Ms, post: Post, question: number | null, fault: Fault): void
  /** What an agent printed, for its own team. */
  console(at: Ms, post: Post, text: string): void
}

/** A table below the game's types, with the log of its match; the worker makes it. */
export interface RawTable extends Omit<Table<Json, Json, Json, unknown>, 'commit' | 'state'>, MatchLog {}

/** Whether a config is written for a contest that is being made, or belongs to one that there is. */
export type ConfigAge = 'new' | 'recorded'

/** A game with its types hidden; made by `eraseGame` only. */
export interface ErasedGame {
  readonly id: GameId
  readonly title: string
  readonly version: number
  readonly script: ScriptApi
  readonly lanes: number
  /**
   * Parses a config and fills in its defaults. `new`, by default: also those of new contests (`Game.newContest`); `recorded`: the config is
   * that of a contest or match that was made before.
   */
  config(
    value: Json,
    age?: ConfigAge,
  ): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: string }
  timed(config: Json): boolean
  /** 1 where the game does not say. */
  length(config: Json): number
  seats(config: Json, entrants: number): readonly Seat[] | string
  /** Why the game cannot read an answer, in words; null: it can. */
  unreadable(answer: Json): string | null
  fold(config: Json, seats: readonly Seat[], seed: Sha256): Replayer
  readonly retelling: Retelling<Json, Json, Json> | undefined
  readonly wire: ((post: Post, config: Json, seats: readonly Seat[], host: WireHost) => Wire<Json, Json>) | undefined
  readonly seatWire:
    ((seat: Seat, config: Json, seats: readonly Seat[], host: WireHost) => Wire<Json, Json>) | undefined
  readonly moveWire:
    ((post: Post, config: Json, seats: readonly Seat[], host: MoveWireHost) => Wire<Json, Json>) | undefined
  scoreText(score: number): string
  readonly limits: Partial<Limits>
  readonly trial: TrialMatch
  readonly example: ExampleContest | undefined
  readonly texts: Readonly<Record<string, NamedText>>
  readonly network: NetworkPlay<Json, Json, Json, Json> | undefined
  readonly contests: GameContests
  readonly encounters: ((config: Json, players: number, inputs: Iterable<Json>) => readonly SeatEncounter[]) | undefined
  /** Plays one match; resolves to the final state. */
  conduct(table: RawTable, config: Json, seed: Sha256, limits: RefereeLimits): Promise<Replayer>
}

/** Identity of a seat in a history's header. */
export interface SeatRecord extends Seat {
  readonly name: EntrantId
  readonly agent: Sha256
  readonly elsewhere?: true
}
