import type { PairRow } from '../contract/procedures/procedures.ts'
import type { PartsTable } from '../contract/game/match-parts.ts'
import type { Breakdowns, RatedRow } from '../contract/contests/standings.ts'
import type { ContestReport } from '../services/contests/command/contest-report.ts'

/**
 * A report as `contest run --json` prints it. The table of parts is one of the breakdowns; `parts` has the number of
 * matches that it covers. Counts of the game are added to the rows of sessions and pairs, and the format's tables to the
 * report.
 */
export function contestJson({ tables, countColumns: _, standings, parts, ...report }: ContestReport): object {
  const { pairs, ...others } = tables
  return {
    ...others,
    ...report,
    ...(parts === null ? {} : partsJson(report.breakdowns, parts)),
    standings: standings.map(standingJson),
    ...(pairs === undefined ? {} : { pairs: pairs.map(pairJson) }),
  }
}

function partsJson(breakdowns: Breakdowns, { title, matches, complete, rows }: PartsTable): object {
  return { breakdowns: { ...breakdowns, [title]: rows }, parts: { title, matches, complete } }
}

function standingJson({ counts, session, ...row }: RatedRow): object {
  if (session === undefined) return counts === undefined ? row : { ...row, counts }
  return { ...row, session: { ...counts, ...session } }
}

const pairJson = ({ counts, ...row }: PairRow): object => ({ ...counts, ...row })
