// The place of the sample term, for a launcher that begins before anything is built.
import { isAbsolute, join, resolve } from 'node:path'

/**
 * The folder in which the window makes the sample term, too (`classesBeside` of the default data folder): classes that are begun from it lie where
 * the system keeps a user's data, which no cleaner of caches deletes.
 */
export function sampleTermFolder(env, system, home) {
  return join(`${usualData(env, system, home)}-classes`, 'sample-term')
}

/** The same as `defaultDataFolder`, which is built only after the launcher has begun. */
function usualData(env, system, home) {
  if (env.TARTAGLIA_DATA) return resolve(env.TARTAGLIA_DATA)
  if (system === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'Tartaglia')
  if (system === 'darwin') return join(home, 'Library', 'Application Support', 'Tartaglia')
  const shared = env.XDG_DATA_HOME ?? ''
  return join(isAbsolute(shared) ? shared : join(home, '.local', 'share'), 'tartaglia')
}
