import { marked, type Token, type Tokens } from 'marked'

/** A page of the documentation as HTML in pieces. Every text in them is escaped; addresses come from the `Surroundings`. */
export interface PageParts {
  /** The text of its heading of level 1. */
  readonly title: string
  /** The HTML of that heading. */
  readonly top: string
  /** The HTML of all below it. */
  readonly rest: string
  readonly headings: readonly Heading[]
  /** Its text for the search: that above the first section, whose `at` is empty, then that of each section. */
  readonly sections: readonly SearchedSection[]
}

export interface Heading {
  /** 1 to 6. */
  readonly level: number
  /** The anchor that GitHub gives it. */
  readonly id: string
  readonly text: string
}

export interface SearchedSection {
  readonly at: string
  readonly title: string
  readonly text: string
}

/** A part of code, and its kind as a class of the style: `keyword`; null: plain. */
export interface CodePiece {
  readonly text: string
  readonly kind: string | null
}

/** The answers that a page needs about others. Each may throw an Error, whose sentence names what is wrong. */
export interface Surroundings {
  /** The address of a link; null: its words are enough. */
  linkTo(href: string): string | null
  /** A picture, with its size in pixels. */
  pictureOf(href: string): { readonly address: string; readonly width: number; readonly height: number }
  /** The pieces of code in a language; null: it is shown plain. */
  highlight(code: string, language: string): readonly CodePiece[] | null
}

/** The headings of a page, with the anchors that GitHub gives them. */
export function headingsOf(text: string): readonly Heading[] {
  const taken = new Set<string>()
  return tokensOf(text).flatMap((token) =>
    token.type === 'heading' ? [headingOf(token as Tokens.Heading, taken)] : [],
  )
}

/** A page made of its Markdown. Throws an Error on HTML other than comments, and on Markdown that no page needs. */
export function pageParts(text: string, around: Surroundings): PageParts {
  const taken = new Set<string>()
  const headings: Heading[] = []
  const sections: { at: string; title: string; texts: string[] }[] = []
  const html = { top: '', rest: '' }
  for (const token of tokensOf(text)) {
    const isFirst = headings.length === 0
    if (token.type === 'heading') {
      const heading = headingOf(token as Tokens.Heading, taken)
      if (isFirst !== (heading.level === 1)) throw new Error('A page has one heading of level 1, at its beginning.')
      if (!isFirst && heading.level > headings.at(-1)!.level + 1)
        throw new Error(`The heading "${heading.text}" skips a level.`)
      headings.push(heading)
      sections.push({ at: isFirst ? '' : heading.id, title: heading.text, texts: [] })
      html[isFirst ? 'top' : 'rest'] += headingHtml(heading, token as Tokens.Heading, around)
      continue
    }
    sections.at(-1)?.texts.push(plainText(token))
    html.rest += blockHtml(token, around, false)
  }
  const [title] = headings
  if (title === undefined) throw new Error('A page has one heading of level 1, at its beginning.')
  return {
    title: title.text,
    ...html,
    headings,
    sections: sections.map(({ texts, ...rest }) => ({ ...rest, text: oneLine(texts.join(' ')) })),
  }
}

/** A text between tags or in an attribute. */
export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** The text of a piece of Markdown without its marks. */
export function plainText(token: Token): string {
  const known = token as Tokens.Generic
  switch (token.type) {
    case 'html':
      return ''
    case 'br':
      return ' '
    case 'list':
      return (token as Tokens.List).items.map(plainText).join(' ')
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows]
        .flat()
        .map(({ tokens }) => tokens.map(plainText).join(''))
        .join(' ')
    }
    case 'list_item':
      return (known.tokens ?? []).map(plainText).join(' ')
    default:
      if (known.tokens !== undefined && known.tokens.length > 0) return known.tokens.map(plainText).join('')
      return typeof known['text'] === 'string' ? known['text'] : ''
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The blocks of a page. Passages that kits leave out stand between comments, also within a paragraph. */
function tokensOf(text: string): readonly Token[] {
  return marked.lexer(text.replaceAll(/<!-- \/?project -->/g, '')).filter(({ type }) => type !== 'space')
}

function headingOf({ depth, tokens }: Tokens.Heading, taken: Set<string>): Heading {
  const text = oneLine(tokens.map(plainText).join(''))
  const anchor = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
  let id = anchor
  for (let n = 1; taken.has(id); n += 1) id = `${anchor}-${n}`
  taken.add(id)
  return { level: depth, id, text }
}

