import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who may come in. Kept in memory only: a restart signs everybody out. */
export interface Sessions {
  /** A new token for one entrance. */
  issue(): string
  /** Takes a token for a new session's secret; null: unknown, or used before. */
  exchange(token: string): string | null
  /** Whether the secret belongs to a session. */
  knows(secret: string): boolean
}

/** Tokens that nobody has used yet; when there are more, the oldest is forgotten. */
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

/** Of equal length whatever was sent, so that a comparison tells nothing by the time that it takes. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function indexOf(digests: readonly Buffer[], text: string): number {
  const wanted = digest(text)
  return digests.findIndex((known) => timingSafeEqual(known, wanted))
}
