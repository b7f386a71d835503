import { onTable, sharesOf } from '../../../main/referees/haggle/rules.ts'
import type { Reader } from '../fold.ts'
import type { Digest as AnyDigest } from '../game.ts'
import type { Worths } from './frontier.ts'
import type { Input, Share, State } from './rules.ts'

/** What is kept of one event of a session. */
export interface Digest extends AnyDigest {
  readonly kind: 'demand' | 'accept' | 'abort' | 'fault' | 'console'
  /** Both sides' shares by the last demand; null before the first. */
  readonly shares: readonly [Share, Share] | null
  /** What these are worth to them. */
  readonly worths: Worths
  /** Why it was broken off, or what a fault or a line of console says. */
  readonly text: string
  /** How the session has ended with this event; null: it goes on. */
  readonly ending: 'agreed' | 'not agreed' | 'abort' | null
}

/** Characters of a text that are kept; all of it stays in the history. */
const LONGEST = 4_000

export const reader: Reader<State, Digest, { readonly turn: number }> = {
  before: ({ offers }) => ({ turn: offers.length }),
  after(state, event, { turn }) {
    const { ending } = state
    const table = { shares: sharesOf(state), worths: onTable(state), at: event.at, round: 1 + Math.floor(turn / 2) }
    if (event.kind !== 'input') {
      const text = event.kind === 'fault' ? event.fault.text : event.text
      return { ...table, kind: event.kind, seat: event.seat, text: text.slice(0, LONGEST), ending: null }
    }
    const { seat } = event.input as Input
    if (ending?.type === 'abort') {
      return { ...table, kind: 'abort', seat: ending.seat, text: ending.reason.slice(0, LONGEST), ending: 'abort' }
    }
    const kind = state.offers.at(-1) === null ? 'accept' : 'demand'
    return { ...table, kind, seat, text: '', ending: ending?.type ?? null }
  },
}
