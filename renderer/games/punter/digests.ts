import { visible } from '../../parts/visible.ts'
import type { Reader } from '../fold.ts'
import type { Digest as AnyDigest, Line } from '../game.ts'
import type { Input, State } from './rules.ts'

/** What is kept of one event of a match. */
export interface Digest extends AnyDigest {
  readonly kind: 'ready' | 'claim' | 'pass' | 'splurge' | 'option' | 'refused' | 'fault' | 'console'
  /** What follows the punter's name in a sentence. */
  readonly text: string
}

type Told = Pick<Digest, 'kind' | 'text'>

/** Characters of a text that are kept; all of it stays in the history. */
const LONGEST = 2_000

export const reader: Reader<State, Digest, number> = {
  before: ({ moves, punters }) => 1 + Math.floor(moves / punters.length),
  after(state, event, round) {
    const about = { at: event.at, round }
    if (event.kind === 'console')
      return { ...about, seat: event.seat, kind: 'console', text: event.text.slice(0, LONGEST) }
    if (event.kind === 'fault')
      return { ...about, seat: event.seat, kind: 'fault', text: event.fault.text.slice(0, LONGEST) }
    const input = event.input as Input
    return { ...about, seat: input.seat, ...told(state, input) }
  },
}

function told(state: State, input: Input): Told {
  const { refused, zombie } = state.punters[input.seat]!
  if (input.type === 'ready') {
    const { futures, notes } = state.punters[input.seat]!
    const bets = futures.map(({ mine, target }) => `${state.course.ids[mine]!} to ${state.course.ids[target]!}`)
    const text = bets.length === 0 ? 'is ready' : `is ready and bets on ${bets.join(', ')}`
    return { kind: 'ready', text: [`${text}.`, ...notes].join(' ') }
  }
  if (input.type === 'fault') {
    const end = zombie === null ? 'passes' : 'is a zombie from now on'
    return { kind: 'fault', text: `${end}: ${input.fault.text.slice(0, LONGEST)}` }
  }
  return refused === null ? moved(input.move) : { kind: 'refused', text: `passes: ${refused}` }
}

function moved(move: Extract<Input, { type: 'move' }>['move']): Told {
  if ('claim' in move) return { kind: 'claim', text: `claims ${move.claim.source}-${move.claim.target}.` }
  if ('option' in move)
    return { kind: 'option', text: `buys the option of ${move.option.source}-${move.option.target}.` }
  if ('splurge' in move) return { kind: 'splurge', text: `splurges ${move.splurge.route.join('-').slice(0, LONGEST)}.` }
  return { kind: 'pass', text: 'passes.' }
}

const rules = {
  ready: 'Setup',
  claim: 'Claim',
  pass: 'Pass',
  splurge: 'Splurge',
  option: 'Option',
  refused: 'Refused',
  fault: 'Fault',
  console: 'Console',
} as const

/** An event in one sentence. */
export function lineOf({ kind, seat, text }: Digest, name: (seat: number) => string): Line {
  const who = name(seat ?? 0)
  const tone = kind === 'console' ? 'console' : kind === 'fault' || kind === 'refused' ? 'bad' : 'plain'
  const said = kind === 'console' ? `${who} prints: ${visible(text)}` : `${who} ${visible(text)}`
  return { seat, text: said, rule: { name: rules[kind], title: '' }, tone }
}
