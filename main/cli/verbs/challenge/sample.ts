import type { Command } from 'commander'
import { sampleChallenge } from '../../../services/challenges/samples.ts'
import { addVerb, challengeDataOption, wholeNumber, type Context } from '../../context.ts'
import { safe } from '../../text.ts'
import { which } from './which.ts'

interface Options {
  readonly seed: string
  readonly count: number
  readonly predicate?: string
  readonly config?: string
  readonly data: string
}

/** `tartaglia challenge sample CHALLENGE --seed N --count K`: with --json one object per line for each sample. */
export function addChallengeSample(group: Command, { terminal }: Context): void {
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
    .addOption(challengeDataOption())
    .action(async (challenge: string, { data, ...options }: Options) => {
      for await (const sample of sampleChallenge(challenge, data, options)) {
        terminal.result(sample)
        const { predicate, instance, solution } = sample.texts
        terminal.print(...[predicate, instance, solution].map((text) => safe(text).trim()))
        terminal.print(`quality ${sample.quality}`, '')
      }
    })
}
