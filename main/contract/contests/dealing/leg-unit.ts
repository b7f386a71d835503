import type { PairingUnit } from '../contest-format.ts'

/**
 * The unit of a match in a tournament of several legs, in which seats move by one from a leg to the next: the matches of
 * `seats` legs in which the same entrants have taken all seats. `meeting`: its number among the `meetings` of a leg.
 * undefined: the legs that are left are fewer than the seats.
 */
export function legUnit(
  meeting: number,
  meetings: number,
  leg: number,
  legs: number,
  seats = 2,
): PairingUnit | undefined {
  const round = Math.floor(leg / seats)
  return (round + 1) * seats <= legs ? { id: round * meetings + meeting, size: seats } : undefined
}
