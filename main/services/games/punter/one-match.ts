import type { Replayer } from '../../../contract/game/game.ts'
import type { SeatRecord } from '../../../contract/game/table.ts'
import { eraseGame } from '../../../contract/game/erased-game.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { IsolationTier, Limits } from '../../../contract/limits.ts'
import type { Player, PlayerEvent } from '../../../contract/players/player.ts'
import type { Config } from '../../../referees/punter/config.ts'
import type { Input } from '../../../referees/punter/input.ts'
import { punter } from '../../../referees/punter/punter.ts'
import { rules } from '../../../referees/punter/rules.ts'
import { futureScore, scoreOf, type State } from '../../../referees/punter/state.ts'
import { playStandaloneMatch } from '../standalone-match.ts'

export const game = eraseGame(punter)

/** One match that is not stored. */
export interface OneMatch {
  readonly config: Config
  readonly punters: number
  readonly limits: Limits
  readonly isolation: IsolationTier
  seatPlayer(seat: SeatRecord, seed: string, emit: (event: PlayerEvent) => void): Player
  /** Called with the state of the match before it begins; it changes as the match is played. */
  onBegin?(state: State): void
  /** Called when there is an outcome, while the players are still seated. */
  onOver?(end: Replayer): void
  /** The output of a punter, and remarks on its messages; perhaps some time after it happened. */
  readonly onPrinted?: ((punter: SeatId, text: string) => void) | undefined
}

/** The result of a match; lists are by seat. */
export interface MatchResult {
  readonly scores: readonly number[]
  readonly futures: readonly number[]
  readonly credits: readonly number[]
  readonly options: readonly number[]
  /** Why a punter became a zombie; null: it did not. */
  readonly zombies: readonly (string | null)[]
  readonly moves: number
  /** The refused messages with the reasons, in order. `move`: its number in the match; null: before the first. */
  readonly refused: readonly { readonly punter: SeatId; readonly move: number | null; readonly text: string }[]
}

/** Plays one match in this process. Throws ExpectedError 'host' if a problem of the machine prevents it. */
export async function playOneMatch(match: OneMatch): Promise<MatchResult> {
  const result = createResult(match)
  await playStandaloneMatch({
    game: match.onBegin === undefined ? game : observed(match.onBegin),
    config: match.config,
    limits: match.limits,
    isolation: match.isolation,
    entrants: Array.from({ length: match.punters }, (_, seat) => `punter-${seat}`),
    seatPlayer: (seat, seed, emit) => match.seatPlayer(seat, seed, emit),
    onOver: (over) => match.onOver?.(over),
    onInput: (input) => result.read(input as Input),
    onPrinted: match.onPrinted,
  })
  return result.now()
}

/** The game with a referee that first shows the state of its match. */
function observed(onBegin: (state: State) => void): typeof game {
  return eraseGame({
    ...punter,
    referee(table, config, limits) {
      onBegin(table.state)
      return punter.referee(table, config, limits)
    },
  })
}

/** The result of a match whose inputs are folded through the rules as they come. */
function createResult({ config, punters }: OneMatch): { read(input: Input): void; now(): MatchResult } {
  const seats = Array.from({ length: punters }, (_, id) => ({ id, entrant: id, role: 'punter', bodies: 1 }))
  const state = rules.initial(config, seats, '')
  const refused: MatchResult['refused'][number][] = []
  return {
    read(input) {
      refused.push(...refusalsIn(state, input))
    },
    now: () => ({
      scores: state.punters.map(scoreOf),
      futures: state.punters.map(futureScore),
      credits: state.punters.map(({ credit }) => credit),
      options: state.punters.map(({ options }) => options),
      zombies: state.punters.map(({ zombie }) => zombie),
      moves: state.moves,
      refused,
    }),
  }
}

function refusalsIn(state: State, input: Input): MatchResult['refused'] {
  const { moves } = state
  const { seat, type } = input
  rules.apply(state, input)
  const { refused, notes } = state.punters[seat]!
  if (type === 'ready') return notes.map((text) => ({ punter: seat, move: null, text }))
  if (type === 'fault') return [{ punter: seat, move: input.ready === false ? null : moves, text: input.fault.text }]
  return refused === null ? [] : [{ punter: seat, move: moves, text: refused }]
}
