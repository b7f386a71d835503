import { randomUUID } from 'node:crypto'
import { readFile, rmdir } from 'node:fs/promises'
import { platform } from 'node:process'
import * as z from 'zod'
import type { IsolationTier } from '../../contract/limits.ts'
import { usualBuildLimits, type BuildLimits } from '../../contract/people/hand-in.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { createProgramLauncher, packageFolder, type ProgramLauncher } from '../../players/isolation/program.ts'
import { createLauncher } from '../../players/isolation/tiers.ts'
import { runJob, type Job, type JobResult } from '../../players/isolation/boxed-job.ts'
import { marker, sweepMarked } from '../../players/isolation/unboxed.ts'
import { chooseTier } from '../machine/isolation.ts'
import { resources } from '../machine/resources.ts'
import { readBuildLog } from './build-log.ts'
import { bundleName, readBundleResult, writeBundleOrder } from './bundle-order.ts'
import { PACKAGE_BYTES_MAX, PackageProblem, type PackageFile } from './files.ts'
import { refused } from './form.ts'
import { ownSourceMap } from './source-map.ts'
import { readForeignTar } from './tar.ts'
import { unpack, unpackToChange } from './unpacked.ts'
import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { nearMiss } from '../../contract/near-miss.ts'
import { packageRoot } from './package-files.ts'

interface Package {
  /** The package's name in messages. */
  readonly fileName: string
  readonly files: readonly PackageFile[]
}

const workBytes = 512 * 1024 * 1024
const scriptBytesMax = 16 * 1024 * 1024
const metafileBytesMax = 4 * 1024 * 1024
const sourceMapBytesMax = 32 * 1024 * 1024

/** The parts of esbuild's metafile that are read; its keys are paths. */
const metafile = z.object({
  inputs: z.record(
    z.string(),
    z.object({ imports: z.array(z.object({ path: z.string(), external: z.boolean().optional() })) }),
  ),
  outputs: z.record(z.string(), z.object({ exports: z.array(z.string()) })),
})

/** Makes an ES module's default export the agent. */
const footer =
  'if(module.exports&&module.exports.__esModule&&"default" in module.exports)module.exports=module.exports.default;'

/** A bundle, the files of the package from which it was made, and the names that its main file exports. */
export interface Bundle {
  readonly bytes: Uint8Array
  readonly inputs: readonly string[]
  /** Empty for an agent, whose bundle is a CommonJS module. */
  readonly exports: readonly string[]
  /** The source map as JSON; null for a module. */
  readonly sourceMap: string | null
}

async function bundlerBytes(): Promise<Uint8Array> {
  const bytes = await readFile(resources.esbuild)
  return resources.esbuild.endsWith('.br') ? unpackBytes(bytes) : bytes
}

const unpackBytes = promisify(brotliDecompress)

/**
 * Bundles the scripts of a package into one file of JavaScript, which is an agent or, as `module`, an ES module. esbuild sees
 * only the package's files (bundler.ts) and so needs no consent; it runs in the strongest tier for scripts. Throws
 * ExpectedError 'usage' with esbuild's first error.
 */
export async function bundleScript({
  fileName,
  files,
  main,
  as = 'agent',
}: Package & { readonly main: string; readonly as?: 'agent' | 'module' }): Promise<Bundle> {
  const wasm = await bundlerBytes().catch(() => {
    const text = `${fileName} has to be bundled, and the bundler is missing: install the packages first (npm install).`
    throw new ExpectedError('host', 'build-unavailable', text)
  })
  const tier = await chooseTier('permission')
  // prettier-ignore
  const args = [
    `./${main}`, '--bundle', '--platform=neutral', '--target=es2024', '--charset=utf8',
    '--main-fields=module,main', '--log-level=error', '--log-limit=1', '--color=false',
    ...(as === 'module'
      ? ['--format=esm']
      : ['--format=cjs', `--footer:js=${footer}`, '--sourcemap=external', '--sources-content=false']),
  ]
  const launch = (await createLauncher(tier, resources.node, resources.bundler))(usualBuildLimits.memoryMb)
  if ('missing' in launch)
    throw new ExpectedError('host', 'build-unavailable', `${fileName} cannot be bundled here: ${launch.missing}.`)
  const input = writeBundleOrder({ wasm, args, files })
  const boxed = tier === 'bubblewrap'
  const result = await runJob({
    ...usualBuildLimits,
    launch,
    boxed,
    input,
    outputBytes: scriptBytesMax + metafileBytesMax + sourceMapBytesMax,
  })
  if (result.ok) return bundleIn(fileName, result.output)
  throw refused(
    'not-bundled',
    fileName,
    bundlerError(result.log, files) ?? `its scripts cannot be bundled: the bundler ${result.problem}`,
  )
}

