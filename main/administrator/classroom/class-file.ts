import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import {
  CLASS_FORMAT,
  classroom,
  type Classroom,
  type StoredAgentVersion,
} from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { codeOf, MachineError, machineErrorFrom } from '../../histories/machine-error.ts'
import { dayCopies } from './day-copies.ts'
import { createNameWriter } from './name-lock.ts'
import { syncedFile } from './synced-file.ts'

/**
 * The adapter of a data folder's `class.json`; a missing file is read as null. Names behind a passphrase are read as placeholders, and written encrypted. Throws ExpectedError 'usage' with position and
 * next step if it is damaged or written by a newer program, MachineError if it cannot be read. The file is then left unchanged.
 */
export function classFile(data: string): Adapter<Classroom> {
  const path = join(data, 'class.json')
  const file = syncedFile(path, classroom)
  const written = createNameWriter()
  return {
    async read() {
      try {
        const content = await file.read()
        if (content !== null) numberVersions(content.agents)
        return content
      } catch (error) {
        throw await explained(data, path, error)
      }
    },
    write: async (content) => file.write(await written(content)),
  }
}

/** The file of a day as a class; null: it is damaged too. */
export async function readCopy(path: string): Promise<Classroom | null> {
  const content = await syncedFile(path, classroom)
    .read()
    .catch(() => null)
  if (content !== null) numberVersions(content.agents)
  return content
}

/** Gives each version without a number the next one of its agent: older programs kept none. */
export function numberVersions(agents: StoredAgentVersion[]): void {
  const last = new Map<string, number>()
  for (const { manifest, number = 0 } of agents) last.set(manifest.name, Math.max(number, last.get(manifest.name) ?? 0))
  for (const version of agents) {
    if (version.number !== undefined) continue
    version.number = (last.get(version.manifest.name) ?? 0) + 1
    last.set(version.manifest.name, version.number)
  }
}

async function explained(data: string, path: string, error: unknown): Promise<unknown> {
  if (!(error instanceof ExpectedError)) {
    const { message, code } = machineErrorFrom(error, 'read', path)
    const next = codeOf(error) === 'EISDIR' ? await rebuildAdvice(data) : 'Give your account the right to read it.'
    return new MachineError(`${message} ${next}`, path, code)
  }
  const form = await formOf(path)
  if (form !== null && form > CLASS_FORMAT)
    return new ExpectedError(
      'usage',
      'data-folder-newer',
      `${path} was written by a newer version of Tartaglia (form ${form}; this version reads up to form ${CLASS_FORMAT}). ` +
        'Open it with that version or a later one. The file was not changed.',
    )
  return new ExpectedError(error.kind, error.code, `${error.message} ${await rebuildAdvice(data)}`)
}

/** The next step for a file that cannot be used. */
async function rebuildAdvice(data: string): Promise<string> {
  const [newest] = await dayCopies(data)
  const copy = newest === undefined ? '' : ` and the copy of ${newest.day} in class-copies`
  return `To have the class rebuilt from its contests, its agents${copy}, move this file away and run the command again.`
}

/** The number of the form that a file states, whatever else it holds; null: it states none. */
export async function formOf(path: string): Promise<number | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : null
    const number = typeof format === 'string' ? /^tartaglia-class\/(\d{1,9})$/.exec(format)?.[1] : undefined
    return number === undefined ? null : Number(number)
  } catch {
    return null
  }
}
