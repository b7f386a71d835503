import { storedAgentFile, storedAgentKind } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { expectedError } from '../../administrator/procedures/call-error.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { EntrantId, GameId } from '../../contract/ids.ts'
import type { ContestDescription } from '../../contract/contests/contests.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import type { AgentVersion } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { plainSentence } from '../../contract/plain-sentence.ts'
import type { OutFile } from '../files/output-file.ts'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../histories/durable.ts'

/**
 * Smoke matches: each shows whether an agent can play. As many are played at once as the class sets, beside contests, because each
 * uses a core for a second or two.
 */
export interface SmokeMatches {
  /**
   * Plays a version's smoke match when its turn comes and stores the verdict with the version; a match that is already
   * waiting or being played is joined. Rejects with ExpectedError if there is no verdict: 'stopped' if somebody stopped
   * it.
   */
  play(version: StoredAgentVersion): Promise<void>
  /**
   * Plays a trial match of a version under the conditions of a contest when its turn comes. The verdict is not stored. Rejects
   * with ExpectedError like `play`.
   */
  playIn(version: StoredAgentVersion, conditions: TrialConditions): Promise<Verdict>
  /** Plays a practice match of a version when its turn comes. Rejects with ExpectedError like `play`. */
  playAgainst(version: StoredAgentVersion, practice: PracticeOrder): Promise<Verdict>
  /** Stops the matches of a version that are waiting or being played. */
  stop(version: StoredAgentVersion): void
  /** The state of the trial of a version without a verdict. */
  standing(version: StoredAgentVersion): AgentVersion['trial']
  /** Stops all matches and resolves when none runs any more. */
  close(): Promise<void>
}

/** The result of a trial match, in a sentence for the student. */
export interface Verdict {
  readonly ok: boolean
  readonly text: string
}

/** The conditions of a contest under which an agent is tried. */
export type TrialConditions = Pick<ContestDescription, 'game' | 'config' | 'limits' | 'clock' | 'isolation' | 'policy'>

/** The opponent of a practice match. */
export interface TrialOpponent {
  /** The agent's file, or the name of one that ships. */
  readonly file: string
  /** Its name in the match and in sentences. */
  readonly name: EntrantId
  readonly seed: string
}

/** A practice match to play. */
export interface PracticeOrder {
  readonly against: TrialOpponent
  /** Absent: those of a trial match. */
  readonly conditions?: Omit<TrialConditions, 'game' | 'policy' | 'isolation'>
  /** The file for the match's history. */
  readonly exportTo: OutFile
  /** Called when its turn has come, with which its time begins. The signal stops the match. */
  begin(): AbortSignal
}

/** Plays one trial match. Throws ExpectedError if it cannot be played or `signal` aborts. */
export type TrialPlayer = (
  trial: Partial<TrialConditions> & {
    /** The agent's file. */
    readonly file: string
    /** Its name in the match and in sentences. */
    readonly name: string
    readonly game: GameId
    /** Absent: the game's baby agent. */
    readonly against?: TrialOpponent
    /** The data folder. */
    readonly data: string
    readonly isolation: IsolationTier
    /** The file for the match's history; absent: it is not kept. */
    readonly exportTo?: OutFile
    readonly signal: AbortSignal
    onNotice(text: string): void
  },
) => Promise<Verdict>

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
  /** Matches that begin, in this order, when one that is played has ended. */
  readonly waiting: (() => void)[]
  /** The number of matches that are being played. */
  playing: number
  /** All that are waiting or being played, also those that another one has replaced. */
  readonly unfinished: Set<Promise<unknown>>
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
    waiting: [],
    playing: 0,
    unfinished: new Set(),
    closed: false,
    onChange,
  }
  return {
    play: (version) => enqueue(trials, version),
    playIn: (version, conditions) => playIn(trials, version, conditions),
    playAgainst: (version, practice) => playAgainst(trials, version, practice),
    stop(version) {
      const own = keyOf(version)
      for (const [key, { stop }] of trials.running) if (key === own || key.startsWith(`${own} `)) stop.abort()
    },
    standing: (version) => standingOf(trials, version),
    async close() {
      trials.closed = true
      for (const { stop } of trials.running.values()) stop.abort()
      await Promise.all(trials.unfinished)
    },
  }
}

/** Does something when its turn comes. */
function inTurn<T>(trials: Trials, work: () => Promise<T>): Promise<T> {
  const done = whenPlaceIsFree(trials, work)
  const ended = done.then(
    () => undefined,
    () => undefined,
  )
  trials.unfinished.add(ended)
  void ended.then(() => trials.unfinished.delete(ended))
  return done
}

async function whenPlaceIsFree<T>(trials: Trials, work: () => Promise<T>): Promise<T> {
  if (trials.playing < trials.home.content.settings.trialsAtOnce) trials.playing += 1
  else await new Promise<void>((begin) => trials.waiting.push(begin))
  try {
    return await work()
  } finally {
    leavePlace(trials)
  }
}

/** Gives the place of a match that has ended to the next ones, as far as the setting, which may have changed, has places. */
function leavePlace(trials: Trials): void {
  trials.playing -= 1
  while (trials.playing < trials.home.content.settings.trialsAtOnce) {
    const begin = trials.waiting.shift()
    if (begin === undefined) return
    trials.playing += 1
    begin()
  }
}

/** A verdict belongs to a package in a game, whatever the agent's name. */
const keyOf = ({ hash, manifest }: StoredAgentVersion): string => `${hash} ${manifest.game}`

