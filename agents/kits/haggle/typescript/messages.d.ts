// Types of the messages of Haggling, made by "tartaglia kit" from the game's own schemas. "tartaglia update" replaces this file.

/** The arguments of the constructor of 2018. */
export interface Opt {
  /** 0: the first turn is yours; 1: the partner has it. */
  readonly me: number
  /** The number of objects of each type. */
  readonly counts: readonly number[]
  /** The value to you of one object of each type, in dollars. */
  readonly values: readonly number[]
  /** The number of turns of each side at most. */
  readonly max_rounds: number
}

/** The message before the first turn. Asks for `ready`. */
export interface Start {
  readonly type: 'start'
  /** The arguments of the constructor of 2018. */
  readonly opt: Opt
}

/** It is your turn. Asks for `offer`. */
export interface Turn {
  readonly type: 'offer'
  /** The objects that the partner leaves you, by type; absent: no offer was made yet. */
  readonly offer?: readonly number[]
}

/** A message to a program. */
export type Told = Start | Turn

/** The answer to `start`. */
export interface Ready {
  readonly type: 'ready'
}

/** The answer to a turn. */
export interface Demand {
  readonly type: 'offer'
  /** The objects that you demand, by type; absent: you accept the offer. */
  readonly offer?: readonly number[]
}

/** Walks away from the session, at any time. */
export interface Abort {
  readonly type: 'abort'
  /** Why, for the history; 400 characters of it are kept. */
  readonly reason?: string
}

/** A line for your own team, at any time. */
export interface Info {
  readonly type: 'info'
  /** The text; any other JSON value is shown as it is. */
  readonly arg?: string
}

/** A message of a program. */
export type Said = Ready | Demand | Abort | Info
