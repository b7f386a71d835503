import type { SeatId } from '../../contract/ids.ts'
import { actions, type HerderAction } from './messages.ts'
import { NO_ACTION, type State } from './state.ts'

type SeenHerder = {
  readonly body: number
  readonly x: number
  readonly y: number
  /** Its action in the last step; null: none, or the viewer does not know it. */
  readonly action: HerderAction | null
  /** It wanted to move and could not. */
  readonly failed: boolean
}

/** A simulation as a viewer knows it. The ground follows from the config. */
export type View = {
  readonly step: number
  readonly steps: number
  /** By seat. */
  readonly herders: readonly (readonly SeenHerder[])[]
  readonly cows: readonly { readonly id: number; readonly x: number; readonly y: number }[]
  /** By seat: cows in its corral so far. */
  readonly scores: readonly number[]
}

/**
 * A seat sees what is near one of its herders, and no actions of the other team. The panel and spectators see everything,
 * as on the organisers' monitor.
 */
export function viewOf(state: State, viewer: SeatId | 'public' | 'panel'): View {
  const { width, bodies, herders, cows, lastActions, stopped, step, config, ranges, scores } = state
  const seat = typeof viewer === 'number' ? viewer : null
  const place = (cell: number): { x: number; y: number } => ({ x: cell % width, y: Math.floor(cell / width) })
  const places = [...herders].map(place)
  const eyes = seat === null ? null : places.slice(seat * bodies, (seat + 1) * bodies)
  const isSeen = ({ x, y }: { readonly x: number; readonly y: number }): boolean =>
    eyes === null || eyes.some((eye) => Math.abs(eye.x - x) <= ranges.sight && Math.abs(eye.y - y) <= ranges.sight)
  const team = (of: SeatId): SeenHerder[] =>
    places.slice(of * bodies, (of + 1) * bodies).map(({ x, y }, body) => {
      const last = lastActions[of * bodies + body]!
      const isTold = (seat === null || seat === of) && last !== NO_ACTION
      return { body, x, y, action: isTold ? actions[last]! : null, failed: isTold && stopped[of * bodies + body] === 1 }
    })
  return {
    step,
    steps: config.steps,
    herders: [0, 1].map((of) => team(of).filter(isSeen)),
    cows: [...cows].flatMap((cell, id) => (cell === -1 ? [] : [{ id, ...place(cell) }])).filter(isSeen),
    scores: [...scores],
  }
}
