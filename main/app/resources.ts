import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** dist/, whether this runs bundled from there or as source. */
const DIST = distFolder(dirname(fileURLToPath(import.meta.url)))

/** What ships beside the program and is run or read as a file of its own. */
export const resources = {
  /** The runtime of workers and script agents. */
  node: process.execPath,
  worker: join(DIST, 'worker.js'),
  agentHost: join(DIST, 'host.cjs'),
  agents: join(DIST, 'agents'),
  challenges: join(DIST, 'challenges'),
} as const

/** The text of a .challenge file that ships, or null. */
export async function shippedChallenge(name: string): Promise<string | null> {
  if (!/^[a-z0-9-]+$/.test(name)) return null
  return readFile(join(resources.challenges, `${name}.challenge`), 'utf8').catch(() => null)
}

function distFolder(here: string): string {
  return basename(here) === 'dist' ? here : join(here, '..', '..', 'dist')
}
