import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, isAbsolute, join } from 'node:path'
import { homeFolder } from '../../players/isolation/home-folder.ts'

/** Builds of the program whose compiled code is kept: the newest ones. One has about 5 MB. */
export const BUILDS_KEPT = 3

/**
 * Lets Node keep the compiled code of this process for the next start, in a folder of the user's cache. `program`: the file that the
 * process was started with; each build of it has a folder of its own. Code that others could have put there would run as this user,
 * so nothing is read or kept where anybody else can write. Never throws: the program starts without the cache, too.
 *
 * For processes that load no code but the program's own, from where the user can write it anyway: the desktop app, whose package is
 * checked, would load what is not. Call it before the modules that it is for are loaded.
 */
export function keepCompiledCode(program: string): void {
  try {
    const folder = compileCacheFolder(program, cacheFolder())
    if (folder !== null) enableCompileCache({ directory: folder })
  } catch {
    // A full disk, or a home that cannot be written.
  }
}

/**
 * The folder for the compiled code of `program` below the user's cache, made if it is missing; folders of older builds are removed.
 * null: somebody else can write there, or wrote something in it. Throws an Error of the file system.
 */
export function compileCacheFolder(program: string, cache: string): string | null {
  const all = join(cache, 'compiled')
  mkdirSync(all, { recursive: true, mode: 0o700 })
  if (!isOwn(all) || !isSafelyReached(all)) return null
  const build = createHash('sha256').update(readFileSync(program)).digest('hex').slice(0, 32)
  const folder = join(all, build)
  // Between the look and the making nobody else can put one there.
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) removeOlder(all, build)
  // Others do not get inside, so the modes below do not count: Node makes its folders with those of the umask, such as 0775.
  const isPrivate = isOwn(folder) && (process.getuid === undefined || (lstatSync(folder).mode & 0o077) === 0)
  const isAllOurs = (): boolean =>
    readdirSync(folder, { recursive: true }).every((name) => isOfThisUser(join(folder, String(name))))
  return isPrivate && isAllOurs() ? folder : null
}

/** Our folder among those in which this user's programs keep what can be made again. Throws an Error if it would lie in the home of a user who has none. */
export function cacheFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homeFolder(),
): string {
  const shared = env['XDG_CACHE_HOME'] ?? ''
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(needed(home), 'AppData', 'Local'), 'Tartaglia', 'Cache')
  if (platform === 'darwin') return join(needed(home), 'Library', 'Caches', 'Tartaglia')
  return join(isAbsolute(shared) ? shared : join(needed(home), '.cache'), 'tartaglia')
}

function needed(home: string | null): string {
  if (home === null) throw new Error('this user has no home for a cache')
  return home
}

/** True for a file or folder of this user in which nobody else can write. On Windows the user's own folders are like that. */
function isOwn(path: string): boolean {
  return isOfThisUser(path) && (process.getuid === undefined || (lstatSync(path).mode & 0o022) === 0)
}

/** True for a file or folder of this user, and no link. */
function isOfThisUser(path: string): boolean {
  const found = lstatSync(path)
  if (process.getuid === undefined) return !found.isSymbolicLink()
  return (found.isDirectory() || found.isFile()) && found.uid === process.getuid()
}

/** True if nobody but this user and root can put another folder in the place of this one. */
function isSafelyReached(folder: string): boolean {
  if (process.getuid === undefined) return true
  const path = realpathSync(folder)
  for (let above = dirname(path); ; above = dirname(above)) {
    const { uid, mode } = lstatSync(above)
    const isTheirs = uid !== 0 && uid !== process.getuid()
    // In a folder such as /tmp, which is sticky, only the owner of an entry can move it.
    if (isTheirs || ((mode & 0o022) !== 0 && (mode & 0o1000) === 0)) return false
    if (above === dirname(above)) return true
  }
}

/** Removes all folders of builds but the newest ones, of which `own` is one. */
function removeOlder(all: string, own: string): void {
  const others = readdirSync(all)
    .filter((name) => name !== own)
    .map((name) => ({ path: join(all, name), at: lstatSync(join(all, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of others.slice(BUILDS_KEPT - 1)) rmSync(path, { recursive: true, force: true })
}
