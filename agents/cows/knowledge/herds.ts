import { apart } from './perception.ts'
import type { Cow, Pasture } from './pasture.ts'

/** Cows at most this far apart belong to one herd: they attract each other. */
const LINK = 4

/** The known cows outside the corrals in herds. */
export function herdsOf(pasture: Pasture): readonly (readonly Cow[])[] {
  const home = pasture.home()
  const left = new Set(
    [...pasture.cows.values()].filter(({ x, y }) => {
      const cell = pasture.cell(x, y)
      return home[cell]! > 0 && pasture.theirs[cell] === 0
    }),
  )
  const herds: Cow[][] = []
  for (const first of left) {
    const herd = [first]
    left.delete(first)
    // The list grows while it is walked through.
    for (const cow of herd) {
      for (const other of left) {
        if (apart(cow, other) > LINK) continue
        herd.push(other)
        left.delete(other)
      }
    }
    herds.push(herd)
  }
  return herds
}
