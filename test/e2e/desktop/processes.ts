import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

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
