import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Tokens and sessions. Kept in memory only: a restart signs everybody out. */
export interface Sessions {
  /** Creates a token for one sign-in within the next `tokenMinutes`. */
  issue(): string
  /** Exchanges a token for the secret of a new session; null: unknown, already used or expired. */
  exchange(token: string): string | null
  /** True if the secret belongs to a session. */
  knows(secret: string): boolean
}

/** The maximum number of unused tokens; beyond it, the oldest is discarded. */
const unusedMost = 16

/** The time for which a token can be used, in minutes. */
export const tokenMinutes = 30

/** A token that has not been used. */
interface Token {
  readonly digest: Buffer
  /** The time of the clock, in ms, after which it is refused. */
  readonly until: number
}

/** `now`: a clock in ms that never goes back. */
export function createSessions(now: () => number = () => performance.now()): Sessions {
  const tokens: Token[] = []
  const sessions: Buffer[] = []
  return {
    issue() {
      const token = secret()
      tokens.push({ digest: digest(token), until: now() + tokenMinutes * 60_000 })
      if (tokens.length > unusedMost) tokens.shift()
      return token
    },
    exchange(token) {
      const at = indexOf(
        tokens.map((each) => each.digest),
        token,
      )
      if (at === -1) return null
      const [used] = tokens.splice(at, 1)
      if (used === undefined || now() > used.until) return null
      const session = secret()
      sessions.push(digest(session))
      return session
    },
    knows: (session) => indexOf(sessions, session) !== -1,
  }
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}

/** A hash of fixed length, so that the time of a comparison reveals nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function indexOf(digests: readonly Buffer[], text: string): number {
  const wanted = digest(text)
  return digests.findIndex((known) => timingSafeEqual(known, wanted))
}
