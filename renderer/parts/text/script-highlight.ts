import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import { parser } from '@lezer/javascript'

/** A part of a line with its own colour. */
export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'comment' | 'plain'
  readonly text: string
}

/** The parts of a text from one offset up to another; together they are that stretch. */
export type Highlight = (from: number, to: number) => readonly Token[]

/** ms of parsing after which the screen has its turn. */
const SLICE_MS = 8

/** TypeScript's grammar reads JavaScript too. */
const script = parser.configure({ dialect: 'ts' })

const kinds = tagHighlighter([
  { tag: [tags.keyword, tags.bool], class: 'word' },
  { tag: [tags.string, tags.regexp], class: 'text' },
  { tag: tags.number, class: 'number' },
  { tag: tags.comment, class: 'comment' },
])

/** Reads a script of any content without blocking the screen. null: it is not `wanted` any more. */
export async function highlightScript(text: string, wanted: () => boolean): Promise<Highlight | null> {
  const parse = script.startParse(text)
  let tree = parse.advance()
  for (let since = performance.now(); tree === null; tree = parse.advance()) {
    if (performance.now() - since < SLICE_MS) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (!wanted()) return null
    since = performance.now()
  }
  const whole = tree
  return (from, to) => {
    const tokens: Token[] = []
    let at = from
    const take = (end: number, kind: Token['kind']): void => {
      if (end > at) tokens.push({ kind, text: text.slice(at, end) })
      at = Math.max(at, end)
    }
    highlightTree(
      whole,
      kinds,
      (start, end, kind) => {
        // Tokens that begin or end outside are cut to this stretch.
        take(Math.max(from, Math.min(start, to)), 'plain')
        take(Math.min(end, to), kind as Token['kind'])
      },
      from,
      to,
    )
    take(to, 'plain')
    return tokens
  }
}