/**
 * Runs a package's build command and returns the files that it leaves, in the tier for programs. Throws ExpectedError
 * 'usage' with the first error of a failed build and its log as details, 'host' if builds cannot run on this machine.
 */
export async function buildProgram({
  fileName,
  files,
  command,
  isolation,
  limits = usualBuildLimits,
}: Package & {
  readonly command: readonly string[]
  isolation(): Promise<IsolationTier>
  readonly limits?: BuildLimits | undefined
}): Promise<readonly PackageFile[]> {
  const tier = await isolation()
  const launcher = await createProgramLauncher(tier, resources.node)
  const run = tier === 'bubblewrap' ? buildInBox : buildUnboxed
  const result = await run(fileName, files, command, launcher, limits)
  if (!result.ok) throw buildFailure(fileName, result, tier === 'bubblewrap')
  const made = await readForeignTar(result.output)
  if (made instanceof PackageProblem)
    throw refused(made.code, fileName, `the result of its build is not a package: ${made.why}`)
  return made
}

/** The refusal of a package whose build failed: its first error, else its last line, and the remedy if one is known. */
function buildFailure(
  fileName: string,
  { problem, log }: Extract<JobResult, { ok: false }>,
  boxed: boolean,
): ExpectedError {
  const { firstError, remedy } = readBuildLog(log, boxed)
  const last = log.trim().split('\n').at(-1)?.slice(0, 500)
  const reason = firstError ?? (last ? `it last said: ${last.replace(/\.$/, '')}` : null)
  const parts = [problem.replace(/\.$/, ''), ...(reason === null ? [] : [reason]), ...(remedy === null ? [] : [remedy])]
  return refused('build-failed', fileName, `its build ${parts.join('; ')}`, log.trim() === '' ? null : log)
}

const outputBytes = 2 * PACKAGE_BYTES_MAX
/** Runs the command with its output redirected to stderr, then writes an archive to stdout. Links are followed. */
const pack = (more: string): string => `"$@" </dev/null >&2 && exec tar -chf - ${more}.`

async function buildInBox(
  fileName: string,
  files: readonly PackageFile[],
  command: readonly string[],
  launcher: ProgramLauncher,
  limits: BuildLimits,
): Promise<JobResult> {
  const script = `cp -R --no-preserve=all ${packageFolder}/. . && chmod -R u+rwx . && ${pack('--hard-dereference ')}`
  const { folder, remove } = await unpack(files)
  try {
    const launch = launcher({ folder, command: ['/bin/sh', '-c', script, 'build', ...command], workBytes })
    return await runJob({
      ...limits,
      outputBytes,
      launch: launchOf(fileName, launch),
      boxed: true,
      fileBytes: workBytes,
    })
  } finally {
    await remove()
  }
}

/** Requires consent: runs in a temporary folder as the agents' user. */
async function buildUnboxed(
  fileName: string,
  files: readonly PackageFile[],
  command: readonly string[],
  launcher: ProgramLauncher,
  limits: BuildLimits,
): Promise<JobResult> {
  if (platform === 'win32')
    throw new ExpectedError(
      'host',
      'build-unavailable',
      `${fileName} has a build step, which needs a Unix shell: hand in its result.`,
    )
  const script = pack(platform === 'linux' ? '--hard-dereference ' : '')
  const { folder, remove } = await unpackToChange(files)
  const tag = randomUUID()
  const job = (words: readonly string[], where: string): Job => {
    const launch = launcher({ folder: where, command: words, env: { [marker]: tag } })
    return { ...limits, outputBytes, launch: launchOf(fileName, launch), boxed: false, sweep: () => sweepMarked(tag) }
  }
  let build: Job
  try {
    build = job(['/bin/sh', '-c', script, 'build', ...command], folder)
  } catch (error) {
    await remove()
    throw error
  }
  try {
    return await runJob(build)
  } finally {
    // The folder may hold anything: it is removed as the agents' user, who can do no more than the build could.
    await runJob(job(['rm', '-rf', '--', folder], '/'))
    // That user may not be permitted to remove the folder itself.
    await rmdir(folder).catch(() => undefined)
  }
}

