import type { Sha256 } from '../../../main/contract/ids.ts'
import { ofClass } from '../../class-storage.ts'

/** A changed text that is not saved. */
export interface Draft {
  readonly text: string
  /** The version that it is based on; '' if there was none. */
  readonly from: Sha256
}

/** Drafts are kept in the session storage: they survive changes of screen, reloads and a lost connection. */
const storageKey = (key: string): string => ofClass(`tartaglia-challenge-draft:${key}`)

/** Used if the session storage is full; such a draft is lost by a reload only. */
const inMemory = new Map<string, Draft>()

/** The draft of a challenge, or null. `key`: its name, or `new`. */
export function challengeDraftOf(key: string): Draft | null {
  const remembered = inMemory.get(key)
  if (remembered !== undefined) return remembered
  try {
    const kept = sessionStorage.getItem(storageKey(key))
    // Only this module writes there.
    return kept === null ? null : (JSON.parse(kept) as Draft)
  } catch {
    return null
  }
}

/** Stores a draft; null deletes it. */
export function keepDraft(key: string, draft: Draft | null): void {
  inMemory.delete(key)
  try {
    if (draft === null) sessionStorage.removeItem(storageKey(key))
    else sessionStorage.setItem(storageKey(key), JSON.stringify(draft))
  } catch {
    if (draft !== null) inMemory.set(key, draft)
  }
}
