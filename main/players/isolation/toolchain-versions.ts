import { chmod, mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { IsolationTier } from '../../contract/limits.ts'
import {
  toolchainKinds,
  toolchainName,
  versionIn,
  type FoundToolchain,
  type ToolchainName,
} from '../../contract/players/toolchains.ts'
import { runJob } from './boxed-job.ts'
import type { ToolchainFolders } from './declared-toolchains.ts'
import { createProgramLauncher, programPath, type ProgramLaunch, type ProgramLauncher } from './program.ts'
import { temporaryFolder } from './runtime.ts'

/** A compiler that answers later is not one that a class can work with. */
const SECONDS = 20
const bounds = { seconds: SECONDS, memoryMb: 1_024, outputBytes: 65_536 }

/** Prints those of its arguments that are packages of this Python, a line each. */
const packagesScript = `
import importlib.metadata, sys
for name in sys.argv[1:]:
    try:
        importlib.metadata.version(name)
        print(name)
    except importlib.metadata.PackageNotFoundError:
        pass
`

/** A search for toolchains: which ones, and which packages of Python. */
export interface ToolchainSearch {
  readonly names: readonly ToolchainName[]
  readonly packages?: readonly string[]
  /** As LauncherOptions.declared. */
  readonly declared?: Promise<ToolchainFolders>
}

/**
 * Asks toolchains for their versions where programs and builds would run them: in a box, or without one. Throws an Error if programs
 * cannot be started in this tier.
 */
export async function findToolchains(
  tier: IsolationTier,
  nodeBinary: string,
  { names, packages = [], declared }: ToolchainSearch,
): Promise<readonly FoundToolchain[]> {
  // In the tier `shared` programs find the same; only a match has the folder that they share.
  const boxed = tier === 'bubblewrap' || tier === 'shared'
  const launcher = await createProgramLauncher(boxed ? 'bubblewrap' : tier, nodeBinary, { declared })
  // Interpreters load code from the folder in which they are started, and files there tell compilers which version to be.
  const folder = await mkdtemp(join(await temporaryFolder(), 'tartaglia-toolchains-'))
  await chmod(folder, 0o755)
  const ask = (command: readonly string[]): Promise<string | null> => printedBy(launcher, { folder, command }, boxed)
  const wanted = toolchainName.options.filter((name) => names.includes(name))
  const found = wanted.map(async (name): Promise<FoundToolchain> => {
    const printed = await ask(toolchainKinds[name].asks)
    const told = printed === null ? null : versionIn(printed)
    // Java 8 calls itself 1.8.
    const version = name === 'jdk' ? (told?.replace(/^1\.(?=\d)/, '') ?? null) : told
    if (name !== 'python' || version === null || packages.length === 0) return { name, version }
    const listed = await ask(['python3', '-I', '-c', packagesScript, ...packages])
    const lines = new Set((listed ?? '').split('\n'))
    return { name, version, packages: packages.filter((each) => lines.has(each)) }
  })
  try {
    return await Promise.all(found)
  } finally {
    await Promise.allSettled(found)
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * A text that changes when another program takes the place of the one that is asked for its version, as when a machine is upgraded while a
 * contest is played. `declared`: the folders in which programs are searched for before those of the system.
 */
export async function programIdentity(name: ToolchainName, declared: Promise<ToolchainFolders>): Promise<string> {
  const { path } = await declared.catch(() => ({ path: [] }))
  const [program] = toolchainKinds[name].asks
  for (const folder of [...path, ...programPath.split(':')]) {
    const file = await realpath(join(folder, program)).catch(() => null)
    const found = file === null ? null : await stat(file).catch(() => null)
    if (found !== null) return `${file} ${found.ino} ${found.size} ${found.mtimeMs}`
  }
  return ''
}

/** The output of a command, with its errors; null: it cannot be run, or fails. */
async function printedBy(
  launcher: ProgramLauncher,
  program: Pick<ProgramLaunch, 'folder' | 'command'>,
  boxed: boolean,
): Promise<string | null> {
  const launch = launcher(program)
  if ('missing' in launch) throw new Error(launch.missing)
  const result = await runJob({ ...bounds, launch, boxed })
  return result.ok ? `${Buffer.from(result.output).toString()}\n${result.log}` : null
}