function launchOf(fileName: string, launch: ReturnType<ProgramLauncher>): Job['launch'] {
  if ('missing' in launch)
    throw new ExpectedError('host', 'build-unavailable', `${fileName} cannot be built here: ${launch.missing}.`)
  return launch
}

function bundleIn(fileName: string, output: Uint8Array): Bundle {
  const result = readBundleResult(output)
  const { inputs, outputs } = metafile.parse(JSON.parse(new TextDecoder().decode(result.metafile)))
  for (const [file, { imports }] of Object.entries(inputs)) {
    // esbuild leaves imports from addresses as they are; no agent can follow them when it plays.
    const outside = imports.find(({ external = false }) => external)
    if (outside !== undefined)
      throw refused(
        'import-outside',
        fileName,
        `${file} imports "${outside.path.slice(0, 200)}", which is not in the package`,
      )
  }
  const made = Object.entries(outputs).find(([path]) => path.endsWith(`/${bundleName}`))
  return {
    bytes: result.bundle,
    inputs: Object.keys(inputs),
    exports: made?.[1].exports ?? [],
    sourceMap: result.sourceMap.length === 0 ? null : ownSourceMap(result.sourceMap),
  }
}

/**
 * The first error in the bundler's log, such as `main.ts:1:20: Unexpected "}"`, with a remedy for an import that is not in the
 * package; null: there is none.
 */
export function bundlerError(log: string, files: readonly PackageFile[]): string | null {
  const [, what] = /\[ERROR\] (.*)/.exec(log) ?? []
  const [, place] = /^ {4}(\S.*:\d+:\d+):$/m.exec(log) ?? []
  if (what === undefined) return null
  const at = place === undefined ? '' : `${place}: `
  const from = place?.replace(/:\d+:\d+$/, '') ?? ''
  // esbuild finds a name in a folder by its lower case, and then cannot open it.
  const [, unread] = /^Cannot read file: (.*?)\.?$/.exec(what) ?? []
  if (unread !== undefined)
    return `${at}${unresolved(relativeTo(from, posix.relative(packageRoot, unread)), from, files)}`
  const [, wanted] = /^Could not resolve "(.*)"$/.exec(what) ?? []
  if (wanted === undefined) return `${at}${what.replace(/\.$/, '')}`
  return `${at}${unresolved(wanted, from, files)}`
}

/** `wanted`: what the file `from` imports. */
function unresolved(wanted: string, from: string, files: readonly PackageFile[]): string {
  const missing = `Could not resolve "${wanted}"`
  if (wanted.startsWith('/') || wanted.startsWith('file:'))
    return `${missing}; import files of the package by relative paths, such as "./strategy"`
  if (isBuiltin(wanted))
    return `${missing}: it is a module of Node, which scripts cannot use; write a program if the agent needs it`
  if (!wanted.startsWith('.'))
    return `${missing}: it is an npm package and not in the file; hand in a .zip that has it in node_modules, or write the code without it`
  const path = posix.join(posix.dirname(from), wanted)
  const like = files.find((file) => bare(file.path) === bare(path))
  if (like !== undefined)
    return `${missing}; did you mean "${relativeTo(from, like.path)}"? Names differ by upper and lower case`
  const near = nearMiss(
    bare(path),
    files.map((file) => bare(file.path)),
  )
  const meant = near === null ? undefined : files.find((file) => bare(file.path) === near)
  if (meant !== undefined) return `${missing}; did you mean "${relativeTo(from, meant.path)}"?`
  return files.length === 1
    ? `${missing}: the script was handed in without that file; hand in a .zip with both`
    : `${missing}: there is no such file in the package`
}

/** A path without its ending and the difference of upper and lower case. */
const bare = (path: string): string => path.replace(/\.[cm]?[jt]sx?$/i, '').toLowerCase()

function relativeTo(from: string, path: string): string {
  const relative = posix.relative(posix.dirname(from), path)
  return relative.startsWith('.') ? relative : `./${relative}`
}
