import type { Inform, Planned, Ptype, SkeletonEdge, SkeletonNode } from '../../../grammars/cops/index.ts'

/** A message to a brain. `asks`: the type of the answer that is wanted; null: none. */
export type Message =
  | RegisterMessage
  | SkeletonMessage
  | WorldMessage
  | InformsMessage
  | PlansMessage
  | TallyMessage
  | OffersMessage
  | AccusedMessage
  | OverMessage

/** Asks for `register`: a name and, for a cop, whether it begins on foot or in a car. */
export type RegisterMessage = { readonly type: 'register'; readonly role: 'robber' | 'cop'; readonly asks: 'register' }

/** The players and the map. Asks for nothing. */
export type SkeletonMessage = {
  readonly type: 'skeleton'
  readonly asks: null
  /** The recipient's name, which the server may have changed. */
  readonly name: string
  readonly robber: string
  /** In ASCII order. */
  readonly cops: readonly string[]
  readonly nodes: readonly SkeletonNode[]
  readonly edges: readonly SkeletonEdge[]
}

/** Sections `dc`, `sc` and `fac` of the second phase. In matches of the earlier reading `control` has all bots, and `accusations` the true ones. */
export type TwistNews = {
  /** In the order in which they were bribed. Always empty for clean cops. */
  readonly dirty: readonly string[]
  /** Bots that have been taken over, and by whom; all others are moved by the brain of the same name. */
  readonly control: readonly { readonly brain: string; readonly bot: string }[]
  /** All that were false, in order. */
  readonly accusations: readonly { readonly accuser: string; readonly accused: string; readonly world: number }[]
}

/** The world as the recipient sees it. Asks a cop, and in the second rule set everybody, for `inform`; the robber for `move`. */
export type WorldMessage = {
  readonly type: 'world'
  readonly asks: 'inform' | 'move' | null
  readonly world: number
  readonly loot: number
  /** Absent in the first rule set. */
  readonly twist?: TwistNews
  /** In alphabetical order. */
  readonly banks: readonly { readonly loc: string; readonly value: number }[]
  readonly evidence: readonly { readonly loc: string; readonly world: number }[]
  /** 0: nothing is smelled. */
  readonly smell: number
  /** In ASCII order of names. The robber only where it is seen. */
  readonly players: readonly { readonly bot: string; readonly loc: string; readonly ptype: Ptype }[]
}

/** The announcements of all brains of the round, the recipient's own included. Asks for `plan`. */
export type InformsMessage = {
  readonly type: 'informs'
  readonly asks: 'plan'
  readonly from: readonly { readonly bot: string; readonly informs: readonly Inform[] }[]
}

/** Asks for `vote`. */
export type PlansMessage = {
  readonly type: 'plans'
  readonly asks: 'vote'
  readonly from: readonly { readonly bot: string; readonly plan: readonly Planned[] }[]
}

/**
 * The elected plan; null: there is none. Asks a cop in an odd world for `move`, in the second rule set for `orders`; the robber for
 * `bribe`; a dirty cop in an even world for nothing.
 */
export type TallyMessage = {
  readonly type: 'tally'
  readonly winner: string | null
  readonly asks: 'move' | 'orders' | 'bribe' | null
}

/** The cops that can be bribed; null: the robber has not asked. Asks for `robber-orders`. */
export type OffersMessage = {
  readonly type: 'offers'
  readonly bots: readonly string[] | null
  readonly asks: 'robber-orders'
}

/** The recipient was accused rightly and plays no more. */
export type AccusedMessage = { readonly type: 'accused'; readonly asks: null }

/** The game has ended. */
export type OverMessage = { readonly type: 'game-over'; readonly asks: null }
