import { Option, type Command } from 'commander'
import {
  finitePrice,
  limitPrice,
  readClauses,
  readRelations,
  type PredicatePart,
} from '../../../services/games/specker/price.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { addVerb, wholeNumber, type Context } from '../../context.ts'

interface PriceOptions {
  readonly relations?: string
  readonly clauses?: string
  readonly vars?: number
}

/** `tartaglia specker price --relations 2,6,22 --vars 20` */
export function addPrice(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'price',
    'Compute the break-even price of a predicate',
    'tartaglia specker price --relations 2,6,22 --vars 20',
  )
    .option('--relations <numbers>', 'relations of rank 3, 0 to 255, such as 2,6,22')
    .option('--clauses <types>', 'clause types as length,positives, such as "1,1;2,0"')
    .addOption(
      new Option(
        '--vars <number>',
        'the exact price for this number of variables (default: the limit for many)',
      ).argParser(wholeNumber),
    )
    .action((options: PriceOptions) => {
      const items = itemsOf(options)
      const price = options.vars === undefined ? limitPrice(items) : finitePrice(items, options.vars)
      terminal.result(price)
      terminal.print(`value ${price.value}`, `bias ${price.bias}`)
      for (const { weight, ...item } of price.mixture) {
        if (weight !== 0 && weight !== '0/1') terminal.print(`${nameOf(item)} with weight ${weight}`)
      }
    })
}

function itemsOf({ relations, clauses }: PriceOptions): PredicatePart[] {
  if (relations !== undefined && clauses === undefined) return readRelations(relations)
  if (clauses !== undefined && relations === undefined) return readClauses(clauses)
  throw new ExpectedError('usage', 'options-conflict', 'Give the predicate by either --relations or --clauses.')
}

function nameOf(item: PredicatePart): string {
  return 'relation' in item ? `relation ${item.relation}` : `clause type (${item.clause.join(', ')})`
}
