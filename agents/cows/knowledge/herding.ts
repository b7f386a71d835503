import { apart, moves, type Place } from './perception.ts'
import type { Pasture } from './pasture.ts'
import type { Cost } from './walk.ts'

/** How far a cow sees. */
const COW_SIGHT = 4
/** Steps that one looks ahead on a cow's way home. */
const AHEAD = 5

/** The direction of the shortest way home from a place, of length 1; null if there is none or the place is home. */
export function wayHome(pasture: Pasture, from: Place): Place | null {
  const home = pasture.home()
  const { x0, y0, x1, y1 } = pasture.corral
  const middle = { x: (x0 + x1) / 2, y: (y0 + y1) / 2 }
  let at = from
  for (let step = 0; step < AHEAD && home[pasture.cell(at.x, at.y)] !== 0; step++) {
    let next: Place | null = null
    let least = Infinity
    for (const [, dx, dy] of moves) {
      const [x, y] = [at.x + dx, at.y + dy]
      if (!pasture.inside(x, y) || home[pasture.cell(x, y)] === -1) continue
      // The straightest of several shortest ways.
      const left = home[pasture.cell(x, y)]! + Math.hypot(x - middle.x, y - middle.y) / 1_000
      if (left < least) [next, least] = [{ x, y }, left]
    }
    if (next === null) break
    at = next
  }
  const length = Math.hypot(at.x - from.x, at.y - from.y)
  return length === 0 ? null : { x: (at.x - from.x) / length, y: (at.y - from.y) / length }
}

/**
 * The free cell from which a herder drives what is at a place along `way`, about `distance` steps behind it. `aside`: to which side
 * of the line it stands, in cells.
 */
export function behind(pasture: Pasture, at: Place, way: Place, distance: number, aside = 0): Place | null {
  const wanted = { x: at.x - distance * way.x - aside * way.y, y: at.y - distance * way.y + aside * way.x }
  let best: Place | null = null
  let least = Infinity
  for (let dy = -distance - 1; dy <= distance + 1; dy++) {
    for (let dx = -distance - 1; dx <= distance + 1; dx++) {
      const place = { x: at.x + dx, y: at.y + dy }
      if (!pasture.inside(place.x, place.y) || pasture.obstacles[pasture.cell(place.x, place.y)] === 1) continue
      if ((dx === 0 && dy === 0) || dx * way.x + dy * way.y > 0) continue
      const off = Math.hypot(place.x - wanted.x, place.y - wanted.y)
      if (off < least) [best, least] = [place, off]
    }
  }
  return best
}

/** Makes a herder walk around a cow rather than past its face, which would drive it away from home. */
export function around(pasture: Pasture, at: Place, way: Place): Cost {
  return (cell) => {
    const place = { x: cell % pasture.width, y: Math.floor(cell / pasture.width) }
    if (apart(place, at) > COW_SIGHT + 1) return 0
    const front = (place.x - at.x) * way.x + (place.y - at.y) * way.y
    return front > 0 ? 6 : front > -1 ? 2 : 0
  }
}

/** The cell that was not looked at for longest, nearer ones first; `salt` sends herders to different ones. */
export function unwatched(pasture: Pasture, from: Place, step: number, salt: number): Place {
  let best = from
  let most = -Infinity
  const home = pasture.home()
  for (let y = 2; y < pasture.height; y += 5) {
    for (let x = 2 + (salt % 3); x < pasture.width; x += 5) {
      const cell = pasture.cell(x, y)
      if (pasture.obstacles[cell] === 1 || home[cell] === -1) continue
      const age = pasture.seen[cell] === -1 ? 2 * step + 200 : step - pasture.seen[cell]!
      const crowd = [...pasture.herders.values()].filter(
        (other) => other !== from && apart(other, { x, y }) < 12,
      ).length
      const worth = age - 2 * apart(from, { x, y }) - 40 * crowd
      if (worth > most) [best, most] = [{ x, y }, worth]
    }
  }
  return best
}
