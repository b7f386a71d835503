import type { SeatId } from '../../../main/contract/ids.ts'
import type { HerdMap, Rectangle } from '../../../main/referees/cows/kinds.ts'
import { SIGHT } from '../../../main/referees/cows/messages.ts'
import { count, number } from '../../words.ts'

export interface Place {
  readonly x: number
  readonly y: number
}

/** The unchanging part of a map. */
export interface Ground {
  readonly width: number
  readonly height: number
  readonly obstacles: readonly Place[]
  /** By seat; null: not known. */
  readonly corrals: readonly (Rectangle | null)[]
  /** How far a herder sees in each direction, in cells. */
  readonly sight: number
}

/** A herder of a team: `body` from 0, written from 1; null: it is not known which one. */
export interface DrawnHerder extends Place {
  readonly seat: SeatId
  readonly body: number | null
}

/** The moving things at one moment. */
export interface DrawnScene {
  readonly herders: readonly DrawnHerder[]
  readonly cows: readonly Place[]
}

/** The ground of a map file. */
export function groundOf({ rows, corrals }: HerdMap, sight = SIGHT): Ground {
  return {
    width: rows[0]!.length,
    height: rows.length,
    obstacles: rows.flatMap((row, y) => Array.from(row).flatMap((what, x) => (what === '#' ? [{ x, y }] : []))),
    corrals,
    sight,
  }
}

/** The scene at the beginning of a map file. */
export function firstScene({ rows, herders }: HerdMap): DrawnScene {
  return {
    herders: herders.flatMap((team, seat) => team.map(([x, y], body) => ({ seat, body, x, y }))),
    cows: rows.flatMap((row, y) => Array.from(row).flatMap((what, x) => (what === 'c' ? [{ x, y }] : []))),
  }
}

/** The herder on a cell, or the nearest within two cells; null: there is none. */
export function herderAt(herders: readonly DrawnHerder[], at: Place): DrawnHerder | null {
  let best: DrawnHerder | null = null
  let least = 2.5
  for (const herder of herders) {
    const distance = Math.hypot(herder.x - at.x, herder.y - at.y)
    if (distance < least) [best, least] = [herder, distance]
  }
  return best
}

const isSeenBy = (herder: Place, sight: number, { x, y }: Place): boolean =>
  Math.abs(herder.x - x) <= sight && Math.abs(herder.y - y) <= sight

/** A herder in a sentence: where it is and what it sees. */
export function herderWords(
  { seat, body, x, y }: DrawnHerder,
  { herders, cows }: DrawnScene,
  sight: number,
  names: readonly string[],
): string {
  const me = { x, y }
  const seen = cows.filter((cow) => isSeenBy(me, sight, cow)).length
  const others = herders.filter((other) => other.seat !== seat && isSeenBy(me, sight, other)).length
  const near = others === 0 ? '' : ` and ${count(others, 'herder')} of the other team`
  const which = body === null ? 'A herder' : `Herder ${number(body + 1)}`
  return `${which} of ${names[seat] ?? `seat ${seat}`} at column ${number(x)}, row ${number(y)}: sees ${count(seen, 'cow')}${near}`
}
