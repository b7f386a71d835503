import type { Claim, Player, World } from './belief.ts'
import type { Ptype, Skeleton } from './town.ts'

/** A suggestion of where a robot should be in a world. */
export interface Suggestion extends Player {
  readonly world: number
}

export interface Move {
  readonly loc: string
  readonly ptype: Ptype
  /** Lists a cop on the black market of the second rule set. */
  readonly market?: 'turncoat'
}

/** A cop as the agents here are written: what it answers in each step of a turn. */
export interface CopBrain {
  begin(skeleton: Skeleton): void
  inform(world: World): readonly Claim[]
  plan(from: readonly { readonly bot: string; readonly informs: readonly Claim[] }[]): readonly Suggestion[]
  /** Those whose plans these are, the best plan first. */
  vote(from: readonly { readonly bot: string; readonly plan: readonly Suggestion[] }[]): readonly string[]
  move(winner: string | null): Move
}

/** The robber's next corner; in the second rule set also the cop that it bribes, or the corner to which it pushes one. */
export interface RobberMove {
  readonly loc: string
  readonly choose?: readonly string[]
  readonly push?: { readonly bot: string; readonly loc: string }
}

export interface RobberBrain {
  begin(skeleton: Skeleton): void
  /** `offers`: who can be bribed, if it has asked. */
  move(world: World, offers?: readonly string[] | null): RobberMove
}
