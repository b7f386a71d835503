import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Tokens and sessions. Kept in memory only: a restart signs everybody out. */
export interface Sessions {
  /** Creates a token for one sign-in. */
  issue(): string
  /** Exchanges a token for the secret of a new session; null: unknown or already used. */
  exchange(token: string): string | null
  /** True if the secret belongs to a session. */
  knows(secret: string): boolean
}

/** The maximum number of unused tokens; beyond it, the oldest is discarded. */
const unusedMost = 16

export function createSessions(): Sessions {
  const tokens: Buffer[] = []
  const sessions: Buffer[] = []
  return {
    issue() {
      const token = secret()
      tokens.push(digest(token))
      if (tokens.length > unusedMost) tokens.shift()
      return token
    },
    exchange(token) {
      const at = indexOf(tokens, token)
      if (at === -1) return null
      tokens.splice(at, 1)
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
