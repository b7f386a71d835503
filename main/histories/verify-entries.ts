import * as z from 'zod'
import { isNameOfEntry, signedEntry, type EntryStatement, type SignedEntry } from '../contract/contests/entries.ts'
import type { HeaderBody } from '../contract/histories/history.ts'
import type { EntrantId, SeatId } from '../contract/ids.ts'
import type { Json } from '../contract/json.ts'
import { isSignedEntry } from './keys.ts'
import { mismatch, type Mismatch } from './mismatch.ts'

/** A seat whose agent is the entry of a school, by the school's signed statement. */
export interface SeatEntry {
  readonly seat: SeatId
  /** The entrant's name in the contest. */
  readonly name: EntrantId
  /** Its signature was checked with the key that it names; whose key that is, is for the reader to know. */
  readonly statement: EntryStatement
}

const statedEntrants = z.object({
  entrants: z.array(z.object({ name: z.string(), entry: z.unknown().optional() })),
})

/**
 * The statements of schools in a published description about the seats of a match, each held against the header: the
 * signature, the package that played, the pseudonym and the game. Returns the first fault otherwise. `notes`: sentences
 * about statements of an unknown form, which prove nothing.
 */
export function verifyEntries(
  description: Json,
  header: HeaderBody,
): { readonly entries: readonly SeatEntry[]; readonly notes: readonly string[] } | Mismatch {
  const published = statedEntrants.safeParse(description).data?.entrants ?? []
  const stated = new Map(published.flatMap(({ name, entry }) => (entry === undefined ? [] : [[name, entry]])))
  const entries: SeatEntry[] = []
  const notes: string[] = []
  for (const { id: seat, name, agent } of header.seats) {
    const entry = stated.get(name)
    if (entry === undefined) continue
    const read = signedEntry.safeParse(entry)
    if (!read.success) {
      notes.push(`The statement of a school about "${name}" has a form that is not known here; it proves nothing.`)
      continue
    }
    const fault = entryFault(read.data, { name, agent, game: header.game })
    if (fault !== null) return fault
    entries.push({ seat, name, statement: read.data.statement })
  }
  return { entries, notes: [...new Set(notes)] }
}

/** Why a school's statement is not about what played at a seat; null: it is. */
function entryFault(
  entry: SignedEntry,
  seat: { readonly name: EntrantId; readonly agent: string; readonly game: string },
): Mismatch | null {
  const { statement } = entry
  const { school, name } = statement
  const who = `"${seat.name}" is said to be an entry of ${school}`
  if (!isSignedEntry(entry)) return { message: `${who}, whose signature does not hold` }
  if (statement.package !== seat.agent)
    return mismatch(
      `${who}, and another package than the one that ${school} signed played`,
      statement.package,
      seat.agent,
    )
  if (!isNameOfEntry(seat.name, statement))
    return mismatch(`${who}, which signed this package under another pseudonym, "${name}"`, name, seat.name)
  if (statement.game !== seat.game) return mismatch(`${who} for another game`, statement.game, seat.game)
  return null
}
