import { Argument, Option, type Command } from 'commander'
import type { Json } from '../../../contract/json.ts'
import { madeMap, mapKinds, mineRules, type MapOptions } from '../../../services/games/punter/made-map.ts'
import { addVerb, wholeNumber, type Context } from '../../context.ts'
import { putMade, share } from '../../made-text.ts'

interface Options extends Omit<MapOptions, 'kind'> {
  readonly out?: string
}

/** `tartaglia punter map`: prints a new map in the format of 2017, with coordinates; with --json on one line. */
export function addMap(punter: Command, context: Context): void {
  addVerb(
    punter,
    'map',
    'Make a map: JSON with sites, rivers and mines',
    'tartaglia punter map gabriel --sites 200 --thin 0.3 --seed Oxford --out oxford.json',
  )
    .addArgument(new Argument('<kind>', 'the shape of the map').choices(mapKinds))
    .option('--seed <text>', 'any text; equal seeds make equal maps', '1')
    .option('--sites <number>', 'the largest number of sites, from 4 to 10000', wholeNumber, 100)
    .option('--mines <number>', 'the number of mines, up to 100', wholeNumber, 4)
    .addOption(
      new Option('--placement <rule>', 'where mines are placed: far apart, at the sites with most rivers, anywhere')
        .choices(mineRules)
        .default('spread'),
    )
    .option('--thin <share>', 'share of the rivers to leave out that do not disconnect the map, 0 to 1', share, 0)
    .option('--out <file>', 'a new file for the map (default: stdout)')
    .action((kind: MapOptions['kind'], { out, seed, sites, mines, placement, thin }: Options) => {
      const text = madeMap({ kind, seed, sites, mines, placement, thin })
      putMade(context, 'map', text, JSON.parse(text) as Json, out)
    })
}
