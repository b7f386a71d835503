/** Relation a implies relation b if every row that satisfies a satisfies b (section 5.3). */
export function relationImplies(a: number, b: number): boolean {
  return (a & b) === a
}

/** Clause type a implies b if b has at least the positive and at least the negative literals of a. */
export function clauseImplies(
  a: { readonly length: number; readonly positives: number },
  b: { readonly length: number; readonly positives: number },
): boolean {
  return a.positives <= b.positives && a.length - a.positives <= b.length - b.positives
}

/**
 * The items that no other item implies; only they determine the price. If items imply each other, the first is
 * kept.
 */
export function roots<T>(items: readonly T[], implies: (a: T, b: T) => boolean): T[] {
  return items.filter(
    (item, at) =>
      !items.some((other, place) => place !== at && implies(other, item) && (place < at || !implies(item, other))),
  )
}
