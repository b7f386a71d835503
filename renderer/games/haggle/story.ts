import type { MatchDetail } from '../../../main/contract/procedures.ts'
import { foldStretch } from '../fold.ts'
import { hidden, type ScenePart, type Story } from '../game.ts'
import { reader, type Digest } from './digests.ts'
import EventDetail from './event-detail.svelte'
import { frontierOf, type Worths } from './frontier.ts'
import OffersTable from './offers-table.svelte'
import PathPicture from './path-picture.svelte'
import { rules, type Scenario, type View } from './rules.ts'
import { amounts, dollars, lineOf } from './sentences.ts'
import Shares from './shares.svelte'

/** What this game's components want beside the match. */
export interface Kept {
  readonly scenario: Scenario
  /** null: too large to be worked out. */
  readonly frontier: readonly Worths[] | null
}

export type Part = ScenePart<View, Digest, Kept>

export function story(detail: MatchDetail): Story {
  const { config, seed, facts } = detail
  const name = (seat: number): string => facts.seats[seat]?.name ?? `seat ${seat}`
  // The match is over and its seed known, so both sides' values may be shown at every turn.
  const scenario: Scenario = rules.initial(config as unknown as Parameters<typeof rules.initial>[0], facts.seats, seed)
  const maxTurns = 2 * scenario.maxRounds

  return hidden<View, Digest, Kept>({
    stretch: (from, saved, events) =>
      foldStretch(rules, { config, seed, seats: facts.seats }, reader, from, saved, events),
    kept: { scenario, frontier: frontierOf(scenario) },
    lines: () => 1,
    line: (digest) => lineOf(digest, name),
    state({ shares, worths, ending }) {
      if (ending !== null) return `They have ${endings[ending]}.`
      return shares === null ? 'Nothing has been offered yet.' : `On the table: ${amounts(worths, name)}.`
    },
    amount: dollars,
    seats: ({ turn, ending }) => ({
      turn,
      out: new Set(ending?.type === 'abort' ? [ending.seat] : []),
    }),
    picture: {
      title: 'Path of the offers',
      note: `what each offer is worth to both; ${maxTurns} turns at most`,
      component: PathPicture,
      table: OffersTable,
    },
    panels: [{ id: 'shares', label: 'Shares', component: Shares }],
    detail: EventDetail,
  })
}

const endings = { agreed: 'agreed', 'not agreed': 'not agreed', abort: 'parted without a deal' } as const
