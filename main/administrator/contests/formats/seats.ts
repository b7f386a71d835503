/** Players per match if neither the contest nor its game says. */
export const DEFAULT_SEATS = 2

/** Players per match. */
export const seatsOf = ({ seats }: { readonly seats?: number }): number => seats ?? DEFAULT_SEATS

/** A tournament in pairs has seats swapped in every second match, so these two are one unit of its statistics. */
export const legUnit = (meeting: number, meetings: number, leg: number, legs: number) =>
  leg - (leg % 2) + 1 < legs ? { id: (leg >> 1) * meetings + meeting, size: 2 } : undefined
