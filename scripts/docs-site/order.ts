import { marked, type Token, type Tokens } from 'marked'
import { plainText } from './markdown.ts'

/** A line of the navigation. */
export interface Entry {
  readonly label: string
  /** The link as the page of contents has it: `sharing.md#components`. */
  readonly href: string
}

/** A part of the navigation: the pages for a group of readers. */
export interface Part {
  readonly title: string
  readonly entries: readonly Entry[]
}

/** The parts that a page of contents lists: each section with a table whose rows link pages. */
export function partsOf(contents: string): readonly Part[] {
  const parts: { title: string; entries: Entry[] }[] = []
  for (const token of marked.lexer(contents)) {
    if (token.type === 'heading') parts.push({ title: plainText(token), entries: [] })
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table
      parts.at(-1)?.entries.push(...rows.flatMap((cells) => entriesOf(cells, header)))
    }
  }
  return parts.filter(({ entries }) => entries.length > 0)
}

/** A row begins with a link, or with the name of what its links are about, whose kinds the head of the table tells. */
function entriesOf(cells: readonly Tokens.TableCell[], header: readonly Tokens.TableCell[]): readonly Entry[] {
  const textOf = (cell: Tokens.TableCell | undefined): string => (cell?.tokens ?? []).map(plainText).join('')
  const isAbout = cells[0]?.tokens.some(isLink) !== true
  return cells.flatMap(({ tokens }, at) =>
    tokens.filter(isLink).map((link) => ({
      label: isAbout ? `${textOf(cells[0])}: ${textOf(header[at])}` : plainText(link),
      href: link.href,
    })),
  )
}

const isLink = (token: Token): token is Tokens.Link => token.type === 'link'

/**
 * All pages in the order in which they are read: those of the contents, each followed by the pages that it links and that no earlier one
 * has brought. `linksOf` gives the pages that a page links.
 */
export function inOrder(listed: readonly string[], linksOf: (page: string) => readonly string[]): readonly string[] {
  const inContents = new Set(listed)
  const order = new Set<string>()
  const add = (page: string): void => {
    if (order.has(page)) return
    order.add(page)
    for (const linked of linksOf(page)) if (!inContents.has(linked)) add(linked)
  }
  for (const page of listed) add(page)
  return [...order]
}
