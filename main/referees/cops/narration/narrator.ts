import type { Narrator, NarratedLine } from '../../../contract/game/narration.ts'
import type { Input } from '../input.ts'
import { COPS, foundOf, lootOf, type State } from '../state.ts'
import { consequencesOf, rememberedOf } from './consequences.ts'
import { nameInWords, saidInWords } from './sentences.ts'

/** Maximum characters of a fault's text; the history has all of it. */
const LONGEST = 2_000

/** Every message with the reason for a refused one, then what it led to: an election, a theft, a bribe, an accusation, the end. */
export const narrator: Narrator<State, Input> = {
  input(state, names) {
    const before = rememberedOf(state)
    const nameOf = (seat: number): string => named(state, names, seat)
    return (input) => {
      const said = `World ${before.world}: ${nameOf(input.seat)} ${told(state, input)}`
      return [line([said, ...consequencesOf(before, state, nameOf).map(({ text }) => text)].join(' '))]
    }
  },
  standing: (state, names) => [
    `World ${state.world}: the robber has $${lootOf(state)}.`,
    `Evidence: ${COPS.map((seat) => `${named(state, names, seat)} ${foundOf(state, seat)}`).join(', ')}.`,
    `Elected plans: ${COPS.map((seat) => `${named(state, names, seat)} ${state.brains[seat]!.elected}`).join(', ')}.`,
  ],
}

const named = ({ brains }: State, names: readonly string[], seat: number): string =>
  nameInWords(names[seat] ?? '', brains[seat]!.name)

const line = (text: string): NarratedLine => ({ text, rule: null })

function told(state: State, input: Input): string {
  const { disqualified, refused } = state.brains[input.seat]!
  const said = input.type === 'said' ? saidInWords(input.answer) : 'sends nothing that can be read.'
  if (disqualified !== null) return `${said} It is disqualified: ${disqualified.slice(0, LONGEST)}`
  return refused === null ? said : `${said} It counts for nothing: ${refused.slice(0, LONGEST)}`
}
