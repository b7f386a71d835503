import type { Command } from 'commander'
import { addGroup, type Context } from '../../context.ts'
import { addMap } from './map.ts'

/** `tartaglia cops map`. */
export function addCops(program: Command, context: Context): void {
  const cops = addGroup(program, 'cops', 'Cops & Robbers: towns')
  addMap(cops, context)
}
