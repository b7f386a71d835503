import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { ContestId } from '../../contract/ids.ts'

/** The default data folder, an absolute path: $TARTAGLIA_DATA, or a folder where the system keeps a user's data. */
export function defaultDataFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  if (env['TARTAGLIA_DATA']) return resolve(env['TARTAGLIA_DATA'])
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Tartaglia')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Tartaglia')
  const shared = env['XDG_DATA_HOME'] ?? ''
  // The XDG Base Directory Specification says to ignore relative paths.
  return join(isAbsolute(shared) ? shared : join(home, '.local', 'share'), 'tartaglia')
}

/** The folder of a contest's segments. */
export const contestFolder = (data: string, contest: ContestId): string => join(data, 'contests', contest)

/** The folder of the recordings of a data folder's arenas; each has a folder of its name. */
export const recordingsFolder = (data: string): string => join(data, 'arenas')
