import { drawBelow } from '../../contract/random.ts'
import type { Post } from '../../contract/game.ts'
import type { PerceptionMessage, SeenCell } from './messages.ts'
import { streamOf, type State } from './state.ts'

/** Per cent of cells that are withheld (spec 6). The organisers' server never withheld one. */
const WITHHELD = { document: 10, 'server-2008': 0 } as const

/**
 * What a body perceives now: the cells within its sight, column by column from the west and each from the north; those outside
 * the grid are left out. Its own cell is never withheld.
 */
export function perceptionOf(state: State, { seat, body }: Post): PerceptionMessage {
  const { width, height, bodies, herders, config, ranges, seed, step, scores } = state
  const { sight } = ranges
  const at = herders[seat * bodies + body]!
  const [x, y] = [at % width, Math.floor(at / width)]
  const next = streamOf(seed, `perception ${step} ${seat} ${body}`)
  const cells: SeenCell[] = []
  for (let dx = -sight; dx <= sight; dx++)
    for (let dy = -sight; dy <= sight; dy++) {
      if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue
      const isWithheld = drawBelow(next, 100) < WITHHELD[config.profile] && (dx !== 0 || dy !== 0)
      const content = isWithheld ? { unknown: true as const } : contentOf(state, at + dy * width + dx, seat)
      cells.push({ x: dx, y: dy, ...content })
    }
  return { type: 'perception', step, x, y, score: scores[seat]!, cells }
}

function contentOf(
  { herderOn, cowOn, obstacles, corrals, bodies }: State,
  cell: number,
  seat: number,
): Partial<SeenCell> {
  const side = (of: number): 'ally' | 'enemy' => (of === seat ? 'ally' : 'enemy')
  const [herder, cow, owner] = [herderOn[cell]!, cowOn[cell]!, corrals[cell]!]
  return {
    ...(herder === -1 ? {} : { agent: side(Math.floor(herder / bodies)) }),
    ...(cow === -1 ? {} : { cow: String(cow) }),
    ...(obstacles[cell] === 1 ? { obstacle: true as const } : {}),
    ...(owner === -1 ? {} : { corral: side(owner) }),
  }
}
