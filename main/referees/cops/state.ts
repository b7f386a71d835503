import { type Inform, type Planned, TOKEN_MAX } from '../../../grammars/cops/index.ts'
import type { SeatId } from '../../contract/ids.ts'
import type { Config } from './config.ts'
import type { Town } from './town.ts'

/** A piece of evidence. */
export interface Evidence {
  /** The number of an intersection. */
  readonly node: number
  /** The world in which the robber was there. */
  readonly world: number
}

export type Mode = 'cop-foot' | 'cop-car'

/** A Cop-Bot on the map. It begins with the brain of its own seat. */
export interface CopBot {
  node: number
  mode: Mode
  /** The seat of the brain that moves it. */
  controller: SeatId
  /** Evidence that it has found on its way into the current world. */
  evidence: readonly Evidence[]
  /** Pieces of evidence that it has found, whoever moved it. */
  found: number
}

/** The brain of a seat. */
export interface Brain {
  /** Its name; null: it has not registered. */
  name: string | null
  /** Why it is disqualified; null: it is not. */
  disqualified: string | null
  /** True if nothing more will come from it; it stands still. */
  gone: boolean
  /** Why its last message counted for nothing, in a sentence; null: it counted. */
  refused: string | null
  /** Pieces of evidence that its bots have found. */
  found: number
  /** How often its plan was elected in cops' rounds, and in the robber's rounds. */
  elected: number
  scoundrelElected: number
  /** The world in which it listed itself on the black market; null: never. */
  listedIn: number | null
  /** Its place among the bribes of the game, from 0; null: it is clean. */
  bribed: number | null
  /** True if it was rightly accused: it plays no more. */
  out: boolean
  /** True if it has accused wrongly: it may accuse nobody more, and loses half of its points. */
  liar: boolean
  /** Even worlds that it spent on the market without being chosen. */
  waited: number
}

/** The steps of a world; `bribe` and `orders` are the robber's steps in the twist. */
export type Step = 'register' | 'inform' | 'plan' | 'vote' | 'move' | 'bribe' | 'orders' | 'over'

/** The words of one brain in the rounds of the current world; null: none yet. */
export interface Said {
  informs: readonly Inform[] | null
  plan: readonly Planned[] | null
  /** Seats, most desirable plan first. */
  ballot: readonly SeatId[] | null
}

/** A cop's decision; moves are applied when all have decided. */
export interface Decision {
  /** By bot: where it goes and how. */
  readonly moves: readonly { readonly bot: number; readonly node: number; readonly mode: Mode }[]
  readonly lists: boolean
  /** Seats. */
  readonly accuse: readonly SeatId[]
}

/** The robber's decision. */
export interface Deed {
  readonly node: number
  readonly push: { readonly bot: number; readonly node: number } | null
  /** Seats, in the order in which they become dirty. */
  readonly bribes: readonly SeatId[]
}

/** A theft whose bank is still to get a transfer. */
export interface Theft {
  /** The place of the bank in `Town.banks`. */
  readonly bank: number
  /** The robber's turn in which it happened: an even number. */
  readonly turn: number
}

/** An accusation and the brain that it was against. */
export interface Accusation {
  readonly accuser: SeatId
  readonly accused: SeatId
  readonly world: number
}

export interface State {
  readonly config: Config
  readonly town: Town
  /** By seat; the robber is seat 0. */
  readonly brains: readonly Brain[]
  /** By cop: bot b belongs to seat b + 1. */
  readonly bots: readonly CopBot[]
  world: number
  step: Step
  /** Seats from which the current step still wants to hear. */
  waiting: readonly SeatId[]
  /** The world of the last or current round of informs, plans and votes. */
  round: number
  /** The words of that round, by seat. */
  said: readonly Said[]
  /** By seat; null: not decided, or nothing to decide. */
  decisions: (Decision | null)[]
  /** The robber's decision; null: none, so that it stands still. */
  deed: Deed | null
  /** The result of that round's election: a seat; null: no winner; undefined: there was none yet. */
  winner: SeatId | null | undefined
  robber: number
  /** In dollars, without what pushes have cost. */
  loot: number
  /** The cost of pushes so far, hidden from clean cops. */
  pushCosts: number
  /** By the places of `Town.banks`. */
  readonly vaults: number[]
  thefts: readonly Theft[]
  /** Evidence on the map. */
  evidence: readonly Evidence[]
  /** True if the robber asked for the market in this world. */
  asked: boolean
  /** Those that were true, and those that were false. */
  accusations: readonly Accusation[]
  falseAccusations: readonly Accusation[]
  /** Seats whose bots were on the robber's intersection. */
  catchers: readonly SeatId[]
  end: 'caught' | 'escaped' | 'disqualified' | null
}

