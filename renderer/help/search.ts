import { textOfBlocks, type Block, type Rulebook } from '../rules/rulebook.ts'
import { manualPages } from './manual.ts'
import type { ManualPage } from './page.ts'

/** A place in the manual that a search has found. */
export interface Finding {
  readonly page: string
  /** The id of the heading; empty: the beginning of the page. */
  readonly at: string
  /** The title of the page. */
  readonly pageTitle: string
  /** The title of the section; that of the page for its beginning. */
  readonly title: string
  /** Some of its text around the first word of the search; empty for a finding by titles alone. */
  readonly excerpt: string
}

/** A section of a page with its text. */
interface Section {
  readonly at: string
  readonly title: string
  readonly text: string
}

/** Findings that are shown at most. */
export const FINDINGS_MAX = 30
/** Characters of an excerpt, and those of them before the word. */
const EXCERPT = 180
const BEFORE = 60

/** Sections that contain every word of the search: those with all in their titles first. Rejects if a page cannot be loaded. */
export async function searchManual(search: string): Promise<readonly Finding[]> {
  if (wordsOf(search).length === 0) return []
  const pages = await manualPages()
  const texts = await Promise.all(pages.map((page) => page.load()))
  return findInPages(
    pages.map((page, at) => ({ page, sections: sectionsOf(page, texts[at] ?? []) })),
    search,
  )
}

/** As `searchManual`, for loaded pages. */
export function findInPages(
  pages: readonly { readonly page: Pick<ManualPage, 'id' | 'title'>; readonly sections: readonly Section[] }[],
  search: string,
): readonly Finding[] {
  const words = wordsOf(search)
  if (words.length === 0) return []
  const found = pages.flatMap(({ page, sections }) =>
    sections.flatMap(({ at, title, text }) => {
      const titles = `${page.title} ${title}`.toLowerCase()
      const all = `${titles} ${text.toLowerCase()}`
      if (!words.every((word) => all.includes(word))) return []
      const rank = words.every((word) => title.toLowerCase().includes(word))
        ? 0
        : words.every((word) => titles.includes(word))
          ? 1
          : 2
      return [{ rank, finding: { page: page.id, at, pageTitle: page.title, title, excerpt: excerptOf(text, words) } }]
    }),
  )
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, FINDINGS_MAX)
    .map(({ finding }) => finding)
}

/** Pages and sections whose titles contain every word of the search, without loading their texts. */
export async function findTitles(search: string, limit: number): Promise<readonly Finding[]> {
  const words = wordsOf(search)
  if (words.length === 0) return []
  const found: Finding[] = []
  const contains = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const pages = await manualPages()
  for (const { id, title, about } of pages) {
    if (contains(`${title} ${about}`)) found.push({ page: id, at: '', pageTitle: title, title, excerpt: '' })
  }
  for (const { id, title, sections } of pages) {
    for (const section of sections) {
      if (contains(section.title))
        found.push({ page: id, at: section.id, pageTitle: title, title: section.title, excerpt: '' })
    }
  }
  return found.slice(0, limit)
}

/** The sections of a page: what is before its first heading, and what follows each. */
export function sectionsOf({ title }: Pick<ManualPage, 'title'>, blocks: Rulebook): readonly Section[] {
  const sections: { at: string; title: string; blocks: Block[] }[] = [{ at: '', title, blocks: [] }]
  for (const block of blocks) {
    if (block.kind !== 'heading') sections.at(-1)?.blocks.push(block)
    else if (block.level > 1)
      sections.push({ at: block.id, title: block.spans.map(({ text }) => text).join(''), blocks: [] })
  }
  return sections.map((section) => ({
    at: section.at,
    title: section.title,
    text: textOfBlocks(section.blocks),
  }))
}

const wordsOf = (search: string): readonly string[] =>
  search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length)
  // A text without any of the words is shown from its beginning.
  const from = first === text.length ? 0 : Math.max(0, text.indexOf(' ', Math.max(0, first - BEFORE)))
  const cut = text.slice(from, from + EXCERPT).trim()
  return `${from > 0 ? '…' : ''}${cut}${from + EXCERPT < text.length ? '…' : ''}`
}
