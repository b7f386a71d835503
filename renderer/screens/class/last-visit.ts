import { ofClass } from '../../class-storage.ts'

/** Visits that are this close together are one, in ms, so that a reload does not lose the news. */
const PAUSE = 30 * 60 * 1_000

/** The visits of a person as this browser keeps them. */
export interface KeptVisit {
  /** The end of the visit before this one, by the server's clock, ISO 8601; null: this is the first. */
  readonly since: string | null
  /** The newest moment of this visit, by the server's clock. */
  readonly seen: string
  /** The same by the clock of this browser, in ms: it tells visits apart. */
  readonly here: number
}

/** Since when news are new for somebody who comes at a time by this browser's clock; null: they were never here. */
export function newsFrom(kept: KeptVisit | null, here: number): string | null {
  if (kept === null) return null
  return here - kept.here > PAUSE ? kept.seen : kept.since
}

const keyOf = (person: string): string => ofClass(`tartaglia.visit.${person}`)

/** The visit that the browser has kept; null: none, or it has no storage. */
export function keptVisit(person: string): KeptVisit | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(person)) ?? 'null')
    return isVisit(kept) ? kept : null
  } catch {
    // Then the news of the last week are shown.
    return null
  }
}

function isVisit(kept: unknown): kept is KeptVisit {
  if (typeof kept !== 'object' || kept === null || !('since' in kept && 'seen' in kept && 'here' in kept)) return false
  const isTime = (value: unknown): boolean => typeof value === 'string' && !Number.isNaN(Date.parse(value))
  return (kept.since === null || isTime(kept.since)) && isTime(kept.seen) && typeof kept.here === 'number'
}

/** Keeps a visit, if the browser has storage. */
export function keepVisit(person: string, visit: KeptVisit): void {
  try {
    localStorage.setItem(keyOf(person), JSON.stringify(visit))
  } catch {
    // Without storage, the news of the last week are shown again.
  }
}
