import type { SeatId } from '../../contract/ids.ts'
import type { Move } from './messages.ts'
import { isOver, isSetUp, riverScore, scoreOf, turnOf, type Punter, type State } from './state.ts'

/** A match as a viewer knows it. Sites are named by their ids. */
export type View = {
  /** Moves made, and how many end the match. */
  readonly moves: number
  readonly most: number
  /** null: nobody's, before the first move and at the end. */
  readonly turn: SeatId | null
  readonly punters: readonly PunterView[]
  /** The rivers that somebody has. */
  readonly rivers: readonly RiverView[]
}

type PunterView = {
  readonly setup: 'ready' | 'failed' | null
  /** With its futures where they may be known. */
  readonly score: number
  readonly credit: number
  readonly options: number
  readonly timeouts: number
  readonly zombie: string | null
  /** null: not for these eyes before the end. */
  readonly futures: readonly FutureView[] | null
  readonly notes: readonly string[]
  readonly last: Move
  readonly lastAt: number
  readonly refused: string | null
}

type FutureView = {
  readonly source: number
  readonly target: number
  /** Its gain or loss. */
  readonly worth: number
  readonly kept: boolean
}

export type RiverView = {
  /** Its number in the map without doubles. */
  readonly river: number
  readonly owner: SeatId
  /** The move that claimed it, from 0. */
  readonly claimedAt: number
  /** The owner of its option; null: nobody. */
  readonly holder: SeatId | null
  readonly soldAt: number | null
}

/** Futures are known to who made them and to the panel until the match is over. */
export function viewOf(state: State, viewer: SeatId | 'public' | 'panel'): View {
  const over = isOver(state)
  return {
    moves: state.moves,
    most: state.course.rivers.length,
    turn: over || !isSetUp(state) ? null : turnOf(state),
    punters: state.punters.map((punter, seat) =>
      punterView(state, punter, over || viewer === 'panel' || viewer === seat),
    ),
    rivers: riversOf(state),
  }
}

function punterView({ course: { ids } }: State, punter: Punter, open: boolean): PunterView {
  const { setup, credit, options, timeouts, zombie, futures, notes, last, lastAt, refused } = punter
  return {
    setup,
    score: open ? scoreOf(punter) : riverScore(punter),
    credit,
    options,
    timeouts,
    zombie,
    futures: open
      ? futures.map(({ mine, target, worth, kept }) => ({ source: ids[mine]!, target: ids[target]!, worth, kept }))
      : null,
    notes: open ? notes : [],
    last,
    lastAt,
    refused,
  }
}

function riversOf({ owners, claimedAt, holders, soldAt }: State): readonly RiverView[] {
  const found: RiverView[] = []
  for (const [river, owner] of owners.entries()) {
    if (owner === -1) continue
    const sold = holders[river] !== -1
    found.push({
      river,
      owner,
      claimedAt: claimedAt[river]!,
      holder: sold ? holders[river]! : null,
      soldAt: sold ? soldAt[river]! : null,
    })
  }
  return found
}
