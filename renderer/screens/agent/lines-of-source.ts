/** A part of a text; `line`: the line of the source that it names, from 1. */
export interface TextPart {
  readonly text: string
  readonly line: number | null
}

/** "line 3", and "agent.js:3" or "agent.js:3:12" in a stack; not "main.ts, line 3", which is a line of another file. */
const mention = /(?<!\.\w{1,6}, )\bline (\d{1,6})\b|\bagent\.js:(\d{1,6})(?::\d+)?/g

/** A text in parts, those apart that name one of the first `lines` lines of a source. */
export function linesOfSource(text: string, lines: number): readonly TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const found of text.matchAll(mention)) {
    const line = Number(found[1] ?? found[2])
    if (line < 1 || line > lines) continue
    if (found.index > from) parts.push({ text: text.slice(from, found.index), line: null })
    parts.push({ text: found[0], line })
    from = found.index + found[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from), line: null })
  return parts
}
