// The own queries of a person stay in their browser: they are nobody else's business, and lost without harm.
import { ofClass } from '../../class-storage.ts'

/** Queries that are kept, newest first. */
const KEPT = 30
/** Maximum characters of a query that is kept. */
const LONGEST = 20_000

const keyOf = (person: string): string => ofClass(`tartaglia.queries.${person}`)

/** None if the browser has no storage. */
export function keptQueries(person: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(person)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string').slice(0, KEPT) : []
  } catch {
    return []
  }
}

/** Keeps a query as the newest one, and returns all. */
export function keepQuery(person: string, sql: string): readonly string[] {
  const before = keptQueries(person)
  if (sql.trim() === '' || sql.length > LONGEST) return before
  return stored(person, [sql, ...before.filter((each) => each !== sql)].slice(0, KEPT))
}

export function forgetQueries(person: string): readonly string[] {
  return stored(person, [])
}

function stored(person: string, queries: readonly string[]): readonly string[] {
  try {
    localStorage.setItem(keyOf(person), JSON.stringify(queries))
  } catch {
    // They are then kept until the screen is left.
  }
  return queries
}
