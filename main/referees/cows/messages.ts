import * as z from 'zod'
import type { Rectangle } from './maps/map-file.ts'

/** The actions of a herder (spec 3.4.8), in the order of their numbers. */
export const actions = [
  'skip',
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
] as const
export const action = z.enum(actions)
export type HerderAction = z.infer<typeof action>

/** Cells that a herder sees in each direction: a square of 17 by 17. */
export const SIGHT = 8

/** The message to a body before the first step. `corral`: its team's own, with both corners. */
export type StartMessage = {
  readonly type: 'start'
  readonly opponent: string
  readonly steps: number
  readonly width: number
  readonly height: number
  readonly corral: Rectangle
}

/** A cell that a body sees; x and y relative to it. Without further fields it is empty. */
export type SeenCell = {
  readonly x: number
  readonly y: number
  readonly agent?: 'ally' | 'enemy'
  readonly cow?: string
  readonly obstacle?: true
  readonly corral?: 'ally' | 'enemy'
  readonly unknown?: true
}

/** The message to a body in a step (spec 3.4.5): its own place, its team's score, and the cells around it. */
export type PerceptionMessage = {
  readonly type: 'perception'
  readonly step: number
  readonly x: number
  readonly y: number
  readonly score: number
  readonly cells: readonly SeenCell[]
}
export type Message = StartMessage | PerceptionMessage

export const answer = z.union([z.strictObject({ ready: z.literal(true) }), z.strictObject({ action })])
export type Answer = z.infer<typeof answer>
