import type { ContestId } from '../../../../main/contract/ids.ts'
import type { Json } from '../../../../main/contract/json.ts'

/** The opening of the commitment to a secret solution. */
export interface Opening {
  readonly solution: Json
  /** 256 bits in 64 lower-case hex digits. */
  readonly nonce: string
}

/** The openings of a person's commitments in a match. They survive a reload of the page only. */
export interface Vault {
  keep(openings: ReadonlyMap<number, Opening>): void
  opening(challenge: number): Opening | undefined
}

const prefix = 'tartaglia.secret.'

/** `storage`: null if the browser has none; then the openings are lost with the page. */
export function createVault(contest: ContestId, storage: Pick<Storage, 'getItem' | 'setItem'> | null): Vault {
  const memory = new Map<number, Opening>()
  const key = (challenge: number): string => `${prefix}${contest}.${challenge}`
  return {
    keep(openings) {
      for (const [challenge, opening] of openings) {
        memory.set(challenge, opening)
        try {
          storage?.setItem(key(challenge), JSON.stringify(opening))
        } catch {
          // If the storage is full, the openings are kept in memory only.
        }
      }
    },
    opening(challenge) {
      const known = memory.get(challenge)
      if (known !== undefined) return known
      const kept = storage?.getItem(key(challenge)) ?? null
      // Only this module uses this prefix.
      return kept === null ? undefined : (JSON.parse(kept) as Opening)
    },
  }
}
