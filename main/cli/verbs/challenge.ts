import type { Command } from 'commander'
import { addGroup, type Context } from '../context.ts'
import { addChallengeCheck } from './challenge/check.ts'
import { addEvaluate } from './challenge/evaluate.ts'
import { addExport, addImport } from './challenge/exchange.ts'
import { addChallengePrint } from './challenge/print.ts'
import { addChallengeSample } from './challenge/sample.ts'

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
