import { rememberedOf, type Before } from '../../../main/referees/cops/narration/consequences.ts'
import { nameInWords } from '../../../main/referees/cops/narration/sentences.ts'
import { visible } from '../../parts/visible.ts'
import type { Reader } from '../fold.ts'
import type { Digest as AnyDigest, Line } from '../game.ts'
import type { Input, State } from './rules.ts'
import { toldInput, type ToldInput } from './sentences.ts'

/** A summary of one event of a match. */
export interface Digest extends AnyDigest {
  readonly kind: ToldInput['kind'] | 'console'
  /** The predicate of a sentence whose subject is the seat. */
  readonly text: string
  readonly world: number
  /** The name of the seat's robot; absent before it has registered. */
  readonly bot: string | undefined
}

/** Characters of a text that are kept; all of it stays in the history. */
const LONGEST = 4_000

export const reader: Reader<State, Digest, Before> = {
  before: rememberedOf,
  after(state, event, before, viewer) {
    const seat = event.kind === 'input' ? (event.input as Input).seat : event.seat
    const bot = state.brains[seat]?.name ?? undefined
    const about = { at: event.at, round: 1 + before.world, world: before.world, seat, bot }
    if (event.kind === 'console') return { ...about, kind: 'console', text: event.text.slice(0, LONGEST) }
    if (event.kind === 'fault') return { ...about, kind: 'fault', text: event.fault.text.slice(0, LONGEST) }
    const { kind, text } = toldInput(state, before, event.input as Input, viewer)
    return { ...about, kind, text: text.slice(0, LONGEST) }
  },
}

/** The name of a kind of event, and its rule in the rulebook. */
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
export function lineOf({ kind, seat, text, world, bot }: Digest, name: (seat: number) => string): Line {
  const who = nameInWords(name(seat ?? 0), bot)
  const tone = kind === 'console' ? 'console' : kind === 'fault' || kind === 'refused' ? 'bad' : 'plain'
  const said = kind === 'console' ? `${who} prints: ${visible(text)}` : `${who} ${visible(text)}`
  return {
    seat,
    text: kind === 'register' || kind === 'console' ? said : `World ${world}: ${said}`,
    rule: rules[kind],
    tone,
  }
}
