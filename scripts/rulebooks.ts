import { marked, type Token, type Tokens } from 'marked'
import type { Block, Item, Rulebook, Span } from '../renderer/rules/rulebook.ts'

/**
 * A Vite plugin: a rulebook (`*-rules.md`) is imported as its blocks, so that the window needs neither a Markdown parser
 * nor HTML made of a text.
 */
export function rulebooks(): {
  name: string
  transform(text: string, file: string): { code: string; map: null } | null
} {
  return {
    name: 'rulebooks',
    transform: (text, file) =>
      file.endsWith('-rules.md') ? { code: `export default ${JSON.stringify(rulebookOf(text))}`, map: null } : null,
  }
}

/**
 * A rulebook's blocks. Headings and items of numbered lists get ids: `rule-5` for `## Rule 5. …`, and for item 5 of a
 * rulebook whose rules are list items. Throws on Markdown that a rulebook does not need, such as HTML.
 */
export function rulebookOf(text: string): Rulebook {
  const tokens = marked.lexer(text)
  const titled = tokens.some((token) => token.type === 'heading' && ruleTitle.test(String(token.text)))
  let section = 'rule'
  return tokens.flatMap((token) => {
    const blocks = blocksOf(token, section)
    const [block] = blocks
    if (titled && block?.kind === 'heading') section = block.id
    return blocks
  })
}

const ruleTitle = /^(Rule \d+)\b/

/** `section`: the beginning of the ids of numbered items. */
function blocksOf(token: Token, section: string): readonly Block[] {
  const known = token as Tokens.Generic & Token
  switch (known.type) {
    case 'space':
      return []
    case 'heading': {
      const { depth, text, tokens } = known as Tokens.Heading
      return [{ kind: 'heading', level: depth, id: slug(ruleTitle.exec(text)?.[1] ?? text), spans: spansOf(tokens) }]
    }
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', spans: spansOf((known as Tokens.Paragraph).tokens) }]
    case 'code':
      return [{ kind: 'code', text: (known as Tokens.Code).text }]
    case 'list':
      return [listOf(known as Tokens.List, section)]
    case 'table': {
      const { header, rows } = known as Tokens.Table
      const row = (cells: readonly Tokens.TableCell[]) => cells.map(({ tokens }) => spansOf(tokens))
      return [{ kind: 'table', head: row(header), rows: rows.map(row) }]
    }
    default:
      throw unknown(token)
  }
}

function listOf({ ordered, start, items }: Tokens.List, section: string): Block {
  const first = ordered ? Number(start) : null
  const item = ({ tokens }: Tokens.ListItem, at: number): Item => ({
    id: first === null ? null : `${section}-${first + at}`,
    blocks: tokens.flatMap((token) => blocksOf(token, section)),
  })
  return { kind: 'list', start: first, items: items.map(item) }
}

function spansOf(tokens: readonly Token[] = []): readonly Span[] {
  return tokens.flatMap((token): readonly Span[] => {
    switch (token.type) {
      case 'text':
      case 'escape':
        return [{ kind: 'text', text: plain(token) }]
      case 'codespan':
        return [{ kind: 'code', text: plain(token) }]
      case 'strong':
      case 'em':
        return [{ kind: token.type, text: plain(token) }]
      case 'br':
        return [{ kind: 'text', text: ' ' }]
      case 'link': {
        const { href, tokens: named } = token as Tokens.Link
        // Other pages of the documentation are not in the window.
        return href.startsWith('#') ? [{ kind: 'link', text: plain(token), to: href.slice(1) }] : spansOf(named)
      }
      default:
        throw unknown(token)
    }
  })
}

function plain(token: Token): string {
  const parts = 'tokens' in token ? (token.tokens ?? []) : []
  if (parts.length > 0) return parts.map(plain).join('')
  return 'text' in token ? String(token.text) : ''
}

function unknown({ type, raw }: Token): Error {
  return new Error(`A rulebook has no ${type}: ${raw}`)
}

/** As anchors of the documentation are made: `Rule 5` is `rule-5`. */
function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .trim()
    .replaceAll(/ +/g, '-')
}
