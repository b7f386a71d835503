import type { Narrator } from '../../../contract/game/narration.ts'
import type { Input } from '../input.ts'
import { scoreOf, type State } from '../state.ts'
import type { SpectatorView } from '../../../contract/game/live-match.ts'
import { courseOf, type Config } from '../config.ts'
import { viewOf, type RiverView, type View } from '../view.ts'
import type { Move } from '../messages.ts'

/** Every move, with the reason for a refused one; then the scores as they stand, futures included. */
export const narrator: Narrator<State, Input> = {
  input: (state, names) => (input) => [
    { text: `${names[input.seat] ?? ''} ${toldTurn(state, input).text}`, rule: null },
  ],
  standing: ({ punters }, names) => [
    `Scores: ${punters.map((punter, seat) => `${names[seat] ?? ''} ${scoreOf(punter)}`).join(', ')}.`,
  ],
}

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

/** An input in words: what kind of event it was, and what follows the punter's name in a sentence. */
export interface ToldTurn {
  readonly kind: 'ready' | 'claim' | 'pass' | 'splurge' | 'option' | 'refused' | 'fault'
  readonly text: string
}

/** Maximum characters of a fault's text or of a route; the history has all of it. */
export const LONGEST = 2_000

/** `state`: after the input. */
export function toldTurn(state: State, input: Input): ToldTurn {
  const { refused, zombie } = state.punters[input.seat]!
  if (input.type === 'ready') {
    const { futures, notes } = state.punters[input.seat]!
    const bets = futures.map(({ mine, target }) => `${state.course.ids[mine]!} to ${state.course.ids[target]!}`)
    const text = bets.length === 0 ? 'is ready' : `is ready and bets on ${bets.join(', ')}`
    return { kind: 'ready', text: [`${text}.`, ...notes].join(' ').slice(0, LONGEST) }
  }
  if (input.type === 'fault') {
    const end = zombie === null ? 'passes' : 'is a zombie from now on'
    return { kind: 'fault', text: `${end}: ${input.fault.text.slice(0, LONGEST)}` }
  }
  return refused === null ? moved(input.move) : { kind: 'refused', text: `passes: ${refused}` }
}

/** A move that was made, in words. */
export function moved(move: Move): ToldTurn {
  if ('claim' in move) return { kind: 'claim', text: `claims ${move.claim.source}-${move.claim.target}.` }
  if ('option' in move)
    return { kind: 'option', text: `buys the option of ${move.option.source}-${move.option.target}.` }
  if ('splurge' in move) return { kind: 'splurge', text: `splurges ${move.splurge.route.join('-').slice(0, LONGEST)}.` }
  return { kind: 'pass', text: 'passes.' }
}
