import { access, realpath } from 'node:fs/promises'
import { join } from 'node:path'

/** The answer of a disk about a folder. */
export interface FoundFolder {
  /** The folder without links; null: it cannot be reached. */
  readonly place: string | null
  /** True: it has a class. */
  readonly hasClass: boolean
}

/**
 * Asks disks for folders of classes. The disk of a share whose server is gone answers never, and each question to it keeps one of the few threads that
 * the process has for files: few such questions are asked, and none twice.
 */
export interface ClassFolders {
  /**
   * The answer for a folder. Null: its disk has not answered in this time in ms, or two others have not, and it was never asked; if it has answered
   * before, that answer.
   */
  find(folder: string, patience?: number): Promise<FoundFolder | null>
}

/** The usual patience with a disk. ms. */
const PATIENCE = 1_000
/** The most disks that may be silent at a time: half of the threads for files. */
const SILENT_MAX = 2

/** `look`: asks a disk. */
export function createClassFolders(look: (folder: string) => Promise<FoundFolder> = lookAt): ClassFolders {
  const asked = new Map<string, Promise<FoundFolder>>()
  const answers = new Map<string, FoundFolder>()
  const silent = new Set<string>()
  /** Folders are asked for one after the other, so that no more are silent than may be. */
  let turn: Promise<unknown> = Promise.resolve()

  function ask(folder: string): Promise<FoundFolder> {
    const asking = look(folder).finally(() => {
      asked.delete(folder)
      silent.delete(folder)
    })
    asked.set(folder, asking)
    asking.then(
      (found) => answers.set(folder, found),
      () => undefined,
    )
    return asking
  }

  async function answerOf(folder: string, patience: number): Promise<FoundFolder | null> {
    if (silent.has(folder)) return null
    if (silent.size >= SILENT_MAX) return answers.get(folder) ?? null
    const asking = asked.get(folder) ?? ask(folder)
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(() => {
      silent.add(folder)
      late.resolve(null)
    }, patience)
    return Promise.race([asking, late.promise]).finally(() => clearTimeout(timer))
  }

  return {
    find(folder, patience = PATIENCE) {
      const found = turn.then(() => answerOf(folder, patience))
      turn = found.catch(() => undefined)
      return found
    },
  }
}

async function lookAt(folder: string): Promise<FoundFolder> {
  const place = await realpath(folder).catch(() => null)
  if (place === null) return { place, hasClass: false }
  const hasClass = await access(join(place, 'class.json')).then(
    () => true,
    () => false,
  )
  return { place, hasClass }
}
