/** Deeper than any input of ours; schemas recurse, so that something bottomless must not reach them. */
const deepest = 64

/** What was found on the way through an input that a stranger has sent. */
export type Weight =
  { readonly ok: true; readonly characters: number } | { readonly ok: false; readonly message: string }

/**
 * Counts the characters of an input (texts and names; anything else counts 1) without recursion, and stops at `most`.
 * Circles, which a structured clone may hold, end at the deepest level.
 */
export function inputSize(input: unknown, most: number): Weight {
  let characters = 0
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: input, depth: 0 }]
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, depth } = item
    characters += typeof value === 'string' ? value.length + 1 : 1
    if (typeof value === 'object' && value !== null) {
      if (depth === deepest) return { ok: false, message: `more than ${deepest} lists and objects in each other` }
      // Holes, which JSON has not but a structured clone, cost schemas as much as what is there.
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
