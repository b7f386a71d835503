import type { PlacedDecision, WithdrawalTreatment } from '../../../contract/contests/decisions.ts'
import type { PlayedMatch } from '../../../contract/contests/contest-format.ts'
import type { ContestTables, StandingRow } from '../../../contract/contests/standings.ts'
import type { EntrantId, MatchNumber } from '../../../contract/ids.ts'
import type { Ruled } from './ruled.ts'
import type { RunLocation } from '../../../histories/segments/run-index.ts'
import { canonicalText } from '../../../histories/canonical.ts'

/** The educator's decisions in the record of a contest, as far as they hold. */
export interface Decided {
  /** All that the record was given, oldest first. */
  readonly known: readonly PlacedDecision[]
  /** The number of those that hold. */
  applied: number
  /** See `ContestRecord.unknown`. */
  readonly unknown: PlacedDecision[]
  /** See `ContestRecord.decidedAt`. */
  readonly places: RunLocation[]
  /** Entrants that have withdrawn, by the decisions that hold. */
  readonly away: Map<EntrantId, WithdrawalTreatment>
  /** Entrants of whose matches none counts, from the first on. */
  readonly annulled: ReadonlySet<EntrantId>
  /** Matches that are not played because an entrant has withdrawn. */
  readonly unplayed: Set<MatchNumber>
  /** The number of stages of which a match is over. */
  begun: number
  /** The number of all stages. */
  readonly stages: number
  /** False if the schedule is not known exactly, because the seed is lost. */
  readonly isExact: boolean
}

/** `known`: the decisions that will hold. `stages`: the number of all stages. */
export function noneDecided(known: readonly PlacedDecision[], stages: number, isExact: boolean): Decided {
  const annulled = known.flatMap(({ decision }) =>
    decision.type === 'withdraw' && decision.treatment === 'annulled' ? decision.entrant : [],
  )
  return {
    ...{ known, applied: 0, unknown: [], places: [], away: new Map(), annulled: new Set(annulled) },
    ...{ unplayed: new Set<MatchNumber>(), begun: 0, stages, isExact },
  }
}

/** True for the next decision of those that the record was given. */
export function isExpected({ known, applied, unknown }: Decided, placed: PlacedDecision): boolean {
  const next = known[applied]
  return unknown.length === 0 && next !== undefined && canonicalText(next) === canonicalText(placed)
}

/**
 * The result of a match of two that one of them forfeits; null: it counts for nobody. `names`: by seat. It has no faults
 * and scores, and the winner has the points of a match won.
 */
export function forfeitOf(
  { away, annulled, isExact }: Decided,
  names: readonly EntrantId[],
): Pick<PlayedMatch, 'entrants' | 'outcome' | 'faults'> | null {
  if (!isExact || names.some((name) => annulled.has(name))) return null
  const gone = names.map((name) => away.get(name))
  const winner = gone.indexOf(undefined)
  if (names.length !== 2 || winner === -1 || gone[1 - winner] !== 'forfeited') return null
  const places = [winner, 1 - winner].map((seat, at) => ({ seat, rank: at + 1, score: 0, removed: false }))
  return { entrants: names, outcome: { places }, faults: [0, 0] }
}

/**
 * The rows of the standings with what was decided about their entrants. Entrants whose results are annulled, or that were
 * removed, also by a ruling, are after all others. `removed`: by a ruling, with its number.
 */
export function markedRows(
  rows: readonly StandingRow[],
  { away, known, applied }: Decided,
  removed: Ruled['removed'],
): readonly StandingRow[] {
  if (applied === 0 && removed.size === 0) return rows
  const late = new Set(
    known.slice(0, applied).flatMap(({ decision }) => (decision.type === 'enter' ? decision.entrant.name : [])),
  )
  const marked = rows.map((row) => {
    const withdrawn = away.get(row.agent)
    return {
      ...row,
      ...(withdrawn === undefined ? {} : { withdrawn }),
      ...(late.has(row.agent) ? { late: true as const } : {}),
      ...(removed.has(row.agent) ? { removedBy: removed.get(row.agent)! } : {}),
    }
  })
  const others = marked.filter((row) => !isOut(row))
  let before = 0
  const ranked = others.map((row, at) => {
    if (row.rank !== others[at - 1]?.rank) before = at
    return { ...row, rank: before + 1 }
  })
  return [...ranked, ...marked.filter(isOut).map((row) => ({ ...row, rank: others.length + 1 }))]
}

/** True for a row that is listed after all others. */
export const isOut = ({ withdrawn, removedBy }: Pick<StandingRow, 'withdrawn' | 'removedBy'>): boolean =>
  withdrawn === 'annulled' || withdrawn === 'removed' || removedBy !== undefined

/** The consequence of a withdrawal, for a table. */
const consequences: Readonly<Record<WithdrawalTreatment, string>> = {
  annulled: 'its results do not count',
  forfeited: 'its opponents win the matches that are left',
  kept: 'its results count; it is not paired any more',
  advanced: 'its opponent goes on',
  removed: 'it is listed last; its matches that are left are not played',
}

/** The decisions that hold as a table; without decisions there is none. */
export function decisionTables({ known, applied, isExact }: Decided): ContestTables {
  const rows = known.slice(0, applied).flatMap(({ decision, matches }) => {
    if (decision.type === 'ruling') return []
    const { reason = '' } = decision
    const place = { 'after matches': matches, reason }
    if (decision.type === 'pair') {
      const tables = decision.tables.map((table) => table.join(' – '))
      const effect = [...tables, ...decision.byes.map((name) => `${name}: bye`)].join(', ')
      return { decision: `round ${decision.round} paired`, entrant: '', effect, ...place }
    }
    if (decision.type === 'enter')
      return { decision: 'late entry', entrant: decision.entrant.name, effect: 'plays from then on', ...place }
    if (decision.type === 'accept') {
      const { of, left } = decision
      const effect = `goes on without the ${left === 1 ? 'decision' : `${left} decisions`} about ${of} that ${left === 1 ? 'was' : 'were'} left`
      return { decision: `went differently than ${of}`, entrant: '', effect, ...place }
    }
    const { entrant, treatment } = decision
    const effect =
      treatment === 'forfeited' && !isExact
        ? 'its results count; wins by its withdrawal are not known without the seed'
        : consequences[treatment]
    return { decision: 'withdrawn', entrant, effect, ...place }
  })
  return rows.length === 0 ? {} : { 'By the educator': rows }
}
