import { InvalidArgumentError, Option, type Command } from 'commander'
import { playContestFile } from '../../services/contests/command/contest-command.ts'
import { comparisonSentence } from '../../services/contests/results/compared-matches.ts'
import {
  rerunContest,
  resumeContest,
  type KeptContestOptions,
} from '../../services/contests/command/kept-contest-command.ts'
import type { ContestReport } from '../../services/contests/command/contest-report.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { isolationTier, type IsolationTier } from '../../contract/limits.ts'
import { complaintSentence, parsePlainly } from '../../contract/complaints.ts'
import { line } from '../../contract/players/line.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { policyText } from '../../contract/contests/policy.ts'
import { addGroup, addVerb, dataOption, folderName, isolationOption, wholeNumber, type Context } from '../context.ts'
import { finishable, stoppedCode } from '../interrupt.ts'
import { clusterToken, tokenHelp } from '../cluster-token.ts'
import { showProgress } from '../progress.ts'
import { contestJson, contestTables } from '../report-output.ts'
import type { Terminal } from '../terminal.ts'
import { count, safeLine, table } from '../text.ts'
import { toolchainLines } from '../toolchain-lines.ts'
import { addArenaOptions, arenaOptions, type ArenaWords } from './contest-arena.ts'
import { addKeptContestVerbs } from './kept-contest.ts'

/** Options of all verbs that play a contest. */
interface PlayOptions {
  readonly data?: string
  readonly cores?: number
  readonly export?: string
  readonly isolation?: IsolationTier
}

interface RunOptions extends ArenaWords, PlayOptions {
  readonly again?: boolean
  readonly phrase?: string
  readonly redis?: string
  readonly token?: string
  readonly wait?: number
  readonly recheck?: number
  readonly quorum?: number
}

/** `tartaglia contest run|resume|rerun`, and the verbs that play nothing. */
export function addContest(program: Command, context: Context): void {
  const group = addGroup(
    program,
    'contest',
    'Contests: run, resume, rerun, list, standings, recurring, cancel, archive, delete, bounty, withdraw, enter, pair',
  )

  const running = addVerb(
    group,
    'run',
    'Run a contest, or resume one that was stopped',
    'tartaglia contest run sample --cores 2',
  )
  addArenaOptions(running)
    .argument('<file>', 'a contest file (JSON), or "sample" for the sample contest')
    .addOption(dataOption())
    .addOption(coresOption())
    .addOption(exportOption())
    .option('--again', 'start a new run even if an unfinished one exists')
    .option('--phrase <text>', 'the phrase of the class, for a contest with "classPhrase" whose entries are closed')
    .option('--redis <url>', 'play on the workers of a cluster, through this Redis; see `tartaglia worker`')
    .option('--token <token>', `with --redis: ${tokenHelp}`)
    .option('--wait <seconds>', 'with --redis: how long to wait for a first worker (default: 600)', wholeNumber)
    .option(
      '--recheck <percent>',
      'with --redis: matches that are played again before they count (default: 5)',
      percent,
    )
    .option(
      '--quorum <workers>',
      'with --redis: workers that must agree on a match that is played again (default: this machine plays it itself)',
      quorumNumber,
    )
    .addOption(isolationOption(isolationTier.options))
    .action((file: string, options: RunOptions) => run(context, file, options))

  const kept = [
    [
      'resume',
      'Resume a contest of the data folder that was stopped',
      'tartaglia contest resume sample-contest-1',
      resumeContest,
    ],
    [
      'rerun',
      'Run a contest that is over again, with the same agents and seed',
      'tartaglia contest rerun sample-contest-1',
      rerunContest,
    ],
  ] as const
  for (const [verb, does, example, play] of kept) {
    addVerb(group, verb, does, example)
      .argument('<id>', 'its id in `tartaglia contest list`')
      .addOption(dataOption())
      .addOption(coresOption())
      .addOption(exportOption())
      .addOption(isolationOption(isolationTier.options))
      .action((contest: string, options: PlayOptions) => {
        const resume = verb === 'resume' ? 'Run the same command again to resume' : 'It can be resumed'
        return report(context, verb, options, resume, (common) => play({ ...common, contest }))
      })
  }

  addKeptContestVerbs(group, context)
}

function coresOption(): Option {
  return new Option('--cores <number>', 'number of matches at a time (default: one per core)').argParser(wholeNumber)
}

function exportOption(): Option {
  return new Option('--export <folder>', 'also write the history of each match into this folder').argParser(folderName)
}

