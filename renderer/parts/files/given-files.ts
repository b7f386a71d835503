/** A file that a person has dropped or chosen. */
export interface GivenFile {
  readonly file: File
  /** The path, including the given folder: `class/anna/agent.js`; for a single file its name. */
  readonly path: string
}

/** Maximum number of files of one folder; more is probably a mistake, such as a whole disk. */
const FILES_MAX = 500
const DEPTH_MAX = 8

export function givenFiles(files: Iterable<File>): readonly GivenFile[] {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
}

/** The dropped files, including those in folders, sorted by name; without hidden files and node_modules. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly GivenFile[]> {
  // Read all items now: they are gone after the event.
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const dropped = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const found: GivenFile[] = []
  for (const { entry, file } of dropped) {
    if (entry !== null && isFolder(entry)) await addFolder(entry, found, 1)
    else if (file !== null) found.push({ file, path: file.name })
  }
  return found
}

async function addFolder(folder: FileSystemDirectoryEntry, found: GivenFile[], depth: number): Promise<void> {
  const entries = (await entriesOf(folder)).filter(({ name }) => !/^\.|^(node_modules|__MACOSX|Thumbs\.db)$/.test(name))
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (found.length >= FILES_MAX) return
    if (isFolder(entry)) {
      if (depth < DEPTH_MAX) await addFolder(entry, found, depth + 1)
    } else if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
      found.push({ file, path: entry.fullPath.replace(/^\//, '') })
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
