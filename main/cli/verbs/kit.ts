import { Argument, type Command } from 'commander'
import { writeKit } from '../../services/agents/kits.ts'
import { sampleContest } from '../../services/contests/descriptions/sample-contest.ts'
import { kitNames, type KitName } from '../../contract/players/kits.ts'
import { addVerb, folderName, type Context } from '../context.ts'
import { safeLine } from '../text.ts'

/** `tartaglia kit`: everything a student needs to start, in one folder or zip file. */
export function addKit(program: Command, { terminal }: Context): void {
  addVerb(
    program,
    'kit',
    'Write a starter kit for students, including a runner',
    'tartaglia kit javascript --out kit.zip',
  )
    .addArgument(new Argument('<language>', 'the language that agents are written in').choices(kitNames))
    .option('--game <name>', 'the game that the agents play', sampleContest().game)
    .requiredOption('--out <path>', 'a file name that ends with .zip, or an empty folder', folderName)
    .action(async (kit: KitName, { game, out }: { game: string; out: string }) => {
      const written = await writeKit({ game, kit }, out)
      terminal.result(written)
      terminal.print(`${safeLine(out)}: ${written.files} files; see README.md in it for how to start.`)
    })
}
