import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { layout, type NavLine } from './layout.ts'
import { headingsOf, pageParts, type CodePiece, type PageParts } from './markdown.ts'
import { inOrder, partsOf, type Part } from './order.ts'

export interface SiteOptions {
  /** The folder of the project, which has `docs/`. */
  readonly root: string
  highlight(code: string, language: string): readonly CodePiece[] | null
}

/** A page of the site. Paths have forward slashes. */
interface SitePage {
  /** Its Markdown by the path from the project's folder: `docs/security/window.md`. */
  readonly source: string
  /** Its file in the site: `security/window.html`. */
  readonly file: string
  readonly text: string
  readonly anchors: ReadonlySet<string>
}

interface Site extends SiteOptions {
  readonly pages: ReadonlyMap<string, SitePage>
  /** Pages that are linked by each. */
  readonly linked: Map<string, string[]>
  /** Files that pages show or link, by their paths from the project's folder. */
  readonly used: Set<string>
}

const CONTENTS = 'docs/README.md'

/**
 * The files of the site by path, without its style and its script: a page of each page in docs/ and of those elsewhere that
 * docs/README.md lists, the pictures and files that they use, and the texts to search in. Throws an Error that names the page if a
 * link, an anchor or a picture leads nowhere, if no page links a page, or if a page holds HTML.
 */
export function docsSite(options: SiteOptions): ReadonlyMap<string, string | Buffer> {
  const parts = partsOf(readFileSync(join(options.root, CONTENTS), 'utf8'))
  const site: Site = { ...options, pages: pagesOf(options.root, parts), linked: new Map(), used: new Set() }
  const made = new Map([...site.pages.values()].map((page) => [page.source, { page, parts: partsOfPage(site, page) }]))
  const listed = parts.flatMap(({ entries }) => entries.map(({ href }) => placeOf(CONTENTS, href).path))
  const order = inOrder([CONTENTS, ...listed], (source) => site.linked.get(source) ?? [])
  const lost = [...site.pages.keys()].find((source) => !order.includes(source))
  if (lost !== undefined) throw new Error(`${lost}: no page links it.`)

  const files = new Map<string, string | Buffer>()
  for (const [at, source] of order.entries()) {
    const { page, parts: own } = made.get(source)!
    const neighbour = (other: string | undefined): NavLine | null => {
      const found = other === undefined ? undefined : made.get(other)
      if (found === undefined) return null
      return { label: found.parts.title, href: addressFrom(page, found.page.file), isCurrent: false }
    }
    const place = { before: neighbour(order[at - 1]), after: neighbour(order[at + 1]) }
    files.set(page.file, layout({ parts: own, up: upFrom(page), nav: navOf(site, page, parts), ...place }))
  }
  for (const source of site.used) for (const [file, content] of filesFor(options.root, source)) files.set(file, content)
  files.set('search-texts.js', searchTexts(order.map((source) => made.get(source)!)))
  return files
}

/** The pages by source. */
function pagesOf(root: string, parts: readonly Part[]): ReadonlyMap<string, SitePage> {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md'))
    .toSorted()
  const elsewhere = parts
    .flatMap(({ entries }) => entries.map(({ href }) => placeOf(CONTENTS, href).path))
    .filter((path) => !path.startsWith('docs/') && path.endsWith('.md') && existsSync(join(root, path)))
  return new Map(
    [...inDocs, ...elsewhere].map((source) => {
      const text = readFileSync(join(root, source), 'utf8')
      const anchors = new Set(headingsOf(text).map(({ id }) => id))
      return [source, { source, file: fileOf(source), text, anchors }]
    }),
  )
}

/** The file in the site of a file of the project: `docs/security/window.md` is `security/window.html`, `CHANGELOG.md` is `project/changelog.html`. */
function fileOf(source: string): string {
  const path = source.startsWith('docs/') ? source.slice('docs/'.length) : `project/${source.toLowerCase()}`
  return path.replace(/(^|\/)readme\.md$/i, '$1index.md').replace(/\.md$/, '.html')
}

