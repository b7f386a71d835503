import type { GameId } from '../../../contract/ids.ts'
import { games } from '../../../referees/games.ts'
import { completeSettings } from '../descriptions/contest-file.ts'
import { trialConditions, trialEntrants, type ChosenConditions } from '../descriptions/match-conditions.ts'
import { playSingleMatch } from './play-match.ts'
import type { SeatReport } from './seat-reports.ts'
import type { OutFile } from '../../files/output-file.ts'
import { textsOf } from '../../texts/named-texts.ts'
import { manifestJob } from '../../agents/handed-in-files.ts'
import { knownAgentFile } from '../../agents/named-agents.ts'
import { readText } from '../../machine/reading.ts'
import { readBuildLog } from '../../packages/build-log.ts'
import { packageFolder } from '../../../players/isolation/program.ts'
import type { SecurityPolicy } from '../../../contract/contests/policy.ts'
import type { TrialOpponent } from '../../agents/smoke-matches.ts'

/** Conditions that are not chosen are those of a trial match. */
export interface CheckAgentOptions extends Partial<ChosenConditions> {
  /** The agent's file. */
  readonly file: string
  /** Its name in the match; absent: that of its file. */
  readonly name?: string
  readonly game: GameId
  /** The security policy of the match; absent: the default. */
  readonly policy?: SecurityPolicy
  /** The number of entrants, including the agent; absent: that of the game's trial matches. */
  readonly entrants?: number
  /** The agent that it plays against; absent: that of the game's trial matches, the baby or itself. */
  readonly against?: TrialOpponent
  /** The data folder; the settings may name challenges of its class. */
  readonly data: string
  /** The file for the match's history. */
  readonly exportTo?: OutFile
  readonly signal: AbortSignal
  onNotice(text: string): void
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
 * Plays one trial match of an agent against copies of another agent, usually of the game's baby agent, or of itself. Throws ExpectedError if the
 * match cannot be played.
 */
export async function checkAgent(options: CheckAgentOptions): Promise<AgentVerdict> {
  const { file, name, game, data, isolation, policy, exportTo, signal, against } = options
  const { config, limits, clock } = trialConditions(game, options)
  const complete = await completeSettings(game, config, '.', 'the match', textsOf(data))
  const { packages = [] } = await readText(manifestJob, { file: knownAgentFile(game, file), game })
  const entrants = options.entrants ?? trialEntrants(games.get(game)!, complete)
  const others = against === undefined ? entrants - 1 : Math.max(1, entrants - 1)
  const isAlone = against === undefined && games.get(game)!.agents.trial.againstItself === true
  const opponent = against ?? (isAlone ? { file, name } : { file: 'baby', name: 'baby' })
  const { seats } = await playSingleMatch({
    game,
    agents: [file, ...Array.from({ length: others }, () => opponent.file)],
    names: name === undefined ? [] : [name, ...Array.from({ length: others }, () => opponent.name ?? name)],
    config,
    data,
    seed: against?.seed ?? 'smoke',
    limits,
    clock,
    isolation,
    ...(policy && { policy }),
    ...(exportTo === undefined ? {} : { exportTo }),
    signal,
    onNotice: (text) => options.onNotice(text),
  })
  const agent = (isAlone ? seats.find((each) => failureOf(each) !== null) : undefined) ?? seats[0]!
  const failure = failureOf(agent)
  if (failure !== null) return { file, ok: false, text: failure, packages, agent }
  return {
    file,
    ok: true,
    text: `It played its match${isAlone ? ' against itself' : againstWords(others, against)} to the end, rank ${agent.rank} of ${seats.length}.`,
    packages,
    agent,
  }
}

/** Why an agent failed its trial match, in a sentence for the student; null: it did not. */
export function failureOf({ faults, console, removed, reason }: SeatReport): string | null {
  const [fault] = faults
  if (fault !== undefined) return withLastWords(fault, console)
  return removed ? (reason ?? 'It was removed from the match.') : null
}

function againstWords(others: number, against: TrialOpponent | undefined): string {
  if (others === 0) return ''
  if (against !== undefined) return ` against ${others === 1 ? '' : `${others} times `}${against.name}`
  return others === 1 ? ' against the baby' : ` against ${others} babies`
}

/** The fault of a program that exited, with the error that it printed last: `agent.py, line 4: KeyError: 'x'`. */
export function withLastWords({ kind, text }: SeatReport['faults'][number], printed: SeatReport['console']): string {
  if (kind !== 'crash' || !text.startsWith('The agent ended by itself')) return text
  const log = printed.join('').replaceAll(packagePath, '')
  const [, command, why] = notStarted.exec(log) ?? []
  if (command !== undefined) return `Its command ${command} cannot be run: ${why ?? ''}. ${commandForms}`
  const last = readBuildLog(log).firstError ?? log.trimEnd().split('\n').at(-1)?.trim()
  return last === undefined || last === '' ? text : `${text} It last printed: ${last.slice(0, 500).toWellFormed()}`
}

/** The last words of the programs that start it. */
const notStarted = /^(?:prlimit|setpriv|sh): failed to execute (.{1,200}): ([^:\n]{1,100})$/m
const commandForms =
  'A file of the package is named with "./", as in ["./agent"], and a script after its interpreter, as in ["python3", "agent.py"].'

/** The folder of a program's files in the box; students know the files by their names. */
const packagePath = `${packageFolder}/`
