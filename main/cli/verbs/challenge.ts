import { Option, type Command } from 'commander'
import { addGroup, type Context, addVerb, challengeDataOption, wholeNumber } from '../context.ts'
import {
  checkChallengeFile,
  evaluateFiles,
  type ChallengeFacts,
  type ChallengeVerdict,
  type EvaluationFiles,
  describeChallenge,
  printChallengeValue,
} from '../../services/challenges/challenge-files.ts'
import type { PlayOptions } from '../../services/challenges/challenge-play.ts'
import { tryOutChallenge, type TriedChallenge } from '../../services/contests/command/challenge-match.ts'
import { stoppable } from '../interrupt.ts'
import { checkFiles } from '../check-files.ts'
import { gameTestLines } from '../game-test-lines.ts'
import { left, right, safeLine, safe, tableOf } from '../text.ts'
import type { VerbOutput } from '../../contract/outputs/verb-outputs.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { bestKnownSentence } from '../../services/challenges/instance-files.ts'
import { sampleChallenge } from '../../services/challenges/samples.ts'
import { generateFromChallenge } from '../../services/challenges/generated-samples.ts'
import {
  exchangedChallenges,
  exportMaterial,
  exportModel,
  importMaterial,
  solverLanguages,
  type SolverLanguage,
} from '../../services/challenges/exchange.ts'

/** `tartaglia challenge check|evaluate|export|import|print|sample`. */
export function addChallenge(program: Command, context: Context): void {
  const group = addGroup(program, 'challenge', 'Challenges: check, evaluate, export, import, print, sample')
  addChallengeCheck(group, context)
  addEvaluate(group, context)
  addChallengePrint(group, context)
  addChallengeSample(group, context)
  addImport(group, context)
  addExport(group, context)
}

/** Help text for the argument that names a challenge. */
export const which = 'a .challenge file, or the name of a built-in challenge, such as max-csp, or of one of the class'

interface CheckOptions extends PlayOptions {
  readonly data: string
  readonly play: boolean
}

/** `tartaglia challenge check FILE...`: exit code 1 if a file has errors or its game cannot be played. */
function addChallengeCheck(group: Command, context: Context): void {
  const output = (each: VerbOutput<'challenge check'>): void => context.terminal.output('challenge check', each)
  addVerb(
    group,
    'check',
    'Check challenge files, run their examples, and try them out as games',
    'tartaglia challenge check knapsack.challenge',
  )
    .argument('<files...>', which)
    .option('--seed <text>', 'any text; the same seed draws the same objects', 'tartaglia')
    .option('--config <file>', "a JSON file with the settings to try (default: the challenge's defaults)")
    .option('--thorough', 'draw and try several times as much; up to a minute a file')
    .option('--no-play', 'only read the files and run their examples')
    .addOption(challengeDataOption())
    .action((files: string[], { data, play, ...options }: CheckOptions) =>
      play
        ? checkFiles(context, files, (file) => tried(context, file, data, options), output, gameTestLines)
        : checkFiles<ChallengeVerdict>(context, files, (file) => checkChallengeFile(file, data), output),
    )
}

function tried(context: Context, file: string, data: string, options: PlayOptions): Promise<TriedChallenge> {
  return stoppable(context, 'Stopping: the check is incomplete. Press Ctrl-C again to quit at once.', (signal) =>
    tryOutChallenge(file, data, options, signal),
  )
}

interface EvaluateOptions extends Pick<EvaluationFiles, 'predicate' | 'config'> {
  readonly data: string
}

