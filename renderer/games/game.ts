import type { Component } from 'svelte'
import type { Ms } from '../../main/contract/clock.ts'
import type { GameId, SeatId } from '../../main/contract/ids.ts'
import type { Json } from '../../main/contract/json.ts'
import type { Limits } from '../../main/contract/limits.ts'
import type { Play } from '../../main/contract/procedures/human-match.ts'
import type { MatchDetail, MatchEvent } from '../../main/contract/procedures/procedures.ts'
import type { Viewer } from '../../main/contract/histories/viewer.ts'
import type { MatchOutline } from './match-outline.ts'
import type { Field, GameFormat, Preset, Problems, Settings } from './field.ts'
import type { FoldedStretch } from './fold.ts'
import type { Rows } from './event-rows.ts'
import type { Rulebook } from '../rules/rulebook.ts'

/**
 * A game in the window. Adding one takes a folder beside this file and a line in ../games.ts; screens know no game by name. Its
 * parts are fetched when they are first needed.
 */
export interface GameWindow {
  readonly id: GameId
  readonly title: string
  /** Its scores are energy, of which a ruling can give and take some. Absent: they are not. */
  readonly hasEnergy?: true
  /** How agents of other machines may play it; absent: none may. */
  readonly network?: GameNetwork
  readonly settings: () => Promise<GameSettings>
  /** Its rules, as the window shows them beside a match; absent: they are not written down. */
  readonly rulebook?: () => Promise<Rulebook>
  /** Describes a match of the game to a viewer, with nothing that they did not know at the moment shown. */
  readonly story: () => Promise<(detail: MatchDetail, viewer: Viewer) => Story>
  /** The picture of a running match, for games with a spectator view; absent: they are shown without a picture. */
  readonly spectators?: () => Promise<Component<SpectatorPart>>
  /** The way for a person to play it; absent: it cannot be played in the window. */
  readonly play?: GamePlay
}

/** The ways in for agents of other machines, beside WebSocket. */
export interface GameNetwork {
  /** Plain TCP. */
  readonly plain: boolean
  /** The game's own protocol: whose clients speak it, in a sentence. Absent: there is none. */
  readonly native?: string
}

/** Props of the picture of a running match: the output of the game's spectator view. G: its ground, S: its scene. */
export interface SpectatorPart<G = Json, S = Json> {
  readonly ground: G
  readonly scene: S
  /** By seat. */
  readonly names: readonly string[]
}

/** A picture with its game's types hidden, as the screens know it. */
export function eraseSpectatorPicture<G, S>(picture: Component<SpectatorPart<G, S>>): Component<SpectatorPart> {
  // Nothing says so in types: it is given nothing but what the same game's spectator view made.
  return picture as unknown as Component<SpectatorPart>
}

/** How a person plays a game at the window. */
export interface GamePlay {
  /** The component for playing. */
  readonly component: () => Promise<Component<PlayPart>>
  /** How many agents may sit at a table with a person, 1 at least. */
  readonly opponents: number
  /** Initial settings that differ from the usual ones, so that a match is short enough for a person. */
  readonly initial: Settings
  /** The setting of the person's role; absent: they choose whether they begin. */
  readonly role?: PlayRole
  /** Settings that a person cannot play, by field. */
  problems(settings: Settings): Problems
}

/** A choice among roles: it stands at the top of the form, and in the settings as well. */
export interface PlayRole {
  readonly label: string
  /** The name of the setting, and its values in words. */
  readonly setting: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  /** The person's place among the entrants, from 0. `opponents`: their number. */
  place(settings: Settings, opponents: number): number
}

/** Props of the component for a person who plays. */
export interface PlayPart {
  readonly play: Play
  /** True while an answer is being sent. */
  readonly busy: boolean
  /** Answers an open question by its number, by default the one that was asked first. */
  readonly onanswer: (value: Json, question?: number) => void
  /** Says something unasked. */
  readonly onsay: (value: Json) => void
}

