import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Cell, EventPlace, RowWriter, TableForm, TableForms } from '../../contract/game/event-tables.ts'
import type { ErasedGame, RowFold } from '../../contract/game/game.ts'
import type { HeaderBody, OutcomeBody } from '../../contract/histories/history.ts'
import type { SeatId, Sha256 } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import { pointsOf, shownScore } from '../contests/formats/counting.ts'
import { commonTables } from './common-tables.ts'
import type { DatabaseContents } from './build-database.ts'
import { columnsOf, formHash, formsOf, indexStatements, quoted, tableStatements } from './schema.ts'
import type { EventBody, RunFacts, RunReader } from './read-runs.ts'

/** A table that is being filled. */
interface OpenTable {
  readonly form: TableForm
  readonly columns: readonly (readonly [name: string, isSeat: boolean])[]
  readonly insert: StatementSync
}

/** An events database that is being filled. */
interface Filling {
  readonly database: DatabaseSync
  readonly game: ErasedGame
  readonly tables: ReadonlyMap<string, OpenTable>
  /** The match that began last; null: none was added. */
  newest: { readonly header: HeaderBody; readonly facts: RunFacts } | null
}

/** The tables of events and of matches. */
export const eventContents: DatabaseContents = {
  form: formHash,
  create(database, game) {
    for (const statement of tableStatements(game.tables)) database.exec(statement)
  },
  open(database, game) {
    const filling = openFilling(database, game)
    return {
      begin: (header, facts) => fillMatch(filling, header, facts),
      finish: () => noteContest(filling),
    }
  },
  index(database, game) {
    for (const statement of indexStatements(game.tables)) database.exec(statement)
  },
}

/** Prepares to add rows to the tables of a database. */
function openFilling(database: DatabaseSync, game: ErasedGame): Filling {
  const tables = Object.entries(formsOf(game.tables)).map(([name, form]): [string, OpenTable] => {
    const marks = columnsOf(form).map(() => '?')
    const insert = database.prepare(`INSERT INTO ${quoted(name)} VALUES (${marks.join(', ')})`)
    const columns = Object.entries(form.columns).map(([column, { kind }]) => [column, kind === 'seat'] as const)
    return [name, { form, columns, insert }]
  })
  return { database, game, tables: new Map(tables), newest: null }
}

/** A match whose rows are being added. */
interface OpenMatch {
  readonly filling: Filling
  readonly header: HeaderBody
  readonly facts: RunFacts
  readonly names: readonly string[]
  /** Null: no rows of the game are added. */
  fold: RowFold | null
  broken: string | null
  /** The place of the last input or fault. */
  place: EventPlace
  at: number
  inputs: number
  /** Rows in the tables of the game. */
  rows: number
  readonly faults: number[]
  readonly prints: number[]
}

/** Adds a match while it is read. */
function fillMatch(filling: Filling, header: HeaderBody, facts: RunFacts): RunReader {
  filling.newest = { header, facts }
  const open: OpenMatch = {
    ...{ filling, header, facts, names: header.seats.map(({ name }) => name), fold: null, broken: null },
    ...{ place: { line: 0, move: 0, part: null }, at: 0, inputs: 0, rows: 0 },
    ...{ faults: header.seats.map(() => 0), prints: header.seats.map(() => 0) },
  }
  openFold(open)
  return {
    event: (body, move) => addEvent(open, body, move),
    end: (body, head) => addEnd(open, body, head),
  }
}

/** Starts to apply the rules, or notes why they cannot be applied. */
function openFold(open: OpenMatch): void {
  const { header, facts } = open
  const { game } = open.filling
  if (header.game !== game.id || header.version !== game.version) {
    open.broken = `it needs version ${header.version} of the rules of ${header.game}, and this is version ${game.version} of those of ${game.id}`
    return
  }
  const { config, seed } = facts
  if (config === null) {
    open.broken = 'its settings are not in its segment'
    return
  }
  const seats = header.seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
  const writer: RowWriter<TableForms> = {
    here: (part) => (part === undefined ? open.place : { ...open.place, part }),
    add: (table, row, place = open.place) => addRow(open, table, row, place),
  }
  trying(open, () => {
    open.fold = game.foldRows(config, seats, seed, writer)
    return null
  })
}

/** If the rules refuse something or fail, the match has no rows in the tables of the game. */
function trying(open: OpenMatch, work: () => string | null): void {
  let problem: string | null
  try {
    problem = work()
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error)
  }
  if (problem === null) return
  open.broken = problem
  open.fold = null
  open.rows = 0
  const { database, game } = open.filling
  for (const table of Object.keys(game.tables?.tables ?? {}))
    database.prepare(`DELETE FROM ${quoted(table)} WHERE match = ?`).run(open.header.match)
}

