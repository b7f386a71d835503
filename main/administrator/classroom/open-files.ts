import { readFileSync } from 'node:fs'
import { MachineError } from '../../histories/machine-error.ts'

/** The least number of files that a process of ours must be able to open: databases, histories, and pipes of workers and agents. */
const OPEN_FILES_MIN = 256

/** The maximum number of files that this process may open; null: the system does not say, or sets none. */
export function openFilesLimit(): number | null {
  try {
    // Node raises the soft limit to the hard one when it starts.
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}

/** Why too few files can be opened, in a sentence; null: there are enough. */
export function tooFewOpenFiles(limit: number | null): string | null {
  if (limit === null || limit >= OPEN_FILES_MIN) return null
  return `A process may have only ${limit} files open (ulimit -n ${limit}), and contests need at least ${OPEN_FILES_MIN}.`
}

/** The next step if too few files can be opened. */
export const OPEN_FILES_ADVICE = 'Raise the limit with "ulimit -n 1024" in the shell that starts Tartaglia.'

/** Throws MachineError if this process may open too few files. */
export function checkOpenFiles(limit = openFilesLimit()): void {
  const problem = tooFewOpenFiles(limit)
  if (problem !== null)
    throw new MachineError(`${problem} ${OPEN_FILES_ADVICE}`, '/proc/self/limits', 'too-many-open-files')
}
