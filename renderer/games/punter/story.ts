import type { MatchDetail } from '../../../main/contract/procedures/procedures.ts'
import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import { number } from '../../words.ts'
import EventDetail from '../event-detail.svelte'
import { foldStretch } from '../fold.ts'
import { eraseStory, type ScenePart, type Story } from '../game.ts'
import { lineOf, reader, swingOf, type Digest } from './digests.ts'
import { layoutOf, type Layout } from './layout.ts'
import MapPicture from './map-picture.svelte'
import PuntersOfMatch from './punters-of-match.svelte'
import { rules, type View } from './rules.ts'

/** Data for this game's components beside the match: the layout of sites and rivers. */
export type Kept = Layout
export type Part = ScenePart<View, Digest, Kept>

export function story(detail: MatchDetail, viewer: Viewer): Story {
  const { config, seed, facts } = detail
  const name = (seat: number): string => facts.seats[seat]?.name ?? `seat ${seat}`
  const { course } = rules.initial(config as unknown as Parameters<typeof rules.initial>[0], [], seed)
  return eraseStory<View, Digest, Kept>({
    stretch: (from, saved, events) =>
      foldStretch(rules, { config, seed, seats: facts.seats }, viewer, reader, from, saved, events),
    kept: layoutOf(course),
    lines: () => 1,
    line: (digest) => lineOf(digest, name),
    swing: (digest, { seat, amount }) =>
      typeof viewer !== 'number' || viewer === seat ? swingOf(digest, amount, name) : null,
    knowsSwings: (seat) => typeof viewer !== 'number' || viewer === seat,
    state: () => '',
    amount: (level, seat, view) => (isKnown(view, viewer, seat) ? number(level) : null),
    seats: ({ turn, punters }) => ({
      turn,
      out: new Set([...punters.keys()].filter((seat) => punters[seat]!.zombie !== null)),
    }),
    picture: { title: 'Scores', note: 'with futures, over time', chart: { label: 'Scores' }, table: PuntersOfMatch },
    panels: [{ id: 'map', label: 'Map', component: MapPicture }],
    detail: EventDetail,
  })
}

/** True if the viewer knew a seat's futures, which are a part of its score. */
function isKnown(view: View | null, viewer: Viewer, seat: number): boolean {
  return (
    viewer === 'public' ||
    viewer === 'panel' ||
    viewer === seat ||
    (view !== null && view.punters[seat]?.futures !== null)
  )
}
