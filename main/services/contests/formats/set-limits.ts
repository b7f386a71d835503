/** The maximum number of sets or pairs of entrants kept in memory, as a shuffled order or as rows of a table. */
export const SETS_MAX = 2_000_000

/** A number with thousands separators, for messages. */
export const formatCount = (count: number): string => count.toLocaleString('en')
