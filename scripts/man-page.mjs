// The manual page of the command line, made of its help: `node scripts/man-page.mjs` prints it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { commandsOf } from './commands.mjs'
import { entry, root } from './setup.mjs'

/** The text of tartaglia.1, for the version of package.json. */
export async function manPage() {
  const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const commands = await commandsOf()
  return [
    `.TH TARTAGLIA 1 "${dateOfBuild()}" "tartaglia ${plain(version)}" "User commands"`,
    '.SH NAME',
    `tartaglia \\- ${plain(description.replace(/\.$/, ''))}`,
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
    ...['.TP', '.B TARTAGLIA_DATA', plain('The data folder, unless --data names one.')],
    '.SH FILES',
    ...['.TP', '.I ~/.local/share/tartaglia', plain('The data folder, unless another one is named.')],
    '',
  ].join('\n')
}

/** The day of the build: that of SOURCE_DATE_EPOCH in seconds, by which builds can be repeated, or today's. */
export function dateOfBuild() {
  const epoch = process.env.SOURCE_DATE_EPOCH
  return new Date(epoch ? Number(epoch) * 1_000 : Date.now()).toISOString().slice(0, 10)
}

/** Text without anything that roff would take for a request or an escape. */
function plain(text) {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped
}

if (pathToFileURL(process.argv[1]).href === import.meta.url) {
  await entry(async () => {
    Object.defineProperty(process.stdout, 'isTTY', { value: false })
    process.stdout.write(await manPage())
    return 0
  })
}
