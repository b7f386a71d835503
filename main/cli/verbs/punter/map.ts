import { Argument, InvalidArgumentError, Option, type Command } from 'commander'
import type { Json } from '../../../contract/json.ts'
import { writeNewFile } from '../../../services/files/output-file.ts'
import { madeMap, mapKinds, mineRules, type MapOptions } from '../../../services/games/punter/made-map.ts'
import { addVerb, wholeNumber, type Context } from '../../context.ts'
import { safeLine } from '../../text.ts'

interface Options extends Omit<MapOptions, 'kind'> {
  readonly out?: string
}

/** `tartaglia punter map`: prints a new map in the format of 2017, with coordinates; with --json on one line. */
export function addMap(punter: Command, { terminal }: Context): void {
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
      if (out === undefined) {
        terminal.text(text)
        terminal.result(JSON.parse(text) as Json)
      } else {
        writeNewFile(out, text)
        terminal.print(`The map is in ${safeLine(out)}.`)
        terminal.result({ file: out })
      }
    })
}

function share(text: string): number {
  const value = /^(0|1|0?\.\d+)$/.test(text) ? Number(text) : NaN
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a number from 0 to 1.')
  return value
}
