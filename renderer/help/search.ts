import { textOfBlocks, type Block, type Rulebook } from '../rules/rulebook.ts'
import { findInPages, wordsOf, type Finding, type Section } from './find.ts'
import { manualPages } from './manual.ts'
import type { ManualPage } from './page.ts'

/** Sections that contain every word of the search, in the order of `findInPages`. Rejects if a page cannot be loaded. */
export async function searchManual(search: string): Promise<readonly Finding[]> {
  if (wordsOf(search).length === 0) return []
  const pages = await manualPages()
  const texts = await Promise.all(pages.map((page) => page.load()))
  return findInPages(
    pages.map((page, at) => ({ page, sections: sectionsOf(page, texts[at] ?? []) })),
    search,
  )
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
