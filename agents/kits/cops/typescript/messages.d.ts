// Types of the messages of Cops & Robbers, made by "tartaglia kit" from the game's own schemas. "tartaglia update" replaces this file.

/** The side of a brain. */
export type Role = 'robber' | 'cop'

/** The first message. Asks for a name and, of a cop, how it begins. */
export interface AskRegister {
  readonly type: 'register'
  /** The side of a brain. */
  readonly role: Role
  readonly asks: 'register'
}

/** The kind of an intersection. */
export type NodeTag = 'hq' | 'bank' | 'robber-start' | 'ordinary'

/** An intersection. */
export interface Node {
  /** The name of an intersection. */
  readonly loc: string
  /** The kind of an intersection. */
  readonly tag: NodeTag
  /** Its place on a drawing. */
  readonly x: number
  /** Its place on a drawing. */
  readonly y: number
}

/** `foot` is for all, `car` for cars alone. */
export type EdgeType = 'foot' | 'car'

/** A street: on foot both directions, for cars from `from` to `to`. */
export interface Edge {
  /** The name of an intersection. */
  readonly from: string
  /** The name of an intersection. */
  readonly to: string
  /** `foot` is for all, `car` for cars alone. */
  readonly type: EdgeType
}

/** The players and the map (`wsk\`). Asks for nothing. */
export interface Skeleton {
  readonly type: 'skeleton'
  readonly asks: null
  /** Your own name, which the server may have changed. */
  readonly name: string
  /** The name of the robber. */
  readonly robber: string
  /** The names of the cops, in ASCII order. */
  readonly cops: readonly string[]
  /** All intersections. */
  readonly nodes: readonly Node[]
  /** All streets. */
  readonly edges: readonly Edge[]
}

/** The robber is asked for its move in the first rule set, all others for informs. */
export type WorldAsks = 'inform' | 'move'

/** A robot and the brain that moves it. */
export interface Control {
  /** The name of a brain. */
  readonly brain: string
  /** The name of a robot. */
  readonly bot: string
}

/** An accusation of one brain by another. */
export interface Accusation {
  /** The name of a brain. */
  readonly accuser: string
  /** The name of a brain. */
  readonly accused: string
  /** The number of a world. */
  readonly world: number
}

/** The sections `dc`, `sc` and `fac` of the second rule set. */
export interface Twist {
  /** Bribed cops in the order of the bribes; always empty for clean cops. */
  readonly dirty: readonly string[]
  /** Robots that were taken over; all others are moved by the brain of the same name. */
  readonly control: readonly Control[]
  /** All that were false, in order. */
  readonly accusations: readonly Accusation[]
}

/** A bank. */
export interface Bank {
  /** The name of an intersection. */
  readonly loc: string
  /** Dollars in it. */
  readonly value: number
}

/** The robber was at a place. */
export interface Evidence {
  /** The name of an intersection. */
  readonly loc: string
  /** When it was there. */
  readonly world: number
}

/** The type of a robot (section 3.2.1). */
export type Ptype = 'cop-foot' | 'cop-car' | 'robber'

/** A robot that you see. */
export interface Player {
  /** The name of a robot. */
  readonly bot: string
  /** The name of an intersection. */
  readonly loc: string
  /** The type of a robot (section 3.2.1). */
  readonly ptype: Ptype
}

/** The world as you see it (`wor\`). */
export interface World {
  readonly type: 'world'
  /** The type of the answer that is wanted; null: none. */
  readonly asks: WorldAsks | null
  /** The number of a world. */
  readonly world: number
  /** Dollars that the robber has. */
  readonly loot: number
  /** Absent in the first rule set. */
  readonly twist?: Twist
  /** All banks, in alphabetical order. */
  readonly banks: readonly Bank[]
  /** Traces that your robots have found. */
  readonly evidence: readonly Evidence[]
  /** The number of moves to the robber; 0: nothing is smelled. */
  readonly smell: number
  /** In ASCII order of names; the robber only where it is seen. */
  readonly players: readonly Player[]
}

/** A claim about where somebody was, is or will be. */
export interface Inform {
  /** The name of a robot. */
  readonly bot: string
  /** The name of an intersection. */
  readonly loc: string
  /** The type of a robot (section 3.2.1). */
  readonly ptype: Ptype
  /** The number of a world. */
  readonly world: number
  /** From -100, surely not there, to 100. */
  readonly certainty: number
}

/** The informs of one brain. */
export interface InformsFrom {
  /** The name of a brain. */
  readonly bot: string
  /** Its claims. */
  readonly informs: readonly Inform[]
}

