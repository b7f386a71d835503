import { join } from 'node:path'
import { Low } from 'lowdb'
import { classroom, type Classroom } from '../../contract/classroom.ts'
import { syncedFile } from './synced-file.ts'

const EMPTY: Classroom = { format: 'tartaglia-class/1', agents: [], contests: [] }

/**
 * Opens `class.json` of a data folder, which the caller has locked; a missing file is an empty class. A file that cannot be
 * read as one is refused with file and place (Trouble 'usage') and stays as it is.
 */
export async function openClassroom(data: string): Promise<Low<Classroom>> {
  const store = new Low<Classroom>(syncedFile(join(data, 'class.json'), classroom), structuredClone(EMPTY))
  await store.read()
  return store
}
