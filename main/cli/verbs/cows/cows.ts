import type { Command } from 'commander'
import { addGroup, type Context } from '../../context.ts'
import { addMap } from './map.ts'

/** `tartaglia cows map`. */
export function addCows(program: Command, context: Context): void {
  const cows = addGroup(program, 'cows', 'Cows and Herders: maps')
  addMap(cows, context)
}
