import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CLASS_FORMAT } from '../../contract/procedures/classroom.ts'
import { makeFolder, syncFile, syncFolder } from '../../histories/durable.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { formOf } from './class-file.ts'
import { copiesOf } from './day-copies.ts'
import { PRIVATE_FOLDER } from './private-files.ts'
import { renamed } from '../../histories/put-in-place.ts'

/** The folder of the copies of what older versions wrote, which is made if necessary. Throws the system's error. */
export function folderOfCopies(data: string): string {
  const folder = copiesOf(data)
  makeFolder(folder, PRIVATE_FOLDER)
  return folder
}

/**
 * Keeps a copy of `class.json` as an older version wrote it (`class-copies/class-form-3.json`), before it is written in the present form.
 * Throws MachineError if the disk has no room for it: the file is then as it was.
 */
export async function keepOlderClass(data: string): Promise<void> {
  const file = join(data, 'class.json')
  const form = await formOf(file)
  if (form === null || form >= CLASS_FORMAT) return
  const copy = join(copiesOf(data), `class-form-${form}.json`)
  if (existsSync(copy)) return
  try {
    const folder = folderOfCopies(data)
    await copyFile(file, `${copy}.new`)
    await syncFile(`${copy}.new`)
    await renamed(`${copy}.new`, copy)
    syncFolder(folder)
  } catch (error) {
    throw machineErrorFrom(error, 'write', copy)
  }
}
