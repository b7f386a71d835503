import type { SeatId } from '../../../contract/ids.ts'
import { COPS, isAsWritten, isDirty, isOnBank, lootOf, ROBBER, roundSeats, type State } from '../state.ts'

/** The facts about a state before an input from which its consequences follow. */
export interface Before {
  readonly world: number
  readonly loot: number
  readonly winner: State['winner']
  /** Seats. */
  readonly voters: readonly SeatId[]
  readonly bribed: readonly SeatId[]
  readonly listed: readonly SeatId[]
  readonly liars: readonly SeatId[]
  readonly accusations: number
}

/** Something that an input led to, in a sentence. */
export interface Consequence {
  readonly text: string
  /** The seats that learn of it then; 'all': every seat. */
  readonly known: 'all' | readonly SeatId[]
}

export function rememberedOf(state: State): Before {
  const { brains } = state
  return {
    world: state.world,
    loot: state.loot,
    winner: state.winner,
    voters: roundSeats(state),
    bribed: COPS.filter((seat) => isDirty(brains[seat]!)),
    listed: COPS.filter((seat) => brains[seat]!.listedIn !== null),
    liars: COPS.filter((seat) => brains[seat]!.liar),
    accusations: state.accusations.length,
  }
}

/** The consequences of an input, in the order in which they happen: an election, a theft, deals and accusations of the twist, the end. */
export function consequencesOf(before: Before, state: State, nameOf: (seat: SeatId) => string): readonly Consequence[] {
  const { brains, winner } = state
  const found: Consequence[] = []
  if (before.winner === undefined && winner !== undefined) {
    const text = winner === null ? 'No plan is elected.' : `The plan of ${nameOf(winner)} is elected.`
    found.push({ text, known: before.voters })
  }
  const bribed = COPS.filter((seat) => isDirty(brains[seat]!))
  for (const seat of bribed)
    if (!before.bribed.includes(seat)) found.push({ text: `${nameOf(seat)} is bribed.`, known: [ROBBER, ...bribed] })
  if (state.loot > before.loot && isOnBank(state))
    found.push({
      text: `The robber takes $${state.loot - before.loot} from ${state.town.nodes[state.robber]!.loc}.`,
      known: 'all',
    })
  for (const seat of COPS)
    if (brains[seat]!.listedIn !== null && !before.listed.includes(seat))
      found.push({ text: `${nameOf(seat)} is on the black market from now on.`, known: [seat] })
  for (const { accuser, accused } of state.accusations.slice(before.accusations))
    found.push({
      text: `${nameOf(accuser)} accuses ${nameOf(accused)} rightly and moves its robots from now on.`,
      known: 'all',
    })
  for (const seat of COPS)
    if (brains[seat]!.liar && !before.liars.includes(seat))
      found.push({ text: `${nameOf(seat)} has accused wrongly.`, known: isAsWritten(state) ? 'all' : [seat] })
  return [...found, ...ending(state, nameOf)]
}

function ending(state: State, nameOf: (seat: SeatId) => string): readonly Consequence[] {
  const text = {
    caught: `${state.catchers.map(nameOf).join(' and ')} caught the robber.`,
    escaped: `${nameOf(ROBBER)} has escaped with $${lootOf(state)}.`,
    disqualified: 'The game is void.',
  }
  return state.end === null ? [] : [{ text: text[state.end], known: 'all' }]
}
