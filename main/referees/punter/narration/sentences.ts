import type { Input } from '../input.ts'
import type { Move } from '../moves.ts'
import type { State } from '../state.ts'

/** An input in words: what kind of event it was, and what follows the punter's name in a sentence. */
export interface ToldTurn {
  readonly kind: 'ready' | 'claim' | 'pass' | 'splurge' | 'option' | 'refused' | 'fault'
  readonly text: string
}

/** Maximum characters of a fault's text or of a route; the history has all of it. */
export const LONGEST = 2_000

/** `state`: after the input. */
export function toldTurn(state: State, input: Input): ToldTurn {
  const { refused, zombie } = state.punters[input.seat]!
  if (input.type === 'ready') {
    const { futures, notes } = state.punters[input.seat]!
    const bets = futures.map(({ mine, target }) => `${state.course.ids[mine]!} to ${state.course.ids[target]!}`)
    const text = bets.length === 0 ? 'is ready' : `is ready and bets on ${bets.join(', ')}`
    return { kind: 'ready', text: [`${text}.`, ...notes].join(' ').slice(0, LONGEST) }
  }
  if (input.type === 'fault') {
    const end = zombie === null ? 'passes' : 'is a zombie from now on'
    return { kind: 'fault', text: `${end}: ${input.fault.text.slice(0, LONGEST)}` }
  }
  return refused === null ? moved(input.move) : { kind: 'refused', text: `passes: ${refused}` }
}

/** A move that was made, in words. */
export function moved(move: Move): ToldTurn {
  if ('claim' in move) return { kind: 'claim', text: `claims ${move.claim.source}-${move.claim.target}.` }
  if ('option' in move)
    return { kind: 'option', text: `buys the option of ${move.option.source}-${move.option.target}.` }
  if ('splurge' in move) return { kind: 'splurge', text: `splurges ${move.splurge.route.join('-').slice(0, LONGEST)}.` }
  return { kind: 'pass', text: 'passes.' }
}
