import type { Json } from '../contract/json.ts'

/** Nesting beyond this would let an agent choose who runs out of stack. */
const deepest = 512

/**
 * Reads the JSON text of an answer. Histories hold what canonical JSON (RFC 8785) can: well-formed strings, finite numbers,
 * no negative zero. Says in words why a text is refused.
 */
export function readAnswer(
  text: string,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string } {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return { ok: false, problem: 'text that is not JSON' }
  }
  const problem = whyUnreadable(value)
  return problem === null ? { ok: true, value } : { ok: false, problem }
}

/** Names, in words, a part of a parsed value that no history could hold; null: there is none. */
export function whyUnreadable(value: Json, depth = deepest): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : 'text with half a surrogate pair in it'
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'a number that is too large'
    return Object.is(value, -0) ? 'the number -0; write 0' : null
  }
  if (value === null || typeof value !== 'object') return null
  if (depth === 0) return `a value nested more than ${deepest} levels deep`
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) {
      const problem = whyUnreadable(item, depth - 1)
      if (problem !== null) return problem
    }
    return null
  }
  for (const [key, item] of Object.entries(value)) {
    if (!key.isWellFormed()) return 'a name with half a surrogate pair in it'
    const problem = whyUnreadable(item, depth - 1)
    if (problem !== null) return problem
  }
  return null
}

/** Describes an answer of more bytes than a message may have; null: it has no more. */
export function whyTooLong(value: Json, messageBytes: number): string | null {
  if (Buffer.byteLength(JSON.stringify(value)) <= messageBytes) return null
  return `more than the ${messageBytes} bytes that a message may have`
}
