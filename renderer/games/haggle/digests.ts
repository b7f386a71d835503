import { sharesOf, worth } from '../../../main/referees/haggle/rules.ts'
import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import type { Reader } from '../fold.ts'
import type { Digest as AnyDigest } from '../game.ts'
import { valuesKnown, type Input, type Share, type State } from './rules.ts'

/** A summary of one event of a session. */
export interface Digest extends AnyDigest {
  readonly kind: 'demand' | 'accept' | 'abort' | 'fault' | 'console'
  /** Both sides' shares by the last demand; null before the first. */
  readonly shares: readonly [Share, Share] | null
  /** The worth of these to them; null: the viewer did not know that side's values. */
  readonly worths: readonly [number | null, number | null]
  /** Why it was broken off, or what a fault or a line of console says. */
  readonly text: string
  /** The way in which this event ended the session; null: the session continues. */
  readonly ending: 'agreed' | 'not agreed' | 'abort' | null
}

/** Characters of a text that are kept; all of it stays in the history. */
const LONGEST = 4_000

export const reader: Reader<State, Digest, { readonly turn: number }> = {
  before: ({ offers }) => ({ turn: offers.length }),
  after(state, event, { turn }, viewer) {
    const { ending } = state
    const shares = sharesOf(state)
    const table = { shares, worths: worthsOf(shares, state, viewer), at: event.at, round: 1 + Math.floor(turn / 2) }
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

function worthsOf(shares: Digest['shares'], state: State, viewer: Viewer): Digest['worths'] {
  // As during the session: the lines of events describe moments at which its end was not known.
  const values = valuesKnown({ ...state, ending: null }, viewer)
  const of = (seat: 0 | 1): number | null => {
    const known = values[seat]
    return known === null ? null : shares === null ? 0 : worth(shares[seat], known)
  }
  return [of(0), of(1)]
}
