import type { Post } from '../../contract/game/table.ts'
import type { PerceptionMessage, SeenCell } from './messages.ts'
import { streamOf, type State } from './state.ts'

/** A cell is withheld if the number drawn for it is below this (spec 5.3): a tenth of 2^32. */
const WITHHELD = Math.floor(2 ** 32 / 10)

/**
 * The present perception of a body: the cells within its sight, column by column from the west and each from the north; those outside
 * the grid are left out. Its own cell is never withheld. The organisers' server withheld none. Cells that say the same are one
 * object, which nobody may change.
 */
export function perceptionOf(state: State, { seat, body }: Post): PerceptionMessage {
  const { width, height, bodies, herders, config, ranges, seed, step, scores } = state
  const { sight } = ranges
  const at = herders[seat * bodies + body]!
  const [x, y] = [at % width, Math.floor(at / width)]
  const next = config.profile === 'document' ? streamOf(seed, `perception ${step} ${seat} ${body}`) : null
  const cells: SeenCell[] = []
  for (let dx = 0 - Math.min(sight, x); dx <= Math.min(sight, width - 1 - x); dx++)
    for (let dy = 0 - Math.min(sight, y); dy <= Math.min(sight, height - 1 - y); dy++) {
      const isWithheld = next !== null && next() < WITHHELD && (dx !== 0 || dy !== 0)
      cells.push(seenCell(dx, dy, isWithheld ? UNKNOWN : contentOf(state, at + dy * width + dx, seat)))
    }
  return { type: 'perception', step, x, y, score: scores[seat]!, cells }
}

/** The content of a cell as a number: side of the corral, of the herder, obstacle, and the number of a cow, which is added. */
const CORRAL = 1
const AGENT = 3
const OBSTACLE = 9
const UNKNOWN = 10
const COW = 11
const ALLY = 1
const ENEMY = 2

function contentOf({ herderOn, cowOn, obstacles, corrals, bodies }: State, cell: number, seat: number): number {
  if (obstacles[cell] === 1) return OBSTACLE
  const [herder, cow, owner] = [herderOn[cell]!, cowOn[cell]!, corrals[cell]!]
  const corral = owner === -1 ? 0 : CORRAL * (owner === seat ? ALLY : ENEMY)
  if (herder !== -1) return corral + AGENT * ((herder < bodies ? 0 : 1) === seat ? ALLY : ENEMY)
  return cow === -1 ? corral : COW + 3 * cow + corral
}

/** Cells that were seen, by place and content. Cows with higher numbers are not kept, so that there is an end of it. */
const kept = new Map<number, SeenCell[]>()
const COWS_KEPT = 128

function seenCell(x: number, y: number, content: number): SeenCell {
  const place = x * 64 + y
  let ofPlace = kept.get(place)
  if (ofPlace === undefined) kept.set(place, (ofPlace = []))
  const known = ofPlace[content]
  if (known !== undefined) return known
  const cell = Object.freeze({ x, y, ...words(content) })
  if (content < COW + 3 * COWS_KEPT) ofPlace[content] = cell
  return cell
}

function words(content: number): Partial<SeenCell> {
  if (content === UNKNOWN) return { unknown: true }
  if (content === OBSTACLE) return { obstacle: true }
  const side = (of: number): 'ally' | 'enemy' => (of === ALLY ? 'ally' : 'enemy')
  const cow = content < COW ? null : Math.floor((content - COW) / 3)
  const rest = cow === null ? content : (content - COW) % 3
  return {
    ...(rest >= AGENT ? { agent: side(Math.floor(rest / AGENT)) } : {}),
    ...(cow === null ? {} : { cow: String(cow) }),
    ...(rest % AGENT === 0 ? {} : { corral: side(rest % AGENT) }),
  }
}
