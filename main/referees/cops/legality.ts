import type { BotMove } from '../../../grammars/cops/index.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Answer } from './answer.ts'
import {
  botName,
  botsOf,
  COPS,
  isAsWritten,
  isDirty,
  isTwist,
  lootOf,
  nameOf,
  ROBBER,
  type Decision,
  type Deed,
  type State,
} from './state.ts'
import { canGo } from './streets.ts'

type Orders = Extract<Answer, { type: 'orders' }>
type RobberOrders = Extract<Answer, { type: 'robber-orders' }>

/** The price of a push, and the loot that a robber needs to ask for the market. */
export const PUSH_COST = 50

/** A legal decision of a cop, or in one sentence why it is not legal. */
export function decisionOf(state: State, seat: SeatId, said: Answer): Decision | string {
  if (!isTwist(state)) {
    if (said.type !== 'move') return wanted('mov:')
    const bot = seat - 1
    const move = copMove(state, bot, said.loc, said.ptype)
    return typeof move === 'string' ? move : { moves: [move], lists: false, accuse: [] }
  }
  if (said.type !== 'orders') return wanted('cmov\\')
  const dirty = isDirty(state.brains[seat]!)
  if (dirty !== (said.market === null)) return wanted(dirty ? 'mov\\' : 'cmov\\')
  const moves = copMoves(state, seat, said.moves)
  if (typeof moves === 'string') return moves
  const accuse = accusedIn(state, seat, said)
  return typeof accuse === 'string' ? accuse : { moves, lists: said.market === 'turncoat', accuse }
}

/** Why a message of another kind is illegal in a step. */
export const wanted = (word: string): string => `This step wants the message ${word}.`

function copMove(state: State, bot: number, loc: string, ptype: BotMove['ptype']): Decision['moves'][number] | string {
  const { town, bots } = state
  const { node, mode } = bots[bot]!
  const to = town.numbers.get(loc)
  if (to === undefined) return `There is no intersection ${loc}.`
  if (ptype === 'robber') return 'A cop cannot move as a robber.'
  if (ptype !== mode && node !== town.hq) return `${botName(state, bot)} can change to ${ptype} only at the hq.`
  if (!canGo(town, node, to, ptype))
    return `${botName(state, bot)} cannot move from ${town.nodes[node]!.loc} to ${loc} as ${ptype}.`
  return { bot, node: to, mode: ptype }
}

function copMoves(state: State, seat: SeatId, moves: readonly BotMove[]): Decision['moves'] | string {
  const own = botsOf(state, seat)
  const decided: Decision['moves'][number][] = []
  for (const { bot: name, loc, ptype } of moves) {
    const bot = own.find((each) => botName(state, each) === name)
    if (bot === undefined) return `${nameOf(state, seat)} does not control ${name}.`
    if (decided.some((move) => move.bot === bot)) return `${name} is moved twice.`
    const move = copMove(state, bot, loc, ptype)
    if (typeof move === 'string') return move
    decided.push(move)
  }
  const left = own.find((bot) => decided.every((move) => move.bot !== bot))
  return left === undefined ? decided : `There is no move for ${botName(state, left)}.`
}

/** The accused brains: a bot's name means the brain that controls it now. After a false accusation others are legal and ignored. */
function accusedIn(state: State, seat: SeatId, { accuse }: Orders): readonly SeatId[] | string {
  const asWritten = isAsWritten(state)
  const seats: SeatId[] = []
  for (const name of accuse) {
    const accused = COPS.find((each) => nameOf(state, each) === name)
    if (accused === undefined) return `There is no cop ${name} to accuse.`
    seats.push(asWritten ? state.bots[accused - 1]!.controller : accused)
  }
  if (seats.length === 0 || !state.brains[seat]!.liar) return seats
  return asWritten ? [] : 'After a false accusation there are no others.'
}

/** Seats in the order of a legal ballot, or in one sentence why it is not legal. */
export function ballotOf(
  state: State,
  candidates: readonly SeatId[],
  names: readonly string[],
): readonly SeatId[] | string {
  const seats: SeatId[] = []
  for (const name of names) {
    const seat = candidates.find((each) => nameOf(state, each) === name)
    if (seat === undefined) return `The ballot lists ${name}, which is not a candidate.`
    if (seats.includes(seat)) return `The ballot lists ${name} twice.`
    seats.push(seat)
  }
  return seats.length === candidates.length ? seats : 'The ballot does not list every candidate.'
}

/** The robber's destination in the first rule set; a sentence: the reason why it cannot go there. */
export function robberMove(state: State, loc: string, ptype: BotMove['ptype']): number | string {
  const { town, robber } = state
  const to = town.numbers.get(loc)
  if (to === undefined) return `There is no intersection ${loc}.`
  if (ptype !== 'robber') return `The robber cannot move as ${ptype}.`
  if (!canGo(town, robber, to, 'robber')) return `The robber cannot move from ${town.nodes[robber]!.loc} to ${loc}.`
  return to
}

/** Seats that have listed themselves and are clean. */
export function marketOf({ brains }: State): readonly SeatId[] {
  return COPS.filter((seat) => {
    const { listedIn, bribed, out } = brains[seat]!
    return listedIn !== null && bribed === null && !out
  })
}

/** True if the robber that has asked must push: nobody is listed, and nobody ever was. */
export const mustPush = (state: State): boolean =>
  state.asked && COPS.every((seat) => state.brains[seat]!.listedIn === null)

export function deedOf(state: State, { move, push, choose }: RobberOrders): Deed | string {
  if (move.bot !== nameOf(state, ROBBER)) return `The robber does not control ${move.bot}.`
  const node = robberMove(state, move.loc, move.ptype)
  if (typeof node === 'string') return node
  if (mustPush(state)) {
    if (push === null) return 'Nobody was ever on the black market, so the robber that has asked must push a cop.'
    const pushed = pushOf(state, push)
    return typeof pushed === 'string' ? pushed : { node, push: pushed, bribes: [] }
  }
  if (push !== null) return 'The robber may push only if it has asked and nobody was ever on the black market.'
  if (choose !== null && !state.asked) return 'The robber has not asked whom it can bribe.'
  const offered = marketOf(state)
  const bribes: SeatId[] = []
  for (const name of choose ?? []) {
    const seat = offered.find((each) => nameOf(state, each) === name)
    if (seat === undefined) return `${name} is not on the black market.`
    if (bribes.includes(seat)) return `${name} is bribed twice.`
    bribes.push(seat)
  }
  return { node, push: null, bribes }
}

function pushOf(
  state: State,
  { bot: name, loc }: { readonly bot: string; readonly loc: string },
): Deed['push'] | string {
  const { town, bots } = state
  const bot = [...bots.keys()].find((each) => botName(state, each) === name)
  if (bot === undefined) return `There is no cop ${name} to push.`
  const { node, mode } = bots[bot]!
  const to = town.numbers.get(loc)
  if (to === undefined) return `There is no intersection ${loc}.`
  if (to === node || !canGo(town, node, to, mode)) return `${name} cannot be pushed to ${loc}.`
  return { bot, node: to }
}

/** Why the robber cannot ask for the market; null: it can. */
export const whyNotAsk = (state: State): string | null =>
  lootOf(state) >= PUSH_COST ? null : `The robber needs $${PUSH_COST} of loot to ask for the market.`
