import { basename, dirname } from 'node:path'
import type { GameId } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import type { SimilarAgent } from '../../contract/procedures/procedures.ts'
import { games } from '../../referees/games.ts'
import { completeSettings } from '../contests/descriptions/contest-file.ts'
import { readBytes } from '../files/read-file.ts'
import { chooseTier } from '../machine/isolation.ts'
import { playSingleMatch, type SeatReport } from '../contests/command/single-match.ts'
import type { OutFile } from '../files/output-file.ts'
import { componentsBeside } from '../packages/component-files.ts'
import { AGENT_BYTES_MAX, manifestOfFile, readSubmission } from '../packages/prepare.ts'
import { textsOf } from '../texts/named-texts.ts'
import { knownAgentFile } from './named-agents.ts'
import { similarAgents } from './similarity/similar-agents.ts'
import { trialEntrants } from './trial-entrants.ts'

export interface CheckAgentOptions {
  /** The agent's file. */
  readonly file: string
  readonly game: GameId
  /** The game's settings; missing ones get their defaults. */
  readonly config: Json
  /** The data folder; the settings may name challenges of its class. */
  readonly data: string
  /** The weakest isolation tier to accept. */
  readonly isolation?: IsolationTier | undefined
  /** The file for the match's history. */
  readonly exportTo?: OutFile
  readonly signal: AbortSignal
  onNotice(text: string): void
}

/**
 * The shipped agents to which an agent's file is similar, as hand-in flags them; none for an agent that is no script.
 * Throws ExpectedError 'usage' if the file is not an agent.
 */
export async function similarToFile({
  file,
  game,
}: Pick<CheckAgentOptions, 'file' | 'game'>): Promise<readonly SimilarAgent[]> {
  const path = knownAgentFile(game, file)
  const fileName = basename(path)
  const content = await readBytes(path, AGENT_BYTES_MAX)
  const components = componentsBeside(dirname(path))
  const read = await readSubmission({
    fileName,
    content,
    game,
    isolation: () => chooseTier('none'),
    components,
    stored: true,
  })
  if (read.manifest.kind !== 'script') return []
  const { bytes } = typeof read.agent === 'function' ? await read.agent() : read.agent
  return similarAgents(game, bytes)
}

/** The result of a trial match of an agent. */
export interface AgentVerdict {
  readonly file: string
  readonly ok: boolean
  /** One sentence for the student: the result, or why the agent failed. */
  readonly text: string
  /** Packages that it needs on the machine, as it lists them. */
  readonly packages: readonly string[]
  readonly agent: SeatReport
}

/**
 * Plays one trial match of an agent against copies of the game's baby agent. Throws ExpectedError if the match cannot
 * be played.
 */
export async function checkAgent(options: CheckAgentOptions): Promise<AgentVerdict> {
  const { file, game, config, data, isolation, exportTo, signal } = options
  const complete = await completeSettings(game, config, '.', 'the match', textsOf(data))
  const { packages = [] } = await manifestOfFile(knownAgentFile(game, file), game)
  const babies = trialEntrants(games.get(game)!, complete) - 1
  const { seats } = await playSingleMatch({
    game,
    agents: [file, ...Array.from({ length: babies }, () => 'baby')],
    config,
    data,
    seed: 'smoke',
    clock: 'real',
    isolation,
    ...(exportTo === undefined ? {} : { exportTo }),
    signal,
    onNotice: (text) => options.onNotice(text),
  })
  const agent = seats[0]!
  const [fault] = agent.faults
  if (fault !== undefined) return { file, ok: false, text: fault.text, packages, agent }
  if (agent.removed) return { file, ok: false, text: agent.reason ?? 'It was removed from the match.', packages, agent }
  const against = babies === 0 ? '' : babies === 1 ? ' against the baby' : ` against ${babies} babies`
  return {
    file,
    ok: true,
    text: `It played its match${against} to the end, rank ${agent.rank} of ${seats.length}.`,
    packages,
    agent,
  }
}
