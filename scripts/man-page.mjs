// The manual page of the command line, made of its help: `node scripts/man-page.mjs` prints it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commandsOf } from './commands.mjs'
import { entry, root } from './setup.mjs'

/** The environment variables that the program reads on Linux, and their meaning. */
const environment = [
  ['TARTAGLIA_DATA', 'The data folder, unless --data names one.'],
  ['TARTAGLIA_DEBUG', 'If it is 1, unexpected errors are printed with their stack.'],
  ['TARTAGLIA_PASSPHRASE_FILE', 'A file whose first line is the passphrase of names that are under lock.'],
  ['TARTAGLIA_TOKEN', 'The token that workers and the classroom share, unless --token gives one.'],
  ['TARTAGLIA_TOOLCHAINS', 'The file that declares toolchains of this machine, instead of the usual one.'],
  ['XDG_CACHE_HOME', 'The folder of caches; if it is not set, ~/.cache.'],
  ['XDG_CONFIG_HOME', 'The folder of settings; if it is not set, ~/.config.'],
  ['XDG_DATA_HOME', 'The folder of data; if it is not set, ~/.local/share.'],
]

/** The files and folders of a user without these variables. */
const files = [
  ['~/.local/share/tartaglia', 'The data folder, unless another one is named.'],
  ['~/.config/tartaglia/tokens.json', 'The sign-ins of this terminal in classes, for "tartaglia submit".'],
  ['~/.config/tartaglia/toolchains.json', 'The toolchains that are declared for agents and builds.'],
  ['~/.local/share/tartaglia-worker', 'The folder of a worker, and the tokens that were used last.'],
  ['~/.cache/tartaglia', 'Compiled code for the next start. It can be removed at any time.'],
]

/** The text of tartaglia.1, for the version of package.json. */
export async function manPage() {
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const commands = await commandsOf()
  return [
    `.TH TARTAGLIA 1 "${dateOfBuild()}" "tartaglia ${plain(version)}" "User commands"`,
    '.SH NAME',
    plain(description.replace(/\.$/, ''), 'tartaglia \\- '),
    '.SH SYNOPSIS',
    '.B tartaglia\n[\\fIoptions\\fR]',
    '.br',
    '.B tartaglia\n\\fIcommand\\fR [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    plain('Without a command it opens the classroom. Options of that: --data FOLDER, --port NUMBER, --sample-term.'),
    '.SH COMMANDS',
    ...commands.flatMap(({ name, summary }) => ['.TP', `.B ${plain(name)}`, plain(summary)]),
    '.PP',
    plain('Each command has --help, and --json, which prints one JSON object on standard output and nothing else.'),
    '.SH "EXIT STATUS"',
    ...[
      ['0', 'Success.'],
      ['1', 'The check failed.'],
      ['2', 'Wrong usage, or a file that cannot be read.'],
      ['3', 'A problem of this machine: a full disk, a data folder in use, no isolation.'],
      ['4', 'history verify: the history is intact, but its signer is unknown.'],
      ['130', 'Stopped by Ctrl-C.'],
    ].flatMap(([code, meaning]) => ['.TP', `.B ${code}`, plain(meaning)]),
    '.SH ENVIRONMENT',
    ...environment.flatMap(([name, meaning]) => ['.TP', `.B ${name}`, plain(meaning)]),
    '.SH FILES',
    ...files.flatMap(([path, meaning]) => ['.TP', `.I ${path}`, plain(meaning)]),
    '',
  ].join('\n')
}

/** The day of the build: that of SOURCE_DATE_EPOCH in seconds, by which builds can be repeated, or today's. */
export function dateOfBuild() {
  const epoch = process.env.SOURCE_DATE_EPOCH
  return new Date(epoch ? Number(epoch) * 1_000 : Date.now()).toISOString().slice(0, 10)
}

/** Text behind `before`, in lines of 80 characters at most, without anything that roff would take for a request or an escape. */
function plain(text, before = '') {
  const [first, ...words] = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').split(' ')
  const lines = [`${before}${first}`]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    // Room for the mark below.
    if (longer.length <= 78) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line) => (/^[.']/.test(line) ? `\\&${line}` : line)).join('\n')
}

if (pathToFileURL(process.argv[1]).href === import.meta.url) {
  await entry(async () => {
    Object.defineProperty(process.stdout, 'isTTY', { value: false })
    process.stdout.write(await manPage())
    return 0
  })
}
