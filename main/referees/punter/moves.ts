import * as z from 'zod'
import type { SeatId } from '../../contract/ids.ts'

/** The number that a punter gives itself in a move. The turn decides who moves, so it has no effect and may be absent. */
const punter = z.int().exactOptional()
const site = z.int()
const ends = z.object({ punter, source: site, target: site })

/** A move as a punter may write it. Other fields are not looked at. */
export const move = z.union([
  z.object({ claim: ends }),
  z.object({ pass: z.object({ punter }) }),
  z.object({ splurge: z.object({ punter, route: z.array(site).max(1_000_000) }) }),
  z.object({ option: ends }),
])
export type Move = z.infer<typeof move>

/** The same move in the name of the seat whose turn it is, as everybody is told it. */
export function moveOf(seat: SeatId, given: Move): Move {
  if ('claim' in given) {
    const { source, target } = given.claim
    return { claim: { punter: seat, source, target } }
  }
  if ('option' in given) {
    const { source, target } = given.option
    return { option: { punter: seat, source, target } }
  }
  if ('splurge' in given) return { splurge: { punter: seat, route: given.splurge.route } }
  return passOf(seat)
}

export const passOf = (seat: SeatId): Move => ({ pass: { punter: seat } })

/** The number that a punter gives itself in a move; undefined: none. */
export function namedIn(given: Move): number | undefined {
  if ('claim' in given) return given.claim.punter
  if ('option' in given) return given.option.punter
  return 'splurge' in given ? given.splurge.punter : given.pass.punter
}
