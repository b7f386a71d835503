// Types of the messages of Cows and Herders, made by "tartaglia kit" from the game's own schemas. "tartaglia update" replaces this file.

/** The corners of a corral; both belong to it. */
export interface Corral {
  /** The column of the corner in the north-west, from 0. */
  readonly x0: number
  /** The row of that corner, from 0. */
  readonly y0: number
  /** The column of the corner in the south-east. */
  readonly x1: number
  /** The row of that corner. */
  readonly y1: number
}

/** The message to a herder before the first step; all herders of a team get the same. */
export interface Start {
  readonly type: 'start'
  /** The name of the other team. */
  readonly opponent: string
  /** The number of steps of the match. */
  readonly steps: number
  /** Columns of the grid. */
  readonly width: number
  /** Rows of the grid. */
  readonly height: number
  /** The corral of the own team. */
  readonly corral: Corral
}

/** The own team or the other one. */
export type Side = 'ally' | 'enemy'

/** A cell that a herder sees. Without fields besides x and y it is empty. */
export interface Cell {
  /** Its column relative to the herder. */
  readonly x: number
  /** Its row relative to the herder. */
  readonly y: number
  /** The team of the herder in it, which may be the one that looks. */
  readonly agent?: Side
  /** The name of the cow in it. */
  readonly cow?: string
  /** Nobody can enter it. */
  readonly obstacle?: true
  /** The team of the corral that it belongs to. */
  readonly corral?: Side
  /** Its content is withheld in this step (section 5.3). */
  readonly unknown?: true
}

/** The message to a herder in a step (section 3.4.5). Asks for an action. */
export interface Perception {
  readonly type: 'perception'
  /** The number of the step, from 0. */
  readonly step: number
  /** The column of the herder, from 0 in the west. */
  readonly x: number
  /** The row of the herder, from 0 in the north. */
  readonly y: number
  /** The score of the team so far. */
  readonly score: number
  /** The cells around the herder, column by column from the west; those outside the grid are left out. */
  readonly cells: readonly Cell[]
}

/** A message to a herder. */
export type Told = Start | Perception

/** The answer to `start`. */
export interface Ready {
  readonly ready: true
}

/** The action of a herder in a step (section 3.4.8); y grows to the south. */
export type Action = 'skip' | 'north' | 'northeast' | 'east' | 'southeast' | 'south' | 'southwest' | 'west' | 'northwest'

/** The answer to `perception`. */
export interface Act {
  /** The action of a herder in a step (section 3.4.8); y grows to the south. */
  readonly action: Action
}

/** The answer of a herder. */
export type Said = Ready | Act
