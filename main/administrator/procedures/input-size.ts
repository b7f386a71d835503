/** The maximum nesting, deeper than any valid input; schemas recurse, so deeper input must not reach them. */
const deepest = 64

/** The result of measuring an untrusted input. */
export type InputSize =
  { readonly ok: true; readonly characters: number } | { readonly ok: false; readonly message: string }

/**
 * Counts the characters of an input (strings and keys; anything else counts 1) without recursion, and stops at `most`.
 * Cycles, which a structured clone may contain, end at the maximum depth.
 */
export function inputSize(input: unknown, most: number): InputSize {
  let characters = 0
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: input, depth: 0 }]
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, depth } = item
    characters += typeof value === 'string' ? value.length + 1 : 1
    if (typeof value === 'object' && value !== null) {
      if (depth === deepest)
        return { ok: false, message: `lists and objects are nested more than ${deepest} levels deep` }
      // Holes, which a structured clone may contain, cost schemas as much as elements.
      if (Array.isArray(value) && value.length > most) return { ok: false, message: `more than ${most} characters` }
      for (const name of Object.keys(value)) {
        if (!Array.isArray(value)) characters += name.length
        open.push({ value: Reflect.get(value, name), depth: depth + 1 })
        if (characters + open.length > most) break
      }
    }
    if (characters + open.length > most) return { ok: false, message: `more than ${most} characters` }
  }
  return { ok: true, characters }
}
