import type { MatchDetail } from '../../../main/contract/procedures/procedures.ts'
import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import { count, number } from '../../words.ts'
import EventDetail from '../event-detail.svelte'
import { foldStretch } from '../fold.ts'
import { eraseStory, type ScenePart, type Story } from '../game.ts'
import DealsPanel from './deals-panel.svelte'
import { lineOf, reader, type Digest } from './digests.ts'
import { layoutOf, type Layout } from './layout.ts'
import RobotsTable from './robots-table.svelte'
import RoundPanel from './round-panel.svelte'
import { rules, type View } from './rules.ts'
import TownPicture from './town-picture.svelte'

/** Data for this game's components beside the match: the layout of corners and streets. */
export type Kept = Layout
export type Part = ScenePart<View, Digest, Kept>

export function story(detail: MatchDetail, viewer: Viewer): Story {
  const { config, seed, facts } = detail
  const name = (seat: number): string => facts.seats[seat]?.name ?? `seat ${seat}`
  const { town, config: settings } = rules.initial(
    config as unknown as Parameters<typeof rules.initial>[0],
    facts.seats,
    seed,
  )
  const twist = settings.rules === '2005-twist'
  return eraseStory<View, Digest, Kept>({
    stretch: (from, saved, events) =>
      foldStretch(rules, { config, seed, seats: facts.seats }, viewer, reader, from, saved, events),
    kept: layoutOf(town),
    lines: () => 1,
    line: (digest) => lineOf(digest, name),
    state: () => '',
    // A cop counts the evidence that it finds and the votes that it wins; who finds evidence is known to the finder only.
    amount: (level, seat, view) => {
      // The view decides whether the costs of pushes are known.
      if (seat === 0) return `$${number(level - (view?.pushCosts ?? 0))}`
      return typeof viewer !== 'number' || viewer === seat ? count(level, 'clue or vote', 'clues and votes') : null
    },
    seats: ({ waiting, disqualified, cops }) => ({
      turn: waiting.length === 1 ? waiting[0]! : null,
      out: new Set(
        [...disqualified.keys()].filter((seat) => disqualified[seat] !== null || cops[seat - 1]?.out === true),
      ),
    }),
    picture: { title: 'Loot', note: 'of the robber, over time', chart: { label: 'Loot', only: 0 }, table: RobotsTable },
    widePanels: true,
    panels: [
      { id: 'town', label: 'Town', component: TownPicture },
      { id: 'round', label: 'Round', component: RoundPanel },
      ...(twist ? [{ id: 'deals', label: 'Deals', component: DealsPanel }] : []),
    ],
    detail: EventDetail,
  })
}
