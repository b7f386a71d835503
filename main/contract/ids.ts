import * as z from 'zod'
import { whyNoName, whyNoNewName, whyNoRecordedName } from './names.ts'

/** Lower-case hex SHA-256, 64 characters. One spelling only, so that a flipped byte is never read as the same value. */
export const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hex digits')
export type Sha256 = z.infer<typeof sha256Hex>

/** A game's folder name under main/referees. */
export const gameId = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'expected a short lower-case name')
export type GameId = z.infer<typeof gameId>

/** Unique within one data folder: a slug and a number, such as `sample-3`. */
export const contestId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,79}$/, 'expected lower-case letters, digits and hyphens')
export type ContestId = z.infer<typeof contestId>

/** A match's place in its contest's schedule, from 0. */
export const matchNumber = z.int().min(0)
export type MatchNumber = z.infer<typeof matchNumber>

/** A seat's place at its table, from 0. */
export const seatId = z.int().min(0).max(999)
export type SeatId = z.infer<typeof seatId>

/**
 * A pseudonym of an entrant, an agent or a team in histories and class.json. Names of people never enter a history. It
 * is not normalized; new names are parsed with `entrantName`.
 */
export const entrantId = z.string().check(nameCheck(whyNoRecordedName))
export type EntrantId = z.infer<typeof entrantId>

/** The check of a name that is stored or signed as it is: nothing is normalized. */
export const plainName = nameCheck(whyNoName)

/** A name as a person enters it, normalized: `jose\u0301` becomes `jos\u00e9`. */
export const entrantName = z.string().normalize('NFC').check(nameCheck(whyNoName))

/** A name in a contest file whose contest may exist already: normalized, and otherwise like `entrantId`. */
export const olderName = z.string().normalize('NFC').check(nameCheck(whyNoRecordedName))

/** The name of something that is made with it; one that exists already may mix scripts, which earlier versions allowed. */
export const newName = z.string().normalize('NFC').check(nameCheck(whyNoNewName))

function nameCheck(why: (text: string) => string | null): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    const message = why(value)
    if (message !== null) issues.push({ code: 'custom', message, input: value })
  }
}