async function run(context: Context, contest: string, options: RunOptions): Promise<void> {
  for (const option of ['token', 'wait', 'recheck', 'quorum'] as const)
    if (options[option] !== undefined && options.redis === undefined)
      throw new ExpectedError('usage', 'option-missing', `--${option} is for contests on a cluster: give --redis too.`)
  await report(context, 'run', options, 'Run the same command again to resume', (common) =>
    playContestFile({
      ...common,
      contest,
      ...arenaOptions(options, context, (text) => common.onNotice(text)),
      ...(options.again === undefined ? {} : { again: options.again }),
      ...(options.phrase === undefined ? {} : { phrase: phraseOf(options.phrase) }),
      ...(options.redis === undefined ? {} : { cluster: clusterOf(options.redis, options) }),
    }),
  )
}

/** The options that all verbs that play a contest pass on. */
type Common = Omit<KeptContestOptions, 'contest'>

/** Plays a contest and prints its report. `resume`: how it is resumed if it is stopped, as the beginning of a sentence. */
async function report(
  context: Context,
  verb: 'run' | 'resume' | 'rerun',
  { data = defaultDataFolder(), cores, export: exportTo, isolation }: PlayOptions,
  resume: string,
  play: (common: Common) => Promise<ContestReport>,
): Promise<void> {
  const { terminal, done } = context
  const progress = showProgress(terminal, 'matches')
  const steps = {
    finishing: `Stopping: running matches are finished first, but discarded on a cluster. ${resume}, or press Ctrl-C again to stop at once.`,
    stopping: `Stopping: running matches are discarded. ${resume}, or press Ctrl-C again to quit at once.`,
    say: (text: string) => progress.note(text),
  }
  try {
    const played = await finishable(context, steps, (signal, finishing) =>
      play({
        data,
        parts: terminal.json,
        signal,
        finishing,
        onNotice: (text) => progress.note(text),
        onProgress: (state) => progress.update(state),
        ...(cores === undefined ? {} : { cores }),
        ...(exportTo === undefined ? {} : { exportTo }),
        ...(isolation === undefined ? {} : { isolation }),
      }),
    )
    progress.end()
    terminal.output(`contest ${verb}`, contestJson(played))
    terminal.print(...reportLines(terminal, played, exportTo, resume))
    done(played.state === 'finished' ? 0 : stoppedCode)
  } finally {
    progress.end()
  }
}

/** Throws ExpectedError 'usage' if a history could not hold the phrase. */
function phraseOf(text: string): string {
  const read = parsePlainly(line, text)
  if (!read.ok) throw new ExpectedError('usage', 'input-invalid', `--phrase: ${complaintSentence(read.complaint)}`)
  return read.value
}

function clusterOf(url: string, { token, wait, recheck, quorum }: RunOptions) {
  const waitMs = wait === undefined ? undefined : wait * 1_000
  return { url, token: clusterToken(token), waitMs, recheck, quorum }
}

/** Parses a percentage as a share from 0 to 1. */
function percent(text: string): number {
  const value = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) : Infinity
  if (value > 100) throw new InvalidArgumentError('It must be a number from 0 to 100.')
  return value / 100
}

const QUORUM_MAX = 20

function quorumNumber(text: string): number {
  const value = wholeNumber(text)
  if (value < 2 || value > QUORUM_MAX)
    throw new InvalidArgumentError(`It must be a whole number from 2 to ${QUORUM_MAX}.`)
  return value
}

function reportLines(
  terminal: Terminal,
  report: ContestReport,
  exported: string | undefined,
  resume: string,
): readonly string[] {
  const { title, contest, state, seed, isolation, matches, playedAgain, histories, data, policy } = report
  const voided = matches.void === 0 ? '' : `, ${matches.void} void through no fault of an agent`
  const folders = [...new Set(histories.flatMap((one) => ('folder' in one ? [one.folder] : [])))]
  return [
    `${terminal.paint('bold', safeLine(title))} (${contest}), ${seed === null ? '' : `seed "${safeLine(seed)}", `}isolation ${isolation}`,
    `Policy: ${policyText(policy)}`,
    '',
    ...contestTables(terminal, report),
    '',
    `${count(matches.played, 'match', 'matches')} of ${matches.total} played${voided}.`,
    ...(report.ending === null ? [] : [report.ending]),
    ...toolchainLines(report.toolchains),
    ...(playedAgain === null ? [] : [againLine(terminal, playedAgain)]),
    ...(report.targeting === null ? [] : targetingLines(terminal, report.targeting)),
    ...report.workers.map(workerLine),
    ...revealLines(report.reveal),
    ...(report.phases === null ? [] : phasesLines(report.phases)),
    ...(report.resumed ? ['Resumed an earlier run.'] : []),
    ...(report.rerun?.compared === undefined ? [] : [comparisonSentence(report.rerun.of, report.rerun.compared)]),
    ...(state === 'stopped'
      ? [`Stopped. ${report.rerun === null ? resume : `Resume it: tartaglia contest resume ${contest}`}.`]
      : []),
    ...folders.map((folder) => `Histories: ${safeLine(folder)}`),
    ...(exported === undefined && matches.played > 0 && folders.length > 0
      ? [`To verify or publish the histories: tartaglia history export ${contest} --data ${safeLine(data)} --to FOLDER`]
      : []),
    ...(exported === undefined ? [] : [`Exported histories, one file per match: ${safeLine(exported)}`]),
    `Data folder: ${safeLine(data)}`,
  ]
}

