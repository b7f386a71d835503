import type { Command } from 'commander'
import { addGroup, type Context } from '../../context.ts'
import { addPlay } from './play.ts'

/** `tartaglia cops play`. */
export function addCops(program: Command, context: Context): void {
  const cops = addGroup(program, 'cops', 'Cops & Robbers: single games of programs')
  addPlay(cops, context)
}