const contestKeyOf = (version: StoredAgentVersion): string => `${keyOf(version)} contest`

async function playAgainst(
  trials: Trials,
  version: StoredAgentVersion,
  { against, conditions, exportTo, begin }: PracticeOrder,
): Promise<Verdict> {
  const stop = new AbortController()
  if (trials.closed) stop.abort()
  const { isolation } = trials.home.content.settings
  const played = inTurn(trials, () => {
    const signal = AbortSignal.any([stop.signal, begin()])
    return verdictIn(trials, version, signal, { ...conditions, isolation }, { exportTo, against })
  })
  const key = `${keyOf(version)} against ${against.seed}`
  trials.running.set(key, { stop, played: played.then(ignoreVerdict, ignoreVerdict) })
  return played.finally(() => trials.running.delete(key))
}

/** For those who only wait for the end. */
const ignoreVerdict = (): void => undefined

async function playIn(trials: Trials, version: StoredAgentVersion, conditions: TrialConditions): Promise<Verdict> {
  const key = contestKeyOf(version)
  // One with other conditions is of no use any more.
  trials.running.get(key)?.stop.abort()
  const stop = new AbortController()
  if (trials.closed) stop.abort()
  const played = inTurn(trials, () => verdictIn(trials, version, stop.signal, conditions))
  const running = { stop, played: played.then(() => undefined) }
  running.played.catch(() => undefined)
  trials.running.set(key, running)
  return played.finally(() => {
    if (trials.running.get(key) === running) trials.running.delete(key)
  })
}

function enqueue(trials: Trials, version: StoredAgentVersion): Promise<void> {
  const { running, problems, onChange } = trials
  const key = keyOf(version)
  const known = running.get(key)
  if (known !== undefined) return known.played
  const stop = new AbortController()
  if (trials.closed) stop.abort()
  problems.delete(key)
  const played = inTurn(trials, () => playNow(trials, version, stop.signal))
    .catch((error: unknown) => {
      problems.set(key, expectedError(error)?.message ?? 'It was stopped by an error inside the program.')
      throw error
    })
    .finally(() => {
      running.delete(key)
      onChange()
    })
  running.set(key, { stop, played })
  onChange()
  return played
}

async function playNow(trials: Trials, version: StoredAgentVersion, signal: AbortSignal): Promise<void> {
  const { home } = trials
  const { hash, manifest } = version
  const exportTo = trialHistoryFile(home.folder, version)
  const verdict = await verdictIn(trials, version, signal, { isolation: home.content.settings.isolation }, { exportTo })
  const smoke = { ok: verdict.ok, text: verdict.text.slice(0, 8_000) }
  await home.change(({ agents }) => {
    for (const each of agents) if (each.hash === hash && each.manifest.game === manifest.game) each.smoke = smoke
  })
}

async function verdictIn(
  { home, playTrial }: Trials,
  { hash, manifest }: StoredAgentVersion,
  signal: AbortSignal,
  conditions: Partial<TrialConditions> & Pick<TrialConditions, 'isolation'>,
  more: { readonly exportTo?: OutFile; readonly against?: TrialOpponent } = {},
): Promise<Verdict> {
  if (signal.aborted) throw new ExpectedError('stopped', 'stopped', 'The match was stopped before its beginning.')
  return playTrial({
    ...conditions,
    file: storedAgentFile(home.folder, hash, storedAgentKind(home.folder, hash)),
    name: manifest.name,
    game: manifest.game,
    data: home.folder,
    ...more,
    signal,
    onNotice: () => undefined,
  }).catch(verdictOf)
}

/**
 * Refusals of an agent because of its own files, whatever the machine. That is its verdict: to play the trial match again would
 * change nothing.
 */
const UNFIT: ReadonlySet<ErrorCode> = new Set(['other-game', 'role-missing'])

/** The verdict on an agent that its trial match refused. Throws all other errors. */
function verdictOf(error: unknown): Verdict {
  if (!(error instanceof ExpectedError) || !UNFIT.has(error.code)) throw error
  return { ok: false, text: plainSentence(error.message).replace(/^Entrant "[^"]*"/, 'It') }
}

function standingOf({ running, problems }: Trials, version: StoredAgentVersion): AgentVersion['trial'] {
  const key = keyOf(version)
  if (running.has(key)) return 'playing'
  const problem = version.smoke === null ? problems.get(key) : undefined
  return problem === undefined ? null : { problem }
}

type Trial = Pick<StoredAgentVersion, 'hash' | 'manifest'>

const folderOf = (data: string): string => join(data, 'trials')
// A verdict belongs to a package in a game, whatever the agent's name.
const pathOf = (data: string, { hash, manifest }: Trial): string =>
  join(folderOf(data), `${hash}-${manifest.game}.jsonl`)

/** The file for the history of a version's trial match, which replaces that of its last one. */
function trialHistoryFile(data: string, version: Trial): OutFile {
  makeFolder(folderOf(data), 0o700)
  return { path: pathOf(data, version), overwrite: true, mode: 0o600 }
}

/** The history of a version's last trial match. Throws ExpectedError 'usage' if there is none. */
export function trialHistory(data: string, version: Trial): string {
  const path = pathOf(data, version)
  if (existsSync(path)) return path
  throw new ExpectedError(
    'usage',
    'match-unknown',
    'The history of this trial match was not kept: run the trial match again.',
  )
}

/** Deletes the history of a version's trial match, if there is one. */
export function removeTrialHistory(data: string, version: Trial): void {
  rmSync(pathOf(data, version), { force: true })
}
