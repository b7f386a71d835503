import type { SeatId } from '../../contract/ids.ts'
import { marketOf } from './legality.ts'
import type {
  InformsMessage,
  Message,
  OffersMessage,
  PlansMessage,
  SkeletonMessage,
  TallyMessage,
  TwistNews,
  WorldMessage,
} from './messages.ts'
import {
  botName,
  botsOf,
  COPS,
  copsInOrder,
  dirtyInOrder,
  isAsWritten,
  isDirty,
  isRobbersWorld,
  isTwist,
  lootOf,
  nameOf,
  ROBBER,
  roundSeats,
  seesRobber,
  type State,
} from './state.ts'
import { smellOfSeat } from './streets.ts'

/** The messages that these seats get in the current step, in their order. A message that says the same to all of them is one object. */
export function questionsFor(state: State, seats: readonly SeatId[]): readonly Message[] {
  const [first] = seats
  if (first === undefined || !isForAll(state)) return seats.map((seat) => questionFor(state, seat))
  const message = questionFor(state, first)
  return seats.map(() => message)
}

/** True if what is asked in the current step does not depend on the seat: the words of a round, and its tally. */
function isForAll(state: State): boolean {
  const { step } = state
  return step === 'plan' || step === 'vote' || (step === 'move' && !isRobbersWorld(state))
}

/** The message that a seat gets in the current step, which waits for it. */
export function questionFor(state: State, seat: SeatId): Message {
  switch (state.step) {
    case 'register':
      return { type: 'register', role: seat === ROBBER ? 'robber' : 'cop', asks: 'register' }
    case 'inform':
      return worldMessage(state, seat, 'inform')
    case 'plan':
      return informsMessage(state)
    case 'vote':
      return plansMessage(state)
    case 'move':
      return isRobbersWorld(state)
        ? worldMessage(state, seat, 'move')
        : tallyMessage(state, isTwist(state) ? 'orders' : 'move')
    case 'bribe':
      return tallyMessage(state, 'bribe')
    case 'orders':
      return offersMessage(state)
    case 'over':
      return { type: 'game-over', asks: null }
  }
}

export function skeletonMessage(state: State, seat: SeatId): SkeletonMessage {
  const { nodes, edges } = state.town
  return {
    type: 'skeleton',
    asks: null,
    name: nameOf(state, seat),
    robber: nameOf(state, ROBBER),
    cops: copsInOrder(state).map((cop) => nameOf(state, cop)),
    nodes,
    edges,
  }
}

/** Sections in the order of the recordings; cops see no robber unless it is on a bank, or they are dirty. */
export function worldMessage(state: State, seat: SeatId, asks: WorldMessage['asks']): WorldMessage {
  const { town, vaults, robber } = state
  const locOf = (node: number): string => town.nodes[node]!.loc
  const scoundrel = seat === ROBBER || isDirty(state.brains[seat]!)
  const players: WorldMessage['players'][number][] = state.bots.map(({ node, mode }, bot) => ({
    bot: botName(state, bot),
    loc: locOf(node),
    ptype: mode,
  }))
  if (seesRobber(state, seat)) players.push({ bot: nameOf(state, ROBBER), loc: locOf(robber), ptype: 'robber' })
  const senses = seat !== ROBBER && !isRobbersWorld(state)
  const found = senses ? botsOf(state, seat).flatMap((bot) => state.bots[bot]!.evidence) : []
  return {
    type: 'world',
    asks,
    world: state.world,
    loot: scoundrel ? lootOf(state) : state.loot,
    ...(isTwist(state) ? { twist: twistNews(state, scoundrel) } : {}),
    banks: town.banks.map((bank, place) => ({ loc: locOf(bank), value: vaults[place]! })),
    evidence: found.map(({ node, world }) => ({ loc: locOf(node), world })),
    smell: senses ? smellOfSeat(state, seat) : 0,
    players: players.sort((a, b) => (a.bot < b.bot ? -1 : 1)),
  }
}

function twistNews(state: State, scoundrel: boolean): TwistNews {
  const order = copsInOrder(state)
  const asWritten = isAsWritten(state)
  const controllerOf = (seat: SeatId): SeatId => state.bots[seat - 1]!.controller
  const dirty = dirtyInOrder(state)
  const told = asWritten ? dirty : order.filter((seat) => dirty.includes(seat))
  const listed = asWritten ? order.filter((seat) => controllerOf(seat) !== seat) : order
  const accusations = asWritten ? state.falseAccusations : state.accusations
  return {
    dirty: scoundrel ? told.map((seat) => nameOf(state, seat)) : [],
    control: listed.map((seat) => ({ brain: nameOf(state, controllerOf(seat)), bot: nameOf(state, seat) })),
    accusations: accusations.map(({ accuser, accused, world }) => ({
      accuser: nameOf(state, accuser),
      accused: nameOf(state, accused),
      world,
    })),
  }
}

/** One block for each brain of the round, in the order of seats; a brain that said nothing has an empty one. */
function informsMessage(state: State): InformsMessage {
  const from = roundSeats(state).map((seat) => ({
    bot: nameOf(state, seat),
    informs: state.said[seat]!.informs ?? [],
  }))
  return { type: 'informs', asks: 'plan', from }
}

function plansMessage(state: State): PlansMessage {
  const from = roundSeats(state).map((seat) => ({ bot: nameOf(state, seat), plan: state.said[seat]!.plan ?? [] }))
  return { type: 'plans', asks: 'vote', from }
}

export function tallyMessage(state: State, asks: TallyMessage['asks']): TallyMessage {
  const { winner = null } = state
  return { type: 'tally', winner: winner === null ? null : nameOf(state, winner), asks }
}

function offersMessage(state: State): OffersMessage {
  const bots = state.asked ? marketOf(state).map((seat) => nameOf(state, seat)) : null
  return { type: 'offers', bots, asks: 'robber-orders' }
}

/** Dirty cops that play; they are told the tally of the scoundrels' round. */
export const dirtyCops = ({ brains }: State): readonly SeatId[] =>
  COPS.filter((seat) => isDirty(brains[seat]!) && !brains[seat]!.out)
