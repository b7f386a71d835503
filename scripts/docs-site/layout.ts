import { escaped, type Heading, type PageParts } from './markdown.ts'

/** A line of the navigation. */
export interface NavLine {
  readonly label: string
  /** Its address from the page that shows it. */
  readonly href: string
  readonly isCurrent: boolean
}

/** A page and its place among the others. Addresses begin at the page itself. */
export interface Placed {
  readonly parts: Pick<PageParts, 'title' | 'top' | 'rest' | 'headings'>
  /** The way from the page up to the folder of the site: `` or `../`. */
  readonly up: string
  readonly nav: readonly { readonly title: string; readonly lines: readonly NavLine[] }[]
  readonly before: NavLine | null
  readonly after: NavLine | null
}

/** A table of contents with more sections is closed at first. */
const SECTIONS_OPEN = 12

/** From disk, `'self'` is not the same in all browsers; over a network no page can load from disk. */
const policy = [
  "default-src 'none'",
  ...['script', 'style', 'img', 'font'].map((kind) => `${kind}-src 'self' file:`),
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The whole page, which needs no script to be read; only the search does. */
export function layout({ parts, up, nav, before, after }: Placed): string {
  const { title, top, rest, headings } = parts
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${policy}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="referrer" content="no-referrer" />
<title>${escaped(title)} · Tartaglia</title>
<link rel="icon" type="image/svg+xml" href="${up}icon.svg" />
<link rel="stylesheet" href="${up}site.css" />
<script src="${up}site.js" defer></script>
</head>
<body data-up="${up}">
<a class="skip" href="#site-content">Skip to the text</a>
<header>
<a class="home" href="${up}index.html">Tartaglia<span class="quiet"> documentation</span></a>
<button type="button" class="all-pages" popovertarget="site-pages">All pages</button>
<div class="search" role="search" hidden>
<label class="unseen" for="site-search">Search the documentation</label>
<input id="site-search" type="search" placeholder="Search (press /)" autocapitalize="none" spellcheck="false" aria-keyshortcuts="/" />
</div>
</header>
<div class="columns">
<nav id="site-pages" popover aria-label="All pages">
${nav.map((part, at) => navPart(part.title, part.lines, `site-part-${at}`)).join('')}</nav>
<main id="site-content" tabindex="-1">
<p id="site-found" class="quiet small" role="status"></p>
<ol id="site-results" class="bare-list" aria-label="Found sections" hidden></ol>
<article>
${top}${contentsOf(headings)}${rest}</article>
${neighbours(before, after)}</main>
</div>
</body>
</html>
`
}

function navPart(title: string, lines: readonly NavLine[], id: string): string {
  const items = lines.map(
    ({ label, href, isCurrent }) =>
      `<li><a href="${escaped(href)}"${isCurrent ? ' aria-current="page"' : ''}>${escaped(label)}</a></li>\n`,
  )
  return `<p id="${id}">${escaped(title)}</p>\n<ul class="bare-list" aria-labelledby="${id}">\n${items.join('')}</ul>\n`
}

/** The sections of the page; empty if there are few. */
function contentsOf(headings: readonly Heading[]): string {
  const sections = headings.filter(({ level }) => level === 2)
  if (sections.length < 3) return ''
  const items = sections.map(({ id, text }) => `<li><a href="#${escaped(id)}">${escaped(text)}</a></li>\n`)
  return `<nav class="sections" aria-label="On this page"><details${sections.length > SECTIONS_OPEN ? '' : ' open'}>
<summary>On this page</summary>
<ul class="bare-list small">
${items.join('')}</ul>
</details></nav>
`
}

function neighbours(before: NavLine | null, after: NavLine | null): string {
  const link = (line: NavLine | null, rel: string, word: string): string =>
    line === null
      ? ''
      : `<a rel="${rel}" href="${escaped(line.href)}"><span class="quiet small">${word}</span> ${escaped(line.label)}</a>\n`
  return `<nav class="neighbours" aria-label="Neighbouring pages">
${link(before, 'prev', 'Previous')}${link(after, 'next', 'Next')}</nav>
`
}
