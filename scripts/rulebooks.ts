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
  // Other pages of the documentation are not beside a match.
  return blocksOfPage(text, (href) => (href.startsWith('#') ? href.slice(1) : null))
}

/**
 * The blocks of a page, with ids as in a rulebook. `linkTo`: where a link leads, as a span has it; null: it becomes its
 * words. Comments are left out; throws on other HTML and on pictures.
 */
export function blocksOfPage(text: string, linkTo: LinkTo): Rulebook {
  // Passages that kits leave out stand between comments, also within a paragraph.
  const plain = text.replaceAll(/<!-- \/?project -->/g, '')
  const tokens = marked.lexer(plain).filter((token) => !(token.type === 'html' && isComment(token.raw)))
  const titled = tokens.some((token) => token.type === 'heading' && ruleTitle.test(String(token.text)))
  let section = 'rule'
  return tokens.flatMap((token) => {
    const blocks = blocksOf(token, section, linkTo)
    const [block] = blocks
    if (titled && block?.kind === 'heading') section = block.id
    return blocks
  })
}

type LinkTo = (href: string) => string | null

const isComment = (raw: string): boolean => /^<!--(?:(?!-->)[^])*-->\s*$/.test(raw)

const ruleTitle = /^(Rule \d+)\b/

/** `section`: the beginning of the ids of numbered items. */
function blocksOf(token: Token, section: string, linkTo: LinkTo): readonly Block[] {
  const spans = (tokens: readonly Token[] | undefined): readonly Span[] => spansOf(tokens, linkTo)
  const known = token as Tokens.Generic & Token
  switch (known.type) {
    case 'space':
      return []
    case 'heading': {
      const { depth, text, tokens } = known as Tokens.Heading
      return [{ kind: 'heading', level: depth, id: slug(ruleTitle.exec(text)?.[1] ?? text), spans: spans(tokens) }]
    }
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', spans: spans((known as Tokens.Paragraph).tokens) }]
    case 'code':
      return [{ kind: 'code', text: (known as Tokens.Code).text }]
    case 'list':
      return [listOf(known as Tokens.List, section, linkTo)]
    case 'table': {
      const { header, rows } = known as Tokens.Table
      const row = (cells: readonly Tokens.TableCell[]) => cells.map(({ tokens }) => spans(tokens))
      return [{ kind: 'table', head: row(header), rows: rows.map(row) }]
    }
    default:
      throw unknown(token)
  }
}

function listOf({ ordered, start, items }: Tokens.List, section: string, linkTo: LinkTo): Block {
  const first = ordered ? Number(start) : null
  const item = ({ tokens }: Tokens.ListItem, at: number): Item => ({
    id: first === null ? null : `${section}-${first + at}`,
    blocks: tokens.flatMap((token) => blocksOf(token, section, linkTo)),
  })
  return { kind: 'list', start: first, items: items.map(item) }
}

function spansOf(tokens: readonly Token[] = [], linkTo: LinkTo): readonly Span[] {
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
        const to = linkTo(href)
        return to === null ? spansOf(named, linkTo) : [{ kind: 'link', text: plain(token), to }]
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
export function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .trim()
    .replaceAll(/ +/g, '-')
}
