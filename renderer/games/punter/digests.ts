import type { FaultKind } from '../../../main/contract/faults.ts'
import { LONGEST, toldTurn, type ToldTurn } from '../../../main/referees/punter/narration/narrator.ts'
import { visible } from '../../parts/lists/visible.ts'
import { number } from '../../words.ts'
import type { Reader } from '../fold.ts'
import type { Digest as AnyDigest, Line } from '../game.ts'
import type { Input, State } from './rules.ts'

/** A summary of one event of a match. */
export interface Digest extends AnyDigest {
  readonly kind: ToldTurn['kind'] | 'timeout' | 'console'
  /** The predicate of a sentence whose subject is the punter. */
  readonly text: string
}

export const reader: Reader<State, Digest, number> = {
  before: ({ moves, punters }) => 1 + Math.floor(moves / punters.length),
  after(state, event, round) {
    const about = { at: event.at, round }
    if (event.kind === 'console')
      return { ...about, seat: event.seat, kind: 'console', text: event.text.slice(0, LONGEST) }
    if (event.kind === 'fault')
      return { ...about, seat: event.seat, kind: kindOf(event.fault), text: event.fault.text.slice(0, LONGEST) }
    const input = event.input as Input
    const told = toldTurn(state, input)
    const kind = input.type === 'fault' ? kindOf(input.fault) : told.kind
    return { ...about, seat: input.seat, ...told, kind }
  },
}

/** Time-outs have a rule of their own. */
function kindOf({ kind }: { readonly kind: FaultKind }): 'timeout' | 'fault' {
  return kind === 'timeout' || kind === 'stall' ? 'timeout' : 'fault'
}

/** The name of a kind of event, and its rule in the rulebook. */
const rules = {
  ready: { name: 'Setup', title: '', number: 2 },
  claim: { name: 'Claim', title: '', number: 5 },
  pass: { name: 'Pass', title: '', number: 4 },
  splurge: { name: 'Splurge', title: '', number: 14 },
  option: { name: 'Option', title: '', number: 16 },
  refused: { name: 'Refused', title: '', number: 6 },
  timeout: { name: 'Time-out', title: '', number: 20 },
  fault: { name: 'Fault', title: '', number: 21 },
  console: { name: 'Console', title: '' },
} as const

/** An event in one sentence. */
export function lineOf({ kind, seat, text }: Digest, name: (seat: number) => string): Line {
  const who = name(seat ?? 0)
  const isBad = kind === 'timeout' || kind === 'fault' || kind === 'refused'
  const tone = kind === 'console' ? 'console' : isBad ? 'bad' : 'plain'
  const said = kind === 'console' ? `${who} prints: ${visible(text)}` : `${who} ${visible(text)}`
  return { seat, text: said, rule: rules[kind], tone }
}

/** The change of a punter's score by its move. */
export function swingOf(digest: Digest, amount: number, name: (seat: number) => string): string {
  const change = amount > 0 ? `gains ${number(amount)}` : `loses ${number(-amount)}`
  return `${name(digest.seat ?? 0)} ${change}: it ${visible(digest.text)}`
}
