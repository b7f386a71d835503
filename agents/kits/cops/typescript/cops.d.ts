/**
 * The calls and answers of the robber and the cops of Cops & Robbers: messages as in messages.d.ts without their
 * types. Corners are identified by their names.
 */
import type { BotMove, Inform, InformsFrom, Market, Planned, PlanFrom, Push, Skeleton } from './messages.d.ts'
import type { World as WorldMessage } from './messages.d.ts'

export type { Inform, Planned as Suggestion, Ptype } from './messages.d.ts'

/** The players, and the map. */
export type Game = Omit<Skeleton, 'type' | 'asks'>

/** The world as you see it. The robber moves in even worlds, cops in odd ones. */
export type World = Omit<WorldMessage, 'type' | 'asks'>

/** The robber of a match. Methods with a question mark belong to the second phase. */
export interface RobberPlayer {
  /** A corner. `offers`: the cops that can be bribed, after `bribe` has returned true; otherwise null. */
  move(
    world: World,
    offers?: readonly string[] | null,
  ): string | { readonly loc: string; readonly choose?: readonly string[]; readonly push?: Push }
  inform?(world: World): readonly Inform[]
  plan?(informs: readonly InformsFrom[], world: World): readonly Planned[]
  vote?(plans: readonly PlanFrom[], world: World): readonly string[]
  /** True to ask which cops can be bribed. */
  bribe?(winner: string | null, world: World): boolean
}

/** Further choices of a cop in the second phase. */
interface Choices {
  readonly market?: Market
  readonly accuse?: readonly string[]
}

/** A cop of a match. It is asked for its informs, its plan, its ballot and its move, in this order. */
export interface CopPlayer {
  inform?(world: World): readonly Inform[]
  /** `informs`: the reports of all cops. */
  plan?(informs: readonly InformsFrom[], world: World): readonly Planned[]
  /** The names of all cops, the one with the best plan first. */
  vote?(plans: readonly PlanFrom[], world: World): readonly string[]
  /** `winner`: the cop whose plan was elected. The second phase has `market` and `accuse`, and `moves` for a player that controls several robots. */
  move(
    winner: string | null,
    world: World,
  ): (Omit<BotMove, 'bot'> & Choices) | ({ readonly moves: readonly BotMove[] } & Choices)
}

/** The object that the agent's file exports. */
export interface Agent {
  readonly name: string
  /** The type with which its cops start. */
  readonly starts: 'cop-foot' | 'cop-car'
  robber(game: Game): RobberPlayer
  cop(game: Game): CopPlayer
}

declare global {
  /** The steps that are left for this answer; every call uses one. Only in a match: a test defines its own. */
  function remaining(): number
}
