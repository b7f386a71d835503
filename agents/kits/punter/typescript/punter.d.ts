/** The calls and answers of a Lambda Punter agent. The game's messages are in messages.d.ts. */
import type { Claim, Ends, Future, Option, Pass, Score, Settings as Extensions, Setup, Splurge } from './messages.d.ts'

export type River = Ends
export type RiverMap = Setup['map']

/** Your number, and the extensions that are on. */
export type Settings = Extensions & Pick<Setup, 'punter' | 'punters'>

/** With the number of the punter that moves. */
type Numbered<M> = { readonly [K in keyof M]: M[K] & { readonly punter: number } }

/** A punter's move. Splurges and options exist only in matches with these extensions. */
export type Move = Numbered<Claim> | Numbered<Pass> | Numbered<Splurge> | Numbered<Option>

/** The class that the agent's file exports; each match creates a new object of it. */
export interface Punter {
  /** Called at the start of a match. */
  setup(map: RiverMap, settings: Settings): void
  /** Called in matches with futures: the sites that you bet on, at most one for each mine. */
  futures?(): readonly Future[]
  /** Called in your turn. `moves` are the last moves of all punters, yours among them. An illegal move counts as a pass. */
  move(moves: readonly Move[]): Move
  /** Called at the end of a match. */
  stop?(moves: readonly Move[], scores: readonly Score[]): void
}

declare global {
  /** The steps that are left for this answer; every call uses one. Only in a match: a test defines its own. */
  function remaining(): number
}
