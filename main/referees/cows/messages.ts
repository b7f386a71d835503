import * as z from 'zod'
import { count, either, list, record, words, type ProgramMessages } from '../../contract/game/program-messages.ts'
import type { ReadonlyParts } from '../../contract/readonly-parts.ts'

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
export const action = words(
  'Action',
  'The action of a herder in a step (section 3.4.8); y grows to the south.',
  actions,
)
export type HerderAction = z.infer<typeof action>

/** Cells that a herder sees in each direction: a square of 17 by 17. */
export const SIGHT = 8

const side = words('Side', 'The own team or the other one.', ['ally', 'enemy'])

const corral = record('Corral', 'The corners of a corral; both belong to it.', {
  x0: count('The column of the corner in the north-west, from 0.'),
  y0: count('The row of that corner, from 0.'),
  x1: count('The column of the corner in the south-east.'),
  y1: count('The row of that corner.'),
})

const start = record('Start', 'The message to a herder before the first step; all herders of a team get the same.', {
  type: z.literal('start'),
  opponent: z.string().describe('The name of the other team.'),
  steps: count('The number of steps of the match.'),
  width: count('Columns of the grid.'),
  height: count('Rows of the grid.'),
  corral: corral.describe('The corral of the own team.'),
})

const cell = record('Cell', 'A cell that a herder sees. Without fields besides x and y it is empty.', {
  x: z.int().min(-SIGHT).max(SIGHT).describe('Its column relative to the herder.'),
  y: z.int().min(-SIGHT).max(SIGHT).describe('Its row relative to the herder.'),
  agent: side.exactOptional().describe('The team of the herder in it, which may be the one that looks.'),
  cow: z.string().exactOptional().describe('The name of the cow in it.'),
  obstacle: z.literal(true).exactOptional().describe('Nobody can enter it.'),
  corral: side.exactOptional().describe('The team of the corral that it belongs to.'),
  unknown: z.literal(true).exactOptional().describe('Its content is withheld in this step (section 5.3).'),
})

const perception = record('Perception', 'The message to a herder in a step (section 3.4.5). Asks for an action.', {
  type: z.literal('perception'),
  step: count('The number of the step, from 0.'),
  x: count('The column of the herder, from 0 in the west.'),
  y: count('The row of the herder, from 0 in the north.'),
  score: count('The score of the team so far.'),
  cells: list(
    cell,
    'The cells around the herder, column by column from the west; those outside the grid are left out.',
  ),
})

export type StartMessage = ReadonlyParts<z.infer<typeof start>>
/** A cell that a body sees; x and y relative to it. Without further fields it is empty. */
export type SeenCell = ReadonlyParts<z.infer<typeof cell>>
export type PerceptionMessage = ReadonlyParts<z.infer<typeof perception>>
export type Message = StartMessage | PerceptionMessage

export const answer = either('Said', 'The answer of a herder.', [
  record('Ready', 'The answer to `start`.', { ready: z.literal(true) }),
  record('Act', 'The answer to `perception`.', { action }),
])
export type Answer = z.infer<typeof answer>

/** One program plays all herders of a team. */
export const programMessages: ProgramMessages = {
  form: 'lines',
  bodies: true,
  told: either('Told', 'A message to a herder.', [start, perception]),
  said: answer,
}
