import { exportName, matchLink, type MatchPlaceLink } from '../../../main/contract/histories/match-link.ts'
import { showFailure, showNews } from '../../parts/states/toasts.svelte.ts'
import { seatLetter } from '../../parts/seats.ts'

/**
 * A place in a match for somebody elsewhere: a sentence that a person can follow, with the name of the exported file, and
 * the link that opens it in the desktop app of whoever has the contest. `address`: the screen's address in this classroom, for
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
