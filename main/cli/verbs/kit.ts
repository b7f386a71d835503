import { Argument, Option, type Command } from 'commander'
import { writeKit } from '../../services/agents/kits.ts'
import { NEWER, updateKit } from '../../services/agents/update-kit.ts'
import { kitAround } from '../../services/packages/pack.ts'
import { sampleGame } from '../../services/contests/descriptions/sample-contest.ts'
import { kitNames, type KitName } from '../../contract/players/kits.ts'
import { addVerb, folderName, type Context } from '../context.ts'
import { count, safeLine } from '../text.ts'

/** `tartaglia kit`: everything a student needs to start, in one folder or zip file; `tartaglia update`: a newer one in its place. */
export function addKit(program: Command, { terminal }: Context): void {
  addVerb(
    program,
    'kit',
    'Write a starter kit for students, including a runner',
    'tartaglia kit javascript --out kit.zip',
  )
    .addArgument(new Argument('<language>', 'the language that agents are written in').choices(kitNames))
    .option('--game <name>', 'the game that the agents play', sampleGame())
    .requiredOption('--out <path>', 'a file name that ends with .zip, or an empty folder', folderName)
    .action(async (kit: KitName, { game, out }: { game: string; out: string }) => {
      const written = await writeKit({ game, kit }, out)
      terminal.output('kit', written)
      terminal.print(`${safeLine(out)}: ${written.files} files; see README.md in it for how to start.`)
    })

  addVerb(
    program,
    'update',
    'Update the kit in this folder to a newer one; files that are your own stay as they are',
    'tartaglia update newer-kit.zip',
  )
    .argument('[kit]', "the zip of the newer kit, as the class gives it (default: the newest one in the kit's folder)")
    .addOption(new Option('--folder <folder>', "the kit's folder").default('.', 'this folder').argParser(folderName))
    .action(async (newer: string | undefined, { folder: given }: { folder: string }) => {
      const folder = kitAround(given)?.root ?? given
      const updated = await updateKit(folder, newer ?? null)
      terminal.output('update', updated)
      const { written, kept, conflicts, removed } = updated
      terminal.print(
        `${count(written.length, 'file', 'files')} updated, ${removed.length} removed.`,
        ...(kept.length === 0 ? [] : [`Yours stay: ${safeLine(kept.join(', '))}.`]),
        ...(conflicts.length === 0
          ? []
          : [`The newer kit has changed these too: ${safeLine(conflicts.join(', '))}. Its versions are in ${NEWER}/.`]),
        'Run "npm install" again.',
      )
    })
}
