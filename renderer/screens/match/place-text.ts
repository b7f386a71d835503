import { exportName, matchLink, type MatchPlaceLink } from '../../../main/contract/histories/match-link.ts'
import { showFailure, showNews } from '../../parts/toasts.svelte.ts'
import { seatLetter } from '../../parts/seats.ts'

/**
 * A place in a match for somebody elsewhere: a sentence that a person can follow, with the name of the exported file, and
 * the link that opens it in the desktop app of whoever has the contest.
 */
function placeText(place: MatchPlaceLink): string {
  const { contest, match, move = 0, as } = place
  const where = move === 0 ? 'the beginning' : `event ${move}`
  const viewer = as === undefined ? '' : as === 'panel' ? ', as the panel' : `, as seat ${seatLetter(Number(as))}`
  return `Match ${match} of ${contest}, ${where}${viewer}; file ${contest}-${exportName(place)}\n${matchLink(place)}`
}

/** Copies the place and says so. */
export function copyPlace(place: MatchPlaceLink): void {
  navigator.clipboard
    .writeText(placeText(place))
    .then(() => showNews('The place was copied, as a sentence and as a link for the desktop app.'), showFailure)
}
