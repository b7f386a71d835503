import { access, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The answer of a disk about a folder. */
export interface FoundFolder {
  /** The folder without links; null: it cannot be reached. */
  readonly place: string | null
  /** True: it has a class. */
  readonly hasClass: boolean
}

/**
 * Asks disks for folders of classes. The disk of a share whose server is gone answers never, and each question to it keeps one of the few threads that
 * the process has for files: few such questions are asked, and none twice. Folders side by side are taken to be on one disk.
 */
export interface ClassFolders {
  /**
   * The answer for a folder that a list has. Null: its disk has not answered in this time in ms. Disks are not asked while two others are silent, nor for
   * a folder beside a silent one: then the former answer counts, and null if there was none.
   */
  find(folder: string, patience?: number): Promise<FoundFolder | null>
  /** The answer for a folder that somebody wants to open, which is asked for while others are silent, too. Null: its disk has not answered in this time in ms. */
  seek(folder: string, patience: number): Promise<FoundFolder | null>
}

/** The usual patience with a disk. ms. */
const PATIENCE = 1_000
/** The most questions of lists to which no answer has come: half of the threads for files. */
const SILENT_MAX = 2
/** The same with those of people: one thread stays. */
const SOUGHT_MAX = 3

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

  /** True: the disk of a folder seems to be silent, since a folder beside it is, and none there has ever answered. */
  function isBesideSilent(folder: string): boolean {
    const isBeside = (other: string): boolean => dirname(other) === dirname(folder)
    if (![...silent].some(isBeside)) return false
    return answers.has(folder) || ![...answers.keys()].some(isBeside)
  }

  async function listed(folder: string, patience: number): Promise<FoundFolder | null> {
    if (silent.has(folder)) return null
    if (silent.size >= SILENT_MAX || isBesideSilent(folder)) return answers.get(folder) ?? null
    return within(patience, folder, asked.get(folder) ?? ask(folder))
  }

  async function sought(folder: string, patience: number): Promise<FoundFolder | null> {
    const asking = asked.get(folder)
    if (asking === undefined && silent.size >= SOUGHT_MAX) return null
    return within(patience, folder, asking ?? ask(folder))
  }

  function within(patience: number, folder: string, asking: Promise<FoundFolder>): Promise<FoundFolder | null> {
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(() => {
      silent.add(folder)
      late.resolve(null)
    }, patience)
    return Promise.race([asking, late.promise]).finally(() => clearTimeout(timer))
  }

  function inTurn(work: () => Promise<FoundFolder | null>): Promise<FoundFolder | null> {
    const found = turn.then(work)
    turn = found.catch(() => undefined)
    return found
  }

  return {
    find: (folder, patience = PATIENCE) => inTurn(() => listed(folder, patience)),
    // A question that has been asked is waited for without holding up others.
    seek: (folder, patience) => (asked.has(folder) ? sought(folder, patience) : inTurn(() => sought(folder, patience))),
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
