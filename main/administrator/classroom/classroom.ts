import { join } from 'node:path'
import { Low } from 'lowdb'
import { classroom, type Classroom } from '../../contract/classroom.ts'
import { describe } from '../../contract/hosted.ts'
import { Trouble } from '../../contract/trouble.ts'
import { syncedFile } from './synced-file.ts'

const EMPTY: Classroom = { format: 'tartaglia-class/1', agents: [], contests: [] }

/**
 * Opens `class.json` of a data folder, which the caller has locked; a missing file is an empty class. A file that cannot be
 * read as one is refused with file and place and stays as it is.
 */
export async function openClassroom(data: string): Promise<Low<Classroom>> {
  const path = join(data, 'class.json')
  const store = new Low<Classroom>(syncedFile(path), structuredClone(EMPTY))
  try {
    await store.read()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Trouble('usage', `${path} is not JSON: ${error.message}. It was left as it is.`)
  }
  const parsed = classroom.safeParse(store.data)
  if (!parsed.success) {
    throw new Trouble('usage', `${path} is not a class file: ${describe(parsed.error)}. It was left as it is.`)
  }
  store.data = parsed.data
  return store
}
