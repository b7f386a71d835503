import type { Ms } from '../clock.ts'
import type { ContestId, EntrantId, GameId, MatchNumber } from '../ids.ts'
import type { Json } from '../json.ts'
import type { NarratedLine } from './narration.ts'

/**
 * A match as its game shows it to spectators while it is played. A spectator may be a friend of a player, so nothing here may
 * tell more than every seat knows at that moment.
 */
export interface SpectatorView<C, S, I> {
  /** The part of the config that the picture needs, such as a map. It never changes. */
  ground(config: C): Json
  /** The match as it stands. */
  scene(state: S): Json
  /**
   * A public input in sentences; other inputs are not told. Called with the state before the input is applied; the returned
   * function is called after it.
   */
  input(state: S, names: readonly string[]): (input: I) => readonly NarratedLine[]
}

/** The spectators of a running match, as its table knows them. */
export interface TableSpectators {
  /** By seat. */
  readonly names: readonly string[]
  /** True while anybody is watching; otherwise no sentences are needed. */
  readonly watched: boolean
  /** Called once, before the first input. `scene` returns the match as it stands. */
  begin(scene: () => Json): void
  /** Called for every input. `lines` null: the input is not public, or nobody is watching. */
  event(at: Ms, lines: readonly NarratedLine[] | null): void
}

/** An input of a running match. */
export interface LiveEvent {
  /** From 1. */
  readonly number: number
  /** On the match clock. */
  readonly at: Ms
  /** null: it is secret while the match is played. */
  readonly lines: readonly string[] | null
}

/** A running match as spectators see it, and the inputs since the frame before. */
export interface LiveFrame {
  /** The number of inputs so far. */
  readonly events: number
  /** The newest of them, at most `LIVE_EVENTS`; those before the first frame are not among them. */
  readonly recent: readonly LiveEvent[]
  /** The scene of the game's spectator view as JSON, which the window parses; null: the game has no such view. */
  readonly scene: string | null
}

/** The maximum number of inputs in a frame. */
export const LIVE_EVENTS = 200

/** The updates that a spectator gets. `run`: changes if the match is played again from the beginning. */
export type LiveMatch = LiveFrame & { readonly run: number }

/** Facts that a spectator gets once. */
export interface LiveFacts {
  readonly game: GameId
  /** The name of each seat. */
  readonly names: readonly EntrantId[]
  /** The ground of the game's spectator view; null: the game has no such view. */
  readonly ground: Json
}

/** A run that is being played. `entrants`: in the order of the match's entrants. */
export interface RunInPlay {
  readonly run: number
  readonly match: MatchNumber
  readonly game: GameId
  readonly config: Json
  readonly entrants: readonly EntrantId[]
}

/** The runs that are being played, for those who watch them. */
export interface RunsInPlay {
  /** A run has been played for a moment. `watch`: starts or ends its frames. */
  begun(played: RunInPlay, watch: (wanted: boolean) => void): void
  frame(run: number, frame: LiveFrame): void
  /** Called once for each run that has begun: its match is on disk, is void, or will be played again. */
  ended(run: number): void
}

/** A match that is being played. */
export interface PlayingMatch {
  readonly match: MatchNumber
  /** By seat. */
  readonly names: readonly EntrantId[]
}

/** The name of the topic of a running match. */
export const liveTopic = (contest: ContestId, match: MatchNumber): `live:${string}` => `live:${contest}/${match}`
