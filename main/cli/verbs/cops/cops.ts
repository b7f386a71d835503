import type { Command } from 'commander'
import { addGroup, type Context } from '../../context.ts'
import { addMap } from './map.ts'
import { addPlay } from './play.ts'

/** `tartaglia cops play`, `map`. */
export function addCops(program: Command, context: Context): void {
  const cops = addGroup(program, 'cops', 'Cops & Robbers: single games, towns')
  addPlay(cops, context)
  addMap(cops, context)
}
