import { rememberedOf, type Before } from '../../../main/referees/cops/told/consequences.ts'
import { visible } from '../../parts/visible.ts'
import type { Reader } from '../fold.ts'
import type { Digest as AnyDigest, Line } from '../game.ts'
import type { Input, State } from './rules.ts'
import { toldInput, type ToldInput } from './sentences.ts'

/** What is kept of one event of a match. */
export interface Digest extends AnyDigest {
  readonly kind: ToldInput['kind'] | 'console'
  /** What follows the name of the seat in a sentence. */
  readonly text: string
  readonly world: number
}

/** Characters of a text that are kept; all of it stays in the history. */
const LONGEST = 4_000

export const reader: Reader<State, Digest, Before> = {
  before: rememberedOf,
  after(state, event, before, viewer) {
    const about = { at: event.at, round: 1 + before.world, world: before.world }
    if (event.kind === 'console')
      return { ...about, seat: event.seat, kind: 'console', text: event.text.slice(0, LONGEST) }
    if (event.kind === 'fault')
      return { ...about, seat: event.seat, kind: 'fault', text: event.fault.text.slice(0, LONGEST) }
    const input = event.input as Input
    const { kind, text } = toldInput(state, before, input, viewer)
    return { ...about, seat: input.seat, kind, text: text.slice(0, LONGEST) }
  },
}

/** What an event is called, and the rule of the rulebook about it. */
const rules = {
  register: { name: 'Register', title: '', number: 3 },
  inform: { name: 'Inform', title: '', number: 14 },
  plan: { name: 'Plan', title: '', number: 15 },
  vote: { name: 'Vote', title: '', number: 16 },
  move: { name: 'Move', title: '', number: 5 },
  bribe: { name: 'Bribe', title: '', number: 24 },
  refused: { name: 'Refused', title: '', number: 20 },
  fault: { name: 'Fault', title: '', number: 20 },
  console: { name: 'Console', title: '' },
} as const

/** An event in one sentence. */
export function lineOf({ kind, seat, text, world }: Digest, name: (seat: number) => string): Line {
  const who = name(seat ?? 0)
  const tone = kind === 'console' ? 'console' : kind === 'fault' || kind === 'refused' ? 'bad' : 'plain'
  const said = kind === 'console' ? `${who} prints: ${visible(text)}` : `${who} ${visible(text)}`
  return {
    seat,
    text: kind === 'register' || kind === 'console' ? said : `World ${world}: ${said}`,
    rule: rules[kind],
    tone,
  }
}
