import type { Play } from '../../../../main/contract/procedures/human-match.ts'
import type { Rectangle } from '../../../../main/referees/cows/kinds.ts'
import type { HerderAction, Message, PerceptionMessage } from '../../../../main/referees/cows/messages.ts'
import type { DrawnHerder, Ground, Place } from '../drawn-scene.ts'

/** The knowledge of a team that a person plays. */
interface Session {
  readonly steps: number
  readonly step: number
  readonly score: number
  readonly ground: Ground
  readonly herders: readonly DrawnHerder[]
  readonly cows: readonly Place[]
  /** By body: its open question, and what it did last; null: none. */
  readonly bodies: readonly { readonly question: number | null; readonly last: HerderAction | null }[]
}

/** The ground seen until now; a session adds to it. */
interface Memory {
  readonly obstacles: Map<string, Place>
  theirs: Rectangle | null
}

export const newMemory = (): Memory => ({ obstacles: new Map(), theirs: null })

/** null: the match has not begun. */
export function sessionOf(
  { dialogue, questions, seat }: Pick<Play, 'dialogue' | 'questions' | 'seat'>,
  memory: Memory,
): Session | null {
  const lines = dialogue.map(({ from, value, body = 0 }) => ({ from, value, body }))
  // Messages of the program itself.
  const messages = lines.flatMap(({ from, value, body }) =>
    from === 'table' ? [{ message: value as unknown as Message, body }] : [],
  )
  const start = messages.map(({ message }) => message).find((message) => message.type === 'start')
  if (start === undefined) return null
  const seen = new Map(
    messages.flatMap(({ message, body }) => (message.type === 'perception' ? [[body, message] as const] : [])),
  )
  const cows = new Map<string, Place>()
  const herders = new Map<string, DrawnHerder>()
  for (const [body, { x, y, cells }] of seen) {
    for (const cell of cells) {
      const place = { x: x + cell.x, y: y + cell.y }
      const key = `${place.x} ${place.y}`
      if (cell.obstacle) memory.obstacles.set(key, place)
      if (cell.corral === 'enemy') memory.theirs = including(memory.theirs, place)
      if (cell.cow !== undefined) cows.set(key, place)
      if (cell.agent === 'enemy') herders.set(key, { ...place, seat: 1 - seat, body: null })
    }
    herders.set(`${x} ${y}`, { x, y, seat, body })
  }
  const corrals = seat === 0 ? [start.corral, memory.theirs] : [memory.theirs, start.corral]
  return {
    steps: start.steps,
    step: Math.max(0, ...[...seen.values()].map(({ step }) => step)),
    score: Math.max(0, ...[...seen.values()].map(({ score }) => score)),
    ground: {
      width: start.width,
      height: start.height,
      obstacles: [...memory.obstacles.values()],
      corrals,
      sight: Math.max(0, ...[...seen.values()].map(sightIn)),
    },
    herders: [...herders.values()],
    cows: [...cows.values()],
    bodies: Array.from({ length: 1 + Math.max(...messages.map(({ body }) => body)) }, (_, body) => ({
      question: questions.find((question) => question.body === body)?.number ?? null,
      last: lastAction(lines, body),
    })),
  }
}

/** The range of a herder's sight as its perception shows it; it is reduced in a corner of a narrow grid. */
const sightIn = ({ cells }: PerceptionMessage): number =>
  Math.max(0, ...cells.map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y))))

function lastAction(
  lines: readonly { readonly from: string; readonly value: unknown; readonly body: number }[],
  body: number,
): HerderAction | null {
  const line = lines.findLast((each) => each.from === 'person' && each.body === body)
  const value = line?.value as { readonly action?: HerderAction } | undefined
  return value?.action ?? null
}

const including = (box: Rectangle | null, { x, y }: Place): Rectangle =>
  box === null
    ? { x0: x, y0: y, x1: x, y1: y }
    : { x0: Math.min(box.x0, x), y0: Math.min(box.y0, y), x1: Math.max(box.x1, x), y1: Math.max(box.y1, y) }

/** An action as people choose it. */
interface PadKey {
  readonly action: HerderAction
  readonly sign: string
  /** On the keyboard. */
  readonly letter: string
}

/** Three rows of three, as on a compass, with the letters in the same places. */
export const pad: readonly PadKey[] = [
  { action: 'northwest', sign: '↖', letter: 'q' },
  { action: 'north', sign: '↑', letter: 'w' },
  { action: 'northeast', sign: '↗', letter: 'e' },
  { action: 'west', sign: '←', letter: 'a' },
  { action: 'skip', sign: '•', letter: 's' },
  { action: 'east', sign: '→', letter: 'd' },
  { action: 'southwest', sign: '↙', letter: 'z' },
  { action: 'south', sign: '↓', letter: 'x' },
  { action: 'southeast', sign: '↘', letter: 'c' },
]

/** The move towards a place at a distance in cells. */
export const actionTowards = (dx: number, dy: number): HerderAction =>
  pad[4 + 3 * Math.sign(dy) + Math.sign(dx)]!.action
