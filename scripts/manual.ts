import { marked, type Token, type Tokens } from 'marked'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { ManualPage } from '../renderer/help/page.ts'
import { blocksOfPage, slug } from './rulebooks.ts'

/** A page of the manual when it is built. */
type BuiltPage = Omit<ManualPage, 'load'>

/** Sections of docs/README.md whose pages the window does not need. */
const leftOut = new Set(['Developers', 'Pictures'])
const docs = new URL('../docs/', import.meta.url)

/** `import 'README.md?contents'` is the list of pages; `import 'contests.md?manual'` is the blocks of one. */
const LIST = '?contents'
const PAGE = '?manual'

/**
 * A Vite plugin: the pages of docs/ that docs/README.md lists for students, teachers and panels, and those that they link, as
 * blocks, so that the window needs neither a Markdown parser nor HTML made of a text.
 */
export function manual(): {
  name: string
  transform(text: string, file: string): { code: string; map: null } | null
} {
  return {
    name: 'manual',
    transform(text, file) {
      if (file.endsWith(LIST)) return { code: listModule(manualPages()), map: null }
      if (!file.endsWith(PAGE)) return null
      const blocks = pageBlocks(text, pageOf(file.slice(0, -PAGE.length)))
      return { code: `export default ${JSON.stringify(blocks)}`, map: null }
    },
  }
}

function listModule(pages: readonly BuiltPage[]): string {
  const items = pages.map((page) => {
    const file = JSON.stringify(`./${page.id}.md${PAGE}`)
    return `{ ...${JSON.stringify(page)}, load: async () => (await import(${file})).default }`
  })
  return `export const pages = [${items.join(',\n')}]`
}

/** The id of a page by its path: `security/isolation` for `.../docs/security/isolation.md`. */
function pageOf(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^.*\/docs\//, '')
    .replace(/\.md$/, '')
}

/** All pages of the manual, those of docs/README.md first. Throws if one is missing or holds HTML. */
export function manualPages(): readonly BuiltPage[] {
  const pages = new Map<string, BuiltPage>()
  for (const row of contents()) {
    if (!pages.has(row.id)) pages.set(row.id, { ...row, ...described(row.id), listed: true })
  }
  for (const page of pages.values()) {
    for (const id of linksOf(page.id)) {
      if (!pages.has(id) && !isForDevelopers(id))
        pages.set(id, { id, part: page.part, about: '', ...described(id), listed: false })
    }
  }
  return [...pages.values()]
}

/** The ids of all pages, once they are needed. */
let known: ReadonlySet<string> | null = null

/** The blocks of a page. Links to other pages of the manual lead to their ids, `contests#formats`. */
export function pageBlocks(text: string, id: string): ReturnType<typeof blocksOfPage> {
  known ??= new Set(manualPages().map((page) => page.id))
  const ids = known
  return blocksOfPage(withoutPictures(text), (href) => {
    const to = resolved(href, id)
    return to !== null && ids.has(to.page) ? `${to.page}${to.at === '' ? '' : `#${to.at}`}` : null
  })
}

/** Pictures on lines of their own show the window, so its manual needs none. */
const withoutPictures = (text: string): string => text.replaceAll(/^!\[[^\]\n]*\]\([^)\n]*\)$/gm, '')

const textOf = (id: string): string => readFileSync(new URL(`${id}.md`, docs), 'utf8')

/** The rows of docs/README.md for users: the page, its part, and what it is about. */
function contents(): readonly Pick<BuiltPage, 'id' | 'part' | 'about'>[] {
  let part = ''
  return marked.lexer(textOf('README')).flatMap((token) => {
    if (token.type === 'heading') part = String(token.text)
    if (token.type !== 'table' || leftOut.has(part)) return []
    return (token as Tokens.Table).rows.flatMap((cells) => {
      const about = cells.at(-1)?.tokens.every(({ type }) => type === 'text') === true ? (cells.at(-1)?.text ?? '') : ''
      return cells
        .flatMap(({ tokens }) => tokens.filter((each): each is Tokens.Link => each.type === 'link'))
        .flatMap(({ href }) => {
          const to = resolved(href, 'README')
          return to === null ? [] : [{ id: to.page, part, about: to.at === '' ? about : '' }]
        })
    })
  })
}

/** The title and the sections of a page. */
function described(id: string): Pick<BuiltPage, 'title' | 'sections'> {
  const headings = marked.lexer(textOf(id)).filter((token): token is Tokens.Heading => token.type === 'heading')
  const title = headings.find(({ depth }) => depth === 1)
  if (title === undefined) throw new Error(`docs/${id}.md has no title.`)
  const blocks = blocksOfPage(withoutPictures(textOf(id)), () => null)
  const sections = blocks.flatMap((block) =>
    block.kind === 'heading' && block.level > 1
      ? [{ id: block.id, level: block.level, title: block.spans.map(({ text }) => text).join('') }]
      : [],
  )
  return { title: title.text.replaceAll('`', ''), sections }
}

/** The pages of docs/ that a page links. */
function linksOf(id: string): readonly string[] {
  const found: string[] = []
  void marked.walkTokens(marked.lexer(textOf(id)), (token: Token) => {
    const to = token.type === 'link' ? resolved((token as Tokens.Link).href, id) : null
    if (to !== null) found.push(to.page)
  })
  return found
}

/** The page of docs/, and the heading, to which a link leads; null: it leads elsewhere. */
function resolved(href: string, from: string): { readonly page: string; readonly at: string } | null {
  if (/^[a-z]+:/i.test(href)) return null
  const [path = '', at = ''] = href.split('#', 2)
  if (path === '') return { page: from, at: slug(decodeURIComponent(at)) }
  const page = posix.normalize(posix.join(posix.dirname(from), path))
  return page.startsWith('..') || !page.endsWith('.md') ? null : { page: page.replace(/\.md$/, ''), at }
}

/** Pages that docs/README.md lists for developers. */
const isForDevelopers = (id: string): boolean => ['README', 'architecture', 'games', 'release'].includes(id)
