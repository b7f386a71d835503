import { noDecisions } from '../../../contract/contests/decisions.ts'
import { alwaysRemovedSentence, createAlwaysRemoved, type AlwaysRemoved } from './contest-results.ts'
import { renewedSentence } from '../descriptions/renewed-contest.ts'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import { voidedAttemptSentence } from '../engine/contest-run.ts'
import type { ContestRecord } from '../standings/contest-record.ts'
import { differenceSentence } from '../engine/replayed-sample.ts'
import { seedReveal } from '../../../histories/seed-commitment.ts'
import type { ContestArena } from '../../../contract/players/arena.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import {
  DETAIL_MAX,
  NOTICES_MAX,
  type ContestDetail,
  type ContestSummary,
  type ContestTables,
} from '../../../contract/procedures/procedures.ts'
import { renamedEntrants } from '../../agents/entrant-agents.ts'
import type { LiveMatches } from '../../matches/live-matches.ts'
import { placeOf, type Arena } from '../arena/network-contest.ts'
import type { Contests } from '../kept/class-contests.ts'
import { comparisonSentence } from '../results/compared-matches.ts'
import { schoolsIn } from '../../../administrator/classroom/schools.ts'
import { ruledIn } from '../results/ruled-results.ts'
import { sharesOf } from '../results/contest-shares.ts'
import { withTextNames } from '../../texts/text-names.ts'
import { createTextNames } from './contest-text-names.ts'
import type { ContestId, EntrantId } from '../../../contract/ids.ts'
import type { EntrantRating, StandingRow } from '../../../contract/contests/standings.ts'

/** The facts of a contest that are known only while it is active, or since the classroom was opened. */
interface ContestNow {
  readonly active: boolean
  /** The tier of its agents; null: it is not active. */
  readonly isolation: IsolationTier | null
  /** null: it is not open. */
  readonly arena: Arena | null
  /** Notices since the classroom was opened. */
  readonly said: readonly string[]
}

/** Collects the content of the pages of contests. */
interface ContestDetails {
  /** `record`: of the contest that the summary is of. */
  of(summary: ContestSummary, record: ContestRecord, now: ContestNow): Promise<ContestDetail>
}

interface DetailsOptions {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly live: LiveMatches
}

/** The maximum number of reasons for broken sessions that are listed. */
const REASONS_MAX = 20

export function createDetails({ home, contests, live }: DetailsOptions): ContestDetails {
  const [ratings, playedRatings] = [createLiveRatings(), createLiveRatings()]
  const names = createTextNames(home.folder, contests)
  const alwaysRemoved = createAlwaysRemoved(contests)
  return {
    async of(summary, record, { active, isolation, arena, said }) {
      const id = summary.contest
      const entry = contests.entry(id)
      const { description } = entry
      const tables = record.tables()
      const last = record.recent.at(-1)
      const standings = record.standings().slice(0, DETAIL_MAX)
      const phases = await contests.phases(id)
      const intervals = record.intervals()
      const shares = sharesOf(home.content, entry, record.standings())
      const ruled = ruledIn(record, () => {
        const { asPlayed } = record
        const rows = asPlayed.standings().slice(0, DETAIL_MAX)
        const unruled = asPlayed.intervals()
        return {
          standings: rows,
          intervals: rows.map(({ agent }) => unruled.get(agent) ?? null),
          ratings: playedRatings.of(id, { ...asPlayed, done: record.done, rulings: [] }, rows, active),
          headToHead: asPlayed.headToHead(),
          tables: ownTables(asPlayed.tables()),
        }
      })
      return {
        ...ruled,
        ...(shares === null ? {} : { shares: shares.slice(0, DETAIL_MAX) }),
        summary,
        draft: draftOf(withTextNames(description, await names.of(id))),
        renamed: renamedEntrants(home, description),
        arena: contests.connects(id) ? arenaOf(entry, arena) : null,
        isolation: isolation ?? last?.isolation ?? null,
        groups: last?.groups ?? null,
        toolchains: record.toolchains(),
        playing: live.playing(id),
        standings,
        intervals: standings.map(({ agent }) => intervals.get(agent) ?? null),
        reveal: seedReveal(entry),
        ratings: ratings.of(id, record, standings, active),
        headToHead: record.headToHead(),
        tables: ownTables(tables),
        countColumns: contests.countColumns(id),
        voided: record.voided,
        notices: noticesOf(record, tables, entry, said, await alwaysRemoved.of(id, record)),
        targeting: entry.targeting ?? null,
        phases: phases && { ...phases, combined: phases.combined.slice(0, DETAIL_MAX) },
        followedBy: contests.followedBy(id),
        deciding: active ? noDecisions : await contests.possibleDecisions(id),
        entriesUntil: contests.openEntries(id)?.until ?? null,
        rerun: entry.rerun ?? null,
        schools: schoolsIn(description, home.content).slice(0, DETAIL_MAX),
      }
    },
  }
}

