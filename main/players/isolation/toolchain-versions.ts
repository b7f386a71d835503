import type { IsolationTier } from '../../contract/limits.ts'
import {
  toolchainKinds,
  toolchainName,
  versionIn,
  type FoundToolchain,
  type ToolchainName,
} from '../../contract/players/toolchains.ts'
import { runJob } from './boxed-job.ts'
import { createProgramLauncher, type ProgramLauncher } from './program.ts'
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
}

/**
 * Asks toolchains for their versions where programs and builds would run them: in a box, or without one. Throws an Error if programs
 * cannot be started in this tier.
 */
export async function findToolchains(
  tier: IsolationTier,
  nodeBinary: string,
  { names, packages = [] }: ToolchainSearch,
): Promise<readonly FoundToolchain[]> {
  const launcher = await createProgramLauncher(tier, nodeBinary)
  const boxed = tier === 'bubblewrap' || tier === 'shared'
  const ask = async (command: readonly string[]): Promise<string | null> => printedBy(launcher, command, boxed)
  const wanted = toolchainName.options.filter((name) => names.includes(name))
  return Promise.all(
    wanted.map(async (name): Promise<FoundToolchain> => {
      const printed = await ask(toolchainKinds[name].asks)
      const version = printed === null ? null : versionIn(printed)
      if (name !== 'python' || version === null || packages.length === 0) return { name, version }
      const listed = await ask(['python3', '-c', packagesScript, ...packages])
      const lines = new Set((listed ?? '').split('\n'))
      return { name, version, packages: packages.filter((each) => lines.has(each)) }
    }),
  )
}

/** The output of a command, with its errors; null: it cannot be run, or fails. */
async function printedBy(
  launcher: ProgramLauncher,
  command: readonly string[],
  boxed: boolean,
): Promise<string | null> {
  const launch = launcher({ folder: await temporaryFolder(), command })
  if ('missing' in launch) throw new Error(launch.missing)
  const result = await runJob({ ...bounds, launch, boxed })
  return result.ok ? `${Buffer.from(result.output).toString()}\n${result.log}` : null
}
