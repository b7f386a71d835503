import { Command, CommanderError, Help } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import type { ErrorCode } from '../contract/error-codes.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { resources } from '../services/machine/resources.ts'
import { machineProblem } from '../services/machine/system-error.ts'
import { stoppedCode } from './interrupt.ts'
import { gameVerbs } from './games.ts'
import { openTerminal, type CommandEnvironment, type Terminal } from './terminal.ts'
import { addAddress } from './verbs/address.ts'
import { addAgent } from './verbs/agent.ts'
import { addChallenge } from './verbs/challenge.ts'
import { addClass } from './verbs/class.ts'
import { addCompletion } from './verbs/completion.ts'
import { addComponent } from './verbs/component.ts'
import { addContest } from './verbs/contest.ts'
import { addDictionary } from './verbs/dictionary.ts'
import { addDocs } from './verbs/docs.ts'
import { addDoctor } from './verbs/doctor.ts'
import { addDossier } from './verbs/dossier.ts'
import { addEntries } from './verbs/entries.ts'
import { addHistory } from './verbs/history.ts'
import { addCase } from './verbs/case.ts'
import { addReceipt } from './verbs/receipt.ts'
import { addKit } from './verbs/kit.ts'
import { addLanguageServer } from './verbs/language-server.ts'
import { addMatch } from './verbs/match.ts'
import { addMine } from './verbs/mine.ts'
import { addOwnAgent } from './verbs/own-agent.ts'
import { addOwnKit } from './verbs/own-kit.ts'
import { addSchema } from './verbs/schema.ts'
import { addToolchains } from './verbs/toolchains.ts'
import { addServe } from './verbs/serve.ts'
import { addSubmit } from './verbs/submit.ts'
import { addWorker } from './verbs/worker.ts'
import { didYouMean } from '../contract/near-miss.ts'

/** Exit codes by cause: a failed check, a wrong request or file, a problem of the machine, Ctrl-C. */
const exitCodes = { verdict: 1, usage: 2, conflict: 2, host: 3, stopped: stoppedCode } as const

