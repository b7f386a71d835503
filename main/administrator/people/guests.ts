import { randomBytes } from 'node:crypto'
import { ExpectedError } from '../../contract/expected-error.ts'
import { announceEnd, type Accounts } from './accounts.ts'
import { hashOfSecret } from './sessions.ts'

// Guests read what is public, without an account, by a link that the educator makes: one at a time, with an end.

/** The id under which the end of the guests' link is announced with those of sessions. Ids of sessions are random. */
export const GUESTS = 'guests'

/** The maximum life of a link, in ms. */
const LIFE_MAX = 180 * 24 * 60 * 60 * 1_000

/** The end of the link by which guests come now; null: there is none. */
export function guestsUntil({ people, now }: Accounts): Date | null {
  const row = people.database.prepare('SELECT until FROM guest_link WHERE until > ?').get(now())
  return row === undefined ? null : new Date(Number(row['until']))
}

/**
 * Makes a link in place of the one that there is; returns its secret, of which the hash alone is kept. Throws ExpectedError 'usage' if
 * its end is over or far away.
 */
export function admitGuests(accounts: Accounts, until: Date): string {
  const { people, now } = accounts
  const life = until.getTime() - now()
  if (!(life > 0 && life <= LIFE_MAX))
    throw new ExpectedError('usage', 'input-invalid', 'A link for guests ends at a time within the next 180 days.')
  const secret = randomBytes(32).toString('base64url')
  endGuests(accounts)
  people.database
    .prepare('INSERT INTO guest_link (hash, until) VALUES (?, ?)')
    .run(hashOfSecret(secret), until.getTime())
  return secret
}

/** Ends the link; the connections of guests are cut. No effect if there is none. */
export function endGuests(accounts: Accounts): void {
  accounts.people.database.exec('DELETE FROM guest_link')
  announceEnd(accounts, [GUESTS])
}

/** True for the secret of the link by which guests come now. */
export function isGuestSecret({ people, now }: Accounts, secret: string): boolean {
  const found = people.database
    .prepare('SELECT 1 FROM guest_link WHERE hash = ? AND until > ?')
    .get(hashOfSecret(secret), now())
  return found !== undefined
}
