import { nearMiss } from '../../main/contract/near-miss.ts'

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

/** Items whose text contains every word of a search. */
export function withWords<T>(all: readonly T[], search: string, textOf: (one: T) => string): readonly T[] {
  const wanted = search.toLowerCase().split(/\s+/)
  return all.filter((one) => wanted.every((word) => textOf(one).toLowerCase().includes(word)))
}

/** Items whose text contains every word of a search, each with at most one typing error. */
export function withNearWords<T>(all: readonly T[], search: string, textOf: (one: T) => string): readonly T[] {
  const wanted = wordsOf(search)
  if (wanted.length === 0) return []
  return all.filter((one) => {
    const words = wordsOf(textOf(one))
    return wanted.every((word) => nearMiss(word, words) !== null)
  })
}
