/** What a body is told in a step, and what it may answer. x grows to the east, y to the south. */
export type Action =
  'skip' | 'north' | 'northeast' | 'east' | 'southeast' | 'south' | 'southwest' | 'west' | 'northwest'

export interface SeenCell {
  /** Relative to the body. */
  readonly x: number
  readonly y: number
  readonly agent?: 'ally' | 'enemy'
  /** The cow's id. */
  readonly cow?: string
  readonly obstacle?: true
  readonly corral?: 'ally' | 'enemy'
  /** The content is withheld. */
  readonly unknown?: true
}

export interface Perception {
  readonly step: number
  readonly x: number
  readonly y: number
  readonly score: number
  readonly cells: readonly SeenCell[]
}

export interface Corral {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** One object for all bodies of a match. */
export interface Team {
  readonly opponent: string
  readonly steps: number
  readonly width: number
  readonly height: number
  /** One's own; both corners are cells of it. */
  readonly corral: Corral
}

export interface Place {
  readonly x: number
  readonly y: number
}

export const moves: readonly (readonly [action: Action, x: number, y: number])[] = [
  ['north', 0, -1],
  ['northeast', 1, -1],
  ['east', 1, 0],
  ['southeast', 1, 1],
  ['south', 0, 1],
  ['southwest', -1, 1],
  ['west', -1, 0],
  ['northwest', -1, -1],
]

/** Steps from one cell to another where nothing is in the way. */
export const apart = (a: Place, b: Place): number => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))
