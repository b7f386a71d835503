import type { Command } from 'commander'
import { addGroup, type Context } from '../../context.ts'
import { addPredicates } from './predicates.ts'
import { addPrice } from './price.ts'
import { addSolve } from './solve.ts'
import { addTargeting } from './targeting.ts'

/** `tartaglia specker price|solve|targeting|predicates`. */
export function addSpecker(program: Command, context: Context): void {
  const group = addGroup(
    program,
    'specker',
    'Tools for the Specker Challenge Game: price, solve, targeting, predicates',
  )
  addPrice(group, context)
  addSolve(group, context)
  addTargeting(group, context)
  addPredicates(group, context)
}