/** The standings over the phases so far, and when the next one begins. */
function phasesLines(phases: NonNullable<ContestReport['phases']>): readonly string[] {
  const { contests, weights, deadline, combined } = phases
  const numbers = contests.map((_, at) => `phase ${at + 1}`)
  const columns = [
    ...[{ title: 'rank', align: 'right' } as const, { title: 'agent', align: 'left' } as const],
    ...['points', ...numbers].map((title) => ({ title, align: 'right' as const })),
  ]
  const rows = combined.map(({ rank, agent, points, byPhase }) => [
    ...[String(rank), agent],
    ...[points, ...byPhase].map((each) => (each === null ? '' : each.toFixed(1))),
  ])
  const weighted = contests.map((id, at) => `${id} times ${weights[at]!}`).join(', ')
  const left = weights.length - contests.length
  const next = `Phase ${contests.length + 1} of ${weights.length} begins`
  return [
    '',
    `Phases with their weights: ${weighted}.`,
    ...table(columns, rows),
    ...(left === 0
      ? []
      : [
          deadline === null
            ? `${next} with the next run.`
            : `${next} after ${deadline}: until then entries may be adapted.`,
        ]),
    '',
  ]
}

/** The commitment was published with the histories; the nonce opens it. */
function revealLines({ commitment, phrase, nonce }: ContestReport['reveal']): readonly string[] {
  const opened = nonce === null ? 'the nonce is revealed when the contest has ended' : `nonce ${nonce}`
  return [
    `Commitment to seed and nonce: ${commitment}; ${opened}.`,
    ...(phrase === null ? [] : [`Phrase of the class, mixed with the seed: "${safeLine(phrase)}".`]),
  ]
}

function workerLine({
  worker,
  matches,
  refused,
  interrupted,
  voided,
  confirmed,
  different,
  ms,
}: ContestReport['workers'][number]): string {
  const played = `Worker ${safeLine(worker)}: ${count(matches, 'match', 'matches')}, ${ms.toFixed(1)} ms each on average`
  const others = `${interrupted} interrupted, ${voided} void`
  return `${played}, ${refused} not verified, ${others}; played again: ${confirmed} the same, ${different} different.`
}

function targetingLines(
  terminal: Terminal,
  { matches, agents }: NonNullable<ContestReport['targeting']>,
): readonly string[] {
  const flagged = agents.filter((each) => each.flagged)
  const [least] = agents
  if (least === undefined) return ['Targeting: there is nothing to compare.']
  if (flagged.length === 0) {
    const told = `Targeting: no sign in ${count(matches, 'match', 'matches')} of an agent that treats others differently`
    return [`${told}; the strongest evidence is for ${safeLine(least.agent)}, p = ${least.p.toPrecision(2)}.`]
  }
  return flagged.flatMap(({ agent, p, finding }) => {
    const { about, other, mean, expected, events } = finding
    const told = `Targeting: what ${safeLine(agent)} does DEPENDS on its opponent, p = ${p.toPrecision(2)}: ${about}`
    const most = `most with ${safeLine(other)}, ${mean.toPrecision(3)} where ${expected.toPrecision(3)} was expected.`
    return [
      terminal.paint('red', `${told}, ${most}`),
      ...events.map(({ match, input, what }) => `    match ${match}, input ${input}: ${safeLine(what)}`),
    ]
  })
}

function againLine(terminal: Terminal, { matches, different }: NonNullable<ContestReport['playedAgain']>): string {
  const sample = `${count(matches, 'match', 'matches')} replayed in fresh processes`
  if (different.length === 0) return `${sample}: no difference.`
  return terminal.paint('red', `${sample}: DIFFERENT: ${different.map((match) => `match ${match}`).join(', ')}.`)
}
