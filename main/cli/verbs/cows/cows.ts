import type { Command } from 'commander'
import { addGroup, type Context } from '../../context.ts'
import { addMap } from './map.ts'
import { addServe } from './serve.ts'

/** `tartaglia cows map`, `serve`. */
export function addCows(program: Command, context: Context): void {
  const cows = addGroup(program, 'cows', 'Cows and Herders: maps, matches with clients of 2008')
  addMap(cows, context)
  addServe(cows, context)
}
