/** Milliseconds on the match clock: monotonic, 0 at the start of the match, read from the table only. */
export type Ms = number
