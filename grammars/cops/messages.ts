/** The type of a robot: section 3.2.1. */
export type Ptype = 'cop-foot' | 'cop-car' | 'robber'

/** A claim about where somebody was, is or will be. `certainty`: -100 (surely not) to 100. */
export type Inform = {
  readonly bot: string
  readonly loc: string
  readonly ptype: Ptype
  readonly world: number
  readonly certainty: number
}

/** A suggestion where a robot should be in a world. */
export type Planned = {
  readonly bot: string
  readonly loc: string
  readonly ptype: Ptype
  readonly world: number
}

/** The move of one robot; only the second rule set names the robot. */
export type BotMove = { readonly bot: string; readonly loc: string; readonly ptype: Ptype }

/** The messages of a brain. The first five are those of version 7 of the task; the others belong to the second rule set. */
export type BotMessage =
  | { readonly type: 'register'; readonly bot: string; readonly ptype: Ptype }
  | { readonly type: 'inform'; readonly informs: readonly Inform[] }
  | { readonly type: 'plan'; readonly plan: readonly Planned[] }
  | { readonly type: 'vote'; readonly ballot: readonly string[] }
  | { readonly type: 'move'; readonly loc: string; readonly ptype: Ptype }
  /** A cop's `cmov\`; `market` null: a dirty cop's `mov\`, which has neither market nor accusations. */
  | {
      readonly type: 'orders'
      readonly market: 'turncoat' | 'straight-arrow' | null
      readonly moves: readonly BotMove[]
      readonly accuse: readonly string[]
    }
  /** True if the robber asks which cops can be bribed. */
  | { readonly type: 'bribe'; readonly asks: boolean }
  /** The robber's `rmov\`. `choose`: whom it bribes, in order; null where it said `nobribe:` or pushes. */
  | {
      readonly type: 'robber-orders'
      readonly move: BotMove
      readonly push: { readonly bot: string; readonly loc: string } | null
      readonly choose: readonly string[] | null
    }

export type NodeTag = 'hq' | 'bank' | 'robber-start' | 'ordinary'

export type SkeletonNode = { readonly loc: string; readonly tag: NodeTag; readonly x: number; readonly y: number }

export type SkeletonEdge = { readonly from: string; readonly to: string; readonly type: 'foot' | 'car' }

/** A world skeleton: who plays, and the map. */
export type Skeleton = {
  readonly name: string
  readonly robber: string
  readonly cops: readonly string[]
  readonly nodes: readonly SkeletonNode[]
  readonly edges: readonly SkeletonEdge[]
}

/** Characters of a token, and lines of a section (sections 3.2.1 and 3.2.2). */
export const TOKEN_MAX = 100
export const SECTION_MAX = 1_000

/** The last number that a world can have. */
export const WORLD_MAX = 200

/** A world skeleton in its lines; reading it gives an equal one. */
export function printSkeleton({ name, robber, cops, nodes, edges }: Skeleton): string {
  const lines = [
    'wsk\\',
    `name: ${name}`,
    `robber: ${robber}`,
    ...cops.map((cop) => `cop: ${cop}`),
    'nod\\',
    ...nodes.map(({ loc, tag, x, y }) => `nod: ${loc} ${tag} ${x} ${y}`),
    'nod/',
    'edg\\',
    ...edges.map(({ from, to, type }) => `edg: ${from} ${to} ${type}`),
    'edg/',
    'wsk/',
  ]
  return `${lines.join('\n')}\n`
}
