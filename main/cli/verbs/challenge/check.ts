import type { Command } from 'commander'
import { checkChallengeFile } from '../../../services/challenges/challenge-files.ts'
import { addVerb, challengeDataOption, type Context } from '../../context.ts'
import { checkFiles } from '../../check-files.ts'
import { which } from './which.ts'

/** `tartaglia challenge check FILE...` */
export function addChallengeCheck(group: Command, context: Context): void {
  addVerb(
    group,
    'check',
    'Check challenge files and run their examples',
    'tartaglia challenge check knapsack.challenge',
  )
    .argument('<files...>', which)
    .addOption(challengeDataOption())
    .action((files: string[], { data }: { data: string }) =>
      checkFiles(context, files, (file) => checkChallengeFile(file, data)),
    )
}
