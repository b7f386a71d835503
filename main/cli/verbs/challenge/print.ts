import type { Command } from 'commander'
import { describeChallenge, printChallengeValue } from '../../../services/challenges/challenge-files.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { addVerb, challengeDataOption, type Context } from '../../context.ts'
import { safe, safeLine } from '../../text.ts'
import { which } from './which.ts'

/** `tartaglia challenge print CHALLENGE [VALUE --class TYPE]` */
export function addChallengePrint(group: Command, context: Context): void {
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
      terminal.result({ text })
    })
}

async function showChallenge({ terminal }: Context, file: string, data: string): Promise<void> {
  const facts = await describeChallenge(file, data)
  terminal.result(facts)
  terminal.print(
    `${terminal.paint('bold', safeLine(facts.title))} (${safeLine(facts.challenge)})`,
    '',
    safe(facts.text).trimEnd(),
    '',
    `Settings: ${safeLine(JSON.stringify(facts.config))}`,
  )
}
