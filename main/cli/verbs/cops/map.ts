import type { Command } from 'commander'
import { madeTown, type TownOptions } from '../../../services/games/cops/made-town.ts'
import { addVerb, wholeNumber, type Context } from '../../context.ts'
import { putMade, share } from '../../made-text.ts'

interface Options extends TownOptions {
  readonly out?: string
}

/** `tartaglia cops map`: prints a new town as a world skeleton of 2005; with --json as one text. */
export function addMap(cops: Command, context: Context): void {
  addVerb(
    cops,
    'map',
    'Make a town like Hyde Park: a world skeleton with one-way streets, shortcuts for cars and six banks',
    'tartaglia cops map --avenues 16 --streets 12 --seed Oxford --out oxford.wsk',
  )
    .option('--seed <text>', 'any text; equal seeds make equal towns', '1')
    .option('--avenues <number>', 'avenues, from 5 to 24; at most 240 corners', wholeNumber, 20)
    .option('--streets <number>', 'streets, from 5 to 20', wholeNumber, 11)
    .option('--gaps <share>', 'share of the sides of blocks to leave out, 0 to 0.4', share, 0.15)
    .option('--one-way <share>', 'share of one-way streets, 0 to 0.8', share, 0.38)
    .option('--culdesacs <number>', 'dead ends, up to 40', wholeNumber, 20)
    .option('--shortcuts <number>', 'ways for cars only, up to 200', wholeNumber, 120)
    .option('--out <file>', 'a new file for the town (default: stdout)')
    .action(({ out, ...options }: Options) => {
      const { seed, avenues, streets, gaps, oneWay, culdesacs, shortcuts } = options
      const text = madeTown({ seed, avenues, streets, gaps, oneWay, culdesacs, shortcuts })
      putMade(context, 'town', text, { map: text }, out)
    })
}
