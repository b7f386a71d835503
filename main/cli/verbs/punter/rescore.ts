import { basename, join } from 'node:path'
import type { Command } from 'commander'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { readTextFile } from '../../../services/files/read-file.ts'
import { readGameLog } from '../../../services/games/punter/game-log.ts'
import { rescore, type Rescored } from '../../../services/games/punter/rescore.ts'
import { addVerb, type Context } from '../../context.ts'
import { count, safeLine } from '../../text.ts'

/** `tartaglia punter rescore`: exit code 1 if the scores of a log differ from those of the rules. */
export function addRescore(punter: Command, context: Context): void {
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
          terminal.result(told(file, found))
          terminal.print(
            `${safeLine(file)}: ${found.differences.map(safeLine).join(' ') || 'as on the official server'}`,
          )
        } catch (error) {
          // The other games are scored all the same.
          if (!(error instanceof ExpectedError) || error.kind !== 'usage') throw error
          unreadable += 1
          terminal.result({ file, ok: false, error: error.message })
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

function told(file: string, { differences, ...found }: Rescored): object {
  return { file, ...found, ok: differences.length === 0, ...(differences.length > 0 ? { differences } : {}) }
}
