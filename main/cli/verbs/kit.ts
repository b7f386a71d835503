import { Argument, type Command } from 'commander'
import { writeKit } from '../../services/agents/kits.ts'
import { sampleContest } from '../../services/contests/sample-contest.ts'
import { kitNames, type KitName } from '../../contract/kits.ts'
import { addVerb, folderName, type Context } from '../context.ts'
import { safeLine } from '../text.ts'

/** `tartaglia kit`: all that a student needs to begin, in one folder or zip. */
export function addKit(program: Command, { terminal }: Context): void {
  addVerb(program, 'kit', 'Write a kit for students, with its runner', 'tartaglia kit javascript --out kit.zip')
    .addArgument(new Argument('<language>', 'in which agents are written').choices(kitNames))
    .option('--game <name>', 'the game that they play', sampleContest().game)
    .requiredOption('--out <path>', 'a file that ends with .zip, or an empty folder', folderName)
    .action(async (kit: KitName, { game, out }: { game: string; out: string }) => {
      const written = await writeKit({ game, kit }, out)
      terminal.result(written)
      terminal.print(`${safeLine(out)}: ${written.files} files; its README.md says how to begin.`)
    })
}
