import { hash } from 'node:crypto'
import type { ColumnKind, TableForm, TableForms } from '../../contract/game/event-tables.ts'
import type { ErasedGame } from '../../contract/game/game.ts'
import type { GameId } from '../../contract/ids.ts'
import { games } from '../../referees/games.ts'
import { commonTables } from './common-tables.ts'

/** The version of the common tables and of what fills them; a database of another one is built again. */
const RECORD_VERSION = 1

/** A column as SQL has it. */
export interface SqlColumn {
  readonly name: string
  /** Null: that of what a view computes. */
  readonly type: 'INTEGER' | 'REAL' | 'TEXT' | null
  readonly about: string
}

/** A table of the database, or a view. */
export interface SqlTable {
  readonly name: string
  readonly about: string
  readonly isView: boolean
  readonly columns: readonly SqlColumn[]
}

const types: Readonly<Record<Exclude<ColumnKind, 'seat'>, 'INTEGER' | 'REAL' | 'TEXT'>> = {
  whole: 'INTEGER',
  'yes-no': 'INTEGER',
  number: 'REAL',
  text: 'TEXT',
  json: 'TEXT',
}

const place: readonly SqlColumn[] = [
  { name: 'line', type: 'INTEGER', about: "the number of the event's line in the history of the match" },
  { name: 'move', type: 'INTEGER', about: 'the number of events up to this one, as in the address of the event' },
  { name: 'part', type: 'INTEGER', about: 'the line of the event in the list of events, from 1; null: it has one' },
]

/** The tables of the game, or null for a game without. */
type OfGame = ErasedGame['tables']

/** The columns of a table in their order; a seat is two of them. */
export function columnsOf(form: TableForm): readonly SqlColumn[] {
  const match: SqlColumn = { name: 'match', type: 'INTEGER', about: 'the number of the match' }
  const own = Object.entries(form.columns).flatMap(([name, { kind, about }]): readonly SqlColumn[] =>
    kind === 'seat'
      ? [
          { name, type: 'TEXT', about },
          { name: `${name}_seat`, type: 'INTEGER', about: `the seat of ${name}, from 0` },
        ]
      : [{ name, type: types[kind], about }],
  )
  return [...(form.rows === 'contest' ? [] : [match]), ...(form.rows === 'event' ? place : []), ...own]
}

/** The tables that are filled: the common ones, then the game's. */
export function formsOf(game: OfGame): TableForms {
  return { ...commonTables, ...game?.tables }
}

function tablesOf(game: OfGame): readonly SqlTable[] {
  return [
    ...Object.entries(formsOf(game)).map(([name, form]) => ({
      ...{ name, about: form.about, isView: false },
      columns: columnsOf(form),
    })),
    ...Object.entries(game?.views ?? {}).map(([name, { about, columns }]) => ({
      ...{ name, about, isView: true },
      columns: Object.entries(columns).map(([column, meaning]) => ({
        name: column,
        type: null,
        about: meaning,
      })),
    })),
  ]
}

/** The tables and views of contests of a game. */
export const schemaOf = (game: GameId): readonly SqlTable[] => tablesOf(games.get(game)?.tables ?? null)

/** The statements that create the tables. Indices and views are created when the tables are filled: that is faster. */
export function tableStatements(game: OfGame): readonly string[] {
  return Object.entries(formsOf(game)).map(([name, form]) => {
    const columns = columnsOf(form).map((column) => `${quoted(column.name)} ${column.type ?? ''}`)
    return `CREATE TABLE ${quoted(name)} (${columns.join(', ')}) STRICT`
  })
}

export function indexStatements(game: OfGame): readonly string[] {
  const indices = Object.entries(formsOf(game)).flatMap(([name, { indices = [] }]) =>
    indices.map((columns) => {
      const index = quoted(`${name} by ${columns.join(' ')}`)
      return `CREATE INDEX ${index} ON ${quoted(name)} (${columns.map(quoted).join(', ')})`
    }),
  )
  const views = Object.entries(game?.views ?? {}).map(([name, { sql }]) => `CREATE VIEW ${quoted(name)} AS ${sql}`)
  return [...indices, ...views]
}

/** Changes with everything that the contents of an events database depend on, besides the histories. */
export function formHash(game: ErasedGame): string {
  const statements = [...tableStatements(game.tables), ...indexStatements(game.tables)]
  return hash('sha256', JSON.stringify([RECORD_VERSION, game.id, game.version, statements]))
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
