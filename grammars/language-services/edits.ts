/** A change of a text: the part from offset `from` to `to` becomes `text`. `file`: an included file; absent: the text itself. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly file?: string
}

/** The text after edits, which are in its order and do not overlap. */
export function edited(text: string, edits: readonly Omit<Edit, 'file'>[]): string {
  let made = ''
  let at = 0
  for (const { from, to, text: put } of edits) {
    made += text.slice(at, from) + put
    at = to
  }
  return made + text.slice(at)
}

/** The edits between two texts that differ in white space only, so that a cursor stays where it is. */
export function spaceEdits(before: string, after: string): readonly Edit[] {
  const edits: Edit[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [from, start] = [i, j]
    while (isSpace(before, i)) i++
    while (isSpace(after, j)) j++
    const text = after.slice(start, j)
    if (before.slice(from, i) !== text) edits.push({ from, to: i, text })
    while (i < before.length && j < after.length && !isSpace(before, i) && !isSpace(after, j)) {
      i++
      j++
    }
  }
  return edits
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || (code >= 9 && code <= 13)
}
