// Types of the messages of Lambda Punter, made by "tartaglia kit" from the game's own schemas. "tartaglia update" replaces this file.

/** A place where rivers begin and end. */
export interface Site {
  /** The id of a site. */
  readonly id: number
  /** Only in matches with coordinates. */
  readonly x?: number
  /** Only in matches with coordinates. */
  readonly y?: number
}

/** A river between two sites, in both directions. */
export interface Ends {
  /** The id of a site. */
  readonly source: number
  /** The id of a site. */
  readonly target: number
}

/** A map: in the order of its file, without doubles. */
export interface Map {
  /** All sites. */
  readonly sites: readonly Site[]
  /** All rivers. */
  readonly rivers: readonly Ends[]
  /** The sites that are mines. */
  readonly mines: readonly number[]
}

/** The extensions that are on; the others are absent. */
export interface Settings {
  /** Bets on sites that a mine will be joined with. */
  readonly futures?: true
  /** Several rivers at once after passes. */
  readonly splurges?: true
  /** Rivers that others have, for a limited number of times. */
  readonly options?: true
}

/** Your number, the other punters and the map. Asks for `ready`. */
export interface Setup {
  readonly type: 'setup'
  /** Your number, from 0. */
  readonly punter: number
  /** The number of punters. */
  readonly punters: number
  /** A map: in the order of its file, without doubles. */
  readonly map: Map
  /** The extensions that are on; the others are absent. */
  readonly settings?: Settings
}

/** A river and the punter that takes it. */
export interface River {
  /** The number of the punter that moves. It may be absent in your own moves: the turn decides who moves. */
  readonly punter?: number
  /** The id of a site. */
  readonly source: number
  /** The id of a site. */
  readonly target: number
}

/** Claims a free river. */
export interface Claim {
  /** A river and the punter that takes it. */
  readonly claim: River
}

/** The punter that passes. */
export interface Passing {
  /** The number of the punter that moves. It may be absent in your own moves: the turn decides who moves. */
  readonly punter?: number
}

/** Claims nothing. */
export interface Pass {
  /** The punter that passes. */
  readonly pass: Passing
}

/** A way over rivers. */
export interface Route {
  /** The number of the punter that moves. It may be absent in your own moves: the turn decides who moves. */
  readonly punter?: number
  /** The sites of the way, in order. */
  readonly route: readonly number[]
}

/** With splurges: claims several rivers at once, for passes before. */
export interface Splurge {
  /** A way over rivers. */
  readonly splurge: Route
}

/** With options: takes a river that another punter has. */
export interface Option {
  /** A river and the punter that takes it. */
  readonly option: River
}

/** The move of a punter. */
export type Move = Claim | Pass | Splurge | Option

/** It is your turn. Asks for a move. */
export interface Turn {
  readonly type: 'move'
  /** The last move of each punter, by its number; a pass before the first. */
  readonly moves: readonly Move[]
  /** Problems of your last message, a sentence each; absent: none. */
  readonly notes?: readonly string[]
}

/** The score of a punter. */
export interface Score {
  /** Its number. */
  readonly punter: number
  /** Its points; futures may make them negative. */
  readonly score: number
}

/** The match is over. Asks for `stopped`. */
export interface Stop {
  readonly type: 'stop'
  /** The last moves; those that you know of are passes. */
  readonly moves: readonly Move[]
  /** All scores. */
  readonly scores: readonly Score[]
  /** Problems of your last message, a sentence each; absent: none. */
  readonly notes?: readonly string[]
}

/** A message to a punter. */
export type Told = Setup | Turn | Stop

/** A bet that a site will be joined with a mine by your rivers. */
export interface Future {
  /** The id of a mine. */
  readonly source: number
  /** The id of a site without a mine. */
  readonly target: number
}

/** The answer to `setup`. */
export interface Ready {
  /** Your number. */
  readonly ready: number
  /** Your bets, with that extension; the last of each mine counts. */
  readonly futures?: readonly Future[]
}

/** The answer to `stop`. */
export interface Stopped {
  readonly stopped: true
}

/** An answer of a punter. */
export type Said = Claim | Pass | Splurge | Option | Ready | Stopped
