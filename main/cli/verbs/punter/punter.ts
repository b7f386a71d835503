import type { Command } from 'commander'
import { addGroup, type Context } from '../../context.ts'
import { addRescore } from './rescore.ts'

/** `tartaglia punter rescore`. */
export function addPunter(program: Command, context: Context): void {
  const punter = addGroup(program, 'punter', 'Lambda Punter: scores of official games')
  addRescore(punter, context)
}
