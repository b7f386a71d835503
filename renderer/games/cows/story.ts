import type { MatchDetail } from '../../../main/contract/procedures/procedures.ts'
import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import { mapOf, rangesOf } from '../../../main/referees/cows/config.ts'
import { count, number } from '../../words.ts'
import { foldStretch } from '../fold.ts'
import { eraseStory, type ScenePart, type Story } from '../game.ts'
import { lineOf, readerOf, swingOf, type Digest, rules, type View } from './digests.ts'
import { groundOf, type Ground } from './drawn-scene.ts'
import EventDetail from './event-detail.svelte'
import HeatPicture from './heat-picture.svelte'
import HerdPicture from './herd-picture.svelte'
import TeamsTable from './teams-table.svelte'

/** Data for this game's components beside the match. */
export type Kept = Ground
export type Part = ScenePart<View, Digest, Kept>

export function story({ config, seed, facts }: MatchDetail, viewer: Viewer): Story {
  const name = (seat: number): string => facts.seats[seat]?.name ?? `seat ${seat}`
  const settings = config as unknown as Parameters<typeof rules.initial>[0]
  const ground = groundOf(mapOf(settings), rangesOf(settings).sight)
  const reader = readerOf(ground.width)
  return eraseStory<View, Digest, Kept>({
    stretch: (from, saved, events) =>
      foldStretch(rules, { config, seed, seats: facts.seats }, viewer, reader, from, saved, events),
    kept: ground,
    lines: () => 1,
    line: (digest) => lineOf(digest, name),
    swing: ({ round }, { seat, amount }) => swingOf(round, seat, amount, name),
    state: ({ scores }) => `${scores.map((score, seat) => `${name(seat)} ${number(score)}`).join(', ')}.`,
    amount: (level) => count(level, 'cow'),
    seats: () => ({ turn: null, out: new Set() }),
    picture: { title: 'Cows caught', note: 'over time', chart: { label: 'Cows caught' }, table: TeamsTable },
    widePanels: true,
    panels: [
      { id: 'pasture', label: 'Pasture', component: HerdPicture },
      { id: 'heat', label: 'Where cows were', component: HeatPicture },
    ],
    detail: EventDetail,
  })
}
