import type { StartMessage } from '../../../main/referees/specker/messages.ts'
import type { Craft } from './craft.ts'
import { cubicEquations } from './cubic-equations.ts'
import { knapsack } from './knapsack.ts'
import { pseudoBoolean } from './pseudo-boolean.ts'
import { travellingSalesman } from './travelling-salesman.ts'
import { vertexCover } from './vertex-cover.ts'

/** The craft for a challenge; undefined: there is none. */
export function craftOf({ challenge: { name, config } }: StartMessage): Craft | undefined {
  switch (name) {
    case 'knapsack':
      return knapsack(config)
    case 'cubic-equations':
      return cubicEquations
    case 'pseudo-boolean':
      return pseudoBoolean(config)
    case 'travelling-salesman':
      return travellingSalesman(config)
    case 'vertex-cover':
      return vertexCover(config)
    default:
      return undefined
  }
}