/** `tartaglia challenge evaluate CHALLENGE INSTANCE SOLUTION`: exit code 1 if the solution has no quality. */
function addEvaluate(group: Command, { terminal, done }: Context): void {
  addVerb(
    group,
    'evaluate',
    'Compute the quality of a solution',
    'tartaglia challenge evaluate max-csp instance.txt solution.txt --predicate predicate.txt',
  )
    .argument('<challenge>', which)
    .argument(
      '<instance>',
      "a file with the raw material, in the challenge's text form, as JSON or in its other format",
    )
    .argument('<solution>', 'a file with the solution')
    .option('--predicate <file>', 'a file with a predicate, to check that the raw material is legal for it')
    .option('--config <file>', "a JSON file with settings of the challenge (default: the challenge's defaults)")
    .addOption(challengeDataOption())
    .action(async (challenge: string, instance: string, solution: string, { data, ...options }: EvaluateOptions) => {
      const found = await evaluateFiles(challenge, data, { ...options, instance, solution })
      terminal.output('challenge evaluate', found)
      if (found.quality === null) {
        terminal.print(`${found.legal === false ? 'Not legal' : 'Not feasible'}: ${safeLine(found.reason ?? '')}`)
      } else terminal.print(`quality ${found.quality}, about ${String(found.number)}`)
      if (found.best !== null) terminal.print(bestKnownSentence(found.best, found.measure))
      done(found.quality === null ? 1 : 0)
    })
}

/** `tartaglia challenge print CHALLENGE [VALUE --class TYPE]` */
function addChallengePrint(group: Command, context: Context): void {
  const { terminal } = context
  addVerb(group, 'print', 'Show a challenge, or print one of its values as text', 'tartaglia challenge print max-csp')
    .argument('<challenge>', which)
    .argument('[value]', 'a JSON file with one value')
    .option('--class <type>', 'the class of the value: Predicate, Instance or Solution')
    .addOption(challengeDataOption())
    .action(async (challenge: string, value: string | undefined, options: { class?: string; data: string }) => {
      if (value === undefined) return showChallenge(context, challenge, options.data)
      if (options.class === undefined)
        throw new ExpectedError('usage', 'option-missing', 'To print a value, name its class with --class.')
      const text = await printChallengeValue(challenge, options.data, options.class, value)
      terminal.print(safe(text).trimEnd())
      terminal.output('challenge print', { text })
    })
}

async function showChallenge({ terminal }: Context, file: string, data: string): Promise<void> {
  const facts = await describeChallenge(file, data)
  terminal.output('challenge print', facts)
  terminal.print(
    `${terminal.paint('bold', safeLine(facts.title))} (${safeLine(facts.challenge)})`,
    '',
    safe(facts.text).trimEnd(),
    '',
    `Settings: ${safeLine(JSON.stringify(facts.config))}`,
    ...parameterLines(facts.generator ?? []),
  )
}

function parameterLines(parameters: NonNullable<ChallengeFacts['generator']>): readonly string[] {
  if (parameters.length === 0) return []
  return [
    '',
    'Parameters for --from generate --set:',
    ...tableOf(parameters, [
      left('name', ({ name }) => safeLine(name)),
      right('default', ({ standard }) => standard),
      right('from', ({ low }) => low),
      right('to', ({ high }) => high),
      left('', ({ whole }) => (whole ? 'whole' : '')),
    ]).map((line) => `  ${line}`),
  ]
}

interface SampleOptions {
  readonly seed: string
  readonly count: number
  readonly predicate?: string
  readonly config?: string
  readonly data: string
  readonly from?: 'properties' | 'generate'
  readonly set: readonly string[]
  readonly withPlanted?: boolean
}

/** `tartaglia challenge sample CHALLENGE --seed N --count K`: with --json one object per line for each sample. */
function addChallengeSample(group: Command, context: Context): void {
  addVerb(
    group,
    'sample',
    'Generate random predicates, raw material and solutions',
    'tartaglia challenge sample knapsack --seed 7 --count 3',
  )
    .argument('<challenge>', which)
    .option('--seed <text>', 'any text; the same seed gives the same samples', 'tartaglia')
    .option('--count <number>', 'how many to generate', wholeNumber, 1)
    .option('--predicate <file>', 'a file with the predicate to use for all (default: a random one each)')
    .option('--config <file>', "a JSON file with settings of the challenge (default: the challenge's defaults)")
    .addOption(
      new Option('--from <section>', 'how raw material is made (default: properties)').choices([
        'properties',
        'generate',
      ]),
    )
    .option('--set <name=value>', 'with --from generate, a parameter of the generator; may be repeated', repeated, [])
    .option('--with-planted', 'with --from generate, show the planted solutions, which are secret otherwise')
    .addOption(challengeDataOption())
    .action(async (challenge: string, { data, from, set, withPlanted, ...options }: SampleOptions) => {
      const { terminal } = context
      if (from === 'generate')
        return showGenerated(context, challenge, data, { ...options, set, withPlanted: withPlanted === true })
      const lonely = set.length > 0 ? '--set' : withPlanted === true ? '--with-planted' : null
      if (lonely !== null) throw new ExpectedError('usage', 'option-missing', `${lonely} needs --from generate.`)
      for await (const sample of sampleChallenge(challenge, data, options)) {
        terminal.output('challenge sample', sample)
        const { predicate, instance, solution } = sample.texts
        terminal.print(...[predicate, instance, solution].map((text) => safe(text).trim()))
        terminal.print(`quality ${sample.quality}`, '')
      }
    })
}

