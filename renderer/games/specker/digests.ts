import type { FaultKind } from '../../../main/contract/faults.ts'
import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import {
  happeningsOf,
  noteBefore,
  type Before,
  type Happening,
} from '../../../main/referees/specker/narration/happenings.ts'
import type { Reader } from '../fold.ts'
import type { Digest as AnyDigest } from '../game.ts'
import type { Input, PublicEvent, State } from './rules.ts'

/** A summary of one event of a match. */
export interface Digest extends AnyDigest {
  readonly kind: 'turn' | 'fault' | 'console' | 'close'
  /** After the event, in seat order, in 10^-9 energy. */
  readonly accounts: readonly number[]
  readonly happenings: readonly Happening[]
  /** The text of a fault or of a line of the console. */
  readonly note: { readonly kind: FaultKind | null; readonly text: string } | null
}

/** Characters of a console line that are kept; the whole line stays in the history. */
const LONGEST_NOTE = 4_000

export const reader: Reader<State, Digest, Before> = {
  before: noteBefore,
  after(state, event, before, viewer) {
    const { round } = before
    const accounts = state.players.map((player) => player.account)
    const { at } = event
    if (event.kind !== 'input') {
      const [kind, text] = event.kind === 'fault' ? [event.fault.kind, event.fault.text] : [null, event.text]
      const note = { kind, text: text.slice(0, LONGEST_NOTE) }
      return { at, round, seat: event.seat, kind: event.kind, accounts, happenings: [], note }
    }
    const input = event.input as Input
    const happenings = happeningsOf(state, input, before, (caused) => !unknownTo(viewer, input, caused))
    const seat = 'seat' in input ? input.seat : (happenings[0]?.event.seat ?? null)
    const kind = input.type === 'close' ? 'close' : 'turn'
    return { at, round, seat, kind, accounts, happenings, note: null }
  },
}

/** The others learn that and why something failed, but not its contents; successes are public at once. */
function unknownTo(viewer: Viewer, input: Input, { type }: PublicEvent): boolean {
  if (type !== 'removed' && type !== 'refused' && type !== 'voided') return false
  return viewer !== 'public' && !('seat' in input && input.seat === viewer)
}
