/** Sets or pairs of entrants that may be held in memory at a time, in some order or as rows of a table. */
export const SETS_MAX = 2_000_000

/** A number as sentences have it. */
export const inWords = (count: number): string => count.toLocaleString('en')
