/** The messages and answers of a team of Cows and Herders. x grows to the east, y to the south. */
export type Action =
  'skip' | 'north' | 'northeast' | 'east' | 'southeast' | 'south' | 'southwest' | 'west' | 'northwest'

export interface Place {
  readonly x: number
  readonly y: number
}

/** Sent before the first step. `corral` is your own; both corners are cells of it. */
export interface Start {
  readonly opponent: string
  readonly steps: number
  readonly width: number
  readonly height: number
  readonly corral: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }
}

/** A cell that a herder sees; x and y count from the herder. Without further fields it is empty. */
export interface SeenCell extends Place {
  readonly agent?: 'ally' | 'enemy'
  /** The name of the cow. */
  readonly cow?: string
  readonly obstacle?: true
  readonly corral?: 'ally' | 'enemy'
  /** The herder cannot see this cell in this step. */
  readonly unknown?: true
}

/** A herder's view in a step: its place, and the cells up to 8 columns and rows away. */
export interface Perception extends Place {
  readonly step: number
  /** Cows in your corral so far. */
  readonly score: number
  readonly cells: readonly SeenCell[]
}

/** The object that the agent's file exports: one for all herders of a match. */
export interface Team {
  /** `body`: the herder, from 0. In each step all herders are asked, one after another. */
  act(body: number, perception: Perception, start: Start): Action
}

declare global {
  /** The steps that are left for this answer; every call uses one. Only in a match: a test defines its own. */
  function remaining(): number
}
