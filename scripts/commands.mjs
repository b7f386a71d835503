// `npm run commands`: writes docs/commands.md, the reference of the command line, from the help of each command.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { entry, note, root } from './setup.mjs'

const preamble = `# Commands

<!-- Written by \`npm run commands\` from the help of each command. Edit the help instead. -->

Run \`npx tartaglia COMMAND\`. Each command has \`--help\` (also \`npx tartaglia help COMMAND\`) and, except for \`language-server\`,
\`--json\`, which prints one JSON object on stdout and nothing else.

- An **agent** is the name of one that ships, such as \`baby\`, or a file: a script, or a package (.zip or .tar.gz) with an \`agent.json\`; see
  [Agents](agents.md).
- A **challenge** is a \`.challenge\` file, the name of one that ships, such as \`max-csp\`, or the name of one that was added to the class
  in the data folder (\`--data\`).
- The **data folder** is the first of these that is set: \`--data FOLDER\`, \`$TARTAGLIA_DATA\`, and the default of the system, which is
  \`~/.local/share/tartaglia\` (or under \`$XDG_DATA_HOME\`), \`~/Library/Application Support/Tartaglia\` or \`%APPDATA%\\Tartaglia\`. Only
  one process writes to it at a time.

Every error is one sentence on stderr that says what is wrong and where. With \`--json\` stdout has it too, with a code that never changes:
\`{"error":SENTENCE,"code":"option-unknown"}\`. \`tartaglia schema error\` prints the JSON Schema of that object, and \`tartaglia schema contest-run-output\` that of
what a command prints with \`--json\`; each command has one.

| Exit code | Meaning                                                                                 |
| --------- | --------------------------------------------------------------------------------------- |
| 0         | success                                                                                 |
| 1         | the check failed                                                                        |
| 2         | wrong usage, or a file that cannot be read                                              |
| 3         | a problem of this machine: a full or read-only disk, a data folder in use, no isolation |
| 4         | \`history verify\`: the history is intact, but its signer is unknown                      |
| 130       | stopped by Ctrl-C                                                                       |
`

const file = join(root, 'docs', 'commands.md')

/** All commands, in the order of the help: `contest run`, a line about it, and its help. */
export async function commandsOf() {
  const commands = []
  const collect = async (words) => {
    const text = await helpOf(words)
    const verbs = [...(/^Commands:\n([^]*?)(?:\n\n|$(?![^]))/m.exec(text)?.[1] ?? '').matchAll(/^ {2}([\w-]+)/gm)]
    if (words.length > 0 && (verbs.length === 0 || text.includes('\nExample:')))
      commands.push({ name: words.join(' '), summary: summaryOf(text), text: text.trimEnd() })
    for (const [, verb] of verbs) if (verb !== 'help') await collect([...words, verb])
  }
  await collect([])
  return commands
}

/** The text of the page. */
export async function commandsPage() {
  const commands = await commandsOf()
  const row = ({ name, summary }) =>
    `| [\`${name}\`](#${name.replaceAll(' ', '-')}) | ${summary.replaceAll('|', '\\|')} |`
  const section = ({ name, text }) => `## ${name}\n\n\`\`\`\n${text}\n\`\`\`\n`
  const table = ['| Command | Purpose |', '| --- | --- |', ...commands.map(row)].join('\n')
  const page = `${preamble}\n${table}\n\n${commands.map(section).join('\n')}`
  const { format, resolveConfig } = await import('prettier')
  return format(page, { ...(await resolveConfig(file)), filepath: file })
}

/** The paragraph of a command's help that stands below its usage, on one line. */
function summaryOf(text) {
  const [, summary] = /^Usage: [^]*?\n\n([^]*?)\n\n/.exec(text)
  return summary.replaceAll(/\s+/g, ' ')
}

async function helpOf(words) {
  const { runCli } = await import('../main/cli/program.ts')
  let text = ''
  const stdout = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => done((text += chunk) && null),
  })
  const environment = { stdout, stderr: stdout, env: {}, onInterrupt: () => () => undefined, exit: () => undefined }
  await runCli([...words, '--help'], environment)
  return text
}

if (pathToFileURL(process.argv[1]).href === import.meta.url) {
  await entry(async () => {
    // The help is as wide as a terminal; the page is not.
    Object.defineProperty(process.stdout, 'isTTY', { value: false })
    writeFileSync(file, await commandsPage())
    note(`${file} is written.`)
    return 0
  })
}
