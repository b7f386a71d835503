import { existsSync } from 'node:fs'
import type { IsolationTier } from '../../contract/limits.ts'
import { Trouble } from '../../contract/trouble.ts'
import { runBoxed, type BoxedJob, type BoxedResult } from '../../players/boxed-job.ts'
import { packageFolder } from '../../players/isolation/program.ts'
import { resources } from '../resources.ts'
import { PACKAGE_BYTES_MAX, type PackageFile } from './files.ts'
import { refused } from './refused.ts'
import { readTar } from './tar.ts'
import { unpack } from './unpacked.ts'

interface Job {
  /** What messages call the package. */
  readonly fileName: string
  readonly files: readonly PackageFile[]
  isolation(): Promise<IsolationTier>
}

const limits = { seconds: 60, memoryMb: 2_048, nodeBinary: resources.node } as const
const workBytes = 512 * 1024 * 1024
const scriptBytesMax = 16 * 1024 * 1024

/** An agent that is an ES module is its default export. */
const footer =
  'if(module.exports&&module.exports.__esModule&&"default" in module.exports)module.exports=module.exports.default;'

/** The scripts of a package as one, in JavaScript. Throws Trouble 'usage' with esbuild's first words. */
export async function bundleScript({ main, ...job }: Job & { readonly main: string }): Promise<Uint8Array> {
  const { fileName } = job
  if (!existsSync(resources.esbuild)) {
    throw new Trouble('host', `${fileName} wants to be bundled, and this Tartaglia has no bundler for that.`)
  }
  // prettier-ignore
  const command = [
    'esbuild', `./${main}`, '--bundle', '--format=cjs', '--platform=neutral', '--target=es2024', '--charset=utf8',
    '--main-fields=module,main', '--log-level=error', '--log-limit=1', '--color=false', `--footer:js=${footer}`,
  ]
  const result = await boxed(job, { command, tool: resources.esbuild, outputBytes: scriptBytesMax })
  if (result.ok) return result.output
  throw refused(fileName, bundlersWords(result.log) ?? `its scripts cannot be bundled: the bundler ${result.problem}`)
}

/** The files that a package's build command leaves. Throws Trouble 'usage' with the build's last words. */
export async function buildProgram({
  command,
  ...job
}: Job & { readonly command: readonly string[] }): Promise<readonly PackageFile[]> {
  const { fileName } = job
  // What the command prints is no archive; links are followed, in the box.
  const script = `cp -R --no-preserve=all ${packageFolder}/. . && chmod -R u+rwx . && "$@" </dev/null >&2 && exec tar -chf - --hard-dereference --format=ustar .`
  const result = await boxed(job, {
    command: ['/bin/sh', '-c', script, 'build', ...command],
    workBytes,
    outputBytes: 2 * PACKAGE_BYTES_MAX,
  })
  if (!result.ok) {
    const last = result.log.trim().split('\n').at(-1)
    throw refused(
      fileName,
      `its build ${result.problem.replace(/\.$/, '')}${last ? `, and last said: ${last.slice(0, 500)}` : ''}`,
    )
  }
  const files = readTar(result.output)
  if (typeof files === 'string') throw refused(fileName, `what its build leaves is no package: ${files}`)
  return files
}

/** Runs a job over the unpacked files. */
async function boxed(
  { fileName, files, ...holding }: Job,
  job: Pick<BoxedJob, 'command' | 'tool' | 'workBytes' | 'outputBytes'>,
): Promise<BoxedResult> {
  const isolation = await holding.isolation()
  if (isolation !== 'bubblewrap') {
    const text = `${fileName} wants to be bundled or built, which is done under bubblewrap only`
    throw new Trouble(
      'host',
      `${text}; here agents are held by "${isolation}". Hand in one .js file, or use Linux with bubblewrap.`,
    )
  }
  const { folder, remove } = await unpack(files)
  try {
    return await runBoxed({ ...limits, ...job, folder })
  } finally {
    await remove()
  }
}

/** `main.ts:1:20: Could not resolve "x"`, of the first error in the bundler's own layout. */
function bundlersWords(log: string): string | null {
  const [, what] = /\[ERROR\] (.*)/.exec(log) ?? []
  const [, place] = /^ {4}(\S.*:\d+:\d+):$/m.exec(log) ?? []
  if (what === undefined) return null
  return `${place === undefined ? '' : `${place}: `}${what.replace(/\.$/, '')}`
}
