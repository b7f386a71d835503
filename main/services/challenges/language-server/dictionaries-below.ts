import { readdirSync, realpathSync, type Dirent } from 'node:fs'
import { join } from 'node:path'

/** The files and folders that are looked at in a workspace. */
const MOST = 50_000

/**
 * The paths of the class dictionaries (*.cd) in folders and below, without hidden folders, links and packages; null: the folders have
 * too many files.
 */
export function dictionariesBelow(folders: readonly string[]): readonly string[] | null {
  const found = new Set<string>()
  const waiting = [...folders]
  let looked = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(folder)) {
      if (++looked > MOST) return null
      const path = join(folder, entry.name)
      if (entry.isFile() && /\.cd$/i.test(entry.name)) found.add(path)
      else if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') waiting.push(path)
    }
  }
  return [...found].toSorted()
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // A folder of others, or one that is gone.
    return []
  }
}

/** The path without links, or as it is for a file that is not stored yet. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
