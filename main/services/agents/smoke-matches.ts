import { storedAgentFile, storedAgentKind } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { expectedError } from '../../administrator/procedures/call-error.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { GameId } from '../../contract/ids.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import type { AgentVersion } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { OutFile } from '../files/output-file.ts'
import { trialHistoryFile } from './trial-histories.ts'

/**
 * Smoke matches: each shows whether an agent can play. They are played one at a time, because each uses a core for a
 * second or two.
 */
export interface SmokeMatches {
  /**
   * Plays a version's smoke match when its turn comes and stores the verdict with the version; a match that is already
   * waiting or being played is joined. Rejects with ExpectedError if there is no verdict: 'stopped' if somebody stopped
   * it.
   */
  play(version: StoredAgentVersion): Promise<void>
  /** Stops a match that is waiting or being played. */
  stop(version: StoredAgentVersion): void
  /** The state of the trial of a version without a verdict. */
  standing(version: StoredAgentVersion): AgentVersion['trial']
  /** Stops all matches and resolves when none runs any more. */
  close(): Promise<void>
}

/** Plays one trial match. Throws ExpectedError if it cannot be played or `signal` aborts. */
export type TrialPlayer = (trial: {
  /** The agent's file. */
  readonly file: string
  readonly game: GameId
  /** The data folder. */
  readonly data: string
  readonly isolation: IsolationTier
  /** The file for the match's history. */
  readonly exportTo: OutFile
  readonly signal: AbortSignal
  onNotice(text: string): void
}) => Promise<{ readonly ok: boolean; readonly text: string }>

interface Running {
  readonly stop: AbortController
  readonly played: Promise<void>
}

/** The smoke matches of a class while it is open. */
interface Trials {
  readonly home: ClassFolder
  readonly playTrial: TrialPlayer
  /** Those that wait or are being played. Maps here are by `keyOf`. */
  readonly running: Map<string, Running>
  /** Why the last match of a version gave no verdict. */
  readonly problems: Map<string, string>
  /** Resolves when the last match in the queue has ended. */
  last: Promise<unknown>
  closed: boolean
  /** Called when the state of a trial changes. */
  readonly onChange: () => void
}

export function createSmokeMatches(home: ClassFolder, playTrial: TrialPlayer, onChange: () => void): SmokeMatches {
  const trials: Trials = {
    home,
    playTrial,
    running: new Map(),
    problems: new Map(),
    last: Promise.resolve(),
    closed: false,
    onChange,
  }
  return {
    play: (version) => enqueue(trials, version),
    stop: (version) => trials.running.get(keyOf(version))?.stop.abort(),
    standing: (version) => standingOf(trials, version),
    async close() {
      trials.closed = true
      for (const { stop } of trials.running.values()) stop.abort()
      await trials.last
    },
  }
}

/** A verdict belongs to a package in a game, whatever the agent's name. */
const keyOf = ({ hash, manifest }: StoredAgentVersion): string => `${hash} ${manifest.game}`

function enqueue(trials: Trials, version: StoredAgentVersion): Promise<void> {
  const { running, problems, onChange } = trials
  const key = keyOf(version)
  const known = running.get(key)
  if (known !== undefined) return known.played
  const stop = new AbortController()
  if (trials.closed) stop.abort()
  problems.delete(key)
  const played = trials.last
    .then(() => playNow(trials, version, stop.signal))
    .catch((error: unknown) => {
      problems.set(key, expectedError(error)?.message ?? 'It was stopped by an error inside the program.')
      throw error
    })
    .finally(() => {
      running.delete(key)
      onChange()
    })
  trials.last = played.catch(() => undefined)
  running.set(key, { stop, played })
  onChange()
  return played
}

async function playNow(
  { home, playTrial }: Trials,
  { hash, manifest }: StoredAgentVersion,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) throw new ExpectedError('stopped', 'stopped', 'The match was stopped before its beginning.')
  const verdict = await playTrial({
    file: storedAgentFile(home.folder, hash, storedAgentKind(home.folder, hash)),
    game: manifest.game,
    data: home.folder,
    isolation: home.content.settings.isolation,
    exportTo: trialHistoryFile(home.folder, { hash, manifest }),
    signal,
    onNotice: () => undefined,
  })
  const smoke = { ok: verdict.ok, text: verdict.text.slice(0, 8_000) }
  await home.change(({ agents }) => {
    for (const each of agents) if (each.hash === hash && each.manifest.game === manifest.game) each.smoke = smoke
  })
}

function standingOf({ running, problems }: Trials, version: StoredAgentVersion): AgentVersion['trial'] {
  const key = keyOf(version)
  if (running.has(key)) return 'playing'
  const problem = version.smoke === null ? problems.get(key) : undefined
  return problem === undefined ? null : { problem }
}
