import type { SeatId } from '../../../main/contract/ids.ts'
import { consequencesOf, type Standing } from '../../../main/referees/cops/told/consequences.ts'
import { saidInWords } from '../../../main/referees/cops/told/sentences.ts'
import type { Input, State } from './rules.ts'

/** What a message says, and what followed from it: that which comes after the name in a sentence. */
export interface ToldInput {
  readonly kind: 'register' | 'inform' | 'plan' | 'vote' | 'move' | 'bribe' | 'fault' | 'refused'
  readonly text: string
}

/** `state`: after the input. `before`: what was known before it. `knowsLiar`: who may be said to have accused wrongly. */
export function toldInput(
  state: State,
  before: Standing,
  input: Input,
  knowsLiar: (seat: SeatId) => boolean,
): ToldInput {
  const nameOf = (seat: SeatId): string => state.brains[seat]!.name ?? `seat ${seat}`
  const after = consequencesOf(state, before, nameOf, knowsLiar)
  const told = (kind: ToldInput['kind'], text: string): ToldInput => ({ kind, text: [text, ...after].join(' ') })
  if (input.type === 'fault') return told('fault', `sends nothing that can be read: ${input.fault.text}`)
  const brain = state.brains[input.seat]
  const wrong = brain?.disqualified ?? brain?.refused ?? null
  if (wrong !== null) return told('refused', `sends a message that is refused. ${wrong}`)
  const { type } = input.answer
  return told(type === 'orders' || type === 'robber-orders' ? 'move' : type, saidInWords(input.answer))
}
