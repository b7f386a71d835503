import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import { seatLetter } from '../../parts/seats.ts'

/** The viewer that an address names by `as`: a seat's number, `panel`, or nothing for the public; null: the match has no such viewer. */
export function viewerOf(as: string | undefined, seats: number): Viewer | null {
  if (as === undefined || as === 'public') return 'public'
  if (as === 'panel') return 'panel'
  return /^\d{1,3}$/.test(as) && Number(as) < seats ? Number(as) : null
}

/** The viewers of a match, as options of a choice. `names`: the players' names by seat. */
export function viewerChoices(names: readonly string[]): readonly { readonly value: string; readonly label: string }[] {
  return [
    { value: 'public', label: 'everyone (all revealed)' },
    { value: 'panel', label: 'the panel (at the time)' },
    ...names.map((name, seat) => ({
      value: String(seat),
      label: `${name} (seat ${seatLetter(seat)}, at the time)`,
    })),
  ]
}

/** The viewer as the heading of a view. */
export function viewerTitle(viewer: Viewer, names: readonly string[]): string {
  if (viewer === 'public') return 'Everyone, with all revealed'
  return viewer === 'panel' ? 'The panel' : `${names[viewer] ?? ''} (seat ${seatLetter(viewer)})`
}

/** The text in place of an event that the viewer could not read. */
export function hiddenLine(viewer: Viewer): string {
  return `Not visible to ${viewer === 'panel' ? 'the panel' : 'this seat'} at that moment.`
}