function partsOfPage(site: Site, page: SitePage): PageParts {
  try {
    return pageParts(page.text, {
      linkTo: (href) => linkFrom(site, page, href),
      pictureOf: (href) => pictureFrom(site, page, href),
      highlight: site.highlight,
    })
  } catch (error) {
    throw new Error(`${page.source}: ${(error as Error).message}`, { cause: error })
  }
}

/** The file of the project that a link names, and the anchor. */
function placeOf(from: string, href: string): { readonly path: string; readonly anchor: string | null } {
  const [path = '', anchor = null] = href.split('#', 2)
  const plain = decodeURIComponent(path)
  return { path: plain === '' ? from : posix.join(posix.dirname(from), plain), anchor }
}

/** The address of a link in the site; null: it leads to a file that is not in it. */
function linkFrom(site: Site, page: SitePage, href: string): string | null {
  if (/^[a-z][a-z\d+.-]*:/i.test(href)) {
    const url = URL.canParse(href) ? new URL(href) : null
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
      throw new Error(`The link ${href} does not lead to a page of the web.`)
    return url.href
  }
  const { path, anchor } = placeOf(page.source, href)
  const target = site.pages.get(path)
  if (target !== undefined) {
    if (anchor !== null && !target.anchors.has(anchor)) throw new Error(`The link ${href} leads to no heading.`)
    site.linked.set(page.source, [...(site.linked.get(page.source) ?? []), path])
    return `${target === page && anchor !== null ? '' : addressFrom(page, target.file)}${anchor === null ? '' : `#${anchor}`}`
  }
  if (path.startsWith('..') || !existsSync(join(site.root, path))) throw new Error(`The link ${href} leads to no file.`)
  if (!path.startsWith('docs/')) return null
  site.used.add(path)
  return addressFrom(page, fileOf(path))
}

function pictureFrom(
  site: Site,
  page: SitePage,
  href: string,
): { readonly address: string; readonly width: number; readonly height: number } {
  const { path } = placeOf(page.source, href)
  if (!/^docs\/.+\.png$/.test(path) || !existsSync(join(site.root, path)))
    throw new Error(`The picture ${href} is not a PNG file below docs/.`)
  site.used.add(path)
  const bytes = readFileSync(join(site.root, path))
  return { address: addressFrom(page, fileOf(path)), width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** A file that pages use. The style of a drawing becomes a file of its own, because servers permit none within pages. */
function filesFor(root: string, source: string): readonly (readonly [string, string | Buffer])[] {
  const file = fileOf(source)
  const content = readFileSync(join(root, source))
  if (!file.endsWith('.svg')) return [[file, content]]
  const drawing = String(content)
  const style = /<style>([^<]*)<\/style>/.exec(drawing)
  if (style === null) return [[file, drawing]]
  const sheet = `${posix.basename(file)}.css`
  const linked = `<?xml-stylesheet type="text/css" href="${sheet}"?>\n${drawing.replace(style[0], '')}`
  return [
    [file, linked],
    [`${file}.css`, style[1]!],
  ]
}

const upFrom = ({ file }: SitePage): string => '../'.repeat(file.split('/').length - 1)

const addressFrom = (page: SitePage, file: string): string =>
  posix.relative(posix.dirname(page.file), file) || posix.basename(file)

function navOf(
  site: Site,
  page: SitePage,
  parts: readonly Part[],
): readonly { readonly title: string; readonly lines: readonly NavLine[] }[] {
  return parts.map(({ title, entries }) => ({
    title,
    lines: entries.map(({ label, href }) => {
      const { path, anchor } = placeOf(CONTENTS, href)
      const target = site.pages.get(path)
      if (target === undefined) throw new Error(`${CONTENTS}: The link ${href} leads to no page.`)
      const address = `${addressFrom(page, target.file)}${anchor === null ? '' : `#${anchor}`}`
      return { label, href: address, isCurrent: target === page && anchor === null }
    }),
  }))
}

/** A script that gives the texts of all pages: from disk, a page can load scripts, and nothing else. */
function searchTexts(pages: readonly { readonly page: SitePage; readonly parts: PageParts }[]): string {
  const texts = pages.map(({ page: { file }, parts: { title, sections } }) => ({ page: { id: file, title }, sections }))
  return `globalThis.documentation = ${JSON.stringify(texts)}\n`
}