const commonNames: ReadonlySet<string> = new Set(Object.keys(commonTables))

function addRow(open: OpenMatch, table: string, row: Readonly<Record<string, Cell>>, place: EventPlace): void {
  const found = open.filling.tables.get(table)
  if (found === undefined) throw new Error(`there is no table ${table}`)
  const values: (string | number | null)[] = [open.header.match]
  if (found.form.rows === 'event') values.push(place.line, place.move, place.part)
  for (const [column, isSeat] of found.columns) {
    const cell = row[column] ?? null
    if (isSeat) values.push(typeof cell === 'number' ? (open.names[cell] ?? null) : null)
    values.push(typeof cell === 'boolean' ? Number(cell) : cell)
  }
  found.insert.run(...values)
  if (!commonNames.has(table)) open.rows += 1
}

function addEvent(open: OpenMatch, body: EventBody, move: number): void {
  if (body.k === 'console') {
    count(open.prints, body.post.seat)
    return
  }
  open.place = { line: body.n, move, part: null }
  const waited = body.at - open.at
  open.at = body.at
  const common = { at: body.at, waited, kind: body.k }
  if (body.k === 'fault') {
    addRow(open, 'events', { ...common, entrant: body.post.seat, hidden: true }, open.place)
    addFault(open, body)
    return
  }
  const { input, audience } = body
  addRow(open, 'events', { ...common, entrant: seatOf(input), hidden: audience !== 'public' }, open.place)
  open.inputs += 1
  const { fold } = open
  if (fold !== null) trying(open, () => fold.apply(input))
}

/** The seat of an input, in the games whose inputs are of one. */
function seatOf(input: Json): SeatId | null {
  const seat = typeof input === 'object' && input !== null && 'seat' in input ? input.seat : null
  return typeof seat === 'number' ? seat : null
}

function addFault(open: OpenMatch, { at, post, fault }: Extract<EventBody, { readonly k: 'fault' }>): void {
  count(open.faults, post.seat)
  const agent = open.header.seats[post.seat]?.agent ?? null
  const { kind, text, tookMs = null } = fault
  addRow(open, 'faults', { at, entrant: post.seat, body: post.body, agent, kind, took: tookMs, text }, open.place)
}

function count(counts: number[], seat: SeatId): void {
  if (counts[seat] !== undefined) counts[seat] += 1
}

function addEnd(open: OpenMatch, body: OutcomeBody, head: Sha256): void {
  const { fold, filling, header, facts } = open
  if (fold !== null) trying(open, () => (fold.end() ? null : 'its inputs do not end it'))
  const { game } = filling
  const [faults, prints] = [sum(open.faults), sum(open.prints)]
  addRow(
    open,
    'matches',
    {
      attempt: header.attempt,
      subject: facts.config === null ? null : game.settings.subject(facts.config),
      config: header.config,
      seats: header.seats.length,
      events: open.inputs + faults + prints,
      ...{ inputs: open.inputs, faults, prints, ms: body.at, isolation: header.isolation, seed: body.seed, head },
      ...{ run: body.r, rows: open.rows, broken: open.broken },
    },
    open.place,
  )
  addSeats(open, body)
}

function addSeats(open: OpenMatch, { outcome, removals = [] }: OutcomeBody): void {
  const { header, filling } = open
  const { contests } = filling.game
  const points = pointsOf(outcome, contests)
  for (const [at, { seat, rank, score, removed, reason = null }] of outcome.places.entries()) {
    const record = header.seats[seat]
    addRow(
      open,
      'seats',
      {
        ...{ entrant: seat, role: record?.role ?? '', agent: record?.agent ?? null, rank },
        ...{ score: shownScore(score, contests), removed, reason },
        ...{ faults: open.faults[seat] ?? 0, prints: open.prints[seat] ?? 0 },
      },
      open.place,
    )
    addRow(open, 'points', { entrant: seat, points: points[at] ?? 0 }, open.place)
  }
  for (const { seat, round, rule, action, text } of removals)
    addRow(open, 'removals', { entrant: seat, round, rule, action, text }, open.place)
}

const sum = (counts: readonly number[]): number => counts.reduce((total, each) => total + each, 0)

/** The row of the contest, from the description that the newest match has. */
function noteContest({ database, newest }: Filling): void {
  if (newest === null) return
  const { header, facts } = newest
  const { description } = facts
  const title =
    typeof description === 'object' && description !== null && 'title' in description ? description.title : null
  const text = JSON.stringify(description)
  database.exec('DELETE FROM contests')
  database
    .prepare('INSERT INTO contests VALUES (?, ?, ?, ?, ?)')
    .run(header.contest, typeof title === 'string' ? title : null, header.game, header.version, text)
}
