import { InvalidArgumentError, Option, type Command } from 'commander'
import { solveFile } from '../../../services/games/specker/solve.ts'
import { addVerb, challengeDataOption, type Context } from '../../context.ts'
import { safe } from '../../text.ts'
import { which } from '../challenge/which.ts'

const SECONDS_MAX = 86_400

interface SolveOptions {
  readonly challenge: string
  readonly seconds: number
  readonly config?: string
  readonly data: string
}

/** `tartaglia specker solve --challenge max-csp FILE --seconds 1` */
export function addSolve(group: Command, { terminal }: Context): void {
  const example = 'tartaglia specker solve --challenge max-csp instance.txt --seconds 1'
  addVerb(group, 'solve', 'Search for a good solution of raw material', example)
    .argument(
      '<file>',
      "a file with the raw material: in the challenge's text form, as JSON, as DIMACS CNF or WCNF (max-sat) or in the course's text (max-csp)",
    )
    .requiredOption('--challenge <name>', which)
    .addOption(new Option('--seconds <number>', 'maximum time of the search').argParser(seconds).default(1))
    .option(
      '--config <file>',
      'a JSON file with settings of the challenge (default: the smallest that fit the raw material)',
    )
    .addOption(challengeDataOption())
    .action(async (file: string, { challenge, data, ...options }: SolveOptions) => {
      const found = await solveFile(challenge, data, file, options)
      terminal.result(found)
      terminal.print(safe(found.text).trim())
      terminal.note(`quality ${found.quality}, about ${found.number}${found.optimal ? ', optimal' : ''}`)
    })
}

function seconds(text: string): number {
  const value = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0
  if (value > 0 && value <= SECONDS_MAX) return value
  throw new InvalidArgumentError(`It must be a number above 0 and up to ${SECONDS_MAX}.`)
}
