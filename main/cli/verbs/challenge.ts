import type { Command } from 'commander'
import { addGroup, type Context } from '../context.ts'
import { addCheck } from './challenge/check.ts'
import { addEvaluate } from './challenge/evaluate.ts'
import { addExport, addImport } from './challenge/exchange.ts'
import { addPrint } from './challenge/print.ts'
import { addSample } from './challenge/sample.ts'

/** `tartaglia challenge check|evaluate|export|import|print|sample`. */
export function addChallenge(program: Command, context: Context): void {
  const group = addGroup(program, 'challenge', 'Challenges, each a game of problems in one file')
  addCheck(group, context)
  addEvaluate(group, context)
  addPrint(group, context)
  addSample(group, context)
  addImport(group, context)
  addExport(group, context)
}
