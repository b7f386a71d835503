import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { IsolationTier } from '../../contract/limits.ts'
import { boxPrefix, boxSuffix, filterFor, spawnerSuffix } from './bubblewrap.ts'
import { entryTo, type FolderEntry } from './common-folder.ts'
import { dropPrefix, limitPrefix, type CommonFolder, type Launch, type LaunchOptions, type Runtime } from './launch.ts'
import { declaredFolders, type ToolchainFolders } from './declared-toolchains.ts'
import { findOwnPids, type OwnPids } from './unboxed.ts'
import { isFilled, windowsCommand, windowsEnvironment } from './windows-programs.ts'
import { findRuntime, findSpawner, findTools, isRoot } from './runtime.ts'

/** How to start a program agent. */
export interface ProgramLaunch {
  /** The unpacked package: an absolute path that the agents' user can read and nobody writes to while it is used. */
  readonly folder: string
  /** Paths that begin with `./` are relative to the package; other programs are searched for in `programPath`. */
  readonly command: readonly string[]
  /** The program counts as ended when it closes its output, even if it continues to run. */
  readonly endsWithOutput?: true
  /** The shared folder of the match, for the tier `shared`. */
  readonly common?: CommonFolder | undefined
  /**
   * For a build step, in a box: the size in bytes of a private folder /work in which the command starts. Absent for
   * agents, which start in the package.
   */
  readonly workBytes?: number
  /**
   * The number of processes that a spawner may start, one after the other. A launcher for which that is not possible returns a launch for one
   * process, without `turns`.
   */
  readonly turns?: number | undefined
  /** Environment variables in addition to those of every program. */
  readonly env?: Readonly<Record<string, string>>
}

/** Returns how to start a program, or a phrase that says why that is not possible here. */
export type ProgramLauncher = (program: ProgramLaunch) => Launch | { readonly missing: string }

/** The folder of the package in a box. */
export const packageFolder = '/agent/package'
const workFolder = '/work'
const binFolder = '/agent/bin'
const spawnerFile = '/agent/spawner'

export const programPath = '/usr/local/bin:/usr/bin:/bin'
/** The maximum number of threads and processes in a box; the kernel counts them per user namespace since 5.14. */
const boxProcesses = 256

/** The error where programs and build steps are refused, with what they need. */
export const scriptsOnly =
  'Node\'s permission model holds scripts only: programs and build steps need bubblewrap, or consent to isolation "none"'

/** A system path that programs may read: a bind mount, or a link at the root. */
type SystemPath = readonly ['--ro-bind', string] | readonly ['--symlink', string, string]

/** Facts about the machine that its programs depend on. */
interface LauncherOptions {
  /** The file of a spawner, if there is one. Absent: programs are started without one. */
  readonly spawner?: string | undefined
  /** The declared toolchains. Absent: those that are declared now. */
  readonly declared?: Promise<ToolchainFolders> | undefined
}

/** Examines the machine once. Never rejects. */
export async function createProgramLauncher(
  tier: IsolationTier,
  nodeBinary: string,
  { spawner, declared: known }: LauncherOptions = {},
): Promise<ProgramLauncher> {
  if (tier === 'permission') return () => ({ missing: scriptsOnly })
  try {
    const [tools, runtime, system, declared] = await Promise.all([
      findTools(),
      findRuntime(nodeBinary, nodeBinary),
      process.platform === 'linux' ? systemPaths() : [],
      known ?? declaredFolders(),
    ])
    const machine: ProgramMachine = { system, declared }
    // If the program starts a Node, its heap is not limited here; the watchdog limits its memory.
    const options: LaunchOptions = { runtime, tools, root: isRoot(), memoryMb: 0, trusted: false }
    if (tier === 'none') {
      const ownPids = await findOwnPids(options)
      return (program) => unboxed(options, machine, program, ownPids)
    }
    if (tier === 'bubblewrap') {
      const found = await findSpawner(spawner)
      return (program) =>
        (found === null ? null : spawning(found, options, machine, program)) ?? boxed(options, machine, program)
    }
    return (program) => {
      const entry = entryTo(program.common, options)
      return 'missing' in entry ? entry : boxed(options, machine, program, entry)
    }
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error)
    return () => ({ missing })
  }
}

/** The paths of this machine at which programs find what they run on. */
interface ProgramMachine {
  readonly system: readonly SystemPath[]
  readonly declared: ToolchainFolders
}

/**
 * The environment of a program. `first`: folders before the usual ones in which programs are searched for. Without the last variable
 * Python buffers its output.
 */
const environmentOf = (
  { path, environment }: ToolchainFolders,
  first: readonly string[],
): Readonly<Record<string, string>> => ({
  ...environment,
  ...{ PATH: [...first, ...path, programPath].join(':'), HOME: '/tmp', LANG: 'C.UTF-8', PYTHONUNBUFFERED: '1' },
})

