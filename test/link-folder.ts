import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A folder with hard links to another one's files: they take no time and no room, and have paths of their own. Files are copied where
 * the system gives no link. To change such a file is to change the original: remove it first.
 */
export function linkFolder(from: string, to: string, wanted: (name: string) => boolean = () => true): void {
  mkdirSync(to, { recursive: true })
  for (const item of readdirSync(from, { withFileTypes: true })) {
    const [old, fresh] = [join(from, item.name), join(to, item.name)]
    if (item.isDirectory()) linkFolder(old, fresh, wanted)
    else if (wanted(item.name)) linkOrCopy(old, fresh)
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // Another disk, or a file of another user's.
    copyFileSync(from, to)
  }
}
