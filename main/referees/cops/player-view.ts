import { printSkeleton } from '../../../grammars/cops/index.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Answer as BrainAnswer } from './answer.ts'
import { config } from './config.ts'
import { heard } from './hearing.ts'
import { mustPush, whyNotAsk } from './legality.ts'
import type { InformsMessage, Message, PlansMessage, SkeletonMessage, WorldMessage } from './messages.ts'
import { initialState } from './saved.ts'
import {
  botName,
  botsOf,
  COPS,
  isAsWritten,
  isDirty,
  nameOf,
  ROBBER,
  type Mode,
  type State,
  type Step,
} from './state.ts'

export type { BrainAnswer }

/** A line of a brain's dialogue: what it was told, or what it answered. */
export type DialogueLine = { readonly told: Message } | { readonly answered: BrainAnswer }

/** A match as one brain knows it. Robots and brains have names; cops are numbered in the order of their names. */
export interface BrainView {
  readonly skeleton: SkeletonMessage
  readonly world: WorldMessage
  /** The brain's number: 0 for the robber. */
  readonly seat: SeatId
  /** As far as the brain knows it, and as far as legality depends on it. */
  readonly state: State
  /** The type of the answer to the last message; null: none is wanted. */
  readonly asks: Message['asks']
  /** The informs of the current world; empty before they arrive. */
  readonly informs: InformsMessage['from']
  readonly plans: PlansMessage['from']
  /** The brain whose plan was elected in the current world; null: nobody's; undefined: not told yet. */
  readonly winner: string | null | undefined
  /** The cops that the robber may bribe; null: it has not asked, or the market is not known yet. */
  readonly offers: readonly string[] | null
  /** True if the question before the last message got no answer. */
  readonly missed: boolean
  /** True if the brain was accused rightly and plays no more. */
  readonly accused: boolean
}

/** Folds the dialogue of a brain. null: it has not been told of a world. */
export function brainViewFrom(dialogue: readonly DialogueLine[]): BrainView | null {
  const skeleton = dialogue.flatMap((line) => ('told' in line && line.told.type === 'skeleton' ? [line.told] : []))[0]
  let world: WorldMessage | null = null
  let [informs, plans]: [InformsMessage['from'], PlansMessage['from']] = [[], []]
  let winner: string | null | undefined
  let offers: readonly string[] | null = null
  let last: Message | null = null
  let [answered, missed] = [true, false]
  for (const line of dialogue) {
    if ('answered' in line) {
      answered = true
      continue
    }
    const { told } = line
    if (told.type === 'world') [world, informs, plans, winner, offers] = [told, [], [], undefined, null]
    else if (told.type === 'informs') informs = told.from
    else if (told.type === 'plans') plans = told.from
    else if (told.type === 'tally') winner = told.winner
    else if (told.type === 'offers') offers = told.bots
    missed = !answered
    answered = told.asks === null || told.asks === 'register'
    last = told
  }
  if (skeleton === undefined || world === null || last === null) return null
  const { asks } = last
  const known = { skeleton, world, seat: seatOf(skeleton, skeleton.name), asks, informs, plans, winner, offers, missed }
  return { ...known, state: knownState(known, dialogue), accused: last.type === 'accused' }
}

/** The number of a brain by its name: 0 for the robber, then cops in the order of their names. */
export const seatOf = ({ robber, cops }: Pick<SkeletonMessage, 'robber' | 'cops'>, name: string): SeatId =>
  name === robber ? ROBBER : 1 + cops.indexOf(name)

const steps: Readonly<Record<NonNullable<Message['asks']>, Step>> = {
  register: 'register',
  inform: 'inform',
  plan: 'plan',
  vote: 'vote',
  move: 'move',
  orders: 'move',
  bribe: 'bribe',
  'robber-orders': 'orders',
}

type Known = Pick<BrainView, 'skeleton' | 'world' | 'seat' | 'asks' | 'offers'>

