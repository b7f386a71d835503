import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'

/** Compiles a C program of this folder to `folder/program`; false: there is no C compiler. In a box the agent runs as another user. */
export function compiled(source: string, folder: string, program: string): boolean {
  chmodSync(folder, 0o755)
  try {
    execFileSync('cc', ['-O2', '-o', join(folder, program), join(import.meta.dirname, source)], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

/** True if `python3` can be started. */
export function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}
