import { Argument, type Command } from 'commander'
import { gameTitles } from '../../services/game-facts.ts'
import { publishedSchemas } from '../../services/schemas/json-schemas.ts'
import { completionScript, shells, type Shell } from '../completion.ts'
import { addVerb, type Context } from '../context.ts'

/** `tartaglia completion SHELL`: the script with which a shell completes verbs, options, games and names of schemas. */
export function addCompletion(program: Command, { terminal }: Context): void {
  addVerb(
    program,
    'completion',
    'Print the script with which a shell completes verbs, options and their values',
    'tartaglia completion bash > ~/.local/share/bash-completion/completions/tartaglia',
  )
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: Shell) => {
      const script = completionScript(program, shell, {
        options: { '--game': gameTitles.map(({ id }) => id) },
        arguments: { schema: publishedSchemas.map(({ name }) => name) },
      })
      terminal.output('completion', { shell, script })
      terminal.print(script.trimEnd())
    })
}
