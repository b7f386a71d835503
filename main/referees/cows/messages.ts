import { z } from 'zod'
import type { Rectangle } from './maps/map-file.ts'

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
export type Action = z.infer<typeof action>
export const shifts: Readonly<Record<Action, readonly [x: number, y: number]>> = {
  skip: [0, 0],
  north: [0, -1],
  northeast: [1, -1],
  east: [1, 0],
  southeast: [1, 1],
  south: [0, 1],
  southwest: [-1, 1],
  west: [-1, 0],
  northwest: [-1, -1],
}

export type StartMessage = {
  readonly type: 'start'
  readonly opponent: string
  readonly steps: number
  readonly width: number
  readonly height: number
  readonly corral: Rectangle
}
export type SeenCell = {
  readonly x: number
  readonly y: number
  readonly agent?: 'ally' | 'enemy'
  readonly cow?: string
  readonly obstacle?: true
  readonly corral?: 'ally' | 'enemy'
  readonly unknown?: true
}
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
