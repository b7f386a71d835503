import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import { consequencesOf, type Before } from '../../../main/referees/cops/narration/consequences.ts'
import { saidInWords } from '../../../main/referees/cops/narration/sentences.ts'
import type { Input, State } from './rules.ts'

/** A message and its effects, as the predicate of a sentence whose subject is the robot. */
export interface ToldInput {
  readonly kind: 'register' | 'inform' | 'plan' | 'vote' | 'move' | 'bribe' | 'fault' | 'refused'
  readonly text: string
}

/** `state`: after the input. Consequences are stated as far as the viewer learned of them then. */
export function toldInput(state: State, before: Before, input: Input, viewer: Viewer): ToldInput {
  const nameOf = (seat: number): string => state.brains[seat]?.name ?? `seat ${seat}`
  const led = consequencesOf(before, state, nameOf)
    .filter(({ known }) => typeof viewer !== 'number' || known === 'all' || known.includes(viewer))
    .map(({ text }) => ` ${text}`)
    .join('')
  if (input.type === 'fault')
    return { kind: 'fault', text: `sends nothing that can be read: ${input.fault.text}${led}` }
  const brain = state.brains[input.seat]
  const wrong = brain?.disqualified ?? brain?.refused ?? null
  if (wrong !== null) return { kind: 'refused', text: `sends a message that is refused. ${wrong}${led}` }
  const { type } = input.answer
  const kind = type === 'orders' || type === 'robber-orders' ? 'move' : type
  return { kind, text: `${saidInWords(input.answer)}${led}` }
}
