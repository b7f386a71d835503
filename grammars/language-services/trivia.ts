/** Spaces, line breaks and comments at a place. */
const trivia = /(?:\s+|\/\/[^\n\r]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/y
const name = /[A-Za-z$_][A-Za-z0-9_$]*/y

/** The offset of the next token at or behind an offset. */
function behindTrivia(text: string, offset: number): number {
  trivia.lastIndex = offset
  return offset + (trivia.exec(text)?.[0].length ?? 0)
}

/** The name that comes next at or behind an offset; null: something else does. */
export function nameBehind(
  text: string,
  offset: number,
): { readonly name: string; readonly from: number; readonly to: number } | null {
  const from = behindTrivia(text, offset)
  name.lastIndex = from
  const found = name.exec(text)?.[0]
  return found === undefined ? null : { name: found, from, to: from + found.length }
}