function headingHtml({ level, id }: Heading, { tokens }: Tokens.Heading, around: Surroundings): string {
  // For the mouse: with the keyboard, the table of contents leads to the same place.
  const anchor = `<a class="anchor" href="#${escaped(id)}" aria-hidden="true" tabindex="-1">#</a>`
  return `<h${level} id="${escaped(id)}">${inlineHtml(tokens, around)}${level > 1 ? ` ${anchor}` : ''}</h${level}>\n`
}

/** `isLoose`: in a list whose items are paragraphs. */
function blockHtml(token: Token, around: Surroundings, isLoose: boolean): string {
  switch (token.type) {
    case 'space':
      return ''
    case 'html':
      return comment(token)
    case 'paragraph':
      return `<p>${inlineHtml((token as Tokens.Paragraph).tokens, around)}</p>\n`
    case 'text': {
      const { tokens } = token as Tokens.Text
      const inner = tokens === undefined ? escaped(plainText(token)) : inlineHtml(tokens, around)
      return isLoose ? `<p>${inner}</p>\n` : inner
    }
    case 'code':
      return codeHtml(token as Tokens.Code, around)
    case 'list':
      return listHtml(token as Tokens.List, around)
    case 'table':
      return tableHtml(token as Tokens.Table, around)
    default:
      throw unknown(token)
  }
}

function codeHtml({ text, lang = '' }: Tokens.Code, { highlight }: Surroundings): string {
  const pieces = highlight(text, lang) ?? [{ text, kind: null }]
  const inner = pieces.map(({ text: part, kind }) =>
    kind === null ? escaped(part) : `<span class="code-${escaped(kind)}">${escaped(part)}</span>`,
  )
  return `<pre data-scrolls="Code"><code>${inner.join('')}</code></pre>\n`
}

function listHtml({ ordered, start, items, loose }: Tokens.List, around: Surroundings): string {
  const inner = items.map(
    ({ tokens }) => `<li>${tokens.map((token) => blockHtml(token, around, loose)).join('')}</li>\n`,
  )
  const name = ordered ? 'ol' : 'ul'
  const first = ordered && start !== '' && start !== 1 ? ` start="${start}"` : ''
  return `<${name}${first}>\n${inner.join('')}</${name}>\n`
}

function tableHtml({ header, rows, align }: Tokens.Table, around: Surroundings): string {
  const row = (cells: readonly Tokens.TableCell[], open: string, name: string): string =>
    cells
      .map(({ tokens }, at) => {
        const end = align[at] === 'right' ? ' class="to-end"' : ''
        return `<${open}${end}>${inlineHtml(tokens, around)}</${name}>`
      })
      .join('')
  const head = `<thead><tr>${row(header, 'th scope="col"', 'th')}</tr></thead>`
  const body = rows.map((cells) => `<tr>${row(cells, 'td', 'td')}</tr>\n`).join('')
  return `<div class="table" data-scrolls="Table"><table>${head}\n<tbody>\n${body}</tbody></table></div>\n`
}

function inlineHtml(tokens: readonly Token[], around: Surroundings): string {
  return tokens.map((token) => spanHtml(token, around)).join('')
}

function spanHtml(token: Token, around: Surroundings): string {
  const inner = (): string => inlineHtml((token as Tokens.Generic).tokens ?? [], around)
  switch (token.type) {
    case 'text':
    case 'escape':
      return escaped(plainText(token))
    case 'codespan':
      return `<code>${escaped((token as Tokens.Codespan).text)}</code>`
    case 'strong':
    case 'em':
      return `<${token.type}>${inner()}</${token.type}>`
    case 'br':
      return '<br />'
    case 'html':
      return comment(token)
    case 'link': {
      const to = around.linkTo((token as Tokens.Link).href)
      const foreign = to !== null && /^https?:/.test(to) ? ' rel="noopener noreferrer"' : ''
      return to === null ? inner() : `<a href="${escaped(to)}"${foreign}>${inner()}</a>`
    }
    case 'image': {
      const { href, text } = token as Tokens.Image
      const { address, width, height } = around.pictureOf(href)
      return `<img src="${escaped(address)}" alt="${escaped(text)}" width="${width}" height="${height}" loading="lazy" />`
    }
    default:
      throw unknown(token)
  }
}

/** Comments are for people who write pages. */
function comment(token: Token): string {
  if (!/^(?:<!--(?:(?!-->)[^])*-->\s*)+$/.test(token.raw)) throw unknown(token)
  return ''
}

function unknown({ type, raw }: Token): Error {
  return new Error(`A page has no ${type === 'html' ? 'HTML' : type}, as in: ${oneLine(raw).slice(0, 80)}`)
}
