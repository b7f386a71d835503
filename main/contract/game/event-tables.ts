import type { Outcome } from './outcome.ts'

// The tables of the events database of a contest, which everybody may query (docs/mining.md). The database contains finished
// matches only, so that nothing in it was hidden from anybody when it came in.

/** A value in a row. `true` and `false` are stored as 1 and 0. */
export type Cell = string | number | boolean | null

/**
 * - whole, number, text, json: as stored; a json column holds JSON text.
 * - yes-no: 1 or 0.
 * - seat: a seat of the match; it is given by its number. The table gets the name of its entrant in a column of this name,
 *   and its number in another one with `_seat` after the name.
 */
export type ColumnKind = 'whole' | 'number' | 'text' | 'json' | 'yes-no' | 'seat'

/** A column of a table. */
export interface TableColumn {
  readonly kind: ColumnKind
  /** Its meaning and unit, in words for people, without a full stop. */
  readonly about: string
}

/**
 * A table. It begins with the column `match`, unless its rows are about the whole contest; a row that comes from an event
 * continues with `line`, `move` and `part`, which lead to the event.
 */
export interface TableForm {
  /** One sentence. */
  readonly about: string
  readonly rows: 'event' | 'match' | 'contest'
  readonly columns: Readonly<Record<string, TableColumn>>
  /** Lists of columns by which rows are found quickly. Absent: none. */
  readonly indices?: readonly (readonly string[])[]
}

/** A table that is computed from others whenever it is queried. */
export interface ViewForm {
  /** One sentence. */
  readonly about: string
  /** A description of each column, in their order. */
  readonly columns: Readonly<Record<string, string>>
  /** One SELECT over the tables. */
  readonly sql: string
}

export type TableForms = Readonly<Record<string, TableForm>>

/** The place of an event in its match. */
export interface EventPlace {
  /** The number of the event's line in the chain of the match, as in its history: the header is 0. */
  readonly line: number
  /** The number of events up to this one, as addresses have it. */
  readonly move: number
  /** Its line in the list of events, from 1, where the event has several; otherwise null. */
  readonly part: number | null
}

/** Takes the rows of a match. */
export interface RowWriter<T extends TableForms> {
  /** The place of the event that is being applied. `part`: from 1. */
  here(part?: number): EventPlace
  /** Adds a row. `place`: of its event; default: `here()`. It has no effect on tables whose rows come from no event. */
  add<N extends keyof T & string>(
    table: N,
    row: { readonly [C in keyof T[N]['columns']]: Cell },
    place?: EventPlace,
  ): void
}

/** Makes the rows of one match. */
export interface MatchRows<I> {
  /** Called with each input before it is applied to the state; the returned function is called after it. */
  input(input: I): () => void
  /** Called once, after the last input. */
  end?(outcome: Outcome): void
}

/** A value that the reader of a question chooses. `agent`: the name of an entrant. */
export interface QuestionParameter {
  readonly kind: 'agent' | 'whole' | 'number' | 'text'
  readonly about: string
  /** Used if none is chosen; null: the question is then about all. */
  readonly default: string | number | null
}

/** How the answer to a question is drawn; the members name its columns. */
export type QuestionChart =
  | {
      readonly kind: 'bar' | 'line' | 'scatter'
      readonly x: string
      readonly y: string
      /** One series for each of its values; absent: a single one. */
      readonly series?: string
    }
  | { readonly kind: 'heat'; readonly x: string; readonly y: string; readonly value: string }

/** A query that is ready to be used. */
export interface ReadyQuestion {
  readonly title: string
  /** One sentence about the rows. */
  readonly about: string
  readonly parameters: Readonly<Record<string, QuestionParameter>>
  /** One SELECT; a parameter is written with a colon before its name. */
  readonly sql: string
  /** A description of each column, in their order. */
  readonly columns: Readonly<Record<string, string>>
  readonly chart: QuestionChart
}

/** The parameter with which most questions are narrowed to one agent. */
export const agentParameter = {
  agent: { kind: 'agent', about: 'only about this agent', default: null },
} as const satisfies ReadyQuestion['parameters']

/** The tables and the questions of a game. */
export interface GameTables<S, I, T extends TableForms = TableForms> {
  readonly tables: T
  readonly views?: Readonly<Record<string, ViewForm>>
  readonly questions: Readonly<Record<string, ReadyQuestion>>
  /** Called with the state before the first input of each match. */
  rows(state: S, writer: RowWriter<T>): MatchRows<I>
}