const repeated = (value: string, values: readonly string[]): readonly string[] => [...values, value]

async function showGenerated(
  { terminal }: Context,
  challenge: string,
  data: string,
  options: Parameters<typeof generateFromChallenge>[2],
): Promise<void> {
  for await (const sample of generateFromChallenge(challenge, data, options)) {
    terminal.output('challenge sample', sample)
    const { predicate, instance, planted } = sample.texts
    terminal.print(...[predicate, instance, planted ?? ''].map((text) => safe(text).trim()))
    terminal.print(...(sample.planted ? [`quality ${sample.planted.quality}`, ''] : []))
  }
}

const whose = `${exchangedChallenges.join(', ')}, or a .challenge file with a section "format" or one of these names`

/** `tartaglia challenge import FILE --challenge max-sat` */
function addImport(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'import',
    "Convert DIMACS, OR-Library, TSPLIB or the course's text to raw material",
    'tartaglia challenge import uf20-01.cnf --challenge max-sat',
  )
    .argument('<file>', "a file in the challenge's other format")
    .requiredOption('--challenge <name>', whose)
    .addOption(challengeDataOption())
    .action(async (file: string, options: { challenge: string; data: string }) => {
      const material = await importMaterial(options.challenge, options.data, file)
      for (const note of material.notes) terminal.note(note)
      terminal.print(safe(material.texts.instance).trim())
      terminal.output('challenge import', material)
    })
}

interface ExportOptions {
  readonly challenge?: string
  readonly data: string
  readonly format?: string
  readonly to?: SolverLanguage
  readonly config?: string
  readonly seed: string
}

/** `tartaglia challenge export INSTANCE --challenge max-sat --format wcnf`, or `--to minizinc` for any challenge. */
function addExport(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'export',
    'Convert raw material to the format of another program, or to a model for an exact solver',
    'tartaglia challenge export instance.txt --challenge knapsack --to minizinc',
  )
    .argument(
      '<file>',
      "raw material, in the challenge's text form or as JSON; without --challenge a challenge, of which some is drawn",
    )
    .option('--challenge <name>', `with --to ${which}; else ${whose}`)
    .option('--format <name>', 'cnf, wcnf, wcnf-2022, csp, col, scp or tsp (default: the simplest that can express it)')
    .addOption(new Option('--to <solver>', 'a model for a solver of WCSP or of MiniZinc').choices([...solverLanguages]))
    .option(
      '--config <file>',
      "with --to, a JSON file with settings of the challenge (default: the challenge's defaults)",
    )
    .option('--seed <text>', 'with --to, which raw material is drawn', 'tartaglia')
    .addOption(challengeDataOption())
    .action(async (file: string, { challenge, data, format, to, config, seed }: ExportOptions) => {
      if (to === undefined) {
        if (challenge === undefined)
          throw new ExpectedError(
            'usage',
            'option-missing',
            'Name the challenge with --challenge, or a solver with --to.',
          )
        const written = await exportMaterial(challenge, data, file, format)
        terminal.print(safe(written.text).trimEnd())
        terminal.output('challenge export', written)
        return
      }
      const options = { to, seed, ...(config === undefined ? {} : { config }) }
      const written =
        challenge === undefined
          ? await exportModel(file, data, options)
          : await exportModel(challenge, data, { ...options, instance: file })
      for (const note of written.notes) terminal.note(note)
      terminal.print(safe(written.text).trimEnd())
      terminal.output('challenge export', written)
    })
}
