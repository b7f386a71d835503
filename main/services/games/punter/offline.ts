import { stat } from 'node:fs/promises'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { limits as limitsSchema, type IsolationTier, type Limits } from '../../../contract/limits.ts'
import type { ProgramLauncher } from '../../../players/isolation/program.ts'
import { createProgramHost, type ProgramAgent } from '../../../players/program-player.ts'
import type { Config } from '../../../referees/punter/config.ts'
import { chooseTier } from '../../machine/isolation.ts'
import { resources } from '../../machine/resources.ts'
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
  const limits = limitsSchema.parse({ ...game.limits, ...options.limits })
  for (const { folder } of programs) {
    const found = await stat(folder).catch(() => null)
    if (found?.isDirectory() !== true) throw new ExpectedError('usage', `There is no folder ${folder} to run in.`)
  }
  const own = isolation === null
  const tier = own ? 'none' : await chooseTier(isolation, true)
  const host = createProgramHost({ tier, nodeBinary: resources.node, ...(own ? { launcher: asTyped } : {}) })
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
          moveWire: (wireHost) => game.moveWire!({ seat: id, body: 0 }, config, [], wireHost),
          limits,
          emit,
        }),
    })
  } finally {
    await host.close()
  }
}

/** Runs programs with the permissions and the environment of the person who started this command. */
const asTyped: ProgramLauncher = ({ folder, command: [file = '', ...args], env }) => {
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { file, args, cwd: folder, env: { ...Object.fromEntries(own), ...env } }
}
