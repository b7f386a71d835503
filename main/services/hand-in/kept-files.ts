import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { copyFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FOLDER } from '../../administrator/classroom/private-files.ts'
import { isBeingWritten } from '../../administrator/classroom/synced-file.ts'
import type { Sha256 } from '../../contract/ids.ts'
import { makeFolder, syncFile, syncFolder } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import type { GivenFile } from '../packages/uploaded-packages.ts'

// The files of hand-ins as they were received, each under its hash; also those that were refused or came too late.

const folderOf = (data: string): string => join(data, 'handed-in')

/** The path of a received file. */
export function keptFile(data: string, sha256: Sha256): string {
  return join(folderOf(data), sha256)
}

/** Keeps a file; it is on disk when this resolves. Returns its hash. Rejects with MachineError. */
export async function keepFile(data: string, file: GivenFile): Promise<Sha256> {
  const temporary = join(folderOf(data), `file.${randomUUID()}.new`)
  try {
    makeFolder(folderOf(data), PRIVATE_FOLDER)
    if ('content' in file) await writeFile(temporary, file.content, { flag: 'wx', mode: 0o600 })
    else await copyFile(file.path, temporary)
    const hash = createHash('sha256')
    for await (const piece of createReadStream(temporary)) hash.update(piece as Uint8Array)
    const sha256 = hash.digest('hex')
    await syncFile(temporary)
    await rename(temporary, keptFile(data, sha256))
    syncFolder(folderOf(data))
    return sha256
  } catch (error) {
    await rm(temporary, { force: true })
    throw machineErrorFrom(error, 'keep a file in', folderOf(data))
  }
}

/** Deletes the received files that nothing knows, such as those of a process that was killed. */
export async function dropUnknownFiles(data: string, isKnown: (sha256: Sha256) => boolean): Promise<void> {
  const names = existsSync(folderOf(data)) ? await readdir(folderOf(data)) : []
  for (const name of names) {
    const isUnknown = /^[0-9a-f]{64}$/.test(name) ? !isKnown(name) : isBeingWritten(name)
    if (isUnknown) await rm(join(folderOf(data), name), { force: true })
  }
}
