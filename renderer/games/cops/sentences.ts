import { saidInWords } from '../../../main/referees/cops/told/sentences.ts'
import type { Input, State } from './rules.ts'

/** What a message says, and what followed from it: that which comes after the name in a sentence. */
export interface ToldInput {
  readonly kind: 'register' | 'inform' | 'plan' | 'vote' | 'move' | 'bribe' | 'fault' | 'refused'
  readonly text: string
}

/** `state`: after the input. `before`: what the state was like before it. */
export function toldInput(
  state: Pick<State, 'brains' | 'end' | 'loot' | 'world'>,
  before: { readonly loot: number; readonly world: number },
  input: Input,
): ToldInput {
  if (input.type === 'fault') return { kind: 'fault', text: `sends nothing that can be read: ${input.fault.text}` }
  const brain = state.brains[input.seat]
  const wrong = brain?.disqualified ?? brain?.refused ?? null
  if (wrong !== null) return { kind: 'refused', text: `sends a message that is refused. ${wrong}` }
  const ends = { caught: ' The robber is caught.', escaped: ' The robber has escaped.', disqualified: '' } as const
  const end = state.end === null ? '' : ends[state.end]
  const robbed = state.loot > before.loot ? ` The robber takes $${state.loot - before.loot}.` : ''
  const { type } = input.answer
  const kind = type === 'orders' || type === 'robber-orders' ? 'move' : type
  return { kind, text: `${saidInWords(input.answer)}${robbed}${end}` }
}
