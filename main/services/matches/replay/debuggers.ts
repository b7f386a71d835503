import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { toolchainKinds, toolchainOfCommand } from '../../../contract/players/toolchains.ts'
import { resources } from '../../machine/resources.ts'
import { GDBSERVER_RELAY } from './gdbserver-relay.ts'

/** A program that waits for a debugger. */
export interface DebuggedCommand {
  readonly command: readonly string[]
  /** Instructions for the person, in whole sentences. */
  readonly notice: string
  /** The program runs at once, and gets its first message when the person says that their debugger is attached. */
  readonly attached: boolean
}

/** The ports on which the editor settings of the kits look for a debugger. */
export const debuggerPorts = { debugpy: 5678, node: 9229, jdwp: 5005, delve: 2345, gdbserver: 1234 } as const

/** A program of an agent, and where its debugger is to be. */
export interface Debuggable {
  readonly command: readonly string[]
  /** The folder in which it runs. */
  readonly folder: string
  /** Absent: the port on which the editor settings of the kits look for the debugger. */
  readonly port: number | undefined
}

type Debugger = (program: Debuggable, name: string, rest: readonly string[]) => DebuggedCommand

/** By the name of the program that a command starts: those that have a debugger of their own. */
const debuggers: readonly (readonly [RegExp, Debugger])[] = [
  // py: the launcher of Python for Windows.
  [/^(py|(python|pypy)[\d.]*)$/, withDebugpy],
  [/^java$/, withJdwp],
  [/^node$/, withInspector],
]

/**
 * The command line of a program that waits for a debugger: for Python, Java and Node a debugger of their own; for others delve or
 * gdbserver if it is installed, and without both the program itself, to which one attaches. `has`: tells if PATH has a program. Throws
 * ExpectedError `not-supported` if the program or the debugger of its language is not installed, `input-invalid` for port 0.
 */
export function underDebugger(
  program: Debuggable,
  has: (tool: string) => boolean = isInstalled,
  platform: NodeJS.Platform = process.platform,
): DebuggedCommand {
  if (program.port === 0)
    throw new ExpectedError(
      'usage',
      'input-invalid',
      'A program is debugged on a port that is known beforehand: give --inspect-port a number of at least 1.',
    )
  const [file = '', ...rest] = program.command
  if (!/[\\/]/.test(file) && !has(file) && !startsInFolder(program.folder, file, platform)) throw notFound(file)
  const name = file.replace(/^.*[\\/]/, '').replace(/\.exe$/i, '')
  const own = debuggers.find(([names]) => names.test(name.toLowerCase()))?.[1]
  if (own !== undefined) return own(program, file, rest)
  if (has('dlv') && existsSync(join(program.folder, 'go.mod'))) return withDelve(program, file, rest)
  if (has('gdbserver')) return withGdbserver(program, file, rest)
  return withAttaching(program, file)
}

/** True if a bare name starts a program of the agent's own folder: Windows looks there before it looks in PATH. */
const startsInFolder = (folder: string, file: string, platform: NodeJS.Platform): boolean =>
  platform === 'win32' && [file, `${file}.com`, `${file}.exe`].some((name) => existsSync(join(folder, name)))

/** True if a program is in the folders in which the terminal looks for programs. */
function isInstalled(tool: string): boolean {
  const names = process.platform === 'win32' ? [tool, ...['exe', 'cmd', 'bat'].map((end) => `${tool}.${end}`)] : [tool]
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))))
}

/** An agent is debugged as the terminal starts it, without the toolchains that are declared for boxes. */
function notFound(file: string): ExpectedError {
  const toolchain = toolchainOfCommand([file])
  const wanted = toolchain === null ? file : toolchainKinds[toolchain].title
  return new ExpectedError(
    'usage',
    'not-supported',
    `${file} is in no folder of PATH, and debug starts the agent as this terminal does: install ${wanted}, or add its folder of programs to PATH.`,
  )
}

