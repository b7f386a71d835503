import type { SpectatorView } from '../../../contract/game/live-match.ts'
import { courseOf, type Config } from '../config.ts'
import type { Input } from '../input.ts'
import type { State } from '../state.ts'
import { viewOf, type RiverView, type View } from '../view.ts'
import { narrator } from './narrator.ts'

/** The map, as pictures need it. Rivers and mines name sites by their numbers. */
export type Ground = {
  readonly sites: readonly { readonly id: number; readonly x?: number; readonly y?: number }[]
  readonly rivers: readonly { readonly source: number; readonly target: number }[]
  readonly mines: readonly number[]
  /** True if punters have futures, which scenes leave out. */
  readonly futures: boolean
}

/** The public view, with `FIELDS` numbers for each river, because a scene is sent again and again; -1: nobody, never. */
export type Scene = Omit<View, 'rivers'> & { readonly rivers: readonly number[] }

const FIELDS = 5

/** Futures are secret until the end, and so are the inputs that have them; moves and scores of rivers are public. */
export const spectatorView: SpectatorView<Config, State, Input> = {
  ground(config) {
    const { file, rivers, mines } = courseOf(config)
    const sites = file.sites.map(({ id, x, y }) => (x === undefined || y === undefined ? { id } : { id, x, y }))
    const ends = rivers.map(({ source, target }) => ({ source, target }))
    return { sites, rivers: ends, mines, futures: config.futures } satisfies Ground
  },
  scene(state) {
    const { rivers, ...view } = viewOf(state, 'public')
    return { ...view, rivers: rivers.flatMap(numbersOf) } satisfies Scene
  },
  input: (state, names) => narrator.input(state, names),
}

const numbersOf = ({ river, owner, claimedAt, holder, soldAt }: RiverView): readonly number[] => [
  river,
  owner,
  claimedAt,
  holder ?? -1,
  soldAt ?? -1,
]

/** The rivers of a scene that somebody has. */
export function riversOfScene({ rivers }: Scene): readonly RiverView[] {
  return Array.from({ length: rivers.length / FIELDS }, (_, at): RiverView => {
    const [river, owner, claimedAt, holder, soldAt] = rivers.slice(at * FIELDS, (at + 1) * FIELDS)
    return {
      river: river!,
      owner: owner!,
      claimedAt: claimedAt!,
      holder: holder === -1 ? null : holder!,
      soldAt: soldAt === -1 ? null : soldAt!,
    }
  })
}
