import { isAbsolute, join, resolve } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId } from '../../contract/ids.ts'
import { homeFolder } from '../../players/isolation/home-folder.ts'

/** A folder that exists on no system: Debian gives it to users without a home. */
const NOWHERE = '/nonexistent'

/**
 * The default data folder, an absolute path: $TARTAGLIA_DATA, or a folder where the system keeps a user's data. Throws ExpectedError 'host' if it
 * would lie in the home of a user who has none.
 */
export function defaultDataFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homeFolder(),
): string {
  if (env['TARTAGLIA_DATA']) return resolve(env['TARTAGLIA_DATA'])
  if (platform === 'win32') return join(env['APPDATA'] ?? join(needed(home), 'AppData', 'Roaming'), 'Tartaglia')
  if (platform === 'darwin') return join(needed(home), 'Library', 'Application Support', 'Tartaglia')
  const shared = env['XDG_DATA_HOME'] ?? ''
  // The XDG Base Directory Specification says to ignore relative paths.
  return join(isAbsolute(shared) ? shared : join(needed(home), '.local', 'share'), 'tartaglia')
}

function needed(home: string | null): string {
  if (home !== null) return home
  throw new ExpectedError(
    'host',
    'path-unusable',
    'This user has no home for the data folder: name a folder with --data or TARTAGLIA_DATA, or set HOME.',
  )
}

/** The default data folder, for verbs that can do without a class; a folder that does not exist if this user has no default. */
export function dataFolderIfAny(): string {
  try {
    return defaultDataFolder()
  } catch {
    return NOWHERE
  }
}

/** The folder of a contest's segments. */
export const contestFolder = (data: string, contest: ContestId): string => join(data, 'contests', contest)

/** The folder of the recordings of a data folder's arenas; each has a folder of its name. */
export const recordingsFolder = (data: string): string => join(data, 'arenas')
