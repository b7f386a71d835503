import { randomBytes } from 'node:crypto'
import type { Replayer, SeatRecord } from '../../../contract/game.ts'
import { eraseGame } from '../../../contract/erased-game.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { HistoryBody } from '../../../contract/history.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { IsolationTier, Limits } from '../../../contract/limits.ts'
import type { Player, PlayerEvent } from '../../../contract/player.ts'
import { hashOf, sha256 } from '../../../histories/canonical.ts'
import type { Config } from '../../../referees/punter/config.ts'
import type { Input } from '../../../referees/punter/input.ts'
import { punter } from '../../../referees/punter/punter.ts'
import { rules } from '../../../referees/punter/rules.ts'
import { futureScore, scoreOf, type State } from '../../../referees/punter/state.ts'
import { conductMatch } from '../../../worker/conduct-match.ts'
import type { WorkerReport } from '../../../worker/protocol.ts'

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
  /** What a punter has printed, and what it was told of its messages; perhaps some time after it happened. */
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
  const seed = randomBytes(32).toString('hex')
  const result = createResult(match)
  let end: WorkerReport | undefined
  await conductMatch({
    setup: {
      contest: 'single',
      contestHash: hashOf(null),
      configHash: hashOf(match.config),
      game: game.id,
      config: match.config,
      limits: match.limits,
      isolation: match.isolation,
      clock: 'real',
      lanes: 1,
    },
    job: {
      run: 1,
      match: 0,
      attempt: 1,
      seed,
      nonce: seed,
      fresh: false,
      entrants: Array.from({ length: match.punters }, (_, seat) => ({
        name: `punter-${seat}`,
        agent: sha256(String(seat)),
      })),
    },
    game: match.onBegin === undefined ? game : observed(match.onBegin),
    seatPlayer: (seat, seedOf, emit) => match.seatPlayer(seat, seedOf(0), emit),
    onOver: (over) => match.onOver?.(over),
    report(report) {
      if (report.type === 'lines') result.read(report.text)
      else end = report
    },
  })
  if (end?.type !== 'finished') {
    const why = end !== undefined && 'reason' in end ? end.reason : 'it has no end'
    throw new ExpectedError('host', `The match could not be played: ${why}`)
  }
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

/** The result of a match whose lines are folded through the rules as they come. */
function createResult({ config, punters, onPrinted }: OneMatch): { read(lines: string): void; now(): MatchResult } {
  const seats = Array.from({ length: punters }, (_, id) => ({ id, entrant: id, role: 'punter', bodies: 1 }))
  const state = rules.initial(config, seats, '')
  const refused: MatchResult['refused'][number][] = []
  return {
    read(lines) {
      for (const line of lines.split('\n').filter((each) => each !== '')) {
        // Trusted: our own recorder wrote these lines.
        const { b: body } = JSON.parse(line) as { readonly b: HistoryBody }
        if (body.k === 'input') refused.push(...refusalsIn(state, body.input as Input))
        else if (body.k === 'console') onPrinted?.(body.post.seat, body.text)
      }
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
