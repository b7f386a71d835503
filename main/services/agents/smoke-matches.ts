import { storedAgentFile, storedAgentKind } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { expectedError } from '../../administrator/procedures/call-error.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { AgentVersion } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { checkAgent } from './agent-command.ts'
import { trialHistoryFile } from './trial-histories.ts'
import { trialConfig } from '../game-facts.ts'

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

interface Running {
  readonly stop: AbortController
  readonly played: Promise<void>
}

/** `onChange`: called when the state of a trial changes. */
export function createSmokeMatches(home: ClassFolder, onChange: () => void): SmokeMatches {
  const running = new Map<string, Running>()
  const problems = new Map<string, string>()
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  // A verdict belongs to a package in a game, whatever the agent's name.
  const keyOf = ({ hash, manifest }: StoredAgentVersion): string => `${hash} ${manifest.game}`

  const playNow = async ({ hash, manifest }: StoredAgentVersion, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) throw new ExpectedError('stopped', 'The match was stopped before its beginning.')
    const verdict = await checkAgent({
      file: storedAgentFile(home.folder, hash, storedAgentKind(home.folder, hash)),
      game: manifest.game,
      config: trialConfig(manifest.game),
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

  return {
    play(version) {
      const key = keyOf(version)
      const known = running.get(key)
      if (known !== undefined) return known.played
      const stop = new AbortController()
      if (closed) stop.abort()
      problems.delete(key)
      const played = last
        .then(() => playNow(version, stop.signal))
        .catch((error: unknown) => {
          problems.set(key, expectedError(error)?.message ?? 'It was stopped by an error inside the program.')
          throw error
        })
        .finally(() => {
          running.delete(key)
          onChange()
        })
      last = played.catch(() => undefined)
      running.set(key, { stop, played })
      onChange()
      return played
    },

    stop: (version) => running.get(keyOf(version))?.stop.abort(),

    standing(version) {
      const key = keyOf(version)
      if (running.has(key)) return 'playing'
      const problem = version.smoke === null ? problems.get(key) : undefined
      return problem === undefined ? null : { problem }
    },

    async close() {
      closed = true
      for (const { stop } of running.values()) stop.abort()
      await last
    },
  }
}
