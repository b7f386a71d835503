import type { DatabaseSync } from 'node:sqlite'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { TableForms } from '../../contract/game/event-tables.ts'
import type { EntrantId, GameId, MatchNumber, Sha256 } from '../../contract/ids.ts'
import { games } from '../../referees/games.ts'
import { damageOf } from './damage.ts'
import { answerIn, openedForQueries, type QueryAnswer, type QueryOrder } from './query.ts'
import { columnsOf, formsOf, indexStatements, quoted, schemaOf, tableStatements } from './schema.ts'

/** A ready question about two versions of an agent. */
export interface CompareOrder extends Pick<QueryOrder, 'sql' | 'parameters' | 'rowsMax' | 'cellMax'> {
  readonly game: GameId
  /** The events databases of the contests of which matches count. An agent is named as in the first of them in which it is. */
  readonly files: readonly string[]
  /** The SHA-256 of each version. The parameter `agent` gets the name of the first one in both answers. */
  readonly versions: readonly [first: Sha256, second: Sha256]
}

/** The answer about one version, and the matches and contests that were asked about. */
interface VersionAnswer extends QueryAnswer {
  readonly matches: number
  readonly contests: number
}

export interface ComparedVersions {
  /** The names of the opponents that both have met, by which matches were chosen. */
  readonly opponents: readonly EntrantId[]
  readonly first: VersionAnswer
  readonly second: VersionAnswer
}

/** A match of a version. */
interface FoundMatch {
  /** The index of its contest's file. */
  readonly file: number
  readonly match: MatchNumber
  readonly opponents: ReadonlySet<Sha256>
}

/** Matches of different contests get different numbers. */
const OFFSET = 1_000_000_000n

/**
 * Asks one question about two versions, each time over all of its matches against the same opponents: those in which nobody else plays than
 * versions that both have met in such matches. The matches of all contests are put together in memory, and everybody has one name
 * in them. Throws ExpectedError 'usage' like `answerQuery`, and if the matches take too much memory.
 */
export function compareVersions(order: CompareOrder): ComparedVersions {
  const [first, second] = order.versions
  try {
    const found = { first: matchesOf(order.files, first), second: matchesOf(order.files, second) }
    const opponents = sharedOpponents(found.first, found.second, order.versions)
    const names = namesIn(order.files, order.versions)
    const fits = (match: FoundMatch): boolean => isAmong(match, opponents)
    return {
      opponents: [...opponents].map((version) => names.get(version) ?? version).sort(),
      first: answerAbout(order, found.first.filter(fits), names),
      second: answerAbout(order, found.second.filter(fits), names),
    }
  } catch (error) {
    throw damageOf(error) ?? tooMuchOf(error) ?? error
  }
}

/** The error of SQLite for a lack of memory. */
const NO_MEMORY = 7

function tooMuchOf(error: unknown): ExpectedError | null {
  const isTooMuch = error instanceof Error && 'errcode' in error && error.errcode === NO_MEMORY
  const message =
    'The matches of these versions take more memory than a comparison may: ask about each of them in one contest.'
  return isTooMuch ? new ExpectedError('usage', 'query-limit', message) : null
}

function matchesOf(files: readonly string[], version: Sha256): readonly FoundMatch[] {
  return files.flatMap((path, file) =>
    reading(path, (source) => {
      const seats = source
        .prepare('SELECT match, agent FROM seats WHERE match IN (SELECT match FROM seats WHERE agent = ?)')
        .all(version) as unknown as readonly (readonly [bigint, Sha256])[]
      return [...Map.groupBy(seats, ([match]) => match)].map(([match, all]) => ({
        ...{ file, match: Number(match) },
        opponents: new Set(all.map(([, agent]) => agent).filter((agent) => agent !== version)),
      }))
    }),
  )
}

/** True if it has opponents, and all of them are among these. */
function isAmong({ opponents }: FoundMatch, others: ReadonlySet<Sha256>): boolean {
  return opponents.size > 0 && [...opponents].every((each) => others.has(each))
}

/** A match that does not count may have been the only one with an opponent: it is looked for until nothing changes. */
function sharedOpponents(
  first: readonly FoundMatch[],
  second: readonly FoundMatch[],
  versions: readonly Sha256[],
): ReadonlySet<Sha256> {
  const met = (matches: readonly FoundMatch[], among: ReadonlySet<Sha256> | null): ReadonlySet<Sha256> =>
    new Set(matches.filter((each) => among === null || isAmong(each, among)).flatMap(({ opponents }) => [...opponents]))
  let shared = new Set([...met([...first, ...second], null)].filter((each) => !versions.includes(each)))
  for (;;) {
    const [one, two] = [met(first, shared), met(second, shared)]
    const left = new Set([...one].filter((each) => two.has(each)))
    if (left.size === shared.size) return shared
    shared = left
  }
}

