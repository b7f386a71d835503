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
export interface Section {
  readonly at: string
  readonly title: string
  readonly text: string
}

/** A page to search in. */
export interface SearchedPage {
  readonly page: { readonly id: string; readonly title: string }
  readonly sections: readonly Section[]
}

/** Findings that are shown at most. */
export const FINDINGS_MAX = 30
/** Characters of an excerpt, and those of them before the word. */
const EXCERPT = 180
const BEFORE = 60

/**
 * Sections that contain every word of the search: those with all in their own titles first, then those with all in their title or
 * that of the page, then the others; among equals, those with the words side by side as they were typed, then those with more places where
 * a word begins with one of them.
 */
export function findInPages(pages: readonly SearchedPage[], search: string): readonly Finding[] {
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
      const finding = { page: page.id, at, pageTitle: page.title, title, excerpt: excerptOf(text, words) }
      const phrase = Math.min(1, beginningsOf(all.replaceAll(/\s+/g, ' '), words.join(' ')))
      return [{ rank, phrase, weight: weightOf(all, words), finding }]
    }),
  )
  return found
    .toSorted((a, b) => a.rank - b.rank || b.phrase - a.phrase || b.weight - a.weight)
    .slice(0, FINDINGS_MAX)
    .map(({ finding }) => finding)
}

/** The words of a search, in small letters. */
export const wordsOf = (search: string): readonly string[] =>
  search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** The places of a text where one of the words begins, up to five for each word: a long text does not win by length alone. */
function weightOf(text: string, words: readonly string[]): number {
  return words.reduce((sum, word) => sum + beginningsOf(text, word), 0)
}

function beginningsOf(text: string, word: string): number {
  let count = 0
  for (let at = text.indexOf(word); at >= 0 && count < 5; at = text.indexOf(word, at + word.length))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) count += 1
  return count
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length)
  // A text without any of the words is shown from its beginning, and so is one with a word close to it.
  const from = first === text.length || first <= BEFORE ? 0 : Math.max(0, text.indexOf(' ', first - BEFORE))
  const cut = text.slice(from, from + EXCERPT).trim()
  return `${from > 0 ? '…' : ''}${cut}${from + EXCERPT < text.length ? '…' : ''}`
}
