import type { MatchEvent, Page } from '../../../main/contract/procedures.ts'

/** A match's events, fetched as they are wanted; of a long match only the pages used last are kept. */
export interface Pages {
  /** Events from one index up to before another. Rejects where the program cannot read them. */
  read(from: number, to: number): Promise<readonly MatchEvent[]>
}

export interface PageOptions {
  /** Events a page. */
  readonly size?: number
  /** Pages kept. */
  readonly keep?: number
}

export function createPages(
  fetch: (offset: number, limit: number) => Promise<Page<MatchEvent>>,
  { size = 50, keep = 200 }: PageOptions = {},
): Pages {
  const kept = new Map<number, Promise<readonly MatchEvent[]>>()

  /** Large events come in pages that are shorter than was asked for. */
  async function whole(offset: number): Promise<readonly MatchEvent[]> {
    let got = await fetch(offset, size)
    const items = [...got.items]
    while (got.items.length > 0 && items.length < Math.min(size, got.total - offset)) {
      got = await fetch(offset + items.length, size - items.length)
      items.push(...got.items)
    }
    return items
  }

  function page(number: number): Promise<readonly MatchEvent[]> {
    const known = kept.get(number)
    // Most recently used last.
    if (known !== undefined) kept.delete(number)
    const items = known ?? whole(number * size)
    kept.set(number, items)
    if (known === undefined) items.catch(() => kept.delete(number))
    if (kept.size > keep) kept.delete(kept.keys().next().value!)
    return items
  }

  return {
    async read(from, to) {
      if (from >= to) return []
      const first = Math.floor(from / size)
      const last = Math.floor((to - 1) / size)
      const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
      const pages = await Promise.all(numbers.map(page))
      return pages.flat().slice(from - first * size, to - first * size)
    },
  }
}
