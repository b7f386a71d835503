import * as z from 'zod'
import type { TermTable } from '../../contract/grades/term-table.ts'
import { readingJob, readText } from '../machine/reading.ts'
import { termTable, type CountedContest } from './term/term-table.ts'

type CountedTable = Omit<TermTable, 'unreadable'>

const interval = z.tuple([z.number(), z.number()]).nullable()
const version = z.strictObject({
  ...{ agent: z.string(), hash: z.string(), version: z.number().nullable(), contests: z.number() },
  ...{ rating: z.number().nullable(), interval },
})
const result = z.strictObject({
  ...{ contest: z.string(), entrant: z.string(), rank: z.number(), of: z.number(), points: z.number() },
  score: z.number(),
  asPlayed: z.strictObject({ rank: z.number(), points: z.number() }).exactOptional(),
  after: z.strictObject({ rating: z.number(), interval }).nullable(),
})
const row = z.strictObject({
  ...{ team: z.string().nullable(), name: z.string(), rank: z.number().nullable(), points: z.number() },
  asPlayed: z.strictObject({ points: z.number(), rating: z.number() }).exactOptional(),
  ...{ matches: z.number(), rating: z.number(), interval },
  results: z.array(result),
  ...{ best: version.nullable(), latest: version.nullable() },
  trend: z.enum(['rising', 'falling', 'steady']).nullable(),
})
const contest = z.strictObject({
  ...{ contest: z.string(), title: z.string(), game: z.string(), ended: z.string().nullable(), entrants: z.number() },
  afterRuling: z.number().exactOptional(),
  isRated: z.boolean(),
})

/** Computes the table of the term in a process of its own: with a hundred teams it takes some seconds. */
export const termTableJob = readingJob<readonly CountedContest[], CountedTable>({
  name: 'term-table',
  what: 'the contests of the term',
  result: z.strictObject({ contests: z.array(contest), rows: z.array(row) }),
  read: termTable,
})

/** The pairs of entrants of all contests with which the table takes less time than a process needs to start. */
const PAIRS_MAX = 250

/** The table of the term, computed where it holds nobody up. Rejects with ExpectedError 'reading-limit' if it takes too long. */
export async function computedTermTable(contests: readonly CountedContest[]): Promise<CountedTable> {
  const pairs = contests.reduce((sum, { entrants, isRated }) => sum + (isRated ? entrants.length ** 2 / 2 : 0), 0)
  return pairs <= PAIRS_MAX ? termTable(contests) : readText(termTableJob, contests)
}