function withDebugpy({ folder, port = debuggerPorts.debugpy }: Debuggable, python: string, rest: readonly string[]) {
  const found = spawnSync(python, ['-c', 'import debugpy'], { cwd: folder })
  if (found.status !== 0)
    throw new ExpectedError(
      'usage',
      'not-supported',
      `debugpy is not installed for ${python}: "${python} -m pip install debugpy" installs it.`,
    )
  return {
    command: [python, ...underDebugpy(rest, port)],
    notice: `A debugger for Python may connect to 127.0.0.1:${port}. The agent waits for it and stops at your breakpoints.`,
    attached: false,
  }
}

function withJdwp({ port = debuggerPorts.jdwp }: Debuggable, java: string, rest: readonly string[]): DebuggedCommand {
  // quiet: its line "Listening for transport" would stand between the messages of the agent.
  const agent = `-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=127.0.0.1:${port}`
  return {
    command: [java, agent, ...rest],
    notice: `A debugger for Java may connect to 127.0.0.1:${port}, such as "jdb -attach 127.0.0.1:${port}". The agent waits for it before its first line.`,
    attached: false,
  }
}

function withInspector({ port = debuggerPorts.node }: Debuggable, node: string, rest: readonly string[]) {
  return {
    command: [node, `--inspect-brk=127.0.0.1:${port}`, ...rest],
    notice: `A debugger for Node may connect to 127.0.0.1:${port}. The agent waits for it before its first line.`,
    attached: false,
  }
}

function withDelve({ port = debuggerPorts.delve }: Debuggable, file: string, rest: readonly string[]) {
  // The log goes to standard error: what delve says on standard output would stand between the messages of the agent.
  const server = ['dlv', 'exec', '--headless', '--api-version=2', '--log-dest=2', `--listen=127.0.0.1:${port}`]
  return {
    command: [...server, file, '--', ...rest],
    notice: `A debugger for Go may connect to 127.0.0.1:${port}, such as "dlv connect 127.0.0.1:${port}". The agent waits for it before its first line.`,
    attached: false,
  }
}

function withGdbserver({ port = debuggerPorts.gdbserver }: Debuggable, file: string, rest: readonly string[]) {
  return {
    command: [resources.node, '-e', GDBSERVER_RELAY, String(port), file, ...rest],
    notice: `gdb may connect to 127.0.0.1:${port}, such as "gdb -ex 'target remote 127.0.0.1:${port}' ${file}". The agent waits for it before its first line.`,
    attached: false,
  }
}

function withAttaching({ command, port }: Debuggable, file: string): DebuggedCommand {
  if (port !== undefined)
    throw new ExpectedError(
      'usage',
      'not-supported',
      `For ${file} a debugger on a port needs gdbserver, or delve for Go, which is not installed: install it, or leave out --inspect-port and attach to the process.`,
    )
  return {
    command,
    notice:
      'Attach a debugger to that process, such as "gdb -p" with its number, set your breakpoints and let it continue: then press Enter here, and it gets its first message. If the system refuses to attach, install gdbserver.',
    attached: true,
  }
}

/** Arguments of Python with debugpy in between: Python's own options stand before it, and the program after it. */
export function underDebugpy(rest: readonly string[], port: number): readonly string[] {
  let at = 0
  for (let own = rest[at]; own !== undefined && /^-./.test(own); own = rest[at]) {
    const [letters = '', letter = ''] = /^-[^-]*?([mcWX])/.exec(own) ?? []
    // These begin the program.
    if (letter === 'm' || letter === 'c') break
    // The value of these may be the next argument.
    at += letters === own || own === '--check-hash-based-pycs' ? 2 : 1
  }
  const [own, program] = [rest.slice(0, at), rest.slice(at)]
  // Else debugpy prints four lines about modules that Python keeps frozen, as if the agent had.
  return [
    ...own,
    '-Xfrozen_modules=off',
    '-m',
    'debugpy',
    '--listen',
    `127.0.0.1:${port}`,
    '--wait-for-client',
    ...program,
  ]
}
