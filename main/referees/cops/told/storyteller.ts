import type { Storyteller, ToldLine } from '../../../contract/storyteller.ts'
import type { Input } from '../input.ts'
import { COPS, isOnBank, lootOf, ROBBER, type State } from '../state.ts'
import { saidInWords } from './sentences.ts'

/** Maximum characters of a fault's text; the history has all of it. */
const LONGEST = 2_000

/** Every message with the reason for a refused one, then what it led to: an election, a theft, a bribe, an accusation, the end. */
export const storyteller: Storyteller<State, Input> = {
  input(state, names) {
    const before = {
      world: state.world,
      loot: state.loot,
      round: state.round,
      winner: state.winner,
      bribed: COPS.filter((seat) => state.brains[seat]!.bribed !== null),
      accusations: state.accusations.length,
      liars: COPS.filter((seat) => state.brains[seat]!.liar),
    }
    const nameOf = (seat: number): string => named(state, names, seat)
    return (input) => {
      const text = `World ${before.world}: ${nameOf(input.seat)} ${told(state, input)}`
      const events: string[] = []
      if (before.winner === undefined && state.winner !== undefined)
        events.push(state.winner === null ? 'No plan is elected.' : `The plan of ${nameOf(state.winner)} is elected.`)
      if (state.loot > before.loot && isOnBank(state))
        events.push(`The robber takes $${state.loot - before.loot} from ${state.town.nodes[state.robber]!.loc}.`)
      for (const seat of COPS)
        if (state.brains[seat]!.bribed !== null && !before.bribed.includes(seat))
          events.push(`${nameOf(seat)} is bribed.`)
      for (const { accuser, accused } of state.accusations.slice(before.accusations))
        events.push(`${nameOf(accuser)} accuses ${nameOf(accused)} rightly.`)
      for (const seat of COPS)
        if (state.brains[seat]!.liar && !before.liars.includes(seat))
          events.push(`${nameOf(seat)} has accused wrongly.`)
      events.push(...ending(state, nameOf))
      return [line([text, ...events].join(' '))]
    }
  },
  standing: (state, names) => [
    `World ${state.world}: the robber has $${lootOf(state)}.`,
    `Evidence: ${COPS.map((seat) => `${named(state, names, seat)} ${state.brains[seat]!.found}`).join(', ')}.`,
    `Elected plans: ${COPS.map((seat) => `${named(state, names, seat)} ${state.brains[seat]!.elected}`).join(', ')}.`,
  ],
}

/** The name of the entrant and, where it differs, that of the bot: one entrant may play several. */
function named({ brains }: State, names: readonly string[], seat: number): string {
  const entrant = names[seat] ?? ''
  const bot = brains[seat]!.name
  return bot === null || bot === entrant ? entrant : `${entrant} (${bot})`
}

const line = (text: string): ToldLine => ({ text, rule: null })

function told(state: State, input: Input): string {
  const { disqualified, refused } = state.brains[input.seat]!
  const said = input.type === 'said' ? saidInWords(input.answer) : 'sends nothing that can be read.'
  if (disqualified !== null) return `${said} It is disqualified: ${disqualified.slice(0, LONGEST)}`
  return refused === null ? said : `${said} It counts for nothing: ${refused.slice(0, LONGEST)}`
}

function ending(state: State, nameOf: (seat: number) => string): readonly string[] {
  if (state.end === null) return []
  if (state.end === 'caught') return [`${state.catchers.map(nameOf).join(' and ')} caught the robber.`]
  if (state.end === 'escaped') return [`${nameOf(ROBBER)} has escaped with $${lootOf(state)}.`]
  return ['The game is void.']
}