/** Runs one command line, without the program's name. Resolves to its exit code; never rejects. */
export async function runCli(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const terminal = openTerminal(environment, wantsJson(args))
  try {
    let exitCode = 0
    const program = createProgram(environment, terminal, (code) => (exitCode = code))
    await program.parseAsync(withVersion(namesNoVerb(program, args) ? withoutJson(args) : args), { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0 // --help, --version
    const { message, code, exitCode } = explain(error)
    if (message !== '') terminal.note(message)
    const details = error instanceof ExpectedError ? error.details : null
    if (details !== null) terminal.details(details)
    terminal.failure({
      error: message === '' ? 'A command is missing.' : message,
      code,
      ...(details === null ? {} : { details }),
    })
    if (environment.env['TARTAGLIA_DEBUG'] === '1' && error instanceof Error)
      environment.stderr.write(`${error.stack}\n`)
    return exitCode
  }
}

/** An error as it is reported: one sentence, its code, and the exit code of the process. */
interface Explained {
  readonly message: string
  readonly code: ErrorCode
  readonly exitCode: number
}

/** Explains anything that was thrown. The sentence is empty if help was shown instead. */
export function explain(error: unknown): Explained {
  if (error instanceof ExpectedError)
    return { message: error.message, code: error.code, exitCode: exitCodes[error.kind] }
  if (error instanceof CommanderError)
    return {
      message: usageSentence(error),
      code: commanderCodes[error.code] ?? 'input-invalid',
      exitCode: exitCodes.usage,
    }
  const machine = machineProblem(error)
  if (machine !== null) return { message: machine.message, code: machine.code, exitCode: exitCodes.host }
  const [first = ''] = error instanceof Error ? error.message.split('\n', 1) : [String(error)]
  return { message: `Unexpected error: ${first}`, code: 'internal-error', exitCode: exitCodes.host }
}

/** Our codes of Commander's codes. */
export const commanderCodes: Readonly<Record<string, ErrorCode>> = {
  'commander.help': 'command-missing',
  'commander.unknownCommand': 'command-unknown',
  'commander.unknownOption': 'option-unknown',
  'commander.missingArgument': 'argument-missing',
  'commander.excessArguments': 'argument-unexpected',
  'commander.optionMissingArgument': 'option-missing',
  'commander.missingMandatoryOptionValue': 'option-missing',
  'commander.conflictingOption': 'options-conflict',
  'commander.invalidArgument': 'input-invalid',
}

const usualHelp = new Help()
/** An empty list says nothing as a default. */
const withoutEmptyDefault = (text: string): string => text.replace(/ \(default: \[\]\)$/, '')
const plainHelp: Partial<Help> = {
  argumentDescription: (argument) => withoutEmptyDefault(usualHelp.argumentDescription(argument)),
  optionDescription: (option) => withoutEmptyDefault(usualHelp.optionDescription(option)),
}

function createProgram(environment: CommandEnvironment, terminal: Terminal, done: (code: number) => void): Command {
  const program = new Command('tartaglia')
    .description('A classroom for challenge games: class contests, agents, signed public histories.')
    .version(manifest.version, '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .exitOverride()
    .configureHelp(plainHelp)
    .configureOutput({
      writeOut: (text) => environment.stdout.write(text),
      writeErr: (text) => environment.stderr.write(text),
      outputError: () => undefined, // runCli reports errors, in one sentence
    })
    .addHelpText('after', exitCodeHelp)
    .addHelpText('after', `\nMIT licence. Licences of the bundled packages: ${resources.licenses}`)
    .hook('preAction', (_program, verb) => refuseSwallowed(verb))
  const context = { environment, terminal, done }
  addServe(program, context)
  addAddress(program, context)
  addClass(program, context)
  addContest(program, context)
  addMatch(program, context)
  addHistory(program, context)
  addMine(program, context)
  addCase(program, context)
  addSubmit(program, context)
  addReceipt(program, context)
  addDossier(program, context)
  addAgent(program, context)
  addComponent(program, context)
  addEntries(program, context)
  addKit(program, context)
  addOwnKit(program, context)
  addOwnAgent(program, context)
  addDictionary(program, context)
  addChallenge(program, context)
  addLanguageServer(program)
  for (const add of gameVerbs) add(program, context)
  addWorker(program, context)
  addDoctor(program, context)
  addToolchains(program, context)
  addSchema(program, context)
  addDocs(program, context)
  addCompletion(program, context)
  addHelp(program)
  return program
}

const withoutJson = (args: readonly string[]): readonly string[] => args.filter((word) => word !== '--json')

/** True for a group alone, such as `contest --json`: a group has no option `--json`, but a command is what is missing. */
function namesNoVerb(program: Command, args: readonly string[]): boolean {
  const group = withoutJson(args).reduce<Command | undefined>(
    (found, word) => found?.commands.find((each) => each.name() === word),
    program,
  )
  return group !== undefined && group.commands.length > 0
}

/** Accepts `-V`, as many programs do. Declared as a global option it would hide the `-V` of single verbs. */
function withVersion(args: readonly string[]): readonly string[] {
  return args[0] === '-V' ? ['--version', ...args.slice(1)] : args
}

/** `--key --json` is a mistake, not a key called --json. */
function refuseSwallowed(verb: Command): void {
  for (const option of verb.options) {
    const given: unknown = verb.getOptionValue(option.attributeName())
    if (verb.getOptionValueSource(option.attributeName()) !== 'cli') continue
    const values: readonly unknown[] = Array.isArray(given) ? given : [given]
    const value = values.find((each) => typeof each === 'string' && each.startsWith('-'))
    if (typeof value !== 'string') continue
    const file = option.flags.includes('<f') ? `; for a file of that name use ./${value}` : ''
    throw new ExpectedError(
      'usage',
      'option-missing',
      `${option.long ?? option.flags} needs a value, and "${value}" looks like an option${file}.`,
    )
  }
}

const exitCodeHelp = `
Exit codes: 0 done, 1 a verdict of failure, 2 wrong usage or a file that cannot be read, 3 a problem of this machine,
130 stopped by Ctrl-C.`

function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end === -1 ? args.length : end).includes('--json')
}

/**
 * Turns `error: unknown option '--jsno'\n(Did you mean --json?)` into one sentence; empty if help was shown instead.
 */
function usageSentence({ code, message }: CommanderError): string {
  if (code === 'commander.help') return ''
  const [what = '', hint] = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .split('\n')
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)}`
  return hint === undefined ? `${sentence}. See --help.` : `${sentence}. ${hint.slice(1, -1)}`
}

/**
 * Adds `tartaglia help contest run` next to `tartaglia contest run --help`, and `tartaglia contest help run` in every
 * group.
 */
function addHelp(program: Command): void {
  for (const group of program.commands.filter(({ commands }) => commands.length > 0)) addTo(group, true)
  addTo(program, false)
}

function addTo(parent: Command, hidden: boolean): void {
  parent
    .command('help', { hidden })
    .description('Show help for a command')
    .argument('[verb...]', 'for example: contest run')
    .action((words: readonly string[]) => verbAt(parent, words).outputHelp())
}

/** Throws ExpectedError 'usage' if there is no such verb. */
function verbAt(parent: Command, words: readonly string[]): Command {
  return words.reduce((group, word) => {
    const verb = group.commands.find((each) => each.name() === word)
    if (verb !== undefined) return verb
    const known = group.commands.map((each) => each.name())
    throw new ExpectedError(
      'usage',
      'command-unknown',
      `There is no command "${word}".${didYouMean(word, known) || ' See --help.'}`,
    )
  }, parent)
}