/** The informs of all brains of the round, your own included. Asks for a plan. */
export interface AllInforms {
  readonly type: 'informs'
  readonly asks: 'plan'
  /** A block for each brain. */
  readonly from: readonly InformsFrom[]
}

/** A suggestion where a robot should be in a world. */
export interface Planned {
  /** The name of a robot. */
  readonly bot: string
  /** The name of an intersection. */
  readonly loc: string
  /** The type of a robot (section 3.2.1). */
  readonly ptype: Ptype
  /** The number of a world. */
  readonly world: number
}

/** The plan of one brain. */
export interface PlanFrom {
  /** The name of a brain. */
  readonly bot: string
  /** Its suggestions. */
  readonly plan: readonly Planned[]
}

/** The plans of all brains of the round. Asks for a vote. */
export interface AllPlans {
  readonly type: 'plans'
  readonly asks: 'vote'
  /** A block for each brain. */
  readonly from: readonly PlanFrom[]
}

/** A cop: move, in the second rule set orders; the robber: bribe; a dirty cop: nothing. */
export type TallyAsks = 'move' | 'orders' | 'bribe'

/** The plan that was elected (`winner:`, `nowinner:`). */
export interface Tally {
  readonly type: 'tally'
  /** The brain with that plan; null: no plan was elected. */
  readonly winner: string | null
  /** The type of the answer that is wanted; null: none. */
  readonly asks: TallyAsks | null
}

/** The cops that can be bribed (`ofc\`, `nottelling:`). Asks for the orders of the robber. */
export interface Offers {
  readonly type: 'offers'
  /** null: the robber has not asked. */
  readonly bots: readonly string[] | null
  readonly asks: 'robber-orders'
}

/** You were accused rightly and play no more. */
export interface Accused {
  readonly type: 'accused'
  readonly asks: null
}

/** The game has ended. */
export interface GameOver {
  readonly type: 'game-over'
  readonly asks: null
}

/** A message to a brain. */
export type Told = AskRegister | Skeleton | World | AllInforms | AllPlans | Tally | Offers | Accused | GameOver

/** The registration (`reg:`); a cop says if it begins on foot or in a car. */
export interface Register {
  readonly type: 'register'
  /** The name of a robot. */
  readonly bot: string
  /** The type of a robot (section 3.2.1). */
  readonly ptype: Ptype
}

/** The answer to a world (`inf\`). */
export interface Informs {
  readonly type: 'inform'
  /** Claims for all brains of the round. */
  readonly informs: readonly Inform[]
}

/** The answer to the informs (`plan\`). */
export interface Plan {
  readonly type: 'plan'
  /** The moves that are suggested. */
  readonly plan: readonly Planned[]
}

/** The answer to the plans (`vote\`). */
export interface Vote {
  readonly type: 'vote'
  /** The names of all brains of the round, the one with the best plan first. */
  readonly ballot: readonly string[]
}

/** The move of the robber, or of a cop in the first rule set (`mov:`). */
export interface Move {
  readonly type: 'move'
  /** The name of an intersection. */
  readonly loc: string
  /** The type of a robot (section 3.2.1). */
  readonly ptype: Ptype
}

/** On the black market or not. */
export type Market = 'turncoat' | 'straight-arrow'

/** The move of one robot. */
export interface BotMove {
  /** The name of a robot. */
  readonly bot: string
  /** The name of an intersection. */
  readonly loc: string
  /** The type of a robot (section 3.2.1). */
  readonly ptype: Ptype
}

/** The orders of a cop in the second rule set (`cmov\`, or `mov\` of a dirty one). */
export interface Orders {
  readonly type: 'orders'
  /** null: a dirty cop, which has neither market nor accusations. */
  readonly market: Market | null
  /** A move for each robot that this brain controls. */
  readonly moves: readonly BotMove[]
  /** Brains that are accused of being dirty. */
  readonly accuse: readonly string[]
}

/** The answer of the robber to the tally in the second rule set. */
export interface Bribe {
  readonly type: 'bribe'
  /** True: `bribe:`, to be told which cops can be bribed; false: `nobribe:`. */
  readonly asks: boolean
}

/** Moves a cop to another intersection. */
export interface Push {
  /** The name of a robot. */
  readonly bot: string
  /** The name of an intersection. */
  readonly loc: string
}

/** The orders of the robber in the second rule set (`rmov\`). */
export interface RobberOrders {
  readonly type: 'robber-orders'
  /** The move of one robot. */
  readonly move: BotMove
  /** A cop to push; null: none. */
  readonly push: Push | null
  /** null: `nobribe:`, or a push. */
  readonly choose: readonly string[] | null
}

/** A message of a brain. */
export type Said = Register | Informs | Plan | Vote | Move | Orders | Bribe | RobberOrders