/** A description without the seed, from which the matches follow: `reveal` has it when the contest has ended. */
function draftOf({ seed: _, ...draft }: ContestDescription): ContestDetail['draft'] {
  return { ...draft, entrants: draft.entrants.slice(0, DETAIL_MAX) }
}

/** Those that the window shows beside the standings as they are. */
function ownTables({ pairs: _, walkedAway: __, ...others }: ContestTables): ContestTables {
  return Object.fromEntries(Object.entries(others).map(([title, rows = []]) => [title, rows.slice(0, DETAIL_MAX)]))
}

function arenaOf(entry: ContestEntry, arena: Arena | null): ContestArena {
  return { place: placeOf(entry), now: arena?.now() ?? null }
}

/** The notices since the classroom was opened, after those that the histories give for earlier runs. */
function noticesOf(
  record: ContestRecord,
  tables: ContestTables,
  { playedAgain, recurring, renewed, rerun }: Pick<ContestEntry, 'playedAgain' | 'recurring' | 'renewed' | 'rerun'>,
  said: readonly string[],
  removed: readonly AlwaysRemoved[],
): readonly string[] {
  const told = new Set(said)
  const ending = record.ending()
  const earlier = [
    ...(ending === null ? [] : [ending]),
    ...removed.map(alwaysRemovedSentence),
    ...walkedAwaySentences(tables),
    ...record.voidedAttempts.map(voidedAttemptSentence),
    ...(playedAgain?.different ?? []).map(differenceSentence),
    ...(recurring?.leftOut ?? []),
    ...(renewed === undefined ? [] : [renewedSentence(renewed)]),
    ...(rerun?.compared === undefined ? [] : [comparisonSentence(rerun.of, rerun.compared)]),
  ].slice(-NOTICES_MAX)
  return [...earlier.filter((text) => !told.has(text)), ...said].slice(-NOTICES_MAX)
}

/** The most frequent reasons why entrants broke sessions off. */
function walkedAwaySentences({ walkedAway = [] }: ContestTables): readonly string[] {
  return walkedAway
    .toSorted((a, b) => b.sessions - a.sessions)
    .slice(0, REASONS_MAX)
    .map(
      ({ agent, reason, sessions }) =>
        `${agent} broke off ${sessions === 1 ? 'a session' : `${sessions} sessions`}: ${reason}`,
    )
}

/** The ratings of contests as screens show them. */
interface LiveRatings {
  /** By the rows. `running`: whether matches are being played. */
  of(
    id: ContestId,
    record: Pick<ContestRecord, 'done' | 'ratedStandings' | 'rulings'>,
    rows: readonly StandingRow[],
    running: boolean,
  ): readonly EntrantRating[]
}

/** A running contest is rated again when its matches have grown by this factor: rating takes up to a second. */
const GROWTH = 1.1

function createLiveRatings(): LiveRatings {
  const kept = new Map<
    ContestId,
    { readonly done: number; readonly ruled: number; readonly ratings: ReadonlyMap<EntrantId, EntrantRating> }
  >()
  return {
    of(id, record, rows, running) {
      const { done } = record
      const ruled = record.rulings.length
      let known = kept.get(id)
      if (known?.ruled !== ruled || (running ? done >= GROWTH * known.done : done !== known.done)) {
        const rated = record.ratedStandings().map((row): [EntrantId, EntrantRating] => {
          const { agent, rating, interval, superiority } = row
          return [agent, { rating, interval, superiority }]
        })
        known = { done, ruled, ratings: new Map(rated) }
        kept.set(id, known)
      }
      const { ratings } = known
      return rows.map(({ agent }) => ratings.get(agent)!)
    },
  }
}
