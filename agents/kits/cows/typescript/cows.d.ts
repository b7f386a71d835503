/**
 * The calls and answers of a team of Cows and Herders: messages as in messages.d.ts without their types. x grows to
 * the east, y to the south.
 */
import type { Action, Perception as PerceptionMessage, Start as StartMessage } from './messages.d.ts'

export type { Action, Cell as SeenCell } from './messages.d.ts'

export interface Place {
  readonly x: number
  readonly y: number
}

/** Sent before the first step. `corral` is your own; both corners are cells of it. */
export type Start = Omit<StartMessage, 'type'>

/** A herder's view in a step: its place, and the cells up to 8 columns and rows away. */
export type Perception = Omit<PerceptionMessage, 'type'>

/** The object that the agent's file exports: one for all herders of a match. */
export interface Team {
  /** `body`: the herder, from 0. In each step all herders are asked, one after another. */
  act(body: number, perception: Perception, start: Start): Action
}

declare global {
  /** The steps that are left for this answer; every call uses one. Only in a match: a test defines its own. */
  function remaining(): number
}
