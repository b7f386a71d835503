import { eraseGame } from '../../../contract/game/erased-game.ts'
import type { SeatId } from '../../../contract/ids.ts'
import { limits as limitsSchema, type IsolationTier, type Limits } from '../../../contract/limits.ts'
import type { Outcome } from '../../../contract/game/outcome.ts'
import type { ProgramAgent } from '../../../players/program-player.ts'
import { wireHost } from '../../../players/wires/wire-host.ts'
import { cops } from '../../../referees/cops/cops.ts'
import type { Config } from '../../../referees/cops/config.ts'
import type { Input } from '../../../referees/cops/input.ts'
import { inPoints } from '../../../referees/cops/points.ts'
import { rules } from '../../../referees/cops/rules.ts'
import { outcomeOf } from '../../../referees/cops/scores.ts'
import { lootOf, nameOf } from '../../../referees/cops/state.ts'
import { openMatchExport } from '../match-export.ts'
import { openProgramHost } from '../own-programs.ts'
import { playStandaloneMatch } from '../standalone-match.ts'

const game = eraseGame(cops)

export interface CopsGame {
  readonly config: Config
  /** The robber's program, then those of the five cops. */
  readonly programs: readonly Omit<ProgramAgent, 'process'>[]
  readonly limits: Partial<Limits>
  /** The weakest tier to accept. null: the programs are the person's own and run like commands of that person. */
  readonly isolation: IsolationTier | null
  /** A folder for the history and the transcript. Absent: nothing is kept. */
  readonly exportTo?: string | undefined
  /** The output of a program to stderr, and remarks on its messages; perhaps some time after it happened. */
  readonly onPrinted?: (seat: SeatId, text: string) => void
}

/** The result of a game. Lists are by seat: the robber, then the cops in the order in which they were given. */
export interface CopsResult {
  readonly end: 'caught' | 'escaped' | 'disqualified'
  /** The world in which it ended. */
  readonly world: number
  readonly loot: number
  /** The money that is left in all banks. */
  readonly banks: number
  /** Names that the bots have registered. */
  readonly names: readonly string[]
  /** In points. */
  readonly scores: readonly number[]
  /** Pieces of evidence that each brain has found. */
  readonly evidence: readonly number[]
  /** How often its plan was elected by the cops. */
  readonly elected: readonly number[]
  readonly catchers: readonly string[]
  /** Why a brain was disqualified; null: it was not. */
  readonly disqualified: readonly (string | null)[]
  /** Seats whose program only waited until its time was up. */
  readonly waited: readonly SeatId[]
  /** Messages that counted for nothing, with the reason, in order. */
  readonly refused: readonly { readonly name: string; readonly world: number; readonly text: string }[]
}

/** Plays one game of programs, each one process with the protocol of 2005. Throws ExpectedError. */
export async function playCops({ config, programs, isolation, ...options }: CopsGame): Promise<CopsResult> {
  const limits = limitsSchema.parse({ ...game.matches.limits, ...options.limits })
  const exportTo =
    options.exportTo === undefined
      ? undefined
      : openMatchExport(options.exportTo, { title: 'A game of programs', game: game.id, matches: 1 })
  const { host, tier } = await openProgramHost(isolation, programs)
  const result = createResult(config)
  try {
    await playStandaloneMatch({
      game,
      config,
      limits,
      isolation: tier,
      exportTo,
      entrants: programs.map((_, seat) => (seat === 0 ? 'robber' : `cop-${seat}`)),
      seatPlayer: ({ id, ...seat }, seed, emit) =>
        host.seat({
          program: { ...programs[id]!, process: 'match' },
          seed,
          wire: game.dialogue.wire!(config, { seat: id, body: 0 }, [{ id, ...seat }], wireHost()),
          limits,
          emit,
        }),
      onInput: (input) => result.read(input as Input),
      onPrinted: options.onPrinted,
    })
  } finally {
    await host.close()
  }
  return result.now()
}

/** The result of a match whose inputs are folded through the rules as they come. */
function createResult(config: Config): { read(input: Input): void; now(): CopsResult } {
  const state = rules.initial(config, [], '')
  const refused: CopsResult['refused'][number][] = []
  const waited = new Set<SeatId>()
  return {
    read(input) {
      const { world } = state
      rules.apply(state, input)
      const text = state.brains[input.seat]!.refused
      if (input.type === 'fault' && input.fault.kind === 'stall') waited.add(input.seat)
      if (text !== null) refused.push({ name: nameOf(state, input.seat), world, text })
    },
    now() {
      const { brains, end, vaults } = state
      const outcome: Outcome | null = outcomeOf(state)
      if (outcome === null || end === null) throw new Error('the match has not ended')
      return {
        end,
        world: state.world,
        loot: lootOf(state),
        banks: vaults.reduce((sum, vault) => sum + vault, 0),
        names: brains.map((_, seat) => nameOf(state, seat)),
        scores: outcome.places.map(({ score }) => inPoints(score)),
        evidence: brains.map(({ found }) => found),
        elected: brains.map(({ elected }) => elected),
        catchers: state.catchers.map((seat) => nameOf(state, seat)),
        disqualified: brains.map(({ disqualified }) => disqualified),
        waited: [...waited],
        refused,
      }
    },
  }
}
