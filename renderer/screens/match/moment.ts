import type { Moment, MoveLine } from './playback.ts'
import { exportName, matchLink, type MatchPlaceLink } from '../../../main/contract/histories/match-link.ts'
import { showFailure, showNews } from '../../parts/states/toasts.svelte.ts'
import { seatLetter } from '../../parts/seats.ts'

/** The start of playback in the address of a match. */
export interface MomentParameters {
  /** ms on the match clock or `end`, and a seat. */
  readonly at?: string | undefined
  readonly seat?: string | undefined
  /** The number of an event, from 1, and of its line. */
  readonly move?: string | undefined
  readonly line?: string | undefined
}

/** The place to start at; null: the beginning, also if the address is not valid. */
export function momentOf({ at, seat, move, line }: MomentParameters): Moment | MoveLine | null {
  const position = whole(move)
  if (position !== null) return { position, line: Math.max(0, (whole(line) ?? 1) - 1) }
  const when = at === 'end' ? Infinity : Number(at)
  if (at === undefined || Number.isNaN(when)) return null
  return { at: when, seat: whole(seat) }
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
}

/**
 * A place in a match for somebody elsewhere: a sentence that a person can follow, with the name of the exported file, and
 * the link that opens it in the desktop app of a user who has the contest. `address`: the screen's address in this classroom, for
 * others who have it open in a browser; null: there is none.
 */
function placeText(place: MatchPlaceLink, address: string | null): string {
  const { contest, match, move = 0, as, and } = place
  const where = move === 0 ? 'the beginning' : `event ${move}`
  const viewer = as === undefined ? '' : `, as ${viewerName(as)}`
  const beside = and === undefined ? '' : `, beside the view of ${viewerName(and)}`
  const sentence = `Match ${match} of ${contest}, ${where}${viewer}${beside}; file ${contest}-${exportName(place)}`
  return [sentence, ...(address === null ? [] : [address]), matchLink(place)].join('\n')
}

function viewerName(as: string): string {
  if (as === 'public') return 'everyone'
  return as === 'panel' ? 'the panel' : `seat ${seatLetter(Number(as))}`
}

/** Copies the place and says so. `address`: see `placeText`. */
export function copyPlace(place: MatchPlaceLink, address: string | null = null): void {
  navigator.clipboard
    .writeText(placeText(place, address))
    .then(() => showNews('The place was copied, as a sentence and as a link.'), showFailure)
}
