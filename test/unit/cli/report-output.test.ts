import { expect, test } from 'vitest'
import { contestJson, contestTables } from '../../../main/cli/report-output.ts'
import type { Terminal } from '../../../main/cli/terminal.ts'
import { createRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { countColumns } from '../../../main/services/contests/formats/counting.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import { contests } from '../../../main/referees/haggle/haggle.ts'
import type { ContestReport } from '../../../main/services/contests/command/contest-report.ts'

const terminal = { paint: (_color: string, text: string) => text } as unknown as Terminal
const wordsOf = (lines: readonly string[]) => lines.map((line) => line.trim().split(/\s{2,}/))

/** A contest of ada and ben, of whom ada leaves one session; the other one ends in an agreement. */
function reportOf(format: object): ContestReport {
  const agent = 'a'.repeat(64)
  const description = contestDescription.parse({
    title: 'Tables',
    game: 'haggle',
    format,
    seed: 'x',
    entrants: [
      { name: 'ada', agent },
      { name: 'ben', agent },
    ],
  })
  const record = createRecord(description, contests)
  const ends = [
    { agreed: true, places: [1, 2].map((rank, seat) => ({ seat, rank, score: 8 - 4 * seat, removed: false })) },
    {
      agreed: false,
      places: [
        { seat: 0, rank: 1, score: 0, removed: false },
        { seat: 1, rank: 1, score: 0, removed: true, reason: 'No deal.' },
      ],
    },
  ]
  for (const [match, outcome] of ends.entries()) {
    record.finish({
      match,
      attempt: 1,
      run: match + 1,
      head: agent,
      outcome,
      state: agent,
      entrants: match === 0 ? ['ada', 'ben'] : ['ben', 'ada'],
      faults: [0, 0],
      printed: [0, 0],
      isolation: 'none',
      ms: 1,
      from: { segment: 1, byte: 0 },
      to: { segment: 1, byte: 1 },
    })
  }
  const told = { standings: record.standings(), headToHead: record.headToHead(), tables: record.tables() }
  return {
    ...told,
    title: 'Tables',
    countColumns: countColumns(contests),
    parts: null,
    schools: [],
  } as unknown as ContestReport
}

const pairs = { type: 'ordered-pairs', seeds: 1, finalists: 0, finalSeeds: 1 }

test("sessions: what a game counts has columns of its own, and stands in the report's JSON where it has always stood", () => {
  const report = reportOf(pairs)
  expect(wordsOf(contestTables(terminal, report))).toEqual([
    ['rank', 'agent', 'total', 'sessions', 'per session', 'first', 'second', 'agreed', 'per agreement', 'aborted'],
    ['1', 'ada', '8', '2', '4.0000', '8.0000', '0.0000', '1', '8.0000', '1'],
    ['2', 'ben', '4', '2', '2.0000', '0.0000', '4.0000', '1', '4.0000', '0'],
    [''],
    ['Mean score of each (row) with each (column):'],
    ['agent', 'ada', 'ben'],
    ['ada', '-', '4.0000'],
    ['ben', '2.0000', '-'],
    [''],
    ['Sessions broken off:'],
    ['ada, 1 session: No deal.'],
  ])
  const bySeat = [
    { sessions: 1, score: 8 },
    { sessions: 1, score: 0 },
  ]
  const common = { matches: 2, faults: 0 }
  expect(contestJson(report)).toEqual({
    title: 'Tables',
    schools: [],
    standings: [
      {
        ...{ agent: 'ada', rank: 1, points: 8, score: 8, wins: 1, removals: 1, ...common },
        session: { agreements: 1, bySeat, final: false },
      },
      {
        ...{ agent: 'ben', rank: 2, points: 4, score: 4, wins: 0, removals: 0, ...common },
        session: {
          agreements: 1,
          bySeat: [
            { sessions: 1, score: 0 },
            { sessions: 1, score: 4 },
          ],
          final: false,
        },
      },
    ],
    pairs: [
      { first: 'ada', second: 'ben', sessions: 1, agreements: 1, score: [8, 4], aborts: [0, 0] },
      { first: 'ben', second: 'ada', sessions: 1, agreements: 0, score: [0, 0], aborts: [0, 1] },
    ],
    walkedAway: [{ agent: 'ada', reason: 'No deal.', sessions: 1 }],
    headToHead: {
      names: ['ada', 'ben'],
      scores: true,
      met: [
        [0, 2],
        [2, 0],
      ],
      better: [
        [0, 8],
        [4, 0],
      ],
    },
  })
})

test("standings by points have the game's columns, too; a table of a format of its own is listed as it is", () => {
  const report = reportOf({ type: 'round-robin', seats: 2, repeats: 2 })
  expect(wordsOf(contestTables(terminal, report)).slice(-3)).toEqual([
    ['removals:'],
    ['agent', 'matches', 'reason'],
    ['ada', '1', 'No deal.'],
  ])
  const tables = { rounds: [{ round: 1, winner: 'ada' }] }
  expect(wordsOf(contestTables(terminal, { ...report, tables }))).toEqual([
    ['rank', 'agent', 'points', 'matches', 'wins', 'removed', 'faults', 'agreed'],
    ['1', 'ada', '1.5', '2', '1', '1', '0', '1'],
    ['2', 'ben', '0.5', '2', '1', '0', '0', '1'],
    [''],
    ['rounds:'],
    ['round', 'winner'],
    ['1', 'ada'],
  ])
  expect(contestJson({ ...report, tables })).toMatchObject({
    rounds: [{ round: 1 }],
    standings: [{ agent: 'ada' }, {}],
  })
})
