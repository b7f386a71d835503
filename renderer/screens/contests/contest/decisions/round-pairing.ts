import type { NextRound } from '../../../../../main/contract/contests/decisions.ts'
import type { EntrantId } from '../../../../../main/contract/ids.ts'

/** The pairing of a round while it is edited. Everybody is at one table or has a bye; a seat may be empty. */
export interface RoundDraft {
  readonly tables: readonly (readonly (EntrantId | null)[])[]
  readonly byes: readonly EntrantId[]
}

/** The pairing that holds, or if there is none yet, neighbours in the standings. */
export function draftOfRound({ pairing, entrants, seats }: NextRound): RoundDraft {
  if (pairing !== null)
    return withEverybody(
      pairing,
      entrants.map(({ name }) => name),
    )
  const names = entrants.map(({ name }) => name)
  const tables = Array.from({ length: Math.floor(names.length / seats) }, (_, at) =>
    names.slice(at * seats, (at + 1) * seats),
  )
  return { tables, byes: names.slice(tables.length * seats) }
}

/** Gives a bye to everybody without a seat. */
function withEverybody({ tables, byes }: RoundDraft, names: readonly EntrantId[]): RoundDraft {
  const seated = new Set(tables.flat())
  return { tables, byes: [...byes, ...names.filter((name) => !seated.has(name) && !byes.includes(name))] }
}

/** Gives a seat to an entrant. The one who sat there gets the place from which the other comes. */
export function seat(draft: RoundDraft, table: number, place: number, name: EntrantId): RoundDraft {
  const before = draft.tables[table]?.[place] ?? null
  if (before === name) return draft
  const tables = draft.tables.map((row, at) =>
    row.map((each, seatAt) => (at === table && seatAt === place ? name : each === name ? before : each)),
  )
  const byes = draft.byes.flatMap((each) => (each !== name ? each : before === null ? [] : before))
  return { tables, byes }
}

/** Takes a table away; those who sat at it get a bye. */
export function withoutTable({ tables, byes }: RoundDraft, table: number): RoundDraft {
  const gone = (tables[table] ?? []).filter((name) => name !== null)
  return { tables: tables.filter((_, at) => at !== table), byes: [...byes, ...gone] }
}

/** Adds a table with the first of those who have a bye. */
export function withTable({ tables, byes }: RoundDraft, seats: number): RoundDraft {
  return { tables: [...tables, byes.slice(0, seats)], byes: byes.slice(seats) }
}

/** True if two at a table have met. */
export const isRematch = ({ met }: Pick<NextRound, 'met'>, table: readonly (EntrantId | null)[]): boolean =>
  table.some((name) => name !== null && table.some((other) => other !== null && met[name]?.includes(other) === true))

/** The pairing to send. */
export function pairingOf({ tables, byes }: RoundDraft): { tables: EntrantId[][]; byes: EntrantId[] } {
  return { tables: tables.map((table) => table.filter((name) => name !== null)), byes: [...byes] }
}
