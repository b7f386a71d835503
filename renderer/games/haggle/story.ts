import { shareInWords } from '../../../main/referees/haggle/objects.ts'
import type { SeatId } from '../../../main/contract/ids.ts'
import type { MatchDetail } from '../../../main/contract/procedures/procedures.ts'
import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import { foldStretch } from '../fold.ts'
import { eraseStory, type ScenePart, type Story } from '../game.ts'
import { reader, type Digest } from './digests.ts'
import EventDetail from './event-detail.svelte'
import { frontierOf, type Worths } from './frontier.ts'
import OffersTable from './offers-table.svelte'
import PathPicture from './path-picture.svelte'
import OwnWorthPicture from './own-worth-picture.svelte'
import { rules, valuesKnown, type View } from './rules.ts'
import { amounts, dollars, lineOf, swingOf } from './sentences.ts'
import Shares from './shares.svelte'

/** Data for this game's components beside the match. */
export interface Kept {
  readonly counts: View['counts']
  readonly maxRounds: number
  /** The viewer's knowledge at the start; after the end of the session, the view has more. */
  readonly values: View['values']
  /** null: too large to be worked out, or the viewer did not know both sides' values. */
  readonly frontier: readonly Worths[] | null
}

export type Part = ScenePart<View, Digest, Kept>

export function story(detail: MatchDetail, viewer: Viewer): Story {
  const { config, seed, facts } = detail
  const name = (seat: number): string => facts.seats[seat]?.name ?? `seat ${seat}`
  const initial = rules.initial(config as unknown as Parameters<typeof rules.initial>[0], facts.seats, seed)
  const { counts, maxRounds } = initial
  const values = valuesKnown(initial, viewer)
  const [first, second] = values
  const frontier = first === null || second === null ? null : frontierOf({ counts, values: [first, second] })
  const most = `${2 * maxRounds} turns at most`
  const table = OffersTable

  return eraseStory<View, Digest, Kept>({
    stretch: (from, saved, events) =>
      foldStretch(rules, { config, seed, seats: facts.seats }, viewer, reader, from, saved, events),
    kept: { counts, maxRounds, values, frontier },
    subject: shareInWords(counts),
    lines: () => 1,
    line: (digest) => lineOf(digest, name),
    swing: (digest, swing) => swingOf(digest, swing, name),
    knowsSwings: (seat) => typeof viewer !== 'number' || viewer === seat,
    state({ shares, worths, ending }) {
      if (ending !== null) return `They have ${endings[ending]}.`
      return shares === null ? 'Nothing has been offered yet.' : `On the table: ${amounts(worths, name)}.`
    },
    amount: (level, seat, view) => (isKnown(view, viewer, seat) ? dollars(level) : null),
    seats: ({ turn, ending }) => ({
      turn,
      out: new Set(ending?.type === 'abort' ? [ending.seat] : []),
    }),
    picture:
      typeof viewer === 'number'
        ? { title: 'Worth of the offers', note: `to ${name(viewer)}; ${most}`, component: OwnWorthPicture, table }
        : {
            title: 'Path of the offers',
            note: `what each offer is worth to both; ${most}`,
            component: PathPicture,
            table,
          },
    panels: [{ id: 'shares', label: 'Shares', component: Shares }],
    detail: EventDetail,
  })
}

/** True if the viewer knew the worth of a seat's share. */
function isKnown(view: View | null, viewer: Viewer, seat: SeatId): boolean {
  if (typeof viewer !== 'number' || viewer === seat) return true
  return view !== null && view.values[seat === 0 ? 0 : 1] !== null
}

const endings = { agreed: 'agreed', 'not agreed': 'not agreed', abort: 'parted without a deal' } as const
