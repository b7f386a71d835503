import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sha256 } from '../contract/ids.ts'
import { verifyMatch } from '../histories/verify.ts'
import { endGroup } from '../players/agent-process.ts'
import { createScriptPool, type ScriptPool } from '../players/script-pool.ts'
import { games } from '../referees/games.ts'
import { playMatch } from './play.ts'
import type { ContestSetup, GroupReport, MatchJob, VerifyReport, WorkerCommand, WorkerReport } from './protocol.ts'

/** Idle agent processes that are kept, at some 50 MB each. */
const WARM_MAX = 24
/** Matches after which an agent's process is replaced: what an old realm left behind does not live for ever. */
const RECYCLE_AFTER = 100

/**
 * A match worker: plays the matches that the engine sends, one at a time, in the order sent, or verifies a history. It
 * writes no file and holds no private key; it ends with the engine, and its agents end with it.
 */
let setup: ContestSetup | null = null
let pool: ScriptPool | null = null
const sources = new Map<Sha256, string>()
let playing: Promise<void> = Promise.resolve()

/** Process groups of live agents. */
const groups = new Set<number>()

function report(message: WorkerReport | VerifyReport | GroupReport): void {
  // When the engine is gone there is nobody to tell; `disconnect` ends this process.
  if (process.connected) process.send?.(message)
}

function prepare(contest: ContestSetup): void {
  setup = contest
  pool = createScriptPool({
    tier: contest.isolation,
    nodeBinary: process.execPath,
    hostFile: join(dirname(fileURLToPath(import.meta.url)), 'host.cjs'),
    warmMax: WARM_MAX,
    recycleAfter: RECYCLE_AFTER,
    onGroup(group, alive) {
      if (alive) groups.add(group)
      else groups.delete(group)
      report({ type: 'group', group, alive })
    },
  })
  report({ type: 'ready' })
}

async function play(job: MatchJob): Promise<void> {
  if (setup === null || pool === null) throw new Error('a match came before its contest')
  const game = games.get(setup.game)
  if (game === undefined) throw new Error(`there is no game ${setup.game}`)
  const { limits, clock } = setup
  const scripts = pool
  await playMatch({
    setup,
    job,
    game,
    seatPlayer: ({ agent }, _post, seed, emit) =>
      scripts.seat({
        agent,
        source: sources.get(agent) ?? '',
        adapter: game.script.adapter,
        seed,
        clock,
        limits,
        emit,
      }),
    report,
  })
}

async function verify(file: string, key: string | null): Promise<void> {
  const options = { games: (id: string) => games.get(id), ...(key === null ? {} : { key }) }
  const bytes = await readFile(file).catch((error: unknown) => String(error))
  if (typeof bytes === 'string') report({ type: 'gone', reason: bytes })
  else report({ type: 'verified', verdict: verifyMatch(bytes, options) })
}

process.on('disconnect', () => {
  for (const group of groups) endGroup(group)
  process.exit(0)
})
process.on('message', (command: WorkerCommand) => {
  if (command.type === 'contest') prepare(command.setup)
  else if (command.type === 'agent') sources.set(command.agent, command.source)
  else if (command.type === 'play') playing = playing.then(() => play(command.job))
  else void verify(command.file, command.key)
})
