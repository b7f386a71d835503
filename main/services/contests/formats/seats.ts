/** Players per match if neither the contest nor its game says. */
export const DEFAULT_SEATS = 2

/** Players per match. */
export const seatsOf = ({ seats }: { readonly seats?: number }): number => seats ?? DEFAULT_SEATS
