import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { IsolationTier } from '../../contract/limits.ts'
import { filter, scratch, sharedFilter, walls } from './bubblewrap.ts'
import { entryTo, type FolderEntry } from './common-folder.ts'
import { dropPrefix, limitPrefix, type CommonFolder, type Launch, type LaunchOptions } from './launch.ts'
import { findOwnPids, type OwnPids } from './own-pids.ts'
import { findRuntime, findTools, isRoot } from './runtime.ts'

/** A program agent as it is to be started. */
export interface ProgramLaunch {
  /** The unpacked package, an absolute path that the agents' user can read; nobody writes into it while it is used. */
  readonly folder: string
  /** Interpreters are looked for in `programPath`, what begins with `./` in the package. */
  readonly command: readonly string[]
  /** It is over when it closes its output, even if it goes on running. */
  readonly endsWithOutput?: true
  /** What the agents of the match have in common, which the tier `shared` wants. */
  readonly common?: CommonFolder | undefined
  /** In a box: a private folder /work of so many bytes, in which the command begins; absent: it begins in the package. */
  readonly workBytes?: number
  /** What its environment holds beside what every program has. */
  readonly env?: Readonly<Record<string, string>>
}

/** Says how to start a program, or in words why that cannot be done here. */
export type ProgramLauncher = (program: ProgramLaunch) => Launch | { readonly missing: string }

/** Where the package lies in a box. */
export const packageFolder = '/agent/package'
const workFolder = '/work'
const binFolder = '/agent/bin'

const programPath = '/usr/local/bin:/usr/bin:/bin'
/** Threads and processes of one box; the kernel counts those of its own user namespace, since 5.14. */
const boxProcesses = 256

/** What it takes to run a program, or a package's build step, where that is refused. */
export const scriptsOnly =
  'Node\'s permission model holds scripts only: programs and build steps need bubblewrap, or consent to isolation "none"'

/** A path of the system that programs may read: bound as it is, or a link at the root. */
type SystemPath = readonly ['--ro-bind', string] | readonly ['--symlink', string, string]

/** Looks at the machine once. Never rejects. */
export async function createProgramLauncher(tier: IsolationTier, nodeBinary: string): Promise<ProgramLauncher> {
  if (tier === 'permission') return () => ({ missing: scriptsOnly })
  try {
    const [tools, runtime, system] = await Promise.all([
      findTools(),
      findRuntime(nodeBinary, nodeBinary),
      process.platform === 'linux' ? systemPaths() : [],
    ])
    // The heap of a Node that a program may start is its own affair: the watchdog bounds its memory.
    const options: LaunchOptions = { runtime, tools, root: isRoot(), memoryMb: 0, trusted: false }
    if (tier === 'none') {
      const ownPids = await findOwnPids(options)
      return (program) => unboxed(options, program, ownPids)
    }
    if (tier === 'bubblewrap') return (program) => boxed(options, system, program)
    return (program) => {
      const entry = entryTo(program.common, options)
      return 'missing' in entry ? entry : boxed(options, system, program, entry)
    }
  } catch (error) {
    const missing = error instanceof Error ? error.message : String(error)
    return () => ({ missing })
  }
}

/** What a program finds in its environment; without the third, what Python prints stays in a buffer. */
const environment = { PATH: `${binFolder}:${programPath}`, HOME: '/tmp', LANG: 'C.UTF-8', PYTHONUNBUFFERED: '1' }

/** In a box with the system's programs, Node and the package to read, and a small /tmp to write. */
function boxed(
  options: LaunchOptions,
  system: readonly SystemPath[],
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
    ...walls(tools.bwrap, options),
    ...Object.entries({ ...environment, ...env }).flatMap(([name, value]) => ['--setenv', name, value]),
    ...system.flatMap(([how, from, to = from]) => [how, from, to]),
    '--ro-bind', runtime.nodeBinary, `${binFolder}/node`,
    '--ro-bind', folder, packageFolder,
    ...(workBytes === undefined ? [] : ['--size', String(workBytes), '--tmpfs', workFolder]),
    ...(entry?.mounts ?? []), ...scratch, '--chdir', workBytes === undefined ? packageFolder : workFolder,
    '--', ...(endsWithOutput === undefined ? [] : answersOnFour(tools.sh)),
    tools.prlimit, `--nproc=${boxProcesses}`, '--', ...command,
  ]
  const [file, ...args] = [...drop, ...limitPrefix(options), ...(entry?.enter ?? []), ...box]
  return {
    ...{ file: file!, args },
    ...(entry === undefined ? filter : { ...sharedFilter, namespaces: entry.namespaces }),
    ...(endsWithOutput === undefined ? {} : { ownOutput: true }),
  }
}

/** Makes descriptor 4 the stdout of what follows, which has no other copy of it. */
const answersOnFour = (sh: string): readonly string[] => [sh, '-c', 'exec "$@" >&4 4>&-', 'sh']

/** A bare process in its package's folder. Where this machine lets it, all that it starts ends with it. */
function unboxed(
  options: LaunchOptions,
  { folder, command, env }: ProgramLaunch,
  ownPids: OwnPids | null,
): Launch | { readonly missing: string } {
  const { tools } = options
  const drop = dropPrefix(options)
  if (drop === undefined) return { missing: 'setpriv is not installed, and root must give up its privileges first' }
  const dieWithParent = tools.setpriv === undefined ? [] : [tools.setpriv, '--pdeathsig', 'KILL', '--']
  const { enter, start } = ownPids ?? { enter: [], start: dieWithParent }
  const [file, ...args] = [...enter, ...drop, ...limitPrefix(options), ...start, ...command]
  const own = ownPids === null ? {} : ({ ownOutput: true } as const)
  return { file: file!, args, cwd: folder, env: { ...environment, PATH: programPath, ...env }, ...own }
}

/** /usr, the links into it, and the few files of /etc without which interpreters do not start. */
async function systemPaths(): Promise<readonly SystemPath[]> {
  const roots = await Promise.all(['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'].map(rootPath))
  // Debian keeps a part of each Java there.
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
