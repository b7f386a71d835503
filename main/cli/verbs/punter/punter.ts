import { type Command, Argument, Option } from 'commander'
import { addGroup, type Context, addVerb, wholeNumber } from '../../context.ts'
import { addPlay } from './play.ts'
import { addServe } from './serve.ts'
import { basename, join } from 'node:path'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { readTextFile } from '../../../services/files/read-file.ts'
import { readGameLog } from '../../../services/games/punter/game-log.ts'
import { rescore, type Rescored } from '../../../services/games/punter/rescore.ts'
import { count, safeLine } from '../../text.ts'
import type { VerbOutput } from '../../../contract/outputs/verb-outputs.ts'
import { madeMap, mapKinds, mineRules, type MapOptions } from '../../../services/games/punter/settings.ts'
import { putMade, share } from '../../made-text.ts'

/** `tartaglia punter serve`, `play`, `rescore`, `map`. */
export function addPunter(program: Command, context: Context): void {
  const punter = addGroup(
    program,
    'punter',
    'Lambda Punter: single games online and offline, scores of official games, maps',
  )
  addServe(punter, context)
  addPlay(punter, context)
  addRescore(punter, context)
  addMap(punter, context)
}

/** `tartaglia punter rescore`: exit code 1 if the scores of a log differ from those of the rules. */
function addRescore(punter: Command, context: Context): void {
  addVerb(
    punter,
    'rescore',
    'Play logs of the official server again through the rules and compare the scores',
    'tartaglia punter rescore game.json --maps maps',
  )
    .argument('<files...>', 'logs of the official server')
    .requiredOption('--maps <folder>', 'the folder of the maps that the logs name')
    .action(async (files: string[], { maps }: { readonly maps: string }) => {
      const { terminal } = context
      const texts = new Map<string, string>()
      let [wrong, unreadable] = [0, 0]
      for (const file of files) {
        try {
          const log = readGameLog(await readTextFile(file))
          if (typeof log === 'string') throw new ExpectedError('usage', 'file-invalid', log)
          const map = texts.get(log.map) ?? (await readTextFile(mapFile(maps, log.map)))
          texts.set(log.map, map)
          const found = rescore(log, map)
          if (found.differences.length > 0) wrong += 1
          terminal.output('punter rescore', told(file, found))
          terminal.print(
            `${safeLine(file)}: ${found.differences.map(safeLine).join(' ') || 'as on the official server'}`,
          )
        } catch (error) {
          // The other games are scored all the same.
          if (!(error instanceof ExpectedError) || error.kind !== 'usage') throw error
          unreadable += 1
          terminal.output('punter rescore', { file, ok: false, error: error.message, code: error.code })
          terminal.note(`${safeLine(file)}: ${error.message}`)
        }
      }
      terminal.print(
        `${count(files.length, 'game', 'games')}, ${wrong} with differences, ${unreadable} that cannot be scored.`,
      )
      if (wrong + unreadable > 0) context.done(unreadable > 0 ? 2 : 1)
    })
}

/** Logs may come from anybody: names in them only refer to files of this folder. */
function mapFile(folder: string, name: string): string {
  const file = basename(name)
  if (/^[\w-][\w.-]*$/.test(file)) return join(folder, file)
  throw new ExpectedError('usage', 'input-invalid', `"${name}" is not the name of a map file.`)
}

function told(file: string, { differences, ...found }: Rescored): VerbOutput<'punter rescore'> {
  return { file, ...found, ok: differences.length === 0, ...(differences.length > 0 ? { differences } : {}) }
}

interface MapFileOptions extends Omit<MapOptions, 'kind'> {
  readonly out?: string
}

/** `tartaglia punter map`: prints a new map in the format of 2017, with coordinates; with --json on one line. */
function addMap(punter: Command, context: Context): void {
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
    .action((kind: MapOptions['kind'], { out, seed, sites, mines, placement, thin }: MapFileOptions) => {
      const text = madeMap({ kind, seed, sites, mines, placement, thin })
      putMade(context, 'map', text, out, (file) =>
        context.terminal.output(
          'punter map',
          file === null ? (JSON.parse(text) as VerbOutput<'punter map'>) : { file },
        ),
      )
    })
}