/** A game's settings as people set and read them. `settingsOf` makes them from its fields. */
export interface GameSettings {
  /** The initial contents of the fields. */
  readonly initial: Settings
  /** The game's own `limits`: the initial limits of a contest. */
  readonly limits?: Partial<Limits>
  /** One for every setting whose kind a schema can say; see `fieldsOf`. */
  readonly fields: readonly Field[]
  /** A form of the game's own, each field saying what is wrong with it. Absent: the fields, one after another. */
  readonly form?: Component<{ settings: Settings; problems: Problems }, object, 'settings'>
  /** Problems that can be found without asking the program. */
  problems(settings: Settings): Problems
  /** Settings of a short match, for a quick test; absent: as usual. */
  readonly quick?: Settings
  /** True if the seats of a match are different tasks, such as robber and cop, so that one match of a pair decides nothing. */
  readonly roles?: true
  /** Contests of the game's own that are set up with one choice, beside those that all games have. Absent: none. */
  readonly presets?: readonly Preset[]
  /** Formats of the game's own, beside those that all games have. Absent: none. */
  readonly formats?: readonly GameFormat[]
  /** The game's config that the fields describe. */
  config(settings: Settings): Json
  /** The settings for a match about a challenge of the class, by its name; absent: the game has no challenges. */
  withChallenge?(settings: Settings, challenge: string): Settings
  /** A config in words, in the order of its fields. */
  words(config: Json): readonly (readonly [label: string, value: string])[]
}

/** A summary of an event, so that lists need no states. A game's own digest adds to it. */
export interface Digest {
  /** On the match clock. */
  readonly at: Ms
  /** From 1. */
  readonly round: number
  /** The seat concerned; null: all equally. */
  readonly seat: SeatId | null
}

/** A line of the event list: something that happened within an event. */
export interface Line {
  /** The seat concerned; null: all equally. */
  readonly seat: SeatId | null
  /** One sentence that names everybody. */
  readonly text: string
  /** The rule that applied: `name` always fits, `title` is shown behind it where there is room. */
  readonly rule: LineRule
  readonly tone: 'plain' | 'bad' | 'console'
}

/** A rule as the event list names it. */
export interface LineRule {
  readonly name: string
  readonly title: string
  /** Its number in the game's rulebook; absent: it is in none. */
  readonly number?: number
}

/** Something that went wrong, as the scrubber marks it. */
export interface Mark {
  readonly seat: SeatId
  readonly kind: 'removed' | 'fault' | 'voided'
}

/** A gain or a loss that decides something; see `swings` of the game's outline. */
export interface Swing {
  readonly seat: SeatId
  /** In the unit of the outline's levels; negative: a loss. */
  readonly amount: number
  /** The line of its event that tells it. */
  readonly line: number
}

/**
 * A match told in its game's own words, stretch by stretch. V: what the viewer knew of a state, D: what an event was, K:
 * what else the game's components want.
 */
export interface Story<V = unknown, D extends Digest = Digest, K = unknown> {
  /** Folds the events from position `from` on, at which the rules' saved state is `saved`; null: at the beginning. */
  stretch(from: number, saved: Json | null, events: readonly MatchEvent[]): FoldedStretch<V, D>
  readonly kept: K
  /** The subject of the match, such as its challenge, in a few words. Absent: nothing distinguishes it. */
  readonly subject?: string
  /** Lines that an event takes in the event list, 1 at least: as the outline of its game's rules has it. */
  lines(digest: D): number
  /** One of them; `short` rounds amounts, `exact` is for the event itself. */
  line(digest: D, part: number, amounts: 'short' | 'exact'): Line
  /** A swing in one sentence; null: the viewer did not know what it is about. Absent: the game has no swings. */
  swing?(digest: D, swing: Swing): string | null
  /** True if the viewer may ever know of a seat's swings. Absent: true for all. */
  knowsSwings?(seat: SeatId): boolean
  /** Added to an event's lines in the text form: the standing of all seats after it. */
  state(digest: D): string
  /**
   * The account of a seat in words, as the outline has it. `view`: the viewer's knowledge then, or null while it is being fetched.
   * Returns null if they did not know it, or may not have known it.
   */
  amount(level: number, seat: SeatId, view: V | null): string | null
  /** The seat whose turn it is, and the seats that are out of the match. */
  seats(view: V): { readonly turn: SeatId | null; readonly out: ReadonlySet<SeatId> }
  /** The match as a whole, and the same in numbers. */
  readonly picture: {
    readonly title: string
    readonly note: string
    readonly table: Component<ScenePart<V, D, K>>
  } & (
    | { readonly component: Component<ScenePart<V, D, K>> }
    /** The seats' levels as lines. `only`: the one seat that has a level. */
    | { readonly chart: { readonly label: string; readonly only?: SeatId } }
  )
  /** The panels are wider than the picture of the whole match, as maps require. Absent: they are narrower. */
  readonly widePanels?: true
  /** The panels beside the picture: one tab each. */
  readonly panels: readonly Panel<V, D, K>[]
  /** The details of the chosen line. */
  readonly detail: Component<ScenePart<V, D, K>>
}

