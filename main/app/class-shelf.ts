import { existsSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { openClassFolder, type ClassFolder } from '../administrator/classroom/classroom.ts'
import { loadClass } from '../administrator/classroom/recovered-class.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { lockData } from '../histories/lock.ts'
import type {
  Classes,
  ImportedClass,
  KnownClass,
  MadeClass,
  MadeTerm,
  OngoingTask,
  OtherClass,
} from '../contract/procedures/classes.ts'
import { importClass } from '../services/archive/import-class.ts'
import { dropUnmade, inNewFolder } from '../services/archive/new-folder.ts'
import { newTerm } from '../services/archive/new-term.ts'
import { requireDataFolder } from '../services/machine/existing-class.ts'
import { createOngoingTasks } from '../services/ongoing-tasks.ts'
import { createClassFolders, type ClassFolders, type FoundFolder } from './class-folders.ts'

/** How a window or a server shows classes. */
export interface ClassWindow extends Pick<Classes, 'opens' | 'home'> {
  /** The classes that it has shown, the last one first. */
  known(): readonly KnownClass[]
  /** Makes the sample term in a new folder: see `makeSampleTerm`. */
  makeSample(folder: string, now: number, onStep: (step: string) => void): Promise<unknown>
  /**
   * Shows a class; `place`: its folder without links. Resolves to the address of its page; null: it is shown in place of the present one, which
   * may be about to close.
   */
  show(folder: string, place: string): Promise<string | null>
  /** Classes that are open beside the present one, by their folders without links. Absent: none ever is. */
  readonly beside?: { isOpen(place: string): boolean; close(place: string): Promise<void> }
  /** Default: the disks of this machine. */
  readonly folders?: ClassFolders
}

/** The classes of a window or server, as long as the program runs: whatever is being made goes on when another class is opened. */
export interface ClassShelf {
  /** Called when the state has changed. */
  readonly onChange: Set<() => void>
  get(home: ClassFolder): Promise<Classes>
  /** Rejects with ExpectedError and MachineError, also if the folder is in use. */
  open(home: Pick<ClassFolder, 'folder'>, folder: string): Promise<string | null>
  /** Closes a class that was opened beside the present one. Rejects with ExpectedError if it cannot be closed from here. */
  close(home: Pick<ClassFolder, 'folder'>, folder: string): Promise<void>
  /** Tasks under way, which the end of the program breaks off. */
  ongoing(): readonly OngoingTask[]
  create(name: string): Promise<MadeClass>
  newTerm(from: string, choices: TermChoices): Promise<MadeTerm>
  sampleTerm(): Promise<MadeClass>
  import(archive: string, name: string, identities: string | null): Promise<ImportedClass>
}

interface TermChoices {
  readonly name: string
  readonly firstDay: string | null
  readonly oldAgents: boolean
  readonly now: number
  readonly zone: string
}

/** The folder of the sample term among the new classes, which no other class gets. scripts/open-classroom.mjs opens the same one. */
const SAMPLE = 'sample-term'
/** How the names of folders of classes end. */
const CLASSES = '-classes'
/** The maximum number of classes that are listed. */
const LISTED_MAX = 50
/** The patience with the disk of a class that somebody wants to open. ms. */
const OPENING_PATIENCE = 5_000

/** The folder in which the classes are made that are begun from a data folder: a class that lies in such a folder begins others there. */
export function classesBeside(data: string): string {
  const folder = resolve(data)
  const around = dirname(folder)
  return around.endsWith(CLASSES) ? around : `${folder}${CLASSES}`
}

/** The name by which people know a class. */
export const nameOfClass = ({ folder, content }: Pick<ClassFolder, 'folder' | 'content'>): string =>
  content.settings.school === '' ? basename(folder) : content.settings.school

export function createClassShelf(window: ClassWindow): ClassShelf {
  const onChange = new Set<() => void>()
  /** The names of classes that were open, by folder. */
  const names = new Map<string, string>()
  let making: { readonly step: string; readonly made: Promise<MadeClass> } | null = null
  const { beside, folders = createClassFolders() } = window
  const tasks = createOngoingTasks()
  void dropUnmade(window.home)

  function step(text: string): void {
    if (making !== null) making = { ...making, step: text }
    onChange.forEach((call) => call())
  }

  async function makeSample(): Promise<MadeClass> {
    const folder = join(window.home, SAMPLE)
    try {
      if (!existsSync(join(folder, 'class.json')))
        await tasks.run('sample-term', () => window.makeSample(folder, Date.now(), step))
      return { folder }
    } finally {
      making = null
      onChange.forEach((call) => call())
    }
  }

  return {
    onChange,
    async get(home) {
      const current = { folder: resolve(home.folder), name: nameOfClass(home) }
      names.set(current.folder, current.name)
      const others = await othersOf(window, folders, current.folder)
      return {
        ...{ opens: window.opens, home: window.home, current, makingSample: making?.step ?? null },
        others: others.map((each) => ({ ...each, name: names.get(each.folder) ?? each.name })),
      }
    },
    async open({ folder: present }, wanted) {
      const folder = resolve(wanted)
      const place = await placeOf(folders, folder)
      if (samePlace(folder, present))
        throw new ExpectedError('conflict', 'class-open-already', `The class in ${folder} is open here already.`)
      await requireClass(folder)
      return window.show(folder, place)
    },
    async close({ folder: present }, wanted) {
      const folder = resolve(wanted)
      const place = await placeOf(folders, folder)
      if (beside === undefined || samePlace(folder, present))
        throw new ExpectedError(
          'usage',
          'class-open-already',
          `The class in ${folder} is the one of this page: it closes when another one is opened in its place, or with the program.`,
        )
      await beside.close(place)
      onChange.forEach((call) => call())
    },
    ongoing: () => tasks.list(),
    async create(name) {
      const folder = freeFolder(window.home, name)
      await inNewFolder(folder, async (growing) => {
        const home = await openClassFolder(growing)
        await home.change(({ settings }) => void (settings.school = name)).finally(() => home.close())
      })
      return { folder }
    },
    async newTerm(from, { name, ...options }) {
      const folder = freeFolder(window.home, name)
      const { contests, agents, leftOut } = await tasks.run('new-term', () =>
        newTerm(from, folder, { ...options, name }),
      )
      return {
        ...{ folder, agents, leftOut },
        contests: contests.map(({ title, closes, isOver }) => ({ title, closes, isOver })),
      }
    },
    sampleTerm() {
      if (making !== null) return making.made
      making = { step: 'a new folder', made: Promise.resolve().then(makeSample) }
      onChange.forEach((call) => call())
      return making.made
    },
    async import(archive, name, identities) {
      const folder = freeFolder(window.home, name)
      const { makesBackups, paused } = await tasks.run('import', () => importClass(archive, folder, { identities }))
      return { folder, makesBackups, paused }
    },
  }
}

/** Throws ExpectedError unless a folder has a class that this program can read. */
export async function requireClass(folder: string): Promise<void> {
  requireDataFolder(folder)
  if (!(await loadClass(folder)).fresh) return
  throw new ExpectedError('usage', 'data-folder-unknown', `The folder ${folder} has no class.`)
}

/** Throws MachineError if another program, or another server of this one, has a data folder open. */
export const requireFree = (folder: string): void => lockData(folder).release()

/** A folder without links. Throws ExpectedError 'host' if its disk does not answer: whatever reads it would wait with the whole program. */
async function placeOf(folders: ClassFolders, folder: string): Promise<string> {
  const found = await folders.seek(folder, OPENING_PATIENCE)
  if (found !== null) return found.place ?? folder
  throw new ExpectedError(
    'host',
    'path-unusable',
    `The disk of ${folder} does not answer: connect it again, or restart the program if it is connected.`,
  )
}

/** The classes but the present one, each once, however it was named. */
async function othersOf(
  { known, home, beside }: ClassWindow,
  folders: ClassFolders,
  present: string,
): Promise<readonly OtherClass[]> {
  const made = (await readdir(home).catch(() => [])).sort().map((name) => ({ folder: join(home, name), name }))
  const places = new Set([present, (await folders.find(present))?.place ?? present])
  const listed = [...known(), ...made].filter(({ folder }) => !basename(folder).startsWith('.'))
  const answers = new Map<string, FoundFolder | null>()
  // Our own folder first: those that others chose may be on disks that do not answer.
  for (const { folder } of [...made.slice(0, LISTED_MAX), ...listed])
    if (!answers.has(folder)) answers.set(folder, await folders.find(folder))
  const others: OtherClass[] = []
  for (const { folder, name } of listed) {
    if (others.length === LISTED_MAX) break
    const found = answers.get(folder) ?? null
    const place = found === null ? folder : found.place
    if (place === null || places.has(place) || found?.hasClass === false) continue
    places.add(place)
    others.push({ folder, name, answers: found !== null, closes: beside?.isOpen(place) === true })
  }
  return others
}

/** True: two paths lead to one folder. */
export function samePlace(first: string, second: string): boolean {
  const placeOf = (path: string): string => {
    try {
      return realpathSync(path)
    } catch {
      return resolve(path)
    }
  }
  return placeOf(first) === placeOf(second)
}

/** A folder for a new class that does not exist yet, by its name. */
function freeFolder(home: string, name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  // Windows knows devices by some names; none of them has a dash.
  const wanted = join(home, plain === '' || plain.length < 5 ? `class-${plain}` : plain)
  let folder = wanted
  for (let n = 2; existsSync(folder) || basename(folder) === SAMPLE; n++) folder = `${wanted}-${n}`
  return folder
}
