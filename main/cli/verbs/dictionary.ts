import type { Command } from 'commander'
import { addGroup, type Context } from '../context.ts'
import { addCheck } from './dictionary/check.ts'
import { addParse } from './dictionary/parse.ts'
import { addPrint } from './dictionary/print.ts'
import { addSample } from './dictionary/sample.ts'
import { addTypes } from './dictionary/types.ts'

/** `tartaglia dictionary check|parse|print|sample|types`. */
export function addDictionary(program: Command, context: Context): void {
  const group = addGroup(program, 'dictionary', 'Class dictionaries: check them; read, print and make up values')
  addCheck(group, context)
  addParse(group, context)
  addPrint(group, context)
  addSample(group, context)
  addTypes(group, context)
}
