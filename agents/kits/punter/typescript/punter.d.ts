/** What a Lambda Punter agent is told, and what it answers. Sites are called by their ids. */
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

/** Who you are, and which extensions are on. */
export interface Settings {
  readonly punter: number
  readonly punters: number
  readonly futures?: true
  readonly splurges?: true
  readonly options?: true
}

/** What a punter does in a turn. Splurges and options exist where the match has them. */
export type Move =
  | { readonly claim: River & { readonly punter: number } }
  | { readonly pass: { readonly punter: number } }
  | { readonly splurge: { readonly punter: number; readonly route: readonly number[] } }
  | { readonly option: River & { readonly punter: number } }

/** The class that `agent.ts` or `agent.cjs` exports; there is a new object of it for each match. */
export interface Punter {
  /** A match begins. */
  setup(map: RiverMap, settings: Settings): void
  /** Where the match has futures: the sites that you bet on, one for a mine. */
  futures?(): readonly River[]
  /** It is your turn. `moves` are the last moves of all punters, yours among them. A move that is not allowed is a pass. */
  move(moves: readonly Move[]): Move
  /** The match is over. */
  stop?(moves: readonly Move[], scores: readonly { readonly punter: number; readonly score: number }[]): void
}
