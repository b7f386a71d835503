/** The messages and answers of the robber and the cops of Cops & Robbers. Corners are identified by their names. */
export type Ptype = 'cop-foot' | 'cop-car' | 'robber'

/** The players, and the map. */
export interface Game {
  /** Your own name, which may have a number at its end. */
  readonly name: string
  readonly robber: string
  readonly cops: readonly string[]
  readonly nodes: readonly {
    readonly loc: string
    readonly tag: 'hq' | 'bank' | 'robber-start' | 'ordinary'
    readonly x: number
    readonly y: number
  }[]
  /** On foot both directions are allowed on streets of the type `foot`; cars go from `from` to `to`, on both types. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly type: 'foot' | 'car' }[]
}

/** The world as you see it. */
export interface World {
  /** Its number: the robber moves in even worlds, cops in odd ones. */
  readonly world: number
  /** Dollars that the robber has. */
  readonly loot: number
  readonly banks: readonly { readonly loc: string; readonly value: number }[]
  /** Places of the robber in earlier worlds, discovered since your last turn. */
  readonly evidence: readonly { readonly loc: string; readonly world: number }[]
  /** The number of moves to the robber; 0: you do not smell it. On foot up to 2, in a car 1. */
  readonly smell: number
  /** All players that you see. Cops see the robber on banks only. */
  readonly players: readonly { readonly bot: string; readonly loc: string; readonly ptype: Ptype }[]
  /** Only in the second phase. */
  readonly twist?: {
    /** Bribed cops in the order of the bribes; always empty for those who are not bribed. */
    readonly dirty: readonly string[]
    /** Robots that were taken over by a true accusation, and who moves them now. Everybody else moves their own. */
    readonly control: readonly { readonly brain: string; readonly bot: string }[]
    /** False accusations. */
    readonly accusations: readonly { readonly accuser: string; readonly accused: string; readonly world: number }[]
  }
}

/** A player's past, present or future place. `certainty`: from -100, certainly not there, to 100. */
export interface Inform {
  readonly bot: string
  readonly loc: string
  readonly ptype: Ptype
  readonly world: number
  readonly certainty: number
}

/** The place suggested to a player for a world. */
export type Suggestion = Omit<Inform, 'certainty'>

/** The robber of a match. Methods with a question mark belong to the second phase. */
export interface RobberPlayer {
  /** A corner. `offers`: the cops that can be bribed, after `bribe` has returned true; otherwise null. */
  move(
    world: World,
    offers?: readonly string[] | null,
  ):
    | string
    | {
        readonly loc: string
        readonly choose?: readonly string[]
        readonly push?: { readonly bot: string; readonly loc: string }
      }
  inform?(world: World): readonly Inform[]
  plan?(
    informs: readonly { readonly bot: string; readonly informs: readonly Inform[] }[],
    world: World,
  ): readonly Suggestion[]
  vote?(
    plans: readonly { readonly bot: string; readonly plan: readonly Suggestion[] }[],
    world: World,
  ): readonly string[]
  /** True to ask which cops can be bribed. */
  bribe?(winner: string | null, world: World): boolean
}

/** A cop of a match. It is asked for its informs, its plan, its ballot and its move, in this order. */
export interface CopPlayer {
  inform?(world: World): readonly Inform[]
  /** `informs`: the reports of all cops. */
  plan?(
    informs: readonly { readonly bot: string; readonly informs: readonly Inform[] }[],
    world: World,
  ): readonly Suggestion[]
  /** The names of all cops, the one with the best plan first. */
  vote?(
    plans: readonly { readonly bot: string; readonly plan: readonly Suggestion[] }[],
    world: World,
  ): readonly string[]
  /** `winner`: the cop whose plan was elected. The second phase has `market` and `accuse`, and `moves` for a player that controls several robots. */
  move(
    winner: string | null,
    world: World,
  ):
    | {
        readonly loc: string
        readonly ptype: Ptype
        readonly market?: 'turncoat' | 'straight-arrow'
        readonly accuse?: readonly string[]
      }
    | {
        readonly moves: readonly { readonly bot: string; readonly loc: string; readonly ptype: Ptype }[]
        readonly market?: 'turncoat' | 'straight-arrow'
        readonly accuse?: readonly string[]
      }
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