function knownState({ skeleton, world, seat, asks, offers }: Known, dialogue: readonly DialogueLine[]): State {
  const { twist, players } = world
  const rules = twist === undefined ? '2005' : '2005-twist'
  // Earlier, worlds listed all five robots with their brains, and true accusations.
  const asWritten = twist !== undefined && twist.control.length < COPS.length
  const settings = { map: printSkeleton(skeleton), rules, ...(asWritten ? { secondPhase: 'as-written' as const } : {}) }
  const state = initialState(config.parse(settings))
  const { brains, bots, town } = state
  for (const [at, name] of [skeleton.robber, ...skeleton.cops].entries()) brains[at]!.name = name
  const of = (name: string): SeatId => seatOf(skeleton, name)
  for (const { bot, loc, ptype } of players) {
    const node = town.numbers.get(loc)!
    if (ptype === 'robber') state.robber = node
    else Object.assign(bots[of(bot) - 1]!, { node, mode: ptype })
  }
  for (const { brain, bot } of twist?.control ?? []) bots[of(bot) - 1]!.controller = of(brain)
  for (const [order, name] of (twist?.dirty ?? []).entries()) brains[of(name)]!.bribed = order
  // A robot is taken over when its brain is accused rightly.
  for (const { brain, bot } of twist?.control ?? [])
    if (brain !== bot) Object.assign(brains[of(bot)]!, { out: true, bribed: 0 })
  const accusations = (twist?.accusations ?? []).map((each) => {
    return { ...each, accuser: of(each.accuser), accused: of(each.accused) }
  })
  if (asWritten) {
    state.falseAccusations = accusations
    for (const { accuser } of accusations) brains[accuser]!.liar = true
  } else state.accusations = accusations
  Object.assign(state, { world: world.world, round: world.world, loot: world.loot, waiting: [seat] })
  state.step = asks === null ? 'over' : steps[asks]
  // A bribed cop had listed itself before.
  for (const brain of brains) if (isDirty(brain)) brain.listedIn = 0
  for (const name of offers ?? []) brains[of(name)]!.listedIn = 0
  recallOwn(state, seat, dialogue)
  return state
}

/** Records the consequences of the brain's own answers: whether it is on the market, has accused wrongly, or has asked in this world. */
function recallOwn(state: State, seat: SeatId, dialogue: readonly DialogueLine[]): void {
  const own = state.brains[seat]!
  // As the text is written, false accusations are announced.
  const earlier = !isAsWritten(state)
  let when = 0
  for (const line of dialogue) {
    if ('told' in line) {
      if (line.told.type === 'world') when = line.told.world
    } else if (line.answered.type === 'bribe') state.asked = line.answered.asks && when === state.world
    else if (line.answered.type === 'orders' && when < state.world) {
      if (line.answered.market === 'turncoat') own.listedIn ??= when
      own.liar ||=
        earlier &&
        line.answered.accuse.some((name) => {
          const accused = state.brains.findIndex((brain) => brain.name === name)
          return !state.accusations.some((each) => each.accused === accused && each.world <= when)
        })
    }
  }
}

/** Why the rules would refuse an answer now, in one sentence; null: it is legal. The view stays as it is. */
export function whyRefused({ state, seat }: Pick<BrainView, 'state' | 'seat'>, answer: BrainAnswer): string | null {
  const said = state.said.map((each) => ({ ...each }))
  return heard({ ...state, said, decisions: [...state.decisions] }, seat, answer)
}

/** The intersections within one turn, that is legal moves: the present one first. */
export function movesOf({ state: { town } }: Pick<BrainView, 'state'>, from: string, ptype: Mode | 'robber'): string[] {
  const here = town.numbers.get(from)
  if (here === undefined) return []
  const near = (ptype === 'cop-car' ? town.car : town.foot)[here]!
  return [here, ...near.filter((to) => to !== here)].map((node) => town.nodes[node]!.loc)
}

/** A brain's choices in the second phase. Names of brains and of robots. */
export interface TwistView {
  /** Dirty brains as far as this one knows them, those that are out not included. */
  readonly dirty: readonly string[]
  /** True if this brain was bribed. */
  readonly isDirty: boolean
  /** The world in which this brain listed itself on the black market; null: it has not. */
  readonly listedIn: number | null
  /** Brains that this one may accuse; a string: why it may accuse nobody. */
  readonly accusable: readonly string[] | string
  /** Why the robber cannot ask for the market; null: it can. */
  readonly whyNotAsk: string | null
  /** True if the robber must push a cop. */
  readonly mustPush: boolean
}

/** null: the match is played by the rules of the first phase. */
export function twistViewOf({ state, seat, world, skeleton }: BrainView): TwistView | null {
  if (world.twist === undefined) return null
  const { brains } = state
  const own = brains[seat]!
  const others = COPS.filter((each) => each !== seat && !brains[each]!.out).map((each) => nameOf(state, each))
  return {
    dirty: world.twist.dirty,
    isDirty: world.twist.dirty.includes(skeleton.name),
    listedIn: own.listedIn,
    accusable: own.liar ? 'You have accused wrongly, so you may accuse nobody more.' : others,
    whyNotAsk: whyNotAsk(state),
    mustPush: mustPush(state),
  }
}

/** Robots of the dirty brains that this one knows, in the order of the skeleton. */
export const dirtyRobotsOf = ({ state }: Pick<BrainView, 'state'>): readonly string[] =>
  [...state.bots.keys()]
    .filter((bot) => isDirty(state.brains[state.bots[bot]!.controller]!))
    .map((bot) => botName(state, bot))

/** Robots that a brain moves, its own first; the robber moves itself. */
export function robotsOf({ state, seat, skeleton }: Pick<BrainView, 'state' | 'seat' | 'skeleton'>): readonly string[] {
  if (seat === ROBBER) return [skeleton.robber]
  const own = botsOf(state, seat).map((bot) => botName(state, bot))
  return [skeleton.name, ...own.filter((name) => name !== skeleton.name)]
}