/** A name for each version; both that are compared have the same, so that their rows are about the same agent. */
function namesIn(files: readonly string[], [first, second]: CompareOrder['versions']): ReadonlyMap<Sha256, EntrantId> {
  const names = new Map<Sha256, EntrantId>()
  for (const [entrant, agent] of files.flatMap(entrantsIn)) if (!names.has(agent)) names.set(agent, entrant)
  const own = names.get(first) ?? names.get(second) ?? ''
  const others = [...names].filter(([version]) => version !== first && version !== second)
  const isTaken = (name: EntrantId): boolean => name === own || others.filter(([, each]) => each === name).length > 1
  return new Map([
    ...others.map(([version, name]) => [version, isTaken(name) ? `${name} (${version.slice(0, 8)})` : name] as const),
    ...([first, second] as const).map((version) => [version, own] as const),
  ])
}

const entrantsIn = (path: string): readonly (readonly [entrant: EntrantId, agent: Sha256])[] =>
  reading(path, (source) => source.prepare('SELECT DISTINCT entrant, agent FROM seats').all() as never)

/** The answer over chosen matches of one version. */
function answerAbout(
  { game, files, versions, sql, parameters, rowsMax, cellMax }: CompareOrder,
  matches: readonly FoundMatch[],
  names: ReadonlyMap<Sha256, EntrantId>,
): VersionAnswer {
  const tables = games.get(game)?.tables ?? null
  const into = openedForQueries(':memory:', false)
  try {
    into.exec('BEGIN')
    for (const statement of tableStatements(tables)) into.exec(statement)
    const byFile = Map.groupBy(matches, ({ file }) => file)
    for (const [file, chosen] of byFile) {
      const path = files[file]!
      const renamed = new Map(entrantsIn(path).map(([entrant, agent]) => [entrant, names.get(agent) ?? entrant]))
      reading(path, (source) => {
        copyMatches({ source, into, forms: formsOf(tables), renamed, offset: BigInt(file) * OFFSET }, chosen)
      })
    }
    for (const statement of indexStatements(tables)) into.exec(statement)
    into.exec('COMMIT')
    const about = { ...parameters, agent: names.get(versions[0]) ?? '' }
    const wanted = { tables: schemaOf(game).map(({ name }) => name), offset: 0, rowsMax, cellMax }
    return {
      ...answerIn(into, { ...wanted, sql, parameters: about }),
      ...{ matches: matches.length, contests: byFile.size },
    }
  } finally {
    into.close()
  }
}

/** Matches are copied from the database of their contest. */
interface Copying {
  readonly source: DatabaseSync
  readonly into: DatabaseSync
  readonly forms: TableForms
  /** The names of entrants here, by their names in that contest. */
  readonly renamed: ReadonlyMap<EntrantId, EntrantId>
  /** Added to the numbers of the matches. */
  readonly offset: bigint
}

function copyMatches({ source, into, forms, renamed, offset }: Copying, matches: readonly FoundMatch[]): void {
  const chosen = JSON.stringify(matches.map(({ match }) => match))
  for (const [table, form] of Object.entries(forms)) {
    if (form.rows === 'contest') continue
    const columns = columnsOf(form)
    const isName = columns.map(({ name }) => form.columns[name]?.kind === 'seat')
    const insert = into.prepare(`INSERT INTO ${quoted(table)} VALUES (${columns.map(() => '?').join(', ')})`)
    const rows = source.prepare(
      `SELECT * FROM ${quoted(table)} WHERE match IN (SELECT value FROM json_each(?))`,
    ) as unknown as { iterate(among: string): Iterable<readonly (string | bigint | number | null)[]> }
    for (const [match, ...cells] of rows.iterate(chosen))
      insert.run(
        BigInt(match!) + offset,
        ...cells.map((cell, at) =>
          isName[at + 1] === true && typeof cell === 'string' ? (renamed.get(cell) ?? cell) : cell,
        ),
      )
  }
}

/** Reads a database of a contest. */
function reading<T>(path: string, read: (source: DatabaseSync) => T): T {
  const source = openedForQueries(path, true)
  try {
    return read(source)
  } finally {
    source.close()
  }
}
