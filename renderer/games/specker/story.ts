import { readChallenge, type Challenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { MatchDetail } from '../../../main/contract/procedures/procedures.ts'
import type { Viewer } from '../../../main/contract/histories/viewer.ts'
import type { Telling } from '../../../main/referees/specker/narration/sentences.ts'
import { visible } from '../../parts/lists/visible.ts'
import { foldStretch } from '../fold.ts'
import { eraseStory, type ScenePart, type Story } from '../game.ts'
import AccountsPicture from './accounts-picture.svelte'
import AccountsTable from './accounts-table.svelte'
import { reader, type Digest } from './digests.ts'
import { exact, short } from './energy.ts'
import EventDetail from './event-detail.svelte'
import Market from './market.svelte'
import { rules, type View } from './rules.ts'
import { lineOf, linesIn, swingOf } from './sentences.ts'

/** Data for this game's components beside the match. */
export interface Kept {
  /** null: its file cannot be read by this version. */
  readonly challenge: Challenge | null
  /** The challenge's file, as the match has it. */
  readonly source: string
  readonly challengeConfig: Json
  readonly telling: Telling
}

export type Part = ScenePart<View, Digest, Kept>

export function story(detail: MatchDetail, viewer: Viewer): Story {
  const { config, seed, facts } = detail
  const { challenge, challengeConfig } = config as {
    readonly challenge: string
    readonly challengeConfig: Json
  }
  const name = (seat: number): string => facts.seats[seat]?.name ?? `seat ${seat}`
  const subject = challengeName(challenge)
  const told = { name, text: visible, challenge: subject }
  const exactly: Telling = { ...told, energy: exact }
  const shortly: Telling = { ...told, energy: short }

  return eraseStory<View, Digest, Kept>({
    stretch: (from, saved, events) =>
      foldStretch(rules, { config, seed, seats: facts.seats }, viewer, reader, from, saved, events),
    kept: { challenge: readChallenge(challenge).challenge, source: challenge, challengeConfig, telling: exactly },
    subject,
    lines: linesIn,
    line: (digest, part, amounts) => lineOf(digest, part, amounts === 'short' ? shortly : exactly),
    swing: (digest, swing) => swingOf(digest, swing, shortly),
    state: ({ accounts }) =>
      `Accounts: ${accounts.map((account, seat) => `${name(seat)} ${exact(account)}`).join(', ')}.`,
    amount: short,
    seats: (view) => ({
      // The request to a seat does not say whose turn it is.
      turn: view.type === 'public' ? view.turn : null,
      out: new Set(view.players.filter(({ removed }) => removed).map(({ seat }) => seat)),
    }),
    picture: { title: 'Accounts', note: 'energy, over rounds', component: AccountsPicture, table: AccountsTable },
    panels: [{ id: 'market', label: 'Market', count: ({ store }) => store.length, component: Market }],
    detail: EventDetail,
  })
}

/** Maximum length of a text that is not a challenge file, such as a hash. */
const LONGEST = 200

/** The name of a challenge: the text itself, or the name in the first line if the text is a whole file. */
export function challengeName(source: Json | undefined): string {
  const written = typeof source === 'string' ? source : ''
  return /^\s*challenge\s+([a-z][a-z0-9-]*)/m.exec(written)?.[1] ?? written.slice(0, LONGEST)
}
