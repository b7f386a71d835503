import { execFile } from 'node:child_process'
import { chmod, copyFile, link, lstat, mkdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { constants } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { createHash, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import type { Runtime, Tools } from './launch.ts'

const run = promisify(execFile)
const programFolders = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin']

export const isRoot = (): boolean => process.getuid?.() === 0

/** Finds system programs in system folders; the user's PATH is not trusted. */
export async function findTools(): Promise<Tools> {
  const names = ['bwrap', 'setpriv', 'prlimit', 'sh', 'unshare', 'nsenter', 'mount']
  const found = process.platform === 'linux' ? await Promise.all(names.map(find)) : []
  const [bwrap, setpriv, prlimit, sh, unshare, nsenter, mount] = found
  return { bwrap, setpriv, prlimit, sh, unshare, nsenter, mount }
}

async function find(name: string): Promise<string | undefined> {
  for (const folder of programFolders) {
    const file = join(folder, name)
    if (
      await stat(file).then(
        (found) => found.isFile(),
        () => false,
      )
    )
      return file
  }
  return undefined
}

/**
 * Node and the host file at paths that the agents' user can read. This concerns only root, whose agents run as nobody,
 * who cannot enter a home of mode 0700: files in such a folder are linked or copied once to a folder that everybody can
 * read. Throws if a file is missing or no such folder can be created.
 */
export async function findRuntime(nodeBinary: string, hostFile: string): Promise<Runtime> {
  const [node, host] = isRoot() ? await Promise.all([within(nodeBinary), within(hostFile)]) : [nodeBinary, hostFile]
  await Promise.all([stat(node), stat(host)])
  return { nodeBinary: node, hostFile: host, libraries: process.platform === 'linux' ? await librariesOf(node) : [] }
}

/** The place of the spawner among our programs; it is a program of this machine's processor. */
export const spawnerIn = (programs: string): string => join(programs, `spawner-${process.arch}`)

/** The spawner at a path that the agents' user can run; null: there is none for this machine. Never rejects. */
export async function findSpawner(file: string | undefined): Promise<string | null> {
  if (file === undefined || process.platform !== 'linux' || !(await exists(file))) return null
  return isRoot() ? within(file).catch(() => null) : file
}

/** By binary: several tiers ask for the same one, and none changes while this process runs. */
const libraries = new Map<string, Promise<readonly string[]>>()

/** The shared libraries that the loader lists; whole folders if it does not list them. */
function librariesOf(binary: string): Promise<readonly string[]> {
  const known = libraries.get(binary) ?? listLibraries(binary)
  libraries.set(binary, known)
  return known
}

async function listLibraries(binary: string): Promise<readonly string[]> {
  const listed = await run('/usr/bin/ldd', [binary], { env: {} }).then(
    ({ stdout }) => [...stdout.matchAll(/(?:^|\s)(\/[^\s:]+)/g)].map((match) => match[1]!),
    () => [],
  )
  if (listed.some((file) => file.includes('/ld-'))) return listed
  const folders = ['/usr', '/lib', '/lib64']
  const there = await Promise.all(folders.map(exists))
  return folders.filter((_, at) => there[at])
}

async function within(path: string): Promise<string> {
  const file = await realpath(path)
  const found = await stat(file, { bigint: true })
  const readable = (Number(found.mode) & 0o004) !== 0
  if (readable && (await isEnteredByAll(dirname(file)))) return file

  // The name is derived from the file's identity, so that a newer build gets another name.
  const identity = `${file} ${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.mode}`
  const name = createHash('sha256').update(identity).digest('hex').slice(0, 32)
  const folder = await sharedFolder()
  const target = join(folder, `${name}-${basename(file)}`)
  if (await exists(target)) return target
  const fresh = join(folder, `${randomUUID()}.new`)
  try {
    // A link is cheapest, but works only within one file system.
    const linked = readable && (await succeeds(link(file, fresh)))
    if (!linked) {
      await copyFile(file, fresh, constants.COPYFILE_FICLONE)
      await chmod(fresh, 0o755)
    }
    await rename(fresh, target)
  } finally {
    await rm(fresh, { force: true })
  }
  return target
}

/** True if every user of this machine can enter a folder and those around it. */
export async function isEnteredByAll(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** A folder for temporary files that the agents' user can enter; any folder will do unless this process is root. */
export async function temporaryFolder(): Promise<string> {
  const [base] = isRoot() ? await enteredByAll() : [tmpdir()]
  if (base === undefined) throw new Error('no temporary folder can be entered by the user nobody')
  return base
}

async function enteredByAll(): Promise<readonly string[]> {
  const bases = [tmpdir(), '/var/tmp', '/tmp']
  const entered = await Promise.all(bases.map((base) => isEnteredByAll(base).catch(() => false)))
  return bases.filter((_, at) => entered[at])
}

async function sharedFolder(): Promise<string> {
  for (const base of await enteredByAll()) {
    const folder = join(base, 'tartaglia-runtime')
    // chmod, because the umask may narrow the mode, and only if the folder was just created.
    if (await succeeds(mkdir(folder, { mode: 0o700 }))) await chmod(folder, 0o755)
    // Somebody else may have planted a link or a folder under this name.
    const made = await lstat(folder)
    if (made.isDirectory() && made.uid === 0 && (made.mode & 0o777) === 0o755) return folder
  }
  throw new Error('no temporary folder can be shared with the user nobody')
}

const exists = (path: string): Promise<boolean> => succeeds(stat(path))

const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  )
