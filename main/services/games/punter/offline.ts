import { limits as limitsSchema, type IsolationTier, type Limits } from '../../../contract/limits.ts'
import type { ProgramAgent } from '../../../players/program-player.ts'
import type { Config } from '../../../referees/punter/config.ts'
import { openProgramHost } from '../own-programs.ts'
import { game, playOneMatch, type MatchResult, type OneMatch } from './one-match.ts'

export interface OfflineGame {
  readonly config: Config
  /** In seat order. */
  readonly programs: readonly Omit<ProgramAgent, 'process'>[]
  readonly limits: Partial<Limits>
  /** The weakest tier to accept. null: the programs are the person's own and run like commands of that person. */
  readonly isolation: IsolationTier | null
  readonly onPrinted?: OneMatch['onPrinted']
}

/** Plays one game of programs in offline mode, a process for each message. Throws ExpectedError. */
export async function playOffline({
  config,
  programs,
  isolation,
  onPrinted,
  ...options
}: OfflineGame): Promise<MatchResult> {
  const limits = limitsSchema.parse({ ...game.matches.limits, ...options.limits })
  const { host, tier } = await openProgramHost(isolation, programs)
  try {
    return await playOneMatch({
      config,
      punters: programs.length,
      limits,
      isolation: tier,
      onPrinted,
      seatPlayer: ({ id }, seed, emit) =>
        host.seat({
          program: { ...programs[id]!, process: 'move' },
          seed,
          moveWire: (wireHost) => game.dialogue.moveWire!(config, { seat: id, body: 0 }, [], wireHost),
          limits,
          emit,
        }),
    })
  } finally {
    await host.close()
  }
}