/** In a box with the system's programs, read access to Node and the package, and a small writable /tmp. */
function boxed(
  options: LaunchOptions,
  { system, declared }: ProgramMachine,
  { folder, command, endsWithOutput, workBytes, env = {} }: ProgramLaunch,
  entry?: FolderEntry,
): Launch | { readonly missing: string } {
  const { runtime, tools } = options
  if (tools.bwrap === undefined) return { missing: 'bubblewrap (bwrap) is not installed' }
  if (tools.prlimit === undefined) return { missing: 'prlimit is not installed' }
  if (tools.sh === undefined) return { missing: 'sh is not installed' }
  const drop = dropPrefix(options)
  if (drop === undefined) return { missing: 'setpriv is not installed, and root must give up its privileges first' }
  // prettier-ignore
  const box = [
    ...boxPrefix(tools.bwrap, options),
    ...contentsOf(runtime, { system, declared }, { folder, env }),
    ...(workBytes === undefined ? [] : ['--size', String(workBytes), '--tmpfs', workFolder]),
    ...(entry?.mounts ?? []), ...boxSuffix, '--chdir', workBytes === undefined ? packageFolder : workFolder,
    '--', ...(endsWithOutput === undefined ? [] : answersOnFour(tools.sh)), ...bounded(tools.prlimit), ...command,
  ]
  const [file, ...args] = [...drop, ...limitPrefix(options), ...(entry?.enter ?? []), ...box]
  return {
    ...{ file: file!, args },
    ...filterFor(entry !== undefined ? 'shared' : workBytes !== undefined ? 'build' : 'agent'),
    ...(entry === undefined ? {} : { namespaces: entry.namespaces }),
    ...(endsWithOutput === undefined ? {} : { ownOutput: true }),
  }
}

/** The contents of a program's box: its environment, the system, Node and its package. */
function contentsOf(
  { nodeBinary }: Runtime,
  { system, declared }: ProgramMachine,
  { folder, env }: Pick<ProgramLaunch, 'folder' | 'env'>,
): readonly string[] {
  const environment = Object.entries({ ...environmentOf(declared, [binFolder]), ...env })
  // prettier-ignore
  return [
    ...environment.flatMap(([name, value]) => ['--setenv', name, value]),
    ...system.flatMap(([how, from, to = from]) => [how, from, to]),
    ...declared.folders.flatMap((path) => ['--ro-bind', path, path]),
    '--ro-bind', nodeBinary, `${binFolder}/node`,
    '--ro-bind', folder, packageFolder,
  ]
}

/** Limits the number of processes of a command in a box. */
const bounded = (prlimit: string): readonly string[] => [prlimit, `--nproc=${boxProcesses}`, '--']

/** A box in which a spawner starts the program `turns` times; null: it has one box for each process. */
function spawning(
  spawner: string,
  options: LaunchOptions,
  machine: ProgramMachine,
  { turns = 0, command, endsWithOutput, workBytes, ...program }: ProgramLaunch,
): Launch | null {
  const { runtime, tools } = options
  const { filter } = filterFor('agent')
  const drop = dropPrefix(options)
  if (tools.bwrap === undefined || tools.prlimit === undefined || drop === undefined) return null
  // Without a filter programs could make namespaces by themselves.
  if (turns === 0 || endsWithOutput === undefined || workBytes !== undefined || filter === undefined) return null
  const wrapper = bounded(tools.prlimit)
  // prettier-ignore
  const box = [
    ...boxPrefix(tools.bwrap, options, false),
    ...contentsOf(runtime, machine, program), '--ro-bind', spawner, spawnerFile,
    ...spawnerSuffix, '--chdir', packageFolder,
    '--', spawnerFile, 'boxed', String(turns), String(wrapper.length), ...wrapper, ...command,
  ]
  const [file, ...args] = [...drop, ...limitPrefix(options), ...box]
  return { file: file!, args, filter, turns }
}

/** Makes descriptor 4 the stdout of the command and closes the original. */
const answersOnFour = (sh: string): readonly string[] => [sh, '-c', 'exec "$@" >&4 4>&-', 'sh']

/** A plain process in its package's folder. If the machine permits it, all processes that it starts end with it. */
function unboxed(
  options: LaunchOptions,
  { declared }: ProgramMachine,
  { folder, command, env }: ProgramLaunch,
  ownPids: OwnPids | null,
): Launch | { readonly missing: string } {
  const { tools } = options
  const drop = dropPrefix(options)
  if (drop === undefined) return { missing: 'setpriv is not installed, and root must give up its privileges first' }
  const dieWithParent = tools.setpriv === undefined ? [] : [tools.setpriv, '--pdeathsig', 'KILL', '--']
  const { enter, start } = ownPids ?? { enter: [], start: dieWithParent }
  const isWindows = process.platform === 'win32'
  const usual = isWindows ? windowsEnvironment(declared, process.env) : environmentOf(declared, [])
  const known = isWindows ? windowsCommand(command, usual['PATH'] ?? '', isFilled) : command
  const [file, ...args] = [...enter, ...drop, ...limitPrefix(options), ...start, ...known]
  const own = ownPids === null ? {} : ({ ownOutput: true, ownPids: true } as const)
  return { file: file!, args, cwd: folder, env: { ...usual, ...env }, ...own }
}

/** /usr, the links to it, and the few files in /etc that interpreters need. */
async function systemPaths(): Promise<readonly SystemPath[]> {
  const roots = await Promise.all(['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'].map(rootPath))
  // Debian keeps parts of each Java version there.
  const java = (await readdir('/etc').catch(() => [])).filter((name) => name.startsWith('java'))
  const etc = await Promise.all(['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', ...java].map(etcPath))
  return [['--ro-bind', '/usr'], ...roots.flat(), ...etc.flat()]
}

async function rootPath(name: string): Promise<readonly SystemPath[]> {
  const path = join('/', name)
  const found = await lstat(path).catch(() => null)
  if (found === null) return []
  return found.isSymbolicLink() ? [['--symlink', await readlink(path), path]] : [['--ro-bind', path]]
}

async function etcPath(name: string): Promise<readonly SystemPath[]> {
  const path = join('/etc', name)
  return (await lstat(path).catch(() => null)) === null ? [] : [['--ro-bind', path]]
}
