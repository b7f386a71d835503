import type { Command } from 'commander'
import { addGroup, type Context } from '../../context.ts'
import { addPrice } from './price.ts'
import { addSolve } from './solve.ts'
import { addTargeting } from './targeting.ts'

/** `tartaglia specker price|solve|targeting`. */
export function addSpecker(program: Command, context: Context): void {
  const group = addGroup(
    program,
    'specker',
    'The Specker Challenge Game: break-even prices, solutions of raw material, who targets whom',
  )
  addPrice(group, context)
  addSolve(group, context)
  addTargeting(group, context)
}
