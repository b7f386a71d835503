import type { SeatId } from '../../../contract/ids.ts'
import { COPS, isDirty, isOnBank, lootOf, ROBBER, type State } from '../state.ts'

/** What is to be known of a state so that the consequences of the next input can be told. */
export type Standing = Pick<State, 'world' | 'loot' | 'winner'> & {
  readonly dirty: readonly SeatId[]
  readonly accusations: number
  readonly liars: readonly SeatId[]
}

export function standingOf({ world, loot, winner, brains, accusations }: State): Standing {
  return {
    world,
    loot,
    winner,
    dirty: COPS.filter((seat) => isDirty(brains[seat]!)),
    accusations: accusations.length,
    liars: COPS.filter((seat) => brains[seat]!.liar),
  }
}

/**
 * What an input led to, in sentences: an election, a theft, bribes, accusations, the end. `knowsLiar`: whether the reader may know
 * that a seat has accused wrongly, of which nobody else is told.
 */
export function consequencesOf(
  state: State,
  before: Standing,
  nameOf: (seat: SeatId) => string,
  knowsLiar: (seat: SeatId) => boolean = () => true,
): readonly string[] {
  const { brains, winner, town } = state
  const elected =
    before.winner === undefined && winner !== undefined
      ? [winner === null ? 'No plan is elected.' : `The plan of ${nameOf(winner)} is elected.`]
      : []
  const stolen =
    state.loot > before.loot && isOnBank(state)
      ? [`The robber takes $${state.loot - before.loot} from ${town.nodes[state.robber]!.loc}.`]
      : []
  const bribed = COPS.filter((seat) => isDirty(brains[seat]!) && !before.dirty.includes(seat))
  const liars = COPS.filter((seat) => brains[seat]!.liar && !before.liars.includes(seat) && knowsLiar(seat))
  return [
    ...elected,
    ...stolen,
    ...bribed.map((seat) => `${nameOf(seat)} is bribed.`),
    ...state.accusations
      .slice(before.accusations)
      .map(({ accuser, accused }) => `${nameOf(accuser)} accuses ${nameOf(accused)} rightly.`),
    ...liars.map((seat) => `${nameOf(seat)} has accused wrongly.`),
    ...ending(state, nameOf),
  ]
}

function ending(state: State, nameOf: (seat: SeatId) => string): readonly string[] {
  if (state.end === null) return []
  if (state.end === 'caught') return [`${state.catchers.map(nameOf).join(' and ')} caught the robber.`]
  if (state.end === 'escaped') return [`${nameOf(ROBBER)} has escaped with $${lootOf(state)}.`]
  return ['The game is void.']
}
