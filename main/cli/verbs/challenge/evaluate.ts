import type { Command } from 'commander'
import { evaluateFiles, type EvaluationFiles } from '../../../services/challenges/challenge-files.ts'
import { addVerb, challengeDataOption, type Context } from '../../context.ts'
import { safeLine } from '../../text.ts'
import { which } from './which.ts'

interface EvaluateOptions extends Pick<EvaluationFiles, 'predicate' | 'config'> {
  readonly data: string
}

/** `tartaglia challenge evaluate CHALLENGE INSTANCE SOLUTION`: exit code 1 if the solution has no quality. */
export function addEvaluate(group: Command, { terminal, done }: Context): void {
  addVerb(
    group,
    'evaluate',
    'Compute the quality of a solution',
    'tartaglia challenge evaluate max-csp instance.txt solution.txt --predicate predicate.txt',
  )
    .argument('<challenge>', which)
    .argument('<instance>', "a file with the raw material, in the challenge's text form or as JSON")
    .argument('<solution>', 'a file with the solution')
    .option('--predicate <file>', 'a file with a predicate, to check that the raw material is legal for it')
    .option('--config <file>', "a JSON file with settings of the challenge (default: the challenge's defaults)")
    .addOption(challengeDataOption())
    .action(async (challenge: string, instance: string, solution: string, { data, ...options }: EvaluateOptions) => {
      const found = await evaluateFiles(challenge, data, { ...options, instance, solution })
      terminal.result(found)
      if (found.quality === null) {
        terminal.print(`${found.legal === false ? 'Not legal' : 'Not feasible'}: ${safeLine(found.reason ?? '')}`)
      } else terminal.print(`quality ${found.quality}, about ${String(found.number)}`)
      done(found.quality === null ? 1 : 0)
    })
}