export interface Panel<V, D extends Digest, K> {
  /** Unlike `event`, which is the tab of the chosen line. */
  readonly id: string
  readonly label: string
  /** The number on its tab. */
  count?(view: V): number
  readonly component: Component<ScenePart<V, D, K>>
}

/** Props of a game's component: the match and the position in it. Positions count events. */
export interface ScenePart<V = unknown, D extends Digest = Digest, K = unknown> {
  readonly match: OpenMatch<V, D, K>
  readonly position: number
  /** The state at a position; the previous one stays until the new one has arrived. null: none has arrived yet. */
  readonly scene: { readonly view: V; readonly position: number } | null
  /** The chosen row of the event list; -1: the beginning. */
  readonly row: number
  /** Goes to a position, and stops there. */
  readonly onseek: (position: number) => void
}

/** A match on the screen. While the program still reads it, it grows, and tells so by `folded`. */
export interface OpenMatch<V = unknown, D extends Digest = Digest, K = unknown> {
  readonly detail: MatchDetail
  readonly viewer: Viewer
  /** By seat. */
  readonly names: readonly string[]
  readonly story: Story<V, D, K>
  /** The digest of an event; null: hidden from the viewer; undefined until it has been fetched; asking for it fetches it. */
  digest(event: number): D | null | undefined
  /** As `digest`, and waits for it. */
  digestOf(event: number): Promise<D | null>
  /** Every event in numbers. */
  readonly outline: MatchOutline
  /** The position behind the last event; as far as it can be while the match is still being read. */
  readonly positions: number
  /** The last position that can be shown; the first is 0. */
  readonly folded: number
  /** `folded` as it was when `epoch` last grew. */
  readonly reached: number
  /** A count that grows with `folded`, four times a second at most: for pictures of the whole match. */
  readonly epoch: number
  /** Why the match cannot be read any further; null while all is well. */
  readonly broken: string | null
  readonly rows: Rows
  readonly marks: readonly PlacedMark[]
  /** The largest, as far as the match has been read, in the order in which they happened. */
  readonly swings: readonly PlacedSwing[]
  /** Positions at which rounds begin. */
  readonly rounds: readonly number[]
  viewAt(position: number): Promise<V>
  /** The digests of events that did not happen, as if they followed the first `first` events; null: hidden from the viewer. */
  otherwise(first: number, events: readonly MatchEvent[]): Promise<readonly (D | null)[]>
}

/** `position` is the one after the event, `row` that of the event list which tells it. */
export interface PlacedMark extends Mark {
  readonly position: number
  readonly row: number
}

/** As a placed mark. `number`: from 1, as lists and pictures call it. */
export interface PlacedSwing extends Swing {
  readonly number: number
  readonly position: number
  readonly row: number
}

/** A story with its game's types hidden, as the screens know it. */
export function eraseStory<V, D extends Digest, K>(story: Story<V, D, K>): Story {
  // Nothing says so in types: its components are given nothing but what this same story made.
  return story as unknown as Story
}
