import type { Sha256 } from '../../../main/contract/ids.ts'

/** A text that somebody has changed and not saved. */
export interface Draft {
  readonly text: string
  /** The version that it was made from; '': there was none. */
  readonly from: Sha256
}

/** Where drafts are kept: the page's session. They outlive its screens, its reload, and a program that went away. */
const prefix = 'tartaglia-challenge-draft:'

/** In its place where the session has no room for a text; then a reload would lose it, and nothing else does. */
const inMemory = new Map<string, Draft>()

/** The draft of a challenge; `key`: its name, or `new`. null: there is none. */
export function challengeDraftOf(key: string): Draft | null {
  const remembered = inMemory.get(key)
  if (remembered !== undefined) return remembered
  try {
    const kept = sessionStorage.getItem(prefix + key)
    // Nobody else writes there.
    return kept === null ? null : (JSON.parse(kept) as Draft)
  } catch {
    return null
  }
}

/** Keeps a draft; null: there is nothing to keep any more. */
export function keepDraft(key: string, draft: Draft | null): void {
  inMemory.delete(key)
  try {
    if (draft === null) sessionStorage.removeItem(prefix + key)
    else sessionStorage.setItem(prefix + key, JSON.stringify(draft))
  } catch {
    if (draft !== null) inMemory.set(key, draft)
  }
}
