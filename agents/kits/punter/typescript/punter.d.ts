/** The messages and answers of a Lambda Punter agent. Sites are identified by their ids. */
export interface River {
  readonly source: number
  readonly target: number
}

export interface RiverMap {
  readonly sites: readonly { readonly id: number; readonly x?: number; readonly y?: number }[]
  readonly rivers: readonly River[]
  /** Ids of sites. */
  readonly mines: readonly number[]
}

/** Your number, and the extensions that are on. */
export interface Settings {
  readonly punter: number
  readonly punters: number
  readonly futures?: true
  readonly splurges?: true
  readonly options?: true
}

/** A punter's move. Splurges and options exist only in matches with these extensions. */
export type Move =
  | { readonly claim: River & { readonly punter: number } }
  | { readonly pass: { readonly punter: number } }
  | { readonly splurge: { readonly punter: number; readonly route: readonly number[] } }
  | { readonly option: River & { readonly punter: number } }

/** The class that the agent's file exports; each match creates a new object of it. */
export interface Punter {
  /** Called at the start of a match. */
  setup(map: RiverMap, settings: Settings): void
  /** Called in matches with futures: the sites that you bet on, at most one for each mine. */
  futures?(): readonly River[]
  /** Called in your turn. `moves` are the last moves of all punters, yours among them. An illegal move counts as a pass. */
  move(moves: readonly Move[]): Move
  /** Called at the end of a match. */
  stop?(moves: readonly Move[], scores: readonly { readonly punter: number; readonly score: number }[]): void
}

declare global {
  /** The steps that are left for this answer; every call uses one. Only in a match: a test defines its own. */
  function remaining(): number
}
