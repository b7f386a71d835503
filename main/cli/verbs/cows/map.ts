import { Argument, type Command } from 'commander'
import type { Json } from '../../../contract/json.ts'
import { madeMap, mapKinds, type MapOptions } from '../../../services/games/cows/made-map.ts'
import { addVerb, wholeNumber, type Context } from '../../context.ts'
import { putMade } from '../../made-text.ts'

interface Options extends Omit<MapOptions, 'kind'> {
  readonly out?: string
}

/** `tartaglia cows map`: prints a new map; with --json on one line. */
export function addMap(cows: Command, context: Context): void {
  addVerb(
    cows,
    'map',
    'Make a map: JSON with rows of cells, corrals and herders',
    'tartaglia cows map maze --width 60 --height 60 --cows 80 --seed Lemuria --out lemuria.json',
  )
    .addArgument(new Argument('<kind>', 'the kind of the map; all but random are fair to both teams').choices(mapKinds))
    .option('--seed <text>', 'any text; equal seeds make equal maps', '1')
    .option('--width <cells>', 'from west to east, 20 to 150', wholeNumber, 70)
    .option('--height <cells>', 'from north to south, 20 to 150', wholeNumber, 70)
    .option('--obstacles <number>', 'the largest number of obstacles (random and scattered)', wholeNumber, 200)
    .option('--cows <number>', 'the largest number of cows, 2 to 1000', wholeNumber, 100)
    .option('--herders <number>', 'herders of each team, 1 to 20', wholeNumber, 6)
    .option('--corral <cells>', 'the side of each corral, up to a third of the shorter side', wholeNumber, 15)
    .option('--out <file>', 'a new file for the map (default: stdout)')
    .action((kind: MapOptions['kind'], { out, ...given }: Options) => {
      const { seed, width, height, obstacles, cows: cattle, herders, corral } = given
      const text = madeMap({ kind, seed, width, height, obstacles, cows: cattle, herders, corral })
      putMade(context, 'map', text, JSON.parse(text) as Json, out)
    })
}
