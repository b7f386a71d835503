import * as z from 'zod'
import type { ReadyQuestion } from '../game/event-tables.ts'
import { contestId, gameId, sha256Hex, type ContestId, type EntrantId, type MatchNumber, type Sha256 } from '../ids.ts'
import type { StartedDownload } from '../procedures/downloads.ts'
import { procedure } from '../procedures/procedure.ts'

/** Maximum characters of a query in the window. */
const SQL_MAX = 20_000
/** The maximum number of rows that a query in the window can reach by paging; a download has as many. */
export const ROWS_MAX = 100_000

/** A value in an answer. */
export type MinedCell = string | number | null

/** A page of the rows of an answer. */
export interface MinedRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly MinedCell[])[]
  /** True: there are more rows after these. */
  readonly more: boolean
  /** True: long texts are cut; a download has them whole. */
  readonly cut: boolean
  /** The number of finished matches that were asked about. It grows while a contest runs. */
  readonly matches: number
}

/** The rows about one version, and the contests in which its matches are. */
interface VersionRows extends MinedRows {
  readonly contests: number
}

/** The answers to one question about two versions of an agent. */
export interface ComparedRows {
  /** The names of the opponents that both have met with the same version. Only matches count in which nobody else plays. */
  readonly opponents: readonly EntrantId[]
  readonly first: VersionRows
  readonly second: VersionRows
  /** The number of older contests that were left out. */
  readonly leftOut: number
  /** Contests that were left out because their histories are damaged. */
  readonly damaged: readonly ContestId[]
}

/** A ready question with its name. */
export type NamedQuestion = ReadyQuestion & { readonly name: string }

/** A table or view that queries may read. */
export interface MinedTable {
  readonly name: string
  readonly about: string
  readonly isView: boolean
  /** `type` null: that of what the view computes. */
  readonly columns: readonly { readonly name: string; readonly type: string | null; readonly about: string }[]
}

/** The marks before and after each found word of a `MinedText`; no text has them. */
export const FOUND = { begin: '\u0001', end: '\u0002' } as const

/** A sentence about an event, or a line that an agent printed. The found words stand between the marks `FOUND`. */
export interface MinedText {
  readonly kind: 'sentence' | 'print'
  readonly match: MatchNumber
  readonly move: number
  /** The line of the event in the list of events, from 1; null: it has one. */
  readonly part: number | null
  /** The agent that printed it; null for sentences. */
  readonly entrant: EntrantId | null
  readonly text: string
}

/** Names the call, so that it can be stopped. */
const request = z.uuid()
const rows = { offset: z.int().min(0).max(ROWS_MAX).default(0), limit: z.int().min(1).max(1_000).default(200) }
const parameters = z.record(z.string().max(64), z.string().max(200)).refine((all) => Object.keys(all).length <= 20)
const sql = z.string().max(SQL_MAX)

/** A ready question with the values of its parameters, as people type them, or a query of one's own. */
const asked = z.union([z.strictObject({ question: z.string().max(64), parameters }), z.strictObject({ sql })])
export type Asked = z.output<typeof asked>

type AskedQuestion = Extract<Asked, { readonly question: string }>

interface Paged {
  readonly contest: string
  readonly request: string
  readonly offset: number
  readonly limit: number
}

/**
 * Questions about the events of a contest (docs/mining.md). They are about finished matches, of which everything is public but the
 * output of agents, which is for their teams. Each person asks one at a time.
 */
export const miningProcedures = {
  /** The questions that are ready for a game: its own, then those of every game. */
  'mining.questions': procedure<{ game: string }, readonly NamedQuestion[]>(z.strictObject({ game: gameId })),
  /** The tables that queries about a game may read. */
  'mining.tables': procedure<{ game: string }, readonly MinedTable[]>(z.strictObject({ game: gameId })),
  /** Asks a question that is ready. Refused if the contest's game has no such question or it has no such parameter. */
  'mining.ask': procedure<Paged & AskedQuestion, MinedRows>(
    z.strictObject({ contest: contestId, request, question: z.string().max(64), parameters, ...rows }),
    100_000,
  ),
  /**
   * Asks a ready question about one agent twice: about each of two versions, over all of its matches against the same opponents, in all
   * contests of the game that the caller sees, `chosen` ones first. Refused if the question is not about one agent.
   */
  'mining.compare': procedure<
    {
      request: string
      game: string
      question: string
      first: Sha256
      second: Sha256
      chosen?: ContestId[]
      limit: number
    },
    ComparedRows
  >(
    z.strictObject({
      ...{ request, game: gameId, question: z.string().max(64), first: sha256Hex, second: sha256Hex },
      chosen: z.array(contestId).max(2).exactOptional(),
      limit: rows.limit,
    }),
  ),
  /** Answers one SELECT over the tables. Refused with the place of the mistake, or if it takes too much. */
  'mining.query': procedure<Paged & { sql: string }, MinedRows>(
    z.strictObject({ contest: contestId, request, sql, ...rows }),
    SQL_MAX + 1_000,
  ),
  /** Searches the sentences about events, and the output of agents that the caller may read. */
  'mining.search': procedure<
    Paged & { words: string },
    { readonly found: readonly MinedText[]; readonly more: boolean }
  >(z.strictObject({ contest: contestId, request, words: z.string().max(500), ...rows }), 10_000),
  /** All rows of an answer, at most `ROWS_MAX`, as a file: a download. `more`: there are more. */
  'mining.download': procedure<
    { contest: string; request: string; asked: Asked; as: 'csv' | 'json' },
    StartedDownload & { readonly rows: number; readonly more: boolean }
  >(z.strictObject({ contest: contestId, request, asked, as: z.enum(['csv', 'json']) }), 100_000),
  /** Stops one of the calls above, which then fails with a message that it was stopped. No effect if it is over. */
  'mining.stop': procedure<{ request: string }, null>(z.strictObject({ request })),
}
