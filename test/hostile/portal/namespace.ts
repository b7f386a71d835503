import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Addresses of the documentation, which no machine has; they are those of the namespace alone, with all of their networks. */
export const addresses = 'ip link set lo up && ip addr add 192.0.2.7/24 dev lo && ip addr add 198.51.100.9/24 dev lo'

/** True if this machine lets a test have a network of its own. */
export const canHaveNamespace = spawnSync('unshare', ['-rn', 'sh', '-c', addresses]).status === 0

/** Runs a script beside this file in a network namespace of its own. Returns the object that it prints as JSON. */
export async function runInNamespace(script: string): Promise<Readonly<Record<string, unknown>>> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const command = `${addresses} && exec "$0" --disable-warning=ExperimentalWarning "$1"`
  const child = await promisify(execFile)('unshare', ['-rn', 'sh', '-c', command, process.execPath, path], {
    timeout: 120_000,
    maxBuffer: 1_000_000,
  })
  return JSON.parse(child.stdout) as Readonly<Record<string, unknown>>
}
