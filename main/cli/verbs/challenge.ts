import type { Command } from 'commander'
import {
  checkChallengeFile,
  describeChallenge,
  evaluate,
  printChallengeValue,
  type EvaluationFiles,
} from '../../app/challenges.ts'
import { Trouble } from '../../contract/trouble.ts'
import { addGroup, addVerb, type Context } from '../context.ts'
import { safe, safeLine } from '../text.ts'
import { verdicts } from '../verdicts.ts'

const which = 'a .challenge file, or the name of one that ships, such as max-csp'

/** `tartaglia challenge check|evaluate|print`. */
export function addChallenge(program: Command, context: Context): void {
  const { terminal, done } = context
  const group = addGroup(program, 'challenge', 'Challenges, each a game of problems in one file')

  addVerb(
    group,
    'check',
    'Check challenge files and try their examples',
    'tartaglia challenge check knapsack.challenge',
  )
    .argument('<files...>', which)
    .action((files: string[]) => verdicts(context, files, checkChallengeFile))

  addVerb(
    group,
    'evaluate',
    'The quality of a solution',
    'tartaglia challenge evaluate max-csp instance.txt solution.txt --predicate predicate.txt',
  )
    .argument('<challenge>', which)
    .argument('<instance>', 'a file that holds the raw material: text, or JSON where its name ends in .json')
    .argument('<solution>', 'a file that holds the solution')
    .option('--predicate <file>', 'a file that holds the predicate: is the raw material legal for it?')
    .option('--config <file>', 'a JSON file with settings of the challenge (default: its own)')
    .action(
      async (challenge: string, instance: string, solution: string, options: Omit<EvaluationFiles, 'instance'>) => {
        const found = await evaluate(challenge, { ...options, instance, solution })
        terminal.result(found)
        if (found.quality === null) {
          terminal.print(`${found.legal === false ? 'Not legal' : 'Not feasible'}: ${safeLine(found.reason ?? '')}`)
        } else terminal.print(`quality ${found.quality}, about ${String(found.number)}`)
        done(found.quality === null ? 1 : 0)
      },
    )

  addVerb(group, 'print', 'Show a challenge, or print a value of it as text', 'tartaglia challenge print max-csp')
    .argument('<challenge>', which)
    .argument('[value]', 'a JSON file that holds one value')
    .option('--class <type>', 'the class of the value: Predicate, Instance or Solution')
    .action(async (challenge: string, value: string | undefined, options: { class?: string }) => {
      if (value === undefined) return showChallenge(context, challenge)
      if (options.class === undefined) throw new Trouble('usage', 'To print a value, say what it is with --class.')
      const text = await printChallengeValue(challenge, options.class, value)
      terminal.print(safe(text).trimEnd())
      terminal.result({ text })
    })
}

async function showChallenge({ terminal }: Context, file: string): Promise<void> {
  const facts = await describeChallenge(file)
  terminal.result(facts)
  terminal.print(
    `${terminal.paint('bold', safeLine(facts.title))} (${safeLine(facts.challenge)})`,
    '',
    safe(facts.text).trimEnd(),
    '',
    `Settings: ${safeLine(JSON.stringify(facts.config))}`,
  )
}
