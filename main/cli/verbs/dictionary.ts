import type { Command } from 'commander'
import { addGroup, type Context } from '../context.ts'
import { addDictionaryCheck } from './dictionary/check.ts'
import { addParse } from './dictionary/parse.ts'
import { addDictionaryPrint } from './dictionary/print.ts'
import { addDictionarySample } from './dictionary/sample.ts'
import { addTypes } from './dictionary/types.ts'

/** `tartaglia dictionary check|parse|print|sample|types`. */
export function addDictionary(program: Command, context: Context): void {
  const group = addGroup(program, 'dictionary', 'Class dictionaries: check, parse, print, sample, types')
  addDictionaryCheck(group, context)
  addParse(group, context)
  addDictionaryPrint(group, context)
  addDictionarySample(group, context)
  addTypes(group, context)
}
