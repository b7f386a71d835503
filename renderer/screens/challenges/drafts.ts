/** Where drafts are kept: the page's session. They outlive its screens, its reload, and a program that went away. */
const prefix = 'tartaglia-challenge-draft:'

/** In its place where the session has no room for a text; then a reload would lose it, and nothing else does. */
const inMemory = new Map<string, string>()

/** The text of a challenge that somebody has changed and not saved; `key`: its name, or `new`. null: there is none. */
export function draftOf(key: string): string | null {
  const remembered = inMemory.get(key)
  if (remembered !== undefined) return remembered
  try {
    return sessionStorage.getItem(prefix + key)
  } catch {
    return null
  }
}

/** Keeps a text; null: there is nothing to keep any more. */
export function keepDraft(key: string, text: string | null): void {
  inMemory.delete(key)
  try {
    if (text === null) sessionStorage.removeItem(prefix + key)
    else sessionStorage.setItem(prefix + key, text)
  } catch {
    if (text !== null) inMemory.set(key, text)
  }
}
