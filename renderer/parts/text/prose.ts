/** A block of a text for students. Inline code is written between backquotes. */
export type ProseBlock =
  | { readonly kind: 'paragraph'; readonly spans: readonly ProseSpan[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly ProseSpan[])[] }
  | { readonly kind: 'code'; readonly text: string }
export interface ProseSpan {
  readonly kind: 'text' | 'code' | 'strong'
  readonly text: string
}

/** The subset of Markdown that challenges use: paragraphs, lists, code, `**strong**`. Anything else stays unchanged. */
export function prose(text: string): readonly ProseBlock[] {
  const blocks: ProseBlock[] = []
  let lines: string[] = []
  let code: string[] | null = null

  function end(): void {
    if (lines.length > 0) blocks.push(blockOf(lines))
    lines = []
  }
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) {
      end()
      if (code !== null) blocks.push({ kind: 'code', text: code.join('\n') })
      code = code === null ? [] : null
    } else if (code !== null) code.push(line)
    else if (line.trim() === '') end()
    else lines.push(line.trim())
  }
  end()
  if (code !== null) blocks.push({ kind: 'code', text: code.join('\n') })
  return blocks
}

function blockOf(lines: readonly string[]): ProseBlock {
  if (!/^[-*] /.test(lines[0]!)) return { kind: 'paragraph', spans: spans(lines.join(' ')) }
  const items: string[] = []
  for (const line of lines) {
    if (/^[-*] /.test(line)) items.push(line.slice(2))
    else items[items.length - 1] += ` ${line}`
  }
  return { kind: 'list', items: items.map(spans) }
}

function spans(text: string): readonly ProseSpan[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (/^`.+`$/.test(part)) return { kind: 'code', text: part.slice(1, -1) }
      if (/^\*\*.+\*\*$/.test(part)) return { kind: 'strong', text: part.slice(2, -2) }
      return { kind: 'text', text: part }
    })
}
