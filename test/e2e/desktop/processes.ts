import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** A process of this machine; Linux only. */
export interface Found {
  readonly pid: number
  readonly program: string
  readonly env: readonly string[]
}

/** Processes whose program lies in `folder`. One that ends meanwhile, or cannot be looked at, is left out. */
export function processesFrom(folder: string): readonly Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const program = readlinkSync(`/proc/${name}/exe`)
        if (!program.startsWith(`${folder}/`)) return []
        const env = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').filter(Boolean)
        return [{ pid: Number(name), program, env }]
      } catch {
        return []
      }
    })
}

/** Processes on the Node that ships with the package in `folder`: those that play contests. */
export function workersOf(folder: string): readonly Found[] {
  const node = join(folder, 'resources', 'node', 'node')
  return processesFrom(folder).filter(({ program }) => program === node)
}

/** The variables of processes but for their temporary folder and the channel to the app, which Node itself adds. */
export function variablesOf(processes: readonly Found[]): readonly string[] {
  const known = /^(TMPDIR|TEMP|TMP|NODE_CHANNEL_FD|NODE_CHANNEL_SERIALIZATION_MODE)=/
  return processes.flatMap(({ env }) => env.filter((line) => !known.test(line)))
}
