/** A file that a person has dropped or chosen. */
export interface GivenFile {
  readonly file: File
  /** The path, including the given folder: `class/anna/agent.js`; for a single file its name. */
  readonly path: string
}

/** Files that were dropped or chosen at once. */
export interface GivenFiles {
  readonly files: readonly GivenFile[]
  /** True if there were more of them than are taken. */
  readonly more: boolean
}

/** Maximum number of files of dropped folders; more is probably a mistake, such as a whole disk. */
export const FILES_MAX = 500
/** Maximum number of folders inside each other. */
export const DEPTH_MAX = 8

/** Files that were chosen, also those of a folder, without hidden files and node_modules. */
export function givenFiles(files: Iterable<File>): GivenFiles {
  const all = [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
  const wanted = all.filter(({ file, path }) => path === file.name || !path.split('/').some(isLitter))
  return { files: wanted, more: false }
}

/** The dropped files, including those in folders, sorted by name; without hidden files and node_modules. */
export async function droppedFiles(transfer: DataTransfer): Promise<GivenFiles> {
  // Read all items now: they are gone after the event.
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const dropped = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const found = { files: [] as GivenFile[], more: false }
  for (const { entry, file } of dropped) {
    if (entry !== null && isFolder(entry)) await addFolder(entry, found, 1)
    else if (file !== null) found.files.push({ file, path: file.name })
  }
  return found
}

async function addFolder(
  folder: FileSystemDirectoryEntry,
  found: { files: GivenFile[]; more: boolean },
  depth: number,
): Promise<void> {
  const entries = (await entriesOf(folder)).filter(({ name }) => !isLitter(name))
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.files.length >= FILES_MAX) {
      found.more = true
      return
    }
    if (isFolder(entry)) {
      if (depth < DEPTH_MAX) await addFolder(entry, found, depth + 1)
      else found.more = true
    } else if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
      found.files.push({ file, path: entry.fullPath.replace(/^\//, '') })
    }
  }
}

/** A reader returns the entries in batches; an empty batch is the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isLitter = (name: string): boolean => /^\.|^(node_modules|__MACOSX|Thumbs\.db)$/.test(name)
