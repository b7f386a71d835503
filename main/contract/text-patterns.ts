/** A text without its numbers, in which alone two of a kind differ. */
export const patternOf = (text: string): string => text.replace(/\d+(?:[.,]\d+)*/g, '…')

/** Texts of one kind: the only one, or their pattern. */
export interface TextGroup {
  readonly text: string
  readonly times: number
}

/** Texts grouped by their patterns, in the order in which each kind comes first. */
export function groupedTexts(texts: Iterable<string>): readonly TextGroup[] {
  const groups = new Map<string, { text: string; times: number }>()
  for (const text of texts) addText(groups, text, 1)
  return [...groups.values()]
}

/** Adds a text to groups by pattern. */
export function addText(groups: Map<string, { text: string; times: number }>, text: string, times: number): void {
  const pattern = patternOf(text)
  const known = groups.get(pattern)
  if (known === undefined) groups.set(pattern, { text, times })
  else {
    known.times += times
    if (known.text !== text) known.text = pattern
  }
}