export const ROBBER: SeatId = 0
export const COPS: readonly SeatId[] = [1, 2, 3, 4, 5]

export const isTwist = ({ config }: State): boolean => config.rules === '2005-twist'

/** True if the second phase is played as its text has it, and not as this program read it earlier. */
export const isAsWritten = ({ config }: Pick<State, 'config'>): boolean => config.secondPhase === 'as-written'

export const isDirty = ({ bribed }: Brain): boolean => bribed !== null

/** True if the robber is the one to move in this world. */
export const isRobbersWorld = ({ world }: State): boolean => world % 2 === 0

export const nameOf = ({ brains }: State, seat: SeatId): string => brains[seat]!.name ?? unregisteredName(seat)

/** The loot as the robber and dirty cops know it. */
export const lootOf = ({ loot, pushCosts }: State): number => loot - pushCosts

/** The bots that a seat's brain moves. */
export const botsOf = ({ bots }: State, seat: SeatId): readonly number[] =>
  [...bots.keys()].filter((bot) => bots[bot]!.controller === seat)

/** Brains that are dirty and play, in the order in which they were bribed. */
export const dirtyInOrder = ({ brains }: State): readonly SeatId[] =>
  COPS.filter((seat) => isDirty(brains[seat]!) && !brains[seat]!.out).sort(
    (a, b) => brains[a]!.bribed! - brains[b]!.bribed!,
  )

/** Pieces of evidence that count for the bonus of a bot's controller: its own, or earlier those of the brain of its seat. */
export const foundOf = (state: State, seat: SeatId): number =>
  isAsWritten(state) ? state.bots[seat - 1]!.found : state.brains[seat]!.found

export const botName = (state: State, bot: number): string => nameOf(state, bot + 1)

/** Seats of cops whose brains play, in the ASCII order of their names, which is that of the skeleton. */
export function copsInOrder(state: State): readonly SeatId[] {
  return [...COPS].sort((a, b) => (nameOf(state, a) < nameOf(state, b) ? -1 : 1))
}

export const isOnBank = ({ town, robber }: State): boolean => town.banks.includes(robber)

/** True if a seat may see where the robber is. */
export function seesRobber(state: State, seat: SeatId): boolean {
  return seat === ROBBER || isOnBank(state) || isDirty(state.brains[seat]!)
}

/** Seats that take part in the rounds of the current world, those that are gone included. */
export function roundSeats(state: State): readonly SeatId[] {
  const playing = COPS.filter((seat) => !state.brains[seat]!.out)
  return isRobbersWorld(state) ? [ROBBER, ...playing.filter((seat) => isDirty(state.brains[seat]!))] : playing
}

/** True if a seat stands still where others would be disqualified. */
export const standsStill = ({ config }: State, seat: SeatId): boolean =>
  config.illegal === 'stands-still' || seat > COPS.length - config.mcgruffs

/** The name of a brain that has not registered. */
const unregisteredName = (seat: SeatId): string => (seat === 0 ? 'Robber' : `Cop${seat}`)

/**
 * The names that count: the one that a brain asked for, unless another player has it; then with the number of its seat, and if that is
 * taken, too, with more such numbers. A player that has not registered gets a name of its role. By seat.
 */
export function namesOf(wanted: readonly (string | null)[]): readonly string[] {
  const taken = new Set<string>()
  return wanted.map((name, seat) => {
    const asked = name ?? unregisteredName(seat)
    let given = asked
    for (let end = String(seat); taken.has(given); end += `-${seat}`)
      given = `${asked.slice(0, TOKEN_MAX - end.length)}${end}`
    taken.add(given)
    return given
  })
}
